"""Every construct of bash, read as bash runs it, under several environments and arguments."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import shell
from tests.script.read import batch
from tests.script.read.constructs import BLOCKED, CONSTRUCTS, OTHER, RUNS, script
from verlgen.script.read.reading import Reading

# What is honestly not sure: bash before 5.2 does it otherwise.
UNSURE = {"replace with match"}


def cases(name: str) -> list[batch.Case]:
    return [batch.Case(script(CONSTRUCTS[name]), run.env, run.args) for run in RUNS]


def sources(name: str) -> bool:
    return "other.sh" in CONSTRUCTS[name]


@pytest.fixture(scope="module")
def ran() -> dict[str, list[batch.Ran]]:
    """What bash did with all of them."""
    found: dict[str, list[batch.Ran]] = {}
    for files, names in (
        ({}, [name for name in CONSTRUCTS if not sources(name)]),
        ({"other.sh": OTHER}, [name for name in CONSTRUCTS if sources(name)]),
    ):
        answers = iter(batch.run_all([case for name in names for case in cases(name)], files))
        found |= {name: [next(answers) for _ in RUNS] for name in names}
    return found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the scripts are said to lie: beside what they source."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "other.sh").write_text(OTHER, encoding="utf-8")
    return str(folder / "run.sh")


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_as_bash_runs_it(ran: dict[str, list[batch.Ran]], file: str, name: str) -> None:
    launched = False
    for case, answer in zip(cases(name), ran[name], strict=True):
        differs, reading = batch.judge(case, answer, file)
        unsure = [problem for problem in reading.problems if problem.uncertain]
        if name in UNSURE:
            assert unsure or not differs
        else:
            assert (differs, unsure) == ("", []), case
        launched = launched or bool(answer.calls)
    assert launched, "a fixture that never launches shows nothing"


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_places_are_where_the_words_are_written(file: str, name: str) -> None:
    for case in cases(name):
        reading = batch.ours(case, file)
        for found in reading.launches:
            for word in found.overrides:
                check_place(reading, case, word)


def check_place(reading: Reading, case: batch.Case, word: str) -> None:
    where = reading.where(word)
    if where is None:  # it comes from an argument, the environment or a program's output
        return
    text = OTHER if where.file is not None else case.text
    written = at(text, where.line, where.column, where.length)
    key = word.partition("=")[0]
    assert written.strip() == written != ""
    if key in text and written != word and not has_expansion(written):
        # Quotes and backslashes may stand in it, so only what is left of the key counts.
        assert unquoted(written).find(unquoted(key)) >= 0, (written, word)


def at(text: str, line: int, column: int, length: int) -> str:
    """Return the piece of a file at a line, a column in characters and a length in bytes."""
    rest = "\n".join([text.split("\n")[line - 1][column - 1 :], *text.split("\n")[line:]])
    return rest.encode()[:length].decode()


def has_expansion(written: str) -> bool:
    return any(char in written for char in "$`{~")


def unquoted(text: str) -> str:
    return "".join(char for char in text if char not in "'\"\\\n")


T = "python3 -m verl.trainer.main_ppo"


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (f'{T} a.b=1 "c.d=x y"', [(1, "a.b=1"), (1, '"c.d=x y"')]),
        (f"X=5\n{T} a.b=$X", [(2, "a.b=$X")]),
        (f'X="a.b=5"\n{T} "$X"', [(1, '"a.b=5"')]),
        (f"X=a.b=5\nX=a.b=6\n{T} $X", [(2, "a.b=6")]),
        (f"A=(\n  a=1 # one\n  b='x y'\n)\n{T} \"${{A[@]}}\"", [(2, "a=1"), (3, "b='x y'")]),
        (f"A=(a=1)\nA+=(b=2)\n{T} \\\n  ${{A[@]}} \\\n  c=3", [(1, "a=1"), (2, "b=2"), (5, "c=3")]),
        (f'X="a=1 b=2"\n{T} $X', [(1, "a=1"), (1, "b=2")]),
        (f'X="a=1 \\\n  b=ü2 \\\n  c=3"\n{T} $X', [(1, "a=1"), (2, "b=ü2"), (3, "c=3")]),
        (f'f() {{ {T} "$@" b=1; }}\nf a=1', [(2, "a=1"), (1, "b=1")]),
        (f"{T} é.b=ü a='日本' b=1", [(1, "é.b=ü"), (1, "a='日本'"), (1, "b=1")]),
        (f"{T} ${{X:-a.b=1}}", [(1, "a.b=1")]),
        (f"bash -c '{T} a.b=1'", [(1, "a.b=1")]),
        (f'eval "{T} a.b=1 c=2"', [(1, "a.b=1"), (1, "c=2")]),
        (f"bash <<'EOF'\n{T} a.b=1 \\\n  c.d=2\nEOF", [(2, "a.b=1"), (3, "c.d=2")]),
        (f"cat > x.sh <<EOF\n{T} a.b=1\nEOF\nbash x.sh", [(2, "a.b=1")]),
        (f"{T} a=$(echo 1) b={{1,2}}", [(1, "a=$(echo 1)"), (1, "b={1,2}"), (1, "b={1,2}")]),
        (f"if true; then\n\t{T} \\\n\t\ta=1 \\\n\t\t'b=2'\nfi", [(3, "a=1"), (4, "'b=2'")]),
        (f"for x in a=1 a=2; do {T} $x; done", [(1, "a=1"), (1, "a=2")]),
    ],
)
def test_places(text: str, places: list[tuple[int, str]]) -> None:
    reading = batch.ours(batch.Case(text, {}, []))
    found = []
    for launch in reading.launches:
        for word in launch.overrides:
            where = reading.where(word)
            assert where is not None, word
            found.append((where.line, at(text, where.line, where.column, where.length)))
    assert found == places


@pytest.fixture(scope="module")
def stopped() -> Iterator[tuple[str, str, batch.Case, batch.Ran]]:
    """Scripts that bash stops, and what because of."""
    rows = [
        (name, wanted, batch.Case(script(text), run.env, run.args))
        for name, (text, runs) in BLOCKED.items()
        for run, wanted in runs
    ]
    answers = batch.run_all([case for *_, case in rows])
    return [(*row, answer) for row, answer in zip(rows, answers, strict=True)]


def test_what_bash_does_not_reach_is_blocked(
    stopped: list[tuple[str, str, batch.Case, batch.Ran]],
) -> None:
    for name, wanted, case, answer in stopped:
        differs, reading = batch.judge(case, answer)
        assert differs == "", name
        assert answer.code != 0, name
        assert reading.blocked, name
        for found in reading.blocked:
            assert found.because is not None
            assert wanted in found.because, name
            assert "line " in found.because, name


def test_a_line_that_bash_gives_up() -> None:
    """An expansion that fails ends its line, not the script."""
    text = f"x=1; n=$((8/x-8/X)); x=2; {T} a=1\n{T} b=$x"
    ran = batch.run_all([batch.Case(text, {}, [])])[0]
    differs, reading = batch.judge(batch.Case(text, {}, []), ran)
    assert differs == ""
    assert [found.overrides for found in reading.launches] == [["b=1"]]
    assert [found.overrides for found in reading.blocked] == [["a=1"]]
    assert "division by 0" in str(reading.blocked[0].because)


@pytest.mark.parametrize("name", ["wrappers", "nounset", "trap", "exec last", "export lists"])
def test_the_batch_is_what_a_process_of_its_own_gives(
    ran: dict[str, list[batch.Ran]], name: str
) -> None:
    for case, answer in zip(cases(name), ran[name], strict=True):
        alone = shell.run(case.text, case.args, {"LC_ALL": "C.UTF-8", **case.env})
        assert [call.argv for call in alone.calls] == [call.argv for call in answer.calls]
