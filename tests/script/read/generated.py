"""Strategies for small scripts as people write them, wilder in how they combine things."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ["A", "B", "C", "N"]
ARRAYS = ["L", "M"]
KEYED = ["D"]
ENVIRONMENTS = [
    {},
    {"A": "1", "B": "x y", "N": "3"},
    {"A": "", "C": "a=1 b=2", "N": "0"},
    {"B": "/p/q.r.s", "C": " s  t "},
]
ARGUMENTS: list[list[str]] = [[], ["k.a=1"], ["one", "two words", ""], ["-n", "4", "x.y=z"]]

plain = st.sampled_from(["a", "b1", "x.y", "7", "0", "12", "p/q", "q-r", "_", "A", "e=f", "x=1,y"])
odd = st.sampled_from(
    ["x y", " lead", "t ", "", "*", "a:b:c", "[1,2]", "{a: 1}", "é", "~", "#x", "a\\b", "'", "!"]
)
texts = plain | odd
name = st.sampled_from(NAMES)
small = st.integers(-3, 12).map(str)


def single(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def double(text: str) -> str:
    return '"' + "".join("\\" + c if c in '\\"$`' else c for c in text) + '"'


def _weighted(*rows: tuple[int, st.SearchStrategy[str]]) -> st.SearchStrategy[str]:
    return st.one_of([row for weight, row in rows for _ in range(weight)])


@st.composite
def arithmetic(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.integers(0, 9 if depth else 3))
    if kind < 2:
        return draw(st.integers(0, 12).map(str))
    if kind == 2:
        return draw(st.sampled_from(["N", "i", "$N", "${N:-2}", "$#", "${#L[@]}", "${#A}"]))
    if kind == 3:
        return draw(st.sampled_from(["0x1f", "010", "2#101", "L[0]", "N", "${i:-1}"]))
    inner = arithmetic(depth - 1)
    if kind == 4:
        return "(" + draw(inner) + ")"
    if kind == 5:
        return draw(inner) + "?" + draw(inner) + ":" + draw(inner)
    if kind == 6:
        return draw(st.sampled_from(["-", "!", "~", "+"])) + "(" + draw(inner) + ")"
    if kind == 7:
        return draw(st.sampled_from(["i=", "i+=", "N=", "++i,", "i++,"])) + "(" + draw(inner) + ")"
    operators = ["+", "-", "*", "/", "%", "<", "<=", "==", "!=", "&&", "||", "&", "|", "^", "<<"]
    return draw(inner) + " " + draw(st.sampled_from(operators)) + " " + draw(inner)


patterns = st.sampled_from(
    [
        "*",
        "?",
        "a*",
        "*.*",
        "[a-z]*",
        "*[0-9]",
        "x",
        "",
        "*/",
        "/*",
        "*=*",
        "[!a]*",
        "@(a|b)*",
        "' '*",
    ]
)


@st.composite
def parameter(draw: st.DrawFn, depth: int = 2, quoted: bool = False) -> str:
    kind = draw(st.integers(0, 17))
    what = draw(
        st.sampled_from(
            [*NAMES, *NAMES, "1", "2", "#", "i", "?", "L", "L[1]", "L[i]", "L[-1]", "D[a]", "Z"]
        )
    )
    if kind < 4:
        return f"${what}" if what.isidentifier() or len(what) == 1 else f"${{{what}}}"
    if kind == 4:
        return draw(
            st.sampled_from(
                ["${L[@]}", "${L[*]}", "${#L[@]}", "${!L[*]}", "${L[@]:1}", "${L[*]:0:2}", "${D[*]}",
                 "${L[@]/#/k.}", "${L[@]%.*}", "$@", "$*", "${@:2}", "${*:1:1}", "${#D[@]}", "${M[@]}"]
            )
        )  # fmt: skip
    if what in "#?":
        return f"${what}"
    if kind < 10:
        operator = draw(st.sampled_from([":-", "-", ":+", "+", ":=", "="]))
        if operator[-1] == "=" and not (what.isidentifier() and what.isalpha()):
            operator = ":-"
        inside = draw(word(depth - 1, in_braces=True, in_quotes=quoted)) if depth > 0 else "d"
        return f"${{{what}{operator}{inside}}}"
    if kind < 12:
        operator = draw(st.sampled_from(["#", "##", "%", "%%"]))
        return f"${{{what}{operator}{draw(patterns)}}}"
    if kind < 14:
        operator = draw(st.sampled_from(["/", "//", "/#", "/%"]))
        pattern = draw(st.sampled_from(["a", "?", "[0-9]", "x*", "=", " ", ".", "'*'"]))
        return f"${{{what}{operator}{pattern}/{draw(st.sampled_from(['', '_', 'zz', '$N']))}}}"
    if kind == 14:
        length = draw(st.sampled_from(["", ":1", ":2", ":0", ": -1", ":N"]))
        return f"${{{what}:{draw(st.sampled_from(['0', '1', '2', ' -1', 'N']))}{length}}}"
    if kind == 15:
        return f"${{#{what}}}"
    if kind == 16:
        return f"${{{what}{draw(st.sampled_from(['^', '^^', ',', ',,', '@Q', '@U', '^^[a-b]']))}}}"
    return f"$(({draw(arithmetic())}))"


def _escaped(text: str) -> str:
    return "".join(c if c.isalnum() or c in "/._-=,:+" else "\\" + c for c in text) or "''"


@st.composite
def substitution(draw: st.DrawFn, depth: int) -> str:
    inner = word(depth - 1)
    kind = draw(st.integers(0, 6))
    if kind < 3:
        return f"$(echo {draw(inner)} {draw(inner)})"
    if kind == 3:
        return f"$(printf '%s-' {draw(inner)} {draw(inner)})"
    if kind == 4:
        return "`echo " + draw(plain) + " $A`"
    if kind == 5:
        program = draw(
            st.sampled_from(
                ["tr a-z A-Z", "cut -d. -f1", "sed s/a/b/", "wc -w", "head -c 2", "rev"]
            )
        )
        return f"$(echo {draw(inner)} | {program})"
    return f"$(f {draw(inner)})"


@st.composite
def word(draw: st.DrawFn, depth: int = 2, in_braces: bool = False, in_quotes: bool = False) -> str:
    """One word of a command."""
    pieces = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 8 if depth > 0 else 3))
        if in_quotes and kind in (1, 2, 3):
            kind = 0
        if kind == 0:
            pieces.append(draw(plain))
        elif kind == 1:
            pieces.append(single(draw(texts)))
        elif kind == 2:
            pieces.append(double(draw(texts)))
        elif kind == 3:
            text = draw(texts)
            pieces.append(_escaped(text) if "\n" not in text else single(text))
        elif kind < 6:
            pieces.append(draw(parameter(depth - 1, in_quotes)))
        elif kind < 8 and not in_quotes:
            inside = [draw(parameter(depth - 1, True) | substitution(depth - 1))]
            before, after = draw(plain), draw(st.sampled_from(["", " ", ".z"]))
            pieces.append('"' + draw(st.sampled_from(["", before])) + inside[0] + after + '"')
        else:
            pieces.append(draw(substitution(depth - 1)))
    return "".join(pieces)


special = st.sampled_from(
    [
        "{a,b}",
        "x{1..3}",
        "{a,{b,c}}d",
        "~",
        "~/x",
        "a=~/y",
        "*.zz",
        "[1,2]",
        "{x}",
        "$'a\\tb'",
        "k={1,2}",
    ]
)
words = word() | special


@st.composite
def override(draw: st.DrawFn) -> str:
    kind = draw(st.integers(0, 8))
    key = draw(st.sampled_from(["a.b", "c", "+d.e", "data.x"]))
    if kind == 0:
        return draw(
            st.sampled_from(['"$@"', "$@", '"${L[@]}"', "${L[@]}", "$A", '"$B"', "${C}", "$*"])
        )
    if kind == 1:
        return '"' + key + "=" + draw(parameter(1, True)) + '"'
    if kind == 2:
        return draw(special)
    return key + "=" + draw(words)


@st.composite
def launch(draw: st.DrawFn) -> str:
    front = draw(st.sampled_from(["", "", "", "", "E=1 ", 'E="$A" F=$B ']))
    back = draw(
        st.sampled_from(["", "", "", " 2>&1 | cat", " > log", " &\nwait", " || true", " \\\n  z=9"])
    )
    given = draw(st.lists(override(), min_size=1, max_size=4))
    joint = draw(st.sampled_from([" ", " \\\n    "]))
    return f"{front}python3 -m verl.trainer.main_ppo {joint.join(given)}{back}"


@st.composite
def condition(draw: st.DrawFn) -> str:
    kind = draw(st.integers(0, 9))
    a, b = draw(parameter(1, True)), draw(word(1))
    if kind == 0:
        return f'[ -z "{a}" ]'
    if kind == 1:
        return f'[ "{a}" = {b} ]'
    if kind == 2:
        return f"[[ -n {draw(parameter(1))} && {draw(parameter(1))} != {draw(patterns)} ]]"
    if kind == 3:
        return f'[[ "{a}" == {draw(patterns)} || {b} == "$A" ]]'
    if kind == 4:
        return f"(( {draw(arithmetic())} ))"
    if kind == 5:
        return f'[ "${{N:-1}}" -{draw(st.sampled_from(["eq", "ne", "lt", "gt", "le", "ge"]))} {draw(small)} ]'
    if kind == 6:
        regex = draw(st.sampled_from(["^[a-z]+$", "([0-9]+)", "x|y", "^$", "\\.", "(a)(b)?"]))
        return f'[[ "{a}" =~ {regex} ]]'
    if kind == 7:
        return draw(
            st.sampled_from(["true", "false", "! false", "f x", "[ $# -gt 1 ]", "[[ -v A ]]"])
        )
    if kind == 8:
        return f'[ -n "{a}" {draw(st.sampled_from(["-a", "-o"]))} "$#" -gt 0 ]'
    return f'test "{a}" != "$A"'


@st.composite
def assignment(draw: st.DrawFn) -> str:
    kind = draw(st.integers(0, 19))
    if kind < 6:
        return f"{draw(name)}={draw(words)}"
    if kind == 6:
        return f"{draw(name)}+={draw(word())}"
    if kind == 7:
        return f"L=({' '.join(draw(st.lists(words, max_size=3)))})"
    if kind == 8:
        return f"L+=({' '.join(draw(st.lists(override(), max_size=3)))})"
    if kind == 9:
        return f"L[{draw(st.sampled_from(['0', '2', 'N', 'i', '${#L[@]}']))}]{draw(st.sampled_from(['=', '+=']))}{draw(word())}"
    if kind == 10:
        return f"D[{draw(st.sampled_from(['a', 'b', '$A', 'x y']))}]={draw(word())}"
    if kind == 11:
        return f"export {draw(name)}={draw(word())}"
    if kind == 12:
        return f"(({draw(st.sampled_from(['i++', 'i+=2', 'N=i', 'i--']))})) || true"
    if kind == 13:
        return f": ${{{draw(name)}{draw(st.sampled_from([':=', '=']))}{draw(word(1, in_braces=True))}}}"
    if kind == 14:
        return f"read -r {draw(name)} i <<< {draw(word())} || true"
    if kind == 15:
        return f"printf -v {draw(name)} '%s_%02d' {draw(word(1))} {draw(st.integers(0, 20))}"
    if kind == 16:
        return draw(
            st.sampled_from(
                [
                    "unset A",
                    "unset B C",
                    "unset 'L[0]'",
                    "L=()",
                    "export B",
                    "declare -i N=3",
                    "readonly R=1",
                ]
            )
        )
    if kind == 17:
        return f'set -- {draw(words)} "$@"'
    if kind == 18:
        return f"eval {single(draw(name) + '=' + draw(word(1)))}"
    return f"mapfile -t L <<< {draw(word())}"


@st.composite
def statement(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.integers(0, 16 if depth else 8))
    if kind < 6:
        return draw(assignment())
    if kind == 6:
        return draw(launch())
    if kind == 7:
        return f"{draw(condition())} {draw(st.sampled_from(['&&', '||']))} {draw(assignment())}"
    if kind == 8:
        return draw(
            st.sampled_from(
                [
                    "shift || true",
                    "IFS=,",
                    "unset IFS",
                    "set -f",
                    "set +f",
                    "cd /tmp",
                    "true",
                    "IFS=' :'",
                ]
            )
        )
    body = block(depth - 1)
    if kind < 11:
        other = f"else\n{draw(body)}\n" if draw(st.booleans()) else ""
        middle = f"elif {draw(condition())}; then\n{draw(body)}\n" if draw(st.booleans()) else ""
        return f"if {draw(condition())}; then\n{draw(body)}\n{middle}{other}fi"
    if kind == 11:
        items = draw(
            st.lists(
                st.tuples(patterns, body, st.sampled_from([";;", ";;", ";&", ";;&"])),
                min_size=1,
                max_size=3,
            )
        )
        inside = "\n".join(f"{pattern or repr('')})\n{text} {end}" for pattern, text, end in items)
        return f"case {draw(word(1))} in\n{inside}\n*) C=other ;;\nesac"
    if kind == 12:
        variable = draw(st.sampled_from(["x", "A", "i"]))
        jump = draw(
            st.sampled_from(["", "", '\n[ "$x" = a ] && continue', "\n[[ $i == 1* ]] && break"])
        )
        return f"for {variable} in {' '.join(draw(st.lists(words, max_size=3)))}; do{jump}\n{draw(body)}\ndone"
    if kind == 13:
        count, j = draw(st.integers(0, 3)), f"j{depth}"
        return f"for (({j}=0; {j}<{count}; {j}++)); do\n{draw(body)}\ndone"
    if kind == 14:
        return f"( {draw(body)}\n)" if draw(st.booleans()) else "{ " + draw(body) + "\n}"
    if kind == 15:
        return f"while read -r A B; do\n{draw(body)}\ndone <<< {draw(word())}"
    mark = draw(st.sampled_from(["EOF", "'EOF'"]))
    text = draw(
        st.sampled_from(["x=$A", "${B:-d} y", "a\\$b `echo c`", "two\nlines $N", "$((N+1))"])
    )
    return f"C=$(cat <<{mark}\n{text}\nEOF\n)"


@st.composite
def block(draw: st.DrawFn, depth: int) -> str:
    return "\n".join(draw(st.lists(statement(depth), min_size=1, max_size=2)))


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """A script that ends in a launch."""
    options = draw(st.sampled_from(["", "", "", "set -e", "set -u", "set -euo pipefail", "set -x"]))
    # A function that calls itself would go on for ever.
    inside = draw(block(1)).replace("$(f ", "$(g ").replace(" f x", " g x")
    local = draw(
        st.sampled_from(["", 'local A="$1"', "local x=in L", "shift || return 1", "return 2"])
    )
    output = draw(st.sampled_from(["", 'echo "<$1>"', "echo $A $#"]))
    lines = [
        options,
        draw(st.sampled_from(["", "declare -A D=([a]=1 [b]='x y')"])),
        draw(st.sampled_from(["L=(p.q=1 'r s')", "L=()", "L=([2]=z)", ""])),
        'g() { echo "g:$*"; [ -n "$1" ]; }',
        "f() {\n" + "\n".join(line for line in (local, inside, output) if line) + "\n}",
        *draw(st.lists(statement(), min_size=1, max_size=6)),
        draw(launch()),
    ]
    if draw(st.integers(0, 3)) == 0:
        lines.append(f"f {draw(words)}\n{draw(launch())}")
    return "\n".join(line for line in lines if line) + "\n"
