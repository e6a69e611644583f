"""The dataclasses behind `_target_`: fields, types and literal defaults, by syntax alone."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from verlgen.verl.extract.entrypoints import module_name

_RENAMED = {"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set", "Type": "type"}
_EMPTY: dict[str, Any] = {"dict": {}, "list": [], "set": [], "tuple": []}


class Field(NamedTuple):
    """One field of a dataclass.

    Attributes:
        type: Annotation in one spelling: `Optional[int]`, `dict[str, Any]`.
        default: Facts of the default: `{"default": literal}`, `{"required": True}`, or nothing
            where the default is computed.
        dataclass: Full name of the dataclass in the annotation, or None.
    """

    type: str
    default: dict[str, Any]
    dataclass: str | None


class _Class(NamedTuple):
    module: str
    node: ast.ClassDef


class ClassIndex:
    """Every dataclass of a verl, found by the names that Python would find them by.

    Args:
        trees: File path (POSIX, below the folder with `verl/`) to syntax tree.
    """

    def __init__(self, trees: dict[str, ast.Module]) -> None:
        self._trees = {module_name(path): tree for path, tree in trees.items()}
        self._packages = {
            module_name(path) for path in trees if path.rpartition("/")[2] == "__init__.py"
        }
        self._scopes: dict[str, dict[str, ast.stmt | tuple[str, str]]] = {}
        self._stars: dict[str, list[str]] = {}

    def resolve(self, target: str) -> str | None:
        """Returns the full name of the dataclass that `_target_` text means, or None."""
        module, _, name = target.rpartition(".")
        found = self._lookup(module, name, set())
        return f"{found.module}.{found.node.name}" if found else None

    def facts(self, full_name: str) -> dict[str, Field]:
        """Returns the fields of a dataclass that its constructor takes, inherited ones first."""
        found = self._lookup(*_split(full_name), set())
        return self._fields(found, set()) if found else {}

    def bases(self, full_name: str) -> list[str]:
        """Returns the base classes as full names where they are verl's, else as written."""
        found = self._lookup(*_split(full_name), set())
        names = []
        for base in found.node.bases if found else []:
            text = ast.unparse(base)
            inner = self._lookup(found.module, text, set()) if found else None
            names.append(f"{inner.module}.{inner.node.name}" if inner else text)
        return names

    def _fields(self, owner: _Class, seen: set[tuple[str, str]]) -> dict[str, Field]:
        mark = (owner.module, owner.node.name)
        if mark in seen:
            return {}
        seen.add(mark)
        fields: dict[str, Field] = {}
        # Reversed, as dataclasses does: the first base wins.
        for base in reversed(owner.node.bases):
            inner = self._lookup(owner.module, ast.unparse(base), set())
            if inner is not None:
                fields.update(self._fields(inner, seen))
        if not _is_dataclass(owner.node):
            return fields
        for statement in owner.node.body:
            if not isinstance(statement, ast.AnnAssign) or not isinstance(
                statement.target, ast.Name
            ):
                continue
            name = statement.target.id
            annotation = _annotation(statement.annotation)
            if name.startswith("_") or ast.unparse(annotation).startswith("ClassVar"):
                continue
            default = _default(statement.value)
            if default is None:
                fields.pop(name, None)
                continue
            fields[name] = Field(
                normalised(annotation), default, self._named_dataclass(owner.module, annotation)
            )
        return fields

    def _named_dataclass(self, module: str, annotation: ast.expr) -> str | None:
        """Returns the dataclass that a value of this annotation is, not one inside a container."""
        inner = _without_none(annotation)
        if isinstance(inner, ast.Name | ast.Attribute):
            found = self._lookup(module, ast.unparse(inner), set())
            if found is not None and _is_dataclass(found.node):
                return f"{found.module}.{found.node.name}"
        return None

    def _lookup(self, module: str, name: str, seen: set[tuple[str, str]]) -> _Class | None:
        """Follows re-exports to the class statement that `module.name` is."""
        if (module, name) in seen or module not in self._trees:
            return None
        seen.add((module, name))
        if "." in name:
            first, _, rest = name.partition(".")
            found = self._scope(module).get(first)
            if isinstance(found, tuple):
                owner = found[0] if not found[1] else f"{found[0]}.{found[1]}"
                return self._lookup(owner, rest, seen)
            return None
        found = self._scope(module).get(name)
        if isinstance(found, ast.ClassDef):
            return _Class(module, found)
        if isinstance(found, tuple):
            return self._lookup(found[0], found[1], seen)
        for star in reversed(self._stars[module]):
            inner = self._lookup(star, name, seen)
            if inner is not None:
                return inner
        return None

    def _scope(self, module: str) -> dict[str, ast.stmt | tuple[str, str]]:
        """Returns name to class statement, or to the (module, name) that it is imported from."""
        if module in self._scopes:
            return self._scopes[module]
        scope: dict[str, ast.stmt | tuple[str, str]] = {}
        stars: list[str] = []
        for node in ast.walk(self._trees[module]):
            if isinstance(node, ast.ImportFrom):
                origin = self._absolute(module, node)
                for alias in node.names:
                    if alias.name == "*":
                        stars.append(origin)
                    else:
                        scope[alias.asname or alias.name] = (origin, alias.name)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    scope[alias.asname or alias.name.partition(".")[0]] = (
                        alias.name if alias.asname else alias.name.partition(".")[0],
                        "",
                    )
        for statement in self._trees[module].body:
            if isinstance(statement, ast.ClassDef):
                scope[statement.name] = statement
        self._scopes[module], self._stars[module] = scope, stars
        return scope

    def _absolute(self, module: str, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = module.split(".")
        keep = len(parts) - node.level + (module in self._packages)
        return ".".join([*parts[:keep], *([node.module] if node.module else [])])


def class_facts(index: ClassIndex, targets: list[str]) -> dict[str, Any]:
    """Collects what the data file tells of the classes behind `_target_`.

    Returns:
        `targets`: `_target_` text to full class name, or to None where no dataclass of verl's
        source has it; `classes`: full name to `bases` and `fields`, each field with `type`, and
        `default` (a literal), `required`, and `class` (the dataclass that it is) where they hold.
    """
    resolved = {target: index.resolve(target) for target in sorted(set(targets))}
    waiting = [name for name in resolved.values() if name]
    classes: dict[str, Any] = {}
    while waiting:
        name = waiting.pop()
        if name in classes:
            continue
        fields = index.facts(name)
        classes[name] = {
            "bases": index.bases(name),
            "fields": {
                field: {
                    "type": facts.type,
                    **facts.default,
                    **({"class": facts.dataclass} if facts.dataclass else {}),
                }
                for field, facts in fields.items()
            },
        }
        waiting += [facts.dataclass for facts in fields.values() if facts.dataclass]
    return {"targets": resolved, "classes": {name: classes[name] for name in sorted(classes)}}


def normalised(annotation: ast.expr) -> str:
    """Writes an annotation in one spelling, whatever the release's taste.

    `typing.List[int]` is `list[int]`; `int | None` and `Union[int, None]` are `Optional[int]`.
    """
    return ast.unparse(_Normaliser().visit(ast.parse(ast.unparse(annotation), mode="eval")))


class _Normaliser(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in ("typing", "t"):
            return self.visit_Name(ast.Name(node.attr, ast.Load()))
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(_RENAMED.get(node.id, node.id), ast.Load())

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _union(_alternatives(node))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        return _union(_alternatives(node)) if _head(node) in ("Union", "Optional") else node


def _head(node: ast.expr) -> str:
    return ast.unparse(node.value).rpartition(".")[2] if isinstance(node, ast.Subscript) else ""


def _alternatives(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_alternatives(node.left), *_alternatives(node.right)]
    if isinstance(node, ast.Subscript) and _head(node) == "Optional":
        return [*_alternatives(node.slice), ast.Constant(None)]
    if isinstance(node, ast.Subscript) and _head(node) == "Union":
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return [part for element in inside for part in _alternatives(element)]
    return [node]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _union(parts: list[ast.expr]) -> ast.expr:
    kept = [part for part in parts if not _is_none(part)]
    inner: ast.expr = (
        kept[0]
        if len(kept) == 1
        else ast.Subscript(ast.Name("Union", ast.Load()), ast.Tuple(kept, ast.Load()), ast.Load())
    )
    if len(kept) == len(parts):
        return inner
    return ast.Subscript(ast.Name("Optional", ast.Load()), inner, ast.Load())


def _without_none(annotation: ast.expr) -> ast.expr:
    kept = [part for part in _alternatives(annotation) if not _is_none(part)]
    return kept[0] if len(kept) == 1 else annotation


def _annotation(node: ast.expr) -> ast.expr:
    """Opens the parts of an annotation that are written as text, but for those of `Literal`."""
    opened = _Unquoter().visit(ast.parse(ast.unparse(node), mode="eval"))
    assert isinstance(opened, ast.Expression)
    return opened.body


class _Unquoter(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, str):
            return node
        try:
            return ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return node if _head(node) == "Literal" else self.generic_visit(node)


def _is_dataclass(node: ast.ClassDef) -> bool:
    heads = [
        decorator.func if isinstance(decorator, ast.Call) else decorator
        for decorator in node.decorator_list
    ]
    return any(ast.unparse(head) in ("dataclass", "dataclasses.dataclass") for head in heads)


def _default(value: ast.expr | None) -> dict[str, Any] | None:
    """Returns the facts of a default; None for a field that the constructor does not take."""
    if value is None:
        return {"required": True}
    if isinstance(value, ast.Call) and ast.unparse(value.func) in ("field", "dataclasses.field"):
        given = {keyword.arg: keyword.value for keyword in value.keywords}
        init = given.get("init")
        if isinstance(init, ast.Constant) and init.value is False:
            return None
        if "default" in given:
            return _literal(given["default"])
        factory = given.get("default_factory")
        if isinstance(factory, ast.Lambda):
            return _literal(factory.body)
        if isinstance(factory, ast.Name) and factory.id in _EMPTY:
            return {"default": _EMPTY[factory.id]}
        return {} if factory is not None else {"required": True}
    return _literal(value)


def _literal(node: ast.expr) -> dict[str, Any]:
    if ast.unparse(node) in ("MISSING", "omegaconf.MISSING"):
        return {"default": "???"}
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return {}
    plain = _json(value)
    return {} if plain is None and value is not None else {"default": plain}


def _json(value: object) -> Any:
    """Returns a literal as JSON has it; None for one that JSON has not."""
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((_json(item) for item in value), key=str)
    if isinstance(value, dict):
        return {str(key): _json(item) for key, item in value.items()}
    return value if isinstance(value, str | int | float | bool | None) else None


def _split(full_name: str) -> tuple[str, str]:
    module, _, name = full_name.rpartition(".")
    return module, name
