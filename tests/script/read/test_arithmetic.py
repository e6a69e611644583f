import itertools
import time

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.script.read.referee import ask, differences, known_share, tried, words
from verlgen.script.read.arithmetic import ArithmeticProblem, evaluate
from verlgen.script.read.doubt import Unknown
from verlgen.script.read.symbols import Symbols

batches = settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
START = {"x": "5", "y": "-3", "z": "x+1", "w": "010", "q": "0x1F", "big": "9223372036854775807"}
SETUP = "\n".join(f"{name}={value}" for name, value in START.items())
SETUP += "\na=(1 2 3)\ndeclare -A m=([k]=7 [x]=8)"


class Variables:
    """Variables as the interpreter will keep them, in their simplest form."""

    def __init__(self):
        self.plain = dict(START)
        self.arrays = {"a": {"0": "1", "1": "2", "2": "3"}, "m": {"k": "7", "x": "8"}}

    def is_associative(self, name):
        return name == "m"

    def get(self, name, index):
        if (index or "").startswith("-"):
            raise Unknown("counted from the end")
        if name in self.arrays:
            return self.arrays[name].get("0" if index is None else index, "")
        return self.plain.get(name, "") if index in (None, "0") else ""

    def set(self, name, index, value):
        if (index or "").startswith("-"):
            raise Unknown("counted from the end")
        if name in self.arrays or index is not None:
            self.arrays.setdefault(name, {})["0" if index is None else index] = value
        else:
            self.plain[name] = value

    def shown(self):
        return [self.get(name, None) for name in ("x", "y", "z", "w", "n", "a")] + [
            self.get("a", "1"),
            self.get("m", "k"),
        ]


SHOWN = '"$v" "$x" "$y" "$z" "$w" "$n" "${a[0]}" "${a[1]}" "${m[k]}"'


def shell(expression):
    return f"e={words([expression])}; v=$(($e)) || exit; printf '%s|' {SHOWN}"


def answer(expression):
    variables = Variables()
    try:
        value = evaluate(expression, variables)
    except ArithmeticProblem as problem:
        assert problem.message
        return ""
    return "".join(f"{part}|" for part in (value, *variables.shown()))


def compare(expressions):
    ours = [tried(lambda e=e: answer(e)) for e in expressions]
    assert differences(expressions, ours, ask([shell(e) for e in expressions], SETUP)) == []
    return known_share(ours)


NUMBERS = """
0 1 -1 10 007 010 08 0x 0x1F 0Xff 0xg 2#101 2#2 16#ff 36#Z 37#Z 37#a 62#Z 64#@ 64#_
65#1 1#0 0#1 10#08
10# 10#-5 9223372036854775807 9223372036854775808 -9223372036854775808 99999999999999999999 1.5 1a
0b1 08#1 1#2#3 16#1_ x y z w q big n a a[0] a[1] a[x-4] a[1+1] a[-1] m m[k] m[x] m[nokey] a[5]
""".split()
EXPRESSIONS = r"""
x=5 ;; x = y = 3 ;; 1 + x = 5 ;; (x) = 5 ;; -x = 5 ;; x=1?2:3 ;; 1?x=4:x=5 ;; 0?x:y=1 ;; x+=2
x-=y ;; x*=2 ;; x/=2 ;; x%=3 ;; x<<=2 ;; x>>=1 ;; x&=6 ;; x^=1 ;; x|=8 ;; n+=1 ;; x/=0 ;; x%=0
0&&(x/=0) ;; x**=2 ;; x&&=1 ;; x++ ;; x-- ;; ++x ;; --x ;; x++ + ++x ;; x+++y ;; x---y ;; - -1
--5 ;; ++5 ;; 5--1 ;; x --1 ;; x++ --1 ;; ++x --1 ;; x++++ ;; --x++ ;; ++x=9 ;; x ++ ;; ++ x
+ +x ;; !x ;; !0 ;; !!x ;; ~1 ;; ~-1 ;; -~x ;; 1+2*3 ;; (1+2)*3 ;; 2**3**2 ;; -2**2 ;; 2**-1
2**64 ;; 2**63 ;; 3**40 ;; 0**0 ;; (-3)**3 ;; 2***2 ;; 7/2 ;; -7/2 ;; 7%-3 ;; -7%3 ;; 5/0 ;; 5%0
1<<64 ;; 1<<-1 ;; -1>>70 ;; -8>>1 ;; 1<<3+1 ;; 1<2<3 ;; 3>2>1 ;; 1==1==1 ;; 1!=2 ;; 1<=1 ;; 1>=2
1&3==3 ;; 6&3 ;; 6^3 ;; 6 ;; 1 ;; x&1 ;; 5&&0 ;; 0 ;; 0&&x++ ;; 1/0 ;; 0&&1/0 ;; (1/0) ;; 1?2:3
0?2:3 ;; 1?2 ;; 1?:2 ;; 1?2: ;; 1 ? 2 : 3 ? 4 : 5 ;; 0 ? 1/0 : 7 ;; 1 ? 7 : 1/0 ;; 1?2,3:4
1?2:3,4 ;; 1,2 ;; 1, ;; ,1 ;; 1 2 ;; a b ;; x y ;; () ;; ( ;; ) ;; (1 ;; 1) ;; 1+ ;; + ;; *
1:2 ;; 1 ?? 2 ;; x= ;; = ;; =1 ;; $ ;; '1' ;; "1" ;; @ ;; 1;2 ;; {1} ;; # ;; |a[1]=4 ;; a[1]++
a[x] ;; ++a[0] ;; a[0]+=5 ;; a[1]=a[2]=9 ;; m[k]++ ;; m[k]+=1 ;; m[q]=1 ;; a[ ;; a[0 ;; a]
a[1][2] ;; z ;; z*2 ;; z=7 ;; n++ ;; n=n+1 ;; x=x++ ;; x=x++ + x++ ;; x=(y=4)+y ;; 1  ;; x
x ? y : z ;; x>3?x-3:x ;; (x+y)*(x-y) ;; ((x)) ;;   x   ;; \t1 \t ;; 100*(1+2)/3%7 ;; x<<1
~x&0xff ;; 1-1-1 ;; 2-(3-4) ;; 8/2/2 ;; 100%7%3 ;; 1^2^3 ;; x==5&&y==-3 ;; !x==0 ;; -x*-y
x- -y ;; x-+y ;; x+-y ;; 0x10+010+10 ;; 1_000 ;; _ ;; __x ;; X1 ;; 9x ;; 6|1 ;; 0||0 ;; 1||x++
1|2&&0 ;; 1||1/0 ;; 1||(1/0) ;; x||1 ;; x<<1|1
"""
"""Expressions with `;;` between."""


def test_table_against_bash():
    table = [text for line in EXPRESSIONS.strip().split("\n") for text in line.split(" ;; ")]
    cases = [*NUMBERS, *table, "", " ", "\n", "\t1 \t", "1\n+1", "1\r", "1\f+1", "  x  ", "1;2"]
    assert compare(cases) > 0.95


@pytest.mark.parametrize("operator", "+ - * / % ** << >> < > <= >= == != & | ^ && || , =".split())
def test_operators_on_edges_against_bash(operator):
    edges = [
        "0",
        "1",
        "-1",
        "2",
        "-2",
        "63",
        "64",
        "65",
        "9223372036854775807",
        "big",
        "y",
        "(-big-1)",
    ]
    compare([f"{left} {operator} {right}" for left, right in itertools.product(edges, edges)])


operands = st.sampled_from(
    [
        *"xyznaw",
        "0",
        "1",
        "2",
        "3",
        "7",
        "010",
        "0xff",
        "2#11",
        "a[1]",
        "a[x%3]",
        "m[k]",
        "big",
        "(-1)",
    ]
)
binary = st.sampled_from("+ - * / % ** << >> < > <= >= == != & | ^ && || ,".split())
expressions = st.recursive(
    operands,
    lambda inner: st.one_of(
        st.builds(lambda a, o, b: f"{a}{o}{b}", inner, binary, inner),
        st.builds(lambda a, o, b: f"{a} {o} {b}", inner, binary, inner),
        st.builds(lambda a: f"({a})", inner),
        st.builds(
            lambda o, a: f"{o}{a}", st.sampled_from(["-", "+", "!", "~", "- ", "--", "++"]), inner
        ),
        st.builds(lambda a, b, c: f"{a}?{b}:{c}", inner, inner, inner),
        st.builds(
            lambda n, o, a: f"{n}{o}{a}",
            st.sampled_from(["x", "y", "n", "a[1]", "m[k]"]),
            st.sampled_from(["=", "+=", "-=", "*=", "/=", "%=", "<<=", "&=", "|=", "^="]),
            inner,
        ),
        st.builds(lambda n, o: f"{n}{o}", st.sampled_from("xyna"), st.sampled_from(["++", "--"])),
    ),
    max_leaves=8,
)


@batches
@given(st.lists(expressions, min_size=150, max_size=200))
def test_made_expressions_against_bash(cases):
    assert compare(cases) > 0.99


tokens = st.sampled_from(
    [
        *"xyn12()+-*/%<>=!&|^~?:,[] ",
        "**",
        "++",
        "--",
        "<<",
        "&&",
        "||",
        "==",
        "a[",
        "08",
        "0x",
        "#",
        ".",
    ]
)


@batches
@given(st.lists(st.lists(tokens, max_size=7).map("".join), min_size=150, max_size=200))
def test_made_nonsense_against_bash(cases):
    compare(cases)


@settings(max_examples=300)
@given(st.text("xy12()+-*/%<>=!&|^~?:,[] #@$'\"\\é\U00100000", max_size=30) | st.text(max_size=20))
def test_nothing_else_is_raised(expression):
    tried(lambda: answer(expression))


def test_symbols_are_unknown():
    symbol = Symbols().new("$(nproc)")
    variables = Variables()
    variables.plain["s"] = symbol
    for expression in (symbol, f"{symbol}+1", "s", "1+s", f"0&&{symbol}"):
        with pytest.raises(Unknown):
            evaluate(expression, variables)
    assert evaluate("0 && s", variables) == 0
    assert evaluate("1 || s", variables) == 1
    assert evaluate("s = 3, s * 2", variables) == 6


def test_names_that_hold_each_other():
    variables = Variables()
    variables.plain |= {"r": "r", "l": "k+1", "k": "l"}
    for name in ("r", "l", "k"):
        with pytest.raises(Unknown):
            evaluate(name, variables)


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 5_000,
        "(" * 5_000 + "1" + ")" * 5_000,
        "-" * 5_000 + "1",
        "1?" * 2_000 + "1",
        "2**" * 3_000 + "2",
        "x=" * 3_000 + "1",
        "1+" * 4_000 + "1",
        "9**9**9**9**9",
        "a[" * 1_000 + "]" * 1_000,
        "1&&" * 3_000 + "1",
        "9" * 9_000,
        "a[a[a[a[0]]]]" * 700,
        "x" * 9_000,
    ],
)
def test_hostile_expressions_are_bounded(expression):
    begun = time.perf_counter()
    tried(lambda: answer(expression))
    assert time.perf_counter() - begun < 2


def test_exponential_names_are_bounded():
    variables = Variables()
    variables.plain |= {f"v{n}": f"v{n + 1}+v{n + 1}" for n in range(60)}
    begun = time.perf_counter()
    with pytest.raises(Unknown):
        evaluate("v0", variables)
    assert time.perf_counter() - begun < 2
