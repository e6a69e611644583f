import itertools
import sys
import time

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.script.read.program_cases import AWK, BC, CALLS, FILTERS, INPUTS, PYTHON, SED
from tests.script.read.referee import ask, differences, known_share, tried, words
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.programs import PROGRAMS
from verlgen.script.read.symbols import Symbols

batches = settings(
    max_examples=1,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def run(name, arguments, stdin=""):
    output, status = PROGRAMS[name](list(arguments), stdin)
    return f"{output}|{status}"


def compare(cases):
    """Compare (name, arguments, input) with the real programs; what is unknown is not run."""
    ours = [tried(lambda case=case: run(*case)) for case in cases]
    shell = [
        ":"
        if isinstance(mine, Unknown)
        else f'printf %s {words([stdin])} | {words([name, *arguments])}; printf "|%s" $?'
        for (name, arguments, stdin), mine in zip(cases, ours, strict=True)
    ]
    assert differences(cases, ours, ask(shell)) == []
    return known_share(ours)


def test_programs_without_input():
    assert compare([(name, arguments, "") for name, *arguments in CALLS]) > 0.95


@pytest.mark.parametrize("program", sorted({name for name, *_ in FILTERS}))
def test_filters(program):
    calls = [arguments for name, *arguments in FILTERS if name == program]
    cases = [
        (program, arguments, text) for arguments, text in itertools.product(calls, INPUTS[::2])
    ]
    assert compare(cases) > (0.3 if program == "xargs" else 0.6)


SED_OPTIONS = [
    ["-E", "s/([a-z]+) ([a-z]+)/\\2 \\1/"],
    ["-e", "s/a/b/", "-e", "s/b/c/"],
    ["-nE", "/a|b/p"],
    ["-r", "s/^(.)(.*)$/\\2\\1/"],
    ["-E", "s/[0-9]+(\\.[0-9]+)*/N/g"],
    ["-n", "-e", "$p"],
    ["-i", "s/a/b/"],
]
AWK_OPTIONS = [
    ["-F:", "{print $2}"],
    ["-F", "/", "{print $NF}"],
    ["-F=", "{print $2}"],
    ["-F.", "{print $1}"],
    ["-F,", "{print $3}"],
    ["-F", "\\t", "{print $1}"],
    ["-v", "x=3", "{print x+$1}"],
    ["-F'", "{print $1}"],
    ["-F", "[.-]", "{print $2}"],
    ["-F|", "{print $1}"],
    ["-F", ": ", "{print $2}"],
    ["-vx=a", "$1==x"],
]


def test_sed():
    cases = [("sed", [script], text) for script, text in itertools.product(SED, INPUTS[::4])]
    cases += [("sed", [script], "x\na\nlast") for script in SED]
    cases += [("sed", ["-n", script], text) for script in SED for text in ("last", "a\nb a\n")]
    cases += [("sed", arguments, text) for arguments in SED_OPTIONS for text in INPUTS[::2]]
    assert compare(cases) > 0.8


def test_awk():
    cases = [("awk", [script], text) for script, text in itertools.product(AWK, INPUTS[::4])]
    cases += [("awk", arguments, text) for arguments in AWK_OPTIONS for text in INPUTS[::2]]
    assert compare(cases) > 0.85


def test_bc():
    cases = [("bc", arguments, f"{text}\n") for text in BC for arguments in ([], ["-l"])]
    assert compare(cases) > 0.8


lines = (
    st.lists(st.text("abAB01 .:-/_=", max_size=8), max_size=4)
    .map("\n".join)
    .map(lambda t: f"{t}\n")
)
pieces = st.sampled_from(
    [
        "a",
        "b",
        ".",
        "[ab]",
        "[^a]",
        "a*",
        "\\.",
        "[0-9]",
        ".*",
        "\\(a\\)",
        "-",
        "\\(.*\\)",
        "$",
        "^",
    ]
)
filters = st.one_of(
    st.builds(
        lambda p, r, f: ("sed", [f"s/{''.join(p)}/{r}/{f}"]),
        st.lists(pieces, min_size=1, max_size=3),
        st.sampled_from(["", "x", "&&", "[&]"]),
        st.sampled_from(["", "g", "2", "I"]),
    ),
    st.builds(
        lambda o, p: ("grep", [*o, "".join(p)]),
        st.sampled_from([[], ["-o"], ["-v"], ["-c"], ["-w"], ["-i"], ["-ow"], ["-x"]]),
        st.lists(pieces, min_size=1, max_size=3),
    ),
    st.builds(
        lambda d, f: ("cut", [f"-d{d}", f"-f{f}"]),
        st.sampled_from(":-/.= "),
        st.sampled_from(["1", "2", "1,3", "2-", "-2", "2-3,1"]),
    ),
    st.builds(
        lambda o, a, b: ("tr", [*o, a, b]),
        st.sampled_from([[], ["-s"], ["-c"]]),
        st.sampled_from(["a", "ab", "a-b", "A-B0", ".", "0-9"]),
        st.sampled_from(["x", "xy", "_", "A-Z"]),
    ),
    st.builds(
        lambda f, e: ("awk", [f"-F{f}", f"{{print {e}}}"]),
        st.sampled_from(":-/.=, "),
        st.sampled_from(
            ["$1", "$2", "$NF", "NF", "$1+$2", "$1 $2", "$1<$2", "$1==$2", "length($2)", "$1,$2"]
        ),
    ),
    st.builds(lambda o: ("sort", [o]), st.sampled_from(["-n", "-u", "-r", "-nr", "-nu"])),
    st.builds(lambda o: ("head", [o]), st.sampled_from(["-n1", "-n-1", "-c3", "-2"])),
    st.builds(lambda o: ("tail", [o]), st.sampled_from(["-n1", "-n+2", "-c3", "-2"])),
)


@batches
@given(st.lists(st.tuples(filters, lines), min_size=300, max_size=400))
def test_made_filters(cases):
    assert compare([(*command, text) for command, text in cases]) > 0.7


@batches
@given(
    st.lists(
        st.lists(
            st.sampled_from(
                ["1", "2.5", "0.125", "10", "3", "7", "+", "-", "*", "/", "%", "(", ")", "scale=3;"]
            ),
            min_size=1,
            max_size=7,
        ).map("".join),
        min_size=200,
        max_size=300,
    )
)
def test_made_sums(cases):
    ours = [tried(lambda case=case: run("bc", [], f"{case}\n")) for case in cases]
    known = [
        ("bc", [], f"{case}\n")
        for case, mine in zip(cases, ours, strict=True)
        if not isinstance(mine, Unknown)
    ]
    compare(known)


# --- python -----------------------------------------------------------------------------------


def test_python_of_literals():
    cases = [("python3", ["-c", code], "") for code in PYTHON]
    ours = [tried(lambda case=case: run(*case)) for case in cases]
    assert known_share(ours) == 1
    shell = [f'{sys.executable} -I {words(a)}; printf "|%s" $?' for _, a, _ in cases]
    assert differences(cases, ours, ask(shell)) == []


@pytest.mark.parametrize(
    "code",
    [
        *[
            "import os; print(os.getcwd())",
            "print(x)",
            "print(open('/etc/passwd').read())",
            "print(9**9**9)",
            "print(1<<99999999)",
        ],
        *[
            "print('a'*10**9)",
            "print(1/0)",
            "print([1])",
            "print(().__class__)",
            "print(f'{1}')",
            "print(print(1))",
            "x=1",
            "print('a'+'b')",
        ],
        *[
            "print(eval('1'))",
            "print(int('x'))",
            "print(*[1])",
            "print(1 if 2 else 3)",
            "print(lambda: 1)",
            "print(1, file=2)",
            "(" * 1900,
        ],
        *[
            "print(" + "-" * 500 + "1)",
            "print(" + "1+" * 900 + "1)",
            "print(2**99999.0)",
            "print(1e308*10**400)",
            "exec('1')",
            "print(b'x')",
        ],
    ],
)
def test_python_beyond_literals_is_unknown(code):
    with pytest.raises(Unknown):
        run("python3", ["-c", code])


def test_python_of_other_forms_is_unknown():
    for arguments in ([], ["-m", "x"], ["x.py"], ["-"], ["-c"]):
        with pytest.raises(Unknown):
            run("python", arguments)


# --- symbols ----------------------------------------------------------------------------------

_made = Symbols()
S = _made.new("$HOME", plain=True)


@pytest.mark.parametrize(
    ("name", "arguments", "stdin", "output"),
    [
        ("basename", [f"{S}/models/x"], "", "x\n"),
        ("basename", [f"{S}/x.sh/", ".sh"], "", "x\n"),
        ("dirname", [f"{S}/models/x"], "", f"{S}/models\n"),
        ("dirname", [f"{S}/x"], "", f"{S}\n"),
        ("cat", [], f"{S}\n", f"{S}\n"),
        ("tee", ["-a", f"{S}/log"], f"{S}\n", f"{S}\n"),
        ("head", ["-n1"], f"a\n{S}\n", "a\n"),
        ("tail", ["-n1"], f"{S}\na\n", "a\n"),
        ("tail", ["-n", "+2"], f"a\n{S}\n", f"{S}\n"),
        ("seq", ["2"], S, "1\n2\n"),
        ("true", [S], S, ""),
    ],
)
def test_symbols_that_pass(name, arguments, stdin, output):
    assert PROGRAMS[name](arguments, stdin) == (output, 0)


@pytest.mark.parametrize(
    ("name", "arguments", "stdin"),
    [
        ("basename", [S], ""),
        ("basename", [f"{S}/"], ""),
        ("basename", [f"a/{S}.sh", ".sh"], ""),
        ("dirname", [S], ""),
        ("dirname", [f"a/{S}"], ""),
        ("tr", ["a", "b"], f"{S}/x"),
        ("cut", ["-d/", "-f1"], S),
        ("sed", ["s/a/b/"], S),
        ("sed", [f"s/a/{S}/"], "a"),
        ("awk", ["{print $1}"], S),
        ("grep", ["x"], S),
        ("wc", ["-l"], S),
        ("head", ["-n1"], f"{S}\n"),
        ("tail", ["-n1"], f"a\n{S}\n"),
        ("seq", [S], ""),
        ("expr", [S, "+", "1"], ""),
        ("bc", [], S),
        ("xargs", [], S),
        ("cat", ["file"], ""),
        ("head", ["-n1", "file"], ""),
        ("grep", ["x", "file"], ""),
        ("sed", ["s/a/b/", "file"], ""),
        ("awk", ["{print}", "file"], ""),
        ("python3", ["-c", f"print('{S}')"], ""),
    ],
)
def test_what_is_unknown(name, arguments, stdin):
    with pytest.raises(Unknown):
        PROGRAMS[name](arguments, stdin)


# --- bounds -----------------------------------------------------------------------------------

odd_words = st.lists(
    st.text("-nefdsE{}()[]$/\\.*+?1a,:;\"' \n\U00100000é", max_size=10), max_size=4
)


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(sorted(PROGRAMS)), odd_words, st.text("a1 \n:=\U00100000é", max_size=20))
def test_nothing_but_unknown_is_raised(name, arguments, stdin):
    tried(lambda: run(name, arguments, stdin))


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["awk", "sed", "bc", "python3"]),
    st.text('{}()$1+-*/="!~&|;,pds<>?:ax.[]^%\n \\', max_size=25),
)
def test_nothing_but_unknown_is_raised_of_scripts(name, script):
    tried(lambda: run(name, ["-c", script] if name == "python3" else [script], "a b\n"))
    tried(lambda: run("bc", [], script))


@pytest.mark.parametrize(
    ("name", "arguments", "stdin"),
    [
        ("sed", ["s/\\(a*\\)*b//"], "a" * 10_000),
        ("sed", ["s/a*a*a*a*a*b/x/g"], "a" * 10_000),
        ("sed", ["s/a/aaaaaaaaaa/g;" * 50], "a\n" * 100),
        ("grep", ["-E", "(a|aa)+$"], "a" * 10_000 + "b\n"),
        ("grep", ["-o", "."], "a" * 100_000),
        ("awk", ['{s=s s "x"}END{print s}'], "a\n" * 4_000),
        ("awk", ["{" * 2_000], ""),
        ("awk", ["BEGIN{print " + "(" * 1_000 + "1}"], ""),
        ("awk", ["BEGIN{print " + "-" * 1_000 + "1}"], ""),
        ("awk", ["BEGIN{print " + "$" * 1_000 + "1}"], "a\n"),
        ("awk", ["BEGIN{print " + "1^" * 1_000 + "1}"], ""),
        ("bc", [], "(" * 1_900),
        ("bc", [], "9^99^99\n"),
        ("bc", [], "2^" * 900 + "2\n"),
        ("bc", [], "scale=60;" + "1/3*" * 400 + "1\n"),
        ("expr", ["("] * 5_000, ""),
        ("expr", ["length"] * 5_000, ""),
        ("seq", ["1", "99999999999"], ""),
        ("seq", ["0", "0.000000001", "99999999"], ""),
        ("tr", ["a-z" * 10_000, "A"], "a" * 100_000),
        ("sort", ["-n"], "9\n" * 100_000),
        ("xargs", ["-n1"], "a " * 20_000),
        ("cut", ["-f", "1-999999999"], "a\tb\n"),
        ("cut", ["-f", ",".join("1-99" for _ in range(9_999))], "a\tb\n" * 1_000),
        ("head", ["-n", "9" * 5_000], "a"),
        ("paste", ["-sd,"], "a\n" * 100_000),
    ],
)
def test_hostile_calls_are_bounded(name, arguments, stdin):
    begun = time.perf_counter()
    tried(lambda: run(name, arguments, stdin))
    assert time.perf_counter() - begun < 4
