"""The silent bugs: each named with its line and what to do, and a near miss that is none."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from verlgen.script.read.reading import Reading, read
from verlgen.script.read.result import Problem

T = "python3 -m verl.trainer.main_ppo"


class Bug(NamedTuple):
    """A script with a bug: its code and line, what the message and the remedy say."""

    text: str
    code: str
    line: int
    message: tuple[str, ...]
    remedy: str
    env: dict[str, str] = {}  # noqa: RUF012
    args: tuple[str, ...] = ()


BUGS = {
    "comment in a continuation": Bug(
        f'{T} \\\n  a.b=1 \\\n  # c.d=2 \\\n  e.f=3 \\\n  g.h=4 "$@"\n',
        "command-ended", 4, ("e.f", "g.h", "comment"), "above the command",
    ),
    "blank line in a continuation": Bug(
        f'{T} \\\n  a.b=1 \\\n\n  e.f=3 \\\n  +g.h=4 "$@"\n',
        "command-ended", 4, ("e.f", "g.h", "blank line"), "blank line away",
    ),
    "line of blanks in a continuation": Bug(
        f'{T} \\\n  a.b=1 \\\n   \t\n  e.f=3\n', "command-ended", 4, ("e.f",), "blank",
    ),
    "blank behind the backslash": Bug(
        f'{T} \\\n  a.b=1 \\ \n  e.f=3 \\\n  g.h=4\n',
        "blank-argument", 2, ("backslash followed by a blank",), "blank",
    ),
    "what a blank behind the backslash loses": Bug(
        f'{T} \\\n  a.b=1 \\ \n  e.f=3 \\\n  g.h=4\n',
        "command-ended", 3, ("e.f", "g.h", "blank behind the backslash"), "blank",
    ),
    "backslash forgotten": Bug(
        f'{T} \\\n  a.b=1\n  e.f=3 \\\n  g.h=4 "$@"\n',
        "command-ended", 3, ("e.f", "g.h", "no backslash"), "backslash",
    ),
    "backslash forgotten before a word with a blank": Bug(
        f"{T} \\\n  a.b=1\n  'e.f=x y' \\\n  g.h=4\n", "command-ended", 3, ("e.f", "g.h"), "backslash",
    ),
    "backslash forgotten before + and ~": Bug(
        f"{T} \\\n  a.b=1\n  +e.f=3 ~g.h\n", "command-ended", 3, ("e.f", "g.h"), "backslash",
    ),
    "backslash forgotten before one without a dot": Bug(
        f"{T} \\\n  a.b=1\n  ++model_engine=megatron \\\n  g.h=4\n",
        "command-ended", 3, ("model_engine", "g.h"), "backslash",
    ),
    "backslash forgotten before a plain key": Bug(
        f"{T} \\\n  a.b=1\n  model_engine=megatron g.h=4\n",
        "command-ended", 3, ("g.h",), "backslash",
    ),
    "backslash forgotten before the arguments": Bug(
        f'{T} \\\n  a.b=1\n  "$@"\n', "command-ended", 3, ("k.a",), "backslash", {}, ("k.a=1",),
    ),
    "same key twice": Bug(
        f'{T} \\\n  a.b=1 \\\n  c=2 \\\n  a.b=3 "$@"\n', "same-key", 4, ("a.b", "1", "3", "last"), "",
    ),
    "same key twice with a plus": Bug(f"{T} +a.b=1 \\\n ++a.b=2\n", "same-key", 2, ("a.b",), ""),
    "same key in an array and behind it": Bug(
        f'A=(a.b=1\n a.b=2)\n{T} "${{A[@]}}"\n', "same-key", 2, ("a.b",), "",
    ),
    "unset variable makes an override empty": Bug(
        f"{T} \\\n  a.b=$MODEL_PATH\n", "empty-value", 2, ("a.b", "MODEL_PATH"), "${MODEL_PATH:-",
    ),
    "unset variable in quotes": Bug(f'{T} "a.b=${{P}}"\n', "empty-value", 1, ("a.b", "P"), "P"),
    "unset argument": Bug(f"{T} a.b=$1\n", "empty-value", 1, ("a.b", "1"), "1"),
    "unset variable through another": Bug(
        f"X=$UNSET\n{T} a.b=$X\n", "empty-value", 2, ("a.b", "UNSET"), "UNSET",
    ),
    "split word": Bug(
        f'N="my run"\n{T} a.name=$N\n', "split-word", 2, ("N", "blank"), "quotes",
    ),
    "split word in the middle": Bug(
        f'N="my run"\n{T} a.name=x_${{N}}_y b=1\n', "split-word", 2, ("N",), "quotes",
    ),
    "split output": Bug(
        f"{T} a.name=$(echo my run)\n", "split-word", 1, ("$(echo my run)",), "quotes",
    ),
    "split list": Bug(f'L="[1, 2]"\n{T} a.l=$L\n', "split-word", 2, ("L",), "quotes"),
    "unquoted arguments": Bug(f"{T} a=1 $@\n", "unquoted-arguments", 1, ("blanks",), '"$@"'),
    "unquoted arguments with a star": Bug(
        f"{T} a=1 $*\n", "unquoted-arguments", 1, ("blanks",), '"$@"',
    ),
    "arguments are dropped": Bug(f"x=1\n{T} a=1\n", "no-arguments", 2, ("dropped",), '"$@"'),
    "a switch is passed on": Bug(
        f'ENGINE=${{1:-vllm}}\n{T} r.name=$ENGINE "$@"\n',
        "switch-passed-on", 2, ("$1",), "shift", {}, ("sglang",),
    ),
    "a switch in a case is passed on": Bug(
        f'case "$1" in npu) D=npu;; *) D=cuda;; esac\n{T} d=$D $@\n', "switch-passed-on", 2, ("$1",),
        "shift",
    ),
    "tee into a folder that nobody makes": Bug(
        f"{T} a=1 2>&1 | tee logs/run.log\n", "tee-folder", 1, ("logs",), 'mkdir -p "logs"',
    ),
    "tee into a folder of a variable": Bug(
        f'D=out/x\n{T} a=1 2>&1 | tee -a "$D/run.log"\n', "tee-folder", 2, ("out/x",), "mkdir",
    ),
    "set -u and a variable that is never set": Bug(
        f"set -u\n{T} \\\n  a=$DATA\n", "unset-variable", 3, ("DATA", "set -u"), "${DATA:-",
    ),
    "set -u and an argument": Bug(
        f"set -euo pipefail\n{T} a=$1\n", "unset-variable", 2, ("$1",), "",
    ),
    "set -u in arithmetic": Bug(
        f"set -u\n{T} a=$((NNODES * 8))\n", "unset-variable", 2, ("NNODES",), "${NNODES:-",
    ),
    "ray loses quotes": Bug(
        f"ray job submit --address=x \\\n -- {T} \\\n  a.b='x y'\n", "ray-quotes", 1, ("x y",), "quote",
    ),
    "ray loses inner quotes": Bug(
        f"ray job submit -- {T} \"a.b='1'\"\n", "ray-quotes", 1, ("a.b='1'",), "quote",
    ),
    "ray expands once more": Bug(
        f"ray job submit -- {T} 'a.b=${{c.d}}'\n", "ray-quotes", 1, ("c.d",), "quote",
    ),
    "CRLF": Bug(f"x=1\r\n{T} a=1\r\n", "crlf", 1, ("CRLF",), "sed"),
    "CRLF in a continuation": Bug(f"{T} \\\r\n  a.b=1 \\\r\n  c=2\r\n", "crlf", 1, ("CRLF",), "sed"),
    "typographic quotes": Bug(
        f"{T} \\\n  a.b=“x”\n", "odd-character", 2, ("typographic quote",), "ASCII",
    ),
    "typographic apostrophes": Bug(
        f"{T} a.b=‘x’\n", "odd-character", 1, ("typographic quote",), "ASCII",
    ),
    "typographic quotes in a variable": Bug(
        f'X=“x”\n{T} a.b="$X"\n', "odd-character", 2, ("typographic quote",), "ASCII",
    ),
    "full-width letters": Bug(f"{T} a.b＝1\n", "odd-character", 1, ("full-width",), "ASCII"),
    "full-width comma": Bug(f"{T} a.b=[1，2]\n", "odd-character", 1, ("full-width",), "ASCII"),
    "full-width blank": Bug(f"{T} a.b=1\u3000c.d=2\n", "odd-character", 1, ("full-width",), "ASCII"),
    "non-breaking blank": Bug(
        f"{T} a.b=1\u00a0c.d=2\n", "odd-character", 1, ("non-breaking",), "ASCII",
    ),
    "non-breaking blank behind a backslash": Bug(
        f"{T} \\\u00a0\n  a.b=1\n", "odd-character", 1, ("non-breaking",), "ASCII",
    ),
    "non-breaking indent": Bug(
        f"{T} \\\n\u00a0\u00a0a.b=1\n", "odd-character", 2, ("non-breaking",), "ASCII",
    ),
    "non-breaking blank in a command": Bug(
        f"{T}\u00a0a.b=1\n", "odd-character", 1, ("non-breaking",), "ASCII",
    ),
    "long dash": Bug(f"{T} –config-name=x a=1\n", "odd-character", 1, ("dash",), "ASCII"),
    "long dash before the module": Bug(
        "python3 –m verl.trainer.main_ppo a=1\n", "odd-character", 1, ("dash",), "ASCII",
    ),
    "a value Hydra cannot read": Bug(
        f"{T} \\\n  a.b=[1,2\n", "hydra-grammar", 2, ("a.b=[1,2",), "",
    ),
    "a colon without a blank": Bug(f"{T} 'a.b={{c:}}'\n", "hydra-grammar", 1, ("a.b",), ""),
    "an = in a value": Bug(f"{T} a.b=c=d\n", "hydra-grammar", 1, ("a.b=c=d",), ""),
    "quotes that the shell takes": Bug(
        f'{T} a.b="it\'s (x)"\n', "hydra-grammar", 1, ("a.b",), "",
    ),
    "several values without -m": Bug(f"{T} a.b=1,2\n", "sweep", 1, ("a.b=1,2", "-m"), "["),
    "no override": Bug(f"{T} a=1 word\n", "no-override", 1, ("word", "no ="), "key=value"),
    "blanks around =": Bug(f"{T} a.b = 1\n", "no-override", 1, ("a.b", "no ="), ""),
}  # fmt: skip


NEAR: dict[str, list[tuple[str, str, dict[str, str], tuple[str, ...]]]] = {
    "command-ended": [
        ("comment above", f'# x\n{T} \\\n  a.b=1 \\\n  c.d=2 "$@" # end\n', {}, ()),
        ("comment in an array", f'A=(\n a.b=1\n # b.c=2\n\n c.d=3\n)\n{T} "${{A[@]}}" "$@"\n', {}, ()),
        ("trailing backslash", f'{T} \\\n  a.b=1 "$@" \\\n\necho done\n', {}, ()),
        ("comment at the very end", f'{T} \\\n  a.b=1 \\\n  # c.d=2\n', {}, ()),
        ("other command behind", f'{T} a.b=1 "$@"\nx=1 y=2\nexport Z=3\n', {}, ()),
        ("assignments before", f'x=1 y.z=2\n{T} "$@"\n', {}, ()),
        ("arguments alone", f'{T} a=1\n"$@"\n', {}, ()),
    ],
    "blank-argument": [
        ("quoted blank", f"{T} a.b=' '\n", {}, ()),
        ("escaped blank in a word", f"{T} a.b=x\\ y\n", {}, ()),
    ],
    "same-key": [
        ("same value", f"{T} a.b=1 a.b=1\n", {}, ()),
        ("two launches", f"{T} a.b=1\n{T} a.b=2\n", {}, ()),
        ("key that begins alike", f"{T} a.b=1 a.bc=2 x.a.b=3\n", {}, ()),
        ("deleted and added", f"{T} ~a.b +a.b=2\n", {}, ()),
    ],
    "empty-value": [
        ("set empty on purpose", f"X=\n{T} a.b=$X c.d= e.f=''\n", {}, ()),
        ("default empty on purpose", f"{T} a.b=${{X:-}}\n", {}, ()),
        ("part of a value", f"{T} a.b=x$X\n", {}, ()),
        ("given", f"{T} a.b=$X\n", {"X": "1"}, ()),
    ],
    "split-word": [
        ("quoted", f'N="my run"\n{T} a.name="$N"\n', {}, ()),
        ("no blank", f"N=my_run\n{T} a.name=$N\n", {}, ()),
        ("list of overrides on purpose", f'EXTRA="a.b=1 c.d=2"\n{T} $EXTRA\n', {}, ()),
        ("one more on purpose", f'EXTRA=" a.b=1 c.d=2"\n{T} x=1 $EXTRA "$@"\n', {}, ()),
    ],
    "unquoted-arguments": [
        ("quoted", f'{T} a=1 "$@"\n', {}, ("x y=1",)),
        ("in an echo", f'echo $@\n{T} a=1 "$@"\n', {}, ()),
        ("counted", f'echo ${{#@}}; for a in "$@"; do :; done\n{T} a=1 "$@"\n', {}, ()),
    ],
    "no-arguments": [
        ("passed on", f'{T} a=1 "$@"\n', {}, ()),
        ("through a variable", f'EXTRA="$*"\n{T} a=1 $EXTRA\n', {}, ()),
        ("through an array", f'A=("$@")\n{T} "${{A[@]}}"\n', {}, ()),
        ("taken one by one", f"{T} a=$1 b=${{2:-x}}\n", {}, ("1",)),
        ("no launch", "echo hi\n", {}, ()),
        ("in a function", f'f() {{ {T} "$@"; }}\nf "$@"\n', {}, ()),
        ("sliced", f'{T} a=$1 "${{@:2}}"\n', {}, ("1",)),
    ],
    "switch-passed-on": [
        ("shifted", f'E=$1\nshift\n{T} r.name=$E "$@"\n', {}, ("x",)),
        ("sliced", f'E=$1\n{T} r.name=$E "${{@:2}}"\n', {}, ("x",)),
        ("not passed on", f"E=$1\n{T} r.name=$E\n", {}, ("x",)),
        ("$1 of a function", f'f() {{ echo "$1"; }}\nf x\n{T} a=1 "$@"\n', {}, ()),
    ],
    "tee-folder": [
        ("made", f"mkdir -p logs\n{T} a=1 2>&1 | tee logs/run.log\n", {}, ()),
        ("made with its parents", f"mkdir -p a/b/c\n{T} a=1 | tee a/b/run.log\n", {}, ()),
        ("here", f"{T} a=1 2>&1 | tee run.log\n", {}, ()),
        ("there for sure", f"{T} a=1 2>&1 | tee /tmp/run.log\n", {}, ()),
        ("made through a variable", f'D=x/y\nmkdir -p "$D"\n{T} a=1 | tee $D/run.log\n', {}, ()),
        ("made below another", f"mkdir -p logs && cd . && {T} a=1 | tee ./logs/x\n", {}, ()),
    ],
    "unset-variable": [
        ("default", f"set -u\n{T} a=${{DATA:-x}}\n", {}, ()),
        ("given", f"set -u\n{T} a=$DATA\n", {"DATA": "x"}, ()),
        ("switched off", f"set -u\nset +u\n{T} a=$DATA\n", {}, ()),
        ("without -u", f"{T} a=$DATA\n", {}, ()),
        ("all arguments", f'set -u\nA=()\n{T} "$@" "${{A[@]}}"\n', {}, ()),
    ],
    "ray-quotes": [
        ("nothing to lose", f"ray job submit -- {T} a.b=x c=[1,2]\n", {}, ()),
        ("not ray", f"{T} 'a.b=x y'\n", {}, ()),
        ("a script of its own", "ray job submit -- bash run.sh 'x y'\n", {}, ()),
    ],
    "crlf": [
        ("LF", f"{T} a=1\n", {}, ()),
        ("a value with \\r", f"{T} a=$'x\\r'\n", {}, ()),
    ],
    "odd-character": [
        ("in a comment", f"# “x” – y\u00a0z\n{T} a=1\n", {}, ()),
        ("in a message", f'echo "“x” – 中文：开始！"\n{T} a=1\n', {}, ()),
        ("letters of other languages", f"{T} a.b=模型 c=é\n", {}, ()),
    ],
    "hydra-grammar": [
        ("plain", f"{T} a.b=[1,2] c={{d:1}} e=\"f g\" ~h +i.j=null k='\"x, y\"'\n", {}, ()),
        ("interpolation", f"{T} 'a.b=${{c.d}}' e=x/y-z:1.5\n", {}, ()),
    ],
    "sweep": [
        ("list", f"{T} a.b=[1,2]\n", {}, ()),
        ("quoted", f"{T} \"a.b='1,2'\"\n", {}, ()),
        ("multirun", f"{T} -m a.b=1,2\n", {}, ()),
        ("multirun spelled out", f"{T} --multirun a.b=1,2\n", {}, ()),
    ],
    "no-override": [
        ("flags", f"{T} --config-name=x a=1 ~b\n", {}, ()),
        ("flag with its value", f"{T} --config-name x --config-path y a=1\n", {}, ()),
    ],
}  # fmt: skip


def problems(text: str, env: dict[str, str], args: tuple[str, ...]) -> list[Problem]:
    return reading(text, env, args).problems


def reading(text: str, env: dict[str, str], args: tuple[str, ...]) -> Reading:
    return read(text, environment={"HOME": "/h", "USER": "u", **env}, arguments=args)


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_named(name: str) -> None:
    bug = BUGS[name]
    found = problems(bug.text, bug.env, bug.args)
    here = [problem for problem in found if problem.code == bug.code]
    assert here, [(p.code, p.line, p.message) for p in found]
    assert here[0].line == bug.line
    for text in bug.message:
        assert text in here[0].message
    assert bug.remedy in here[0].remedy
    assert here[0].remedy or bug.code == "hydra-grammar"
    assert len([p for p in here if (p.line, p.message) == (here[0].line, here[0].message)]) == 1


@pytest.mark.parametrize(
    ("code", "case"),
    [
        pytest.param(code, case, id=f"{code}: {case[0]}")
        for code, cases in NEAR.items()
        for case in cases
    ],
)
def test_a_near_miss_is_none(
    code: str, case: tuple[str, str, dict[str, str], tuple[str, ...]]
) -> None:
    found = problems(case[1], case[2], case[3])
    assert [p for p in found if p.code == code] == []


def test_every_code_has_both() -> None:
    assert {bug.code for bug in BUGS.values()} == set(NEAR)
