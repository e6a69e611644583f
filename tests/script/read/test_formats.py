import itertools
import time

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.script.read.referee import ask, differences, known_share, tried, words
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.escapes import backslashed, double_quoted, single_quoted
from verlgen.script.read.formats import echo, printf
from verlgen.script.read.symbols import Symbols

batches = settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)

FORMATS = r"""
%s %5s %-5s| %.2s %5.1s| %d %5d %-5d| %05d %+d %%%d %i %u %x %X %o %#x %#X %#o %.3d %5.3d
%-05d| %#08x %.0d %f %.2f %8.3f %-8.1f| %08.2f %+.1f %.0f %e %.2e %E %g %.3g %G %#g %#.0f %c
%5c %-3c| %b %5b| %q %% %5% %y % a% %- %5 %ld %lld %hd %zd %lf %Lf %'d %*d %-*d| %.*f %*.*f
%s-%s %s,%s\n x \n \t\\ \x41 \101 \e[0m \u00e9 \z \" \' \? \c %s\c \400 %(%Y)T %n %a %Q %5.2q
%ls +%+s| %#s| %05s| %.s| %.d| %.f %u%% \0 \1012
""".split()
ARGUMENTS = [
    *[
        [],
        [""],
        ["5"],
        ["-7"],
        ["abc"],
        ["3.14159"],
        ["0x1f"],
        ["010"],
        ["08"],
        ["'a"],
        ['"b'],
        [" 5"],
        ["5 "],
    ],
    *[
        ["1", "2", "3"],
        ["a b", "c'd"],
        ["1e3"],
        [".5"],
        ["5."],
        ["1e"],
        ["-0"],
        ["+5"],
        ["a\\tb"],
        ["a\\cb", "x"],
    ],
    *[
        ["\\0101", "\\101"],
        ["99999999999999999999"],
        ["18446744073709551615"],
        ["-9223372036854775808"],
    ],
    *[
        ["0.1"],
        ["2.5"],
        ["1234567.891"],
        ["0.00001234"],
        ["100000"],
        ["1e10"],
        ["é"],
        ["1,5"],
        ["*"],
        ["--"],
    ],
    *[
        ["5", "7"],
        ["-5", "7"],
        ["2", "3.14159"],
        ["6", "2", "2.71828"],
        ["0"],
        ["0.0"],
        ["5x"],
        ["-"],
        ["\n"],
    ],
]


def answer(format_text, arguments):
    printed = printf(format_text, arguments)
    assert (printed.problem is None) == (printed.status == 0)
    return f"{printed.text}|{printed.status}"


def compare(cases):
    ours = [tried(lambda case=case: answer(*case)) for case in cases]
    shell = [
        f"printf -- {words([f])} {words(a)}"
        + ("; s=$?" if "\0" not in str(mine) else " | tr '\\0' @; s=${PIPESTATUS[0]}")
        + "; printf '|%s' $s"
        for (f, a), mine in zip(cases, ours, strict=True)
    ]
    ours = [mine if isinstance(mine, Unknown) else mine.replace("\0", "@") for mine in ours]
    shell = [
        "printf skipped" if isinstance(mine, Unknown) else text
        for text, mine in zip(shell, ours, strict=True)
    ]
    assert differences(cases, ours, ask(shell, subshells=False)) == []
    return known_share(ours)


def test_printf_against_bash():
    assert compare(list(itertools.product(FORMATS, ARGUMENTS))) > 0.85


directives = st.builds(
    lambda flags, width, precision, letter: f"%{flags}{width}{precision}{letter}",
    st.text("-+ #0", max_size=2),
    st.sampled_from(["", "", "5", "12", "*"]),
    st.sampled_from(["", "", ".", ".0", ".2", ".5", ".*"]),
    st.sampled_from("sdiuxXofegEGcbq"),
)
formats = st.lists(
    directives | st.sampled_from(["a", " ", "%%", "\\n", "\\\\", "é", "\\x41", "'"]), max_size=4
).map("".join)
numbers = st.one_of(
    st.integers(-(2**63), 2**63 - 1).map(str),
    st.integers(-99, 999).map(str),
    st.decimals(-(10**9), 10**9, allow_nan=False, places=3).map(str),
    st.floats(1e-9, 1e9).map(repr),
)
texts = st.one_of(st.text("ab 'x\\\"$5.-é\n\t", max_size=5), numbers)


@batches
@given(st.lists(st.tuples(formats, st.lists(texts, max_size=4)), min_size=150, max_size=200))
def test_made_printf_against_bash(cases):
    compare(cases)


def compare_echo(cases):
    ours = [tried(lambda case=case: echo(list(case)) + "|") for case in cases]
    shell = [f"echo {words(case)}; printf '|'" for case in cases]
    ours = [o if isinstance(o, Unknown) or "\0" not in o else Unknown("a zero byte") for o in ours]
    shell = [
        "printf skipped" if isinstance(mine, Unknown) else text
        for text, mine in zip(shell, ours, strict=True)
    ]
    assert differences(cases, ours, ask(shell, subshells=False)) == []
    return known_share(ours)


def test_echo_against_bash():
    escapes = r"\a \b \c \e \E \f \n \r \t \v \\ \0101 \101 \x41 \x4 \xg \u41 \u \z".split()
    escapes += r"\" \' \? \8 a\cb \\n".split()
    cases = [
        (),
        ("a", "b"),
        ("-n", "a"),
        ("-e", "a\\tb"),
        ("-E", "a\\tb"),
        ("-ne", "a\\n"),
        ("-nE", "\\n"),
    ]
    cases += [
        ("-x", "a"),
        ("--", "a"),
        ("-", "a"),
        ("-n",),
        ("-e",),
        ("-en", "-n"),
        ("a", "-n"),
        ("-eE", "\\t"),
    ]
    cases += [(option, escape, "x") for option in ("-e", "-E", "") for escape in escapes]
    assert compare_echo(cases) > 0.95


@batches
@given(
    st.lists(
        st.lists(st.text("ab\\n01x7cu4 -eE", max_size=6), max_size=3).map(tuple),
        min_size=200,
        max_size=300,
    )
)
def test_made_echo_against_bash(cases):
    compare_echo(cases)
    compare_echo([("-e", *case) for case in cases])


def compare_quoting(texts):
    ours = [
        tried(
            lambda t=t: "\n".join(
                [single_quoted(t), backslashed(t), f"declare -- x={double_quoted(t)}\n"]
            )
        )
        for t in texts
    ]
    shell = [f'x={words([t])}; printf \'%s\\n%q\\n\' "${{x@Q}}" "$x"; declare -p x' for t in texts]
    assert differences(texts, ours, ask(shell, subshells=False)) == []
    return known_share(ours)


def test_quoting_against_bash():
    special = [chr(code) for code in range(1, 128)]
    texts = [
        "",
        *special,
        *(f"a{c}" for c in special),
        *(f"{c}b c" for c in special),
        *(f"=:{c}~" for c in special),
    ]
    assert compare_quoting([*texts, "é", "你好", "it's", "é\n", "''", "a:~b", "~/x", "#a"]) > 0.95


@batches
@given(st.lists(st.text("ab'\"\\$`!~#:= \n\t\x01é*", max_size=6), min_size=200, max_size=300))
def test_made_quoting_against_bash(cases):
    compare_quoting(cases)


@settings(max_examples=300)
@given(
    st.text("%-+ #0'5.*sdiuxfegcbqTQan(\\x41cu\U00100000", max_size=15),
    st.lists(st.text("a5x.'e-\\0\U00100000é", max_size=6), max_size=3),
)
def test_nothing_but_unknown_is_raised(format_text, arguments):
    tried(lambda: printf(format_text, arguments))
    tried(lambda: echo(["-e", format_text, *arguments]))
    for quote in (single_quoted, backslashed, double_quoted):
        tried(lambda quote=quote: quote(format_text))


@given(st.text(max_size=10), st.lists(st.text(max_size=5), max_size=3))
def test_any_text_is_taken(format_text, arguments):
    tried(lambda: printf(format_text, arguments))
    tried(lambda: echo([format_text, *arguments]))


def test_symbols_pass_where_nothing_looks_at_them():
    symbols = Symbols()
    home, date = symbols.new("$HOME", plain=True), symbols.new("$(date)")
    assert printf("%s/%s\\n", [home, date]).text == f"{home}/{date}\n"
    assert printf(f"{home}/%s", ["x"], plain=symbols.is_plain).text == f"{home}/x"
    assert echo([home, date]) == f"{home} {date}\n"
    assert echo(["-e", home, "\\t"], plain=symbols.is_plain) == f"{home} \t\n"
    for format_text in ("%d", "%5s", "%.1s", "%b", "%q", "%c", "%f"):
        with pytest.raises(Unknown):
            printf(format_text, [date])
    for quote in (single_quoted, backslashed, double_quoted):
        with pytest.raises(Unknown):
            quote(date)
    with pytest.raises(Unknown):
        echo(["-e", date])


@pytest.mark.parametrize(
    ("format_text", "arguments"),
    [
        ("%999999999999d", ["1"]),
        ("%.99999999f", ["1"]),
        ("%*d", ["999999999", "1"]),
        ("%5000s" * 1_000, ["x"] * 5_000),
        ("%f", ["1e300000000"]),
        ("%f", ["9" * 20_000]),
        ("%.400f", ["1e-290"]),
        ("%s", ["x" * 1_000] * 5_000),
        ("%d", ["9" * 100_000]),
    ],
)
def test_hostile_formats_are_bounded(format_text, arguments):
    begun = time.perf_counter()
    tried(lambda: printf(format_text, arguments))
    assert time.perf_counter() - begun < 2
