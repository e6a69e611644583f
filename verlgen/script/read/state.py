"""What a shell knows while it runs: variables, parameters, options, folders."""

from __future__ import annotations

from collections.abc import Iterator

from verlgen.script.read import syntax


class Variable:
    """A shell variable.

    Attributes:
        value: Text, or None where it is declared and unset.
        items: Subscript -> text of an array, else None. Indexed arrays have int subscripts, sorted.
        associative: Whether the subscripts are text.
    """

    __slots__ = (
        "associative",
        "exported",
        "integer",
        "items",
        "lower",
        "nameref",
        "readonly",
        "upper",
        "value",
    )

    def __init__(self, value: str | None = None) -> None:
        self.value = value
        self.items: dict[int | str, str] | None = None
        self.associative = False
        self.exported = False
        self.readonly = False
        self.integer = False
        self.lower = False
        self.upper = False
        self.nameref = False

    def copy(self) -> Variable:
        """Return a variable that changes by itself."""
        other = Variable(self.value)
        other.items = None if self.items is None else dict(self.items)
        for name in ("associative", "exported", "readonly", "integer", "lower", "upper", "nameref"):
            setattr(other, name, getattr(self, name))
        return other

    def at(self, index: int | str) -> str | None:
        """Return the element at a subscript; a scalar is its own element 0."""
        if self.items is None:
            return self.value if index == 0 else None
        if isinstance(index, int) and index < 0 and not self.associative:
            index = (max((i for i in self.items if isinstance(i, int)), default=-1) + 1) + index
        return self.items.get(index)

    def ordered(self) -> list[tuple[int | str, str]]:
        """Return subscripts and elements, indexed ones by number; a scalar as element 0."""
        if self.items is None:
            return [] if self.value is None else [(0, self.value)]
        if self.associative:
            return list(self.items.items())
        return sorted(self.items.items(), key=lambda item: int(item[0]))

    @property
    def is_set(self) -> bool:
        """Whether `$X` has a value: a scalar's own, an array's element 0."""
        return self.at("0" if self.associative else 0) is not None


class State:
    """A shell's state; `copy` is what a subshell starts with."""

    def __init__(self) -> None:
        self.scopes: list[dict[str, Variable]] = [{}]
        self.parameters: list[str] = []
        self.name: str = "bash"
        self.functions: dict[str, syntax.Function] = {}
        self.function_source: dict[str, int] = {}
        self.options: set[str] = set()
        self.shopt: set[str] = set()
        self.folder: str = ""
        self.old_folder: str = ""
        self.folder_stack: list[str] = []
        self.status = 0
        self.traps: dict[str, str] = {}
        self.pipe_statuses: list[int] = [0]

    def copy(self) -> State:
        """Return a state that changes by itself."""
        other = State()
        other.scopes = [{k: v.copy() for k, v in scope.items()} for scope in self.scopes]
        other.parameters = list(self.parameters)
        other.name = self.name
        other.functions = dict(self.functions)
        other.function_source = dict(self.function_source)
        other.options = set(self.options)
        other.shopt = set(self.shopt)
        other.folder = self.folder
        other.old_folder = self.old_folder
        other.folder_stack = list(self.folder_stack)
        other.status = self.status
        other.pipe_statuses = list(self.pipe_statuses)
        return other

    def find(self, name: str) -> Variable | None:
        """Return a variable, the innermost of the name; namerefs are followed."""
        for _ in range(16):
            variable = self._own(name)
            if variable is None or not variable.nameref or not variable.value:
                return variable
            name = variable.value.partition("[")[0]
        return None

    def make(self, name: str) -> Variable:
        """Return the variable of the name, made in the outermost scope where there is none."""
        variable = self.find(name)
        if variable is None:
            variable = Variable()
            self.scopes[0][name] = variable
        return variable

    def local(self, name: str) -> Variable:
        """Return a variable of the innermost function, made where it has none."""
        scope = self.scopes[-1]
        if name not in scope:
            outer = self._own(name)
            scope[name] = Variable()
            scope[name].exported = outer is not None and outer.exported
        return scope[name]

    def unset(self, name: str) -> None:
        """Forget the innermost variable of the name.

        A function's own variable stays one, without a value, so that no outer one shows through.
        """
        if len(self.scopes) > 1 and name in self.scopes[-1]:
            self.scopes[-1][name] = Variable()
            return
        self.forget(name)

    def forget(self, name: str) -> None:
        """Take the innermost variable of the name away."""
        for scope in reversed(self.scopes):
            if name in scope:
                del scope[name]
                return

    def names(self) -> Iterator[str]:
        """Yield the names of all variables, each once, sorted."""
        yield from sorted({name for scope in self.scopes for name in scope})

    def exported(self) -> dict[str, str]:
        """Return the environment of what is started."""
        found: dict[str, str] = {}
        for scope in self.scopes:
            for name, variable in scope.items():
                if variable.exported and variable.items is None and variable.value is not None:
                    found[name] = variable.value
                elif name in found:
                    del found[name]
        return found

    def _own(self, name: str) -> Variable | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None
