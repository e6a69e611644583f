"""Calls of programs that the tests hand to the real ones; one call a line.

`␤` stands for a newline inside of a word.
"""

from __future__ import annotations

import shlex


def _lines(text: str) -> list[str]:
    return [line.replace("␤", "\n") for line in text[1:-1].split("\n")]


CALLS = [
    shlex.split(line)
    for line in _lines(
        r"""
basename /a/b
basename a/b/
basename a
basename /
basename ''
basename //
basename a.sh .sh
basename .sh .sh
basename -s .sh x/a.sh
dirname /a/b
dirname a/b/
dirname a
dirname /
dirname ''
dirname //
dirname /a
dirname a//b
dirname a/b c/d
dirname -- -x/y
seq 3
seq 2 5
seq 5 1
seq 5 -2 1
seq 1 2 10
seq -w 8 11
seq -s, 1 4
seq -s ' ' 3
seq 0
seq -1 1
seq 0.1 0.1 0.5
seq 1 0.5 3
seq 1.0 3
seq -w -5 5 10
seq -w 0.5 1.5 12
seq 1 -1
seq +1 3
seq --separator=: 2
seq -s '' 3
seq -5 -3
seq 2.5
expr 1 + 2
expr 7 / 2
expr -7 / 2
expr 7 % -3
expr 2 '*' 3 + 4
expr 2 + 3 '*' 4
expr '(' 2 + 3 ')' '*' 4
expr 1 - 1
expr 0
expr a = a
expr a = b
expr a '!=' b
expr 1 '<' 2
expr 10 '<' 9
expr b '<' a
expr 0 '|' 5
expr 3 '|' 5
expr 0 '&' 5
expr 3 '&' 5
expr length abc
expr substr hello 2 3
expr substr hello 9 1
expr index hello lo
expr abc : a.
expr abc : '\(.\)b'
expr abc : x
expr abc : '\(x\)'
expr match abc b
expr v1.2 : 'v\([0-9]*\)'
expr 00
expr -0
expr 1 = 1.0
expr 01 = 1
true
true x
false
false x
"""
    )
]
"""Calls that read no input."""

FILTERS = [
    shlex.split(line)
    for line in _lines(
        r"""
cat
cat -
tee
rev
head
head -n1
head -n 1
head -1
head -2
head -n 0
head -n -1
head -c 3
head -c -1
head --lines=2
head -n +1
tail
tail -n1
tail -n 1
tail -1
tail -n 0
tail -n +2
tail -n +1
tail -n +9
tail -c 3
tail -c +2
tail --lines=2
tail -n -1
tail -n +0
wc
wc -l
wc -w
wc -c
wc -lw
wc -m
wc -wc
sort
sort -n
sort -r
sort -u
sort -nr
sort -nu
sort -ru
sort -nru
uniq
uniq -c
uniq -d
uniq -u
uniq -cd
paste -sd,
paste -sd ,
paste -s
paste -s -d+ -
paste -d,
paste '-sd\n'
paste -sd,:
paste '-sd\t'
cut -d: -f1
cut -d : -f 2
cut -d= -f2-
cut -d. -f1,2
cut -d/ -f2
cut -c1-3
cut -c2
cut -c-2
cut -f1
cut -d, -f3,1
cut -s -d, -f1
cut -d. -f-2 --output-delimiter=_
cut -b1
cut -d= -f9
cut -d - -f 2
cut -c3-2
cut -f0
tr a b
tr a-z A-Z
tr '[:lower:]' '[:upper:]'
tr '[:upper:]' '[:lower:]'
tr -d a-c
tr -s a
tr -d '\n'
tr '\n' ,
tr -cd 0-9
tr -cd '0-9\n'
tr / _
tr . _
tr , '\n'
tr -c 'a-z\n' _
tr -s '[:space:]' '\n'
tr abc x
tr a xyz
tr -d '[:space:]'
tr -d .
tr a-c '\n'
tr -ds a b
tr -d '[:digit:]'
tr '[a-z]' '[A-Z]'
tr -cs a-zA-Z0-9 -
tr -C a b
tr 'a\' b
tr -t ab c
tr -d '[=a=]'
tr z-a b
tr '\057' _
tr -d -
grep a
grep -q a
grep -c a
grep -v a
grep -i A
grep -o '[0-9]*'
grep -E -o '[0-9]+'
grep -oE '[a-z]+'
grep -w a
grep -ow b
grep -x a
grep '^a'
grep 'a$'
grep -F .
grep -E 'a|b'
grep 'a\|b'
grep -e a -e b
grep -m1 a
grep -E '^[a-z]+:'
grep -cv a
grep -E '('
grep -P a
grep '\.'
grep -o .
grep -oi x
grep -vc x
grep '^$'
grep -v '^$'
grep '[[:digit:]]'
grep -E '^.{3}$'
grep -F -x a
grep -n a
grep -E 'a{2}'
grep -o 'a\{2\}'
grep --color=never a
grep '\<two\>'
grep '*a'
grep -E -w 'foo|bar'
egrep 'a|b'
egrep -o '[0-9]+'
fgrep .
fgrep -c a
xargs
xargs echo
xargs -n1
xargs -n 2
xargs echo x
xargs -r
xargs -n1 echo -n
xargs '-I{}' echo '{}'
xargs -0
xargs basename
md5sum
sha1sum
sha256sum
sha256sum -
"""
    )
]
"""Calls that read their input."""

SED = _lines(
    r"""
s/a/b/
s/a/b/g
s/a/b/2
s/a/b/2g
s/A/x/I
s/a/b/p
s,/,_,g
s|/|-|g
s/[0-9]*$//
s/^ *//
s/ *$//
s/x*/-/g
s/b*/X/2
s/.*=//
s/=.*//
s/\(.*\)-\(.*\)/\2-\1/
s/[^a-zA-Z0-9._-]/_/g
s/\./_/g
s/&/x/
s/a/[&]/g
s/a/\&/
s/a/\n/
s/\//_/g
s/$/!/
s/^/> /
1d
$d
2p
1,2d
/a/d
/a/!d
2,$d
/b/,/c/d
1!d
p
q
2q
y/abc/xyz/
s/a/b/;s/b/c/
s/a/b/␤1d
/^$/d
1s/a/b/
/one/s/o/0/g
s/[/]/x/
s/[[:space:]]//g
s/\t/ /g
s/a\|b/x/g
s/a\+/x/
s/\bb/x/g
s/\w\+/w/
s#a#b#
s:a:b:
s/\s\+/ /g
$!d
$p
2,1d
/a/,1d
1,/b/d
a x
s/a/b
s/a/b/w f
b
=
n
N
s//x/
/a/s//x/
s/a/\U&/
s/\(a\)\1/x/
1~2d
{p}
s/a/b/e
s/a/b/gI
s/,$//
s/\.[^.]*$//
s/-[0-9]*$//
s/MI300X/MI300X_VF/
s/aarch64/sbsa-linux/;s/x86_64/x86_64-linux/
"""
)

AWK = _lines(
    r"""
{print}
{print $1}
{print $2}
{print $NF}
{print NF}
{print NR}
{print $1,$2}
{print $1 $2}
{print $1"-"$2}
NR==1
NR==2{print $1}
/a/
/a/{print $2}
!/a/
$1=="a"
$1>1
$1>=2{print}
NF
NF>1{print $(NF-1)}
END{print NR}
{s+=$1}END{print s}
BEGIN{print 1+2*3}
BEGIN{print 7/2}
BEGIN{print 2^10, 7%3, -3}
BEGIN{print 1e6, 1234567.5, 0.1+0.2}
BEGIN{print length("abc"), substr("hello",2,3), index("abc","c")}
BEGIN{print toupper("ab") tolower("CD")}
BEGIN{printf "%d %s %.2f\n", 3.7, "x", 2.345}
{printf "%s,", $1}
BEGIN{x=5; print x++ + ++x, x}
BEGIN{print 1==1.0, "a"<"b"}
BEGIN{print 1 " " 2}
{print ($1 > 1) ? "y" : "n"}
BEGIN{if (1>2) print "a"; else print "b"}
{gsub(/a/,"x"); print}
{sub(/o/,"0",$1); print}
{$1=""; print}
{$2="q"; print; print NF}
$0 ~ /b/{print "m"}
$1 !~ /^[0-9]+$/
BEGIN{exit 3}
NR==1{next}{print}
BEGIN{OFS="-"}{print $1,$2}
BEGIN{FS=":"}{print $2}
{print $1; exit}
{print length}
{print length($0)}
BEGIN { x = "A"; y = x x; print y }
{ n = n "," $1 } END { print n }
BEGIN{print int(7.9), int(-7.9)}
{print $1+0}
BEGIN{print 5 > 3}
BEGIN{print (5 > 3)}
BEGIN{print(1,2)}
BEGIN{print (1)(2)}
BEGIN{print !0, !1, !""}
BEGIN{print -2^2, 2^3^2}
{a[$1]++}
BEGIN{while(1);}
BEGIN{getline}
{print > "f"}
BEGIN{system("x")}
a
{print $1
BEGIN{print 1/0}
{print $-1}
{ print $1 } # comment
{␤print $1␤print $2␤}
BEGIN{print 1 -1}
BEGIN{print 1 " " -1}
/a/&&/b/
/a/||/c/
BEGIN{print 1,2,3;print "x"}
{print substr($0, 2)}
{print substr($1,1,1)}
BEGIN{print sprintf("%03d", 7)}
{print $1*2}
{x=$1} END{print x}
{print NR": "$0}
"""
)

BC = _lines(
    r"""
1+2
7/2
-7/2
7%3
-7%3
2^10
2*3.5
1.50+2
scale=2;10/3
scale=2; 1/3
scale=3;2/3*3
scale=0;7/2
1.5*1.5
1.25*1.25
scale=1;1.25*1.25
(1+2)*3
-(3)
2^-1
1/0
5>3
3>5
2==2
1!=1
0.5
-0.5
0
1-1.0
sqrt(16)
sqrt(2)
scale=4;sqrt(2)
x=5;x*2
a=1;b=2;a+b
1;2;3
2^3^2
-2^2
1.5%1
scale=2;7%3
scale=2;1.234+1
.5+.5
5.
1+
abc
scale
scale=2;5*1.005
10*1.0
0.1*0.1
scale=5;0.1*0.1
1<=1
1.10==1.1
100/3
3-5
--5
(2
1 2
2 + 2
scale=2;-1/3
1.2^2
scale=5;1.23^2
"""
)

PYTHON = _lines(
    r"""
print(1+2)
print(7//2, 7/2)
print(-7%3)
print(2**10)
print('a', 'b', sep='-')
print(int(8*0.75))
print(round(2.567, 2))
print(max(1, 2), min(3, 4))
print(1);print(2)
print(1.5e3)
print(not 1)
print()
print('x', end='')
print(0x10, 1_000)
print(1 << 4 | 1)
print(~5)
print(True)
print(int('12'))
␤print(1)␤
"""
)

INPUTS = [
    text.replace("|", "\n")
    for text in _lines(
        r"""

|
a
a|
a b c|
  lead  and trail  |
one|two|three|
one|two|three
3|1|2|
b|a|b|b|
x:y:z|
Qwen/Qwen2.5-7B-Instruct|
v0.7.1|
key=value|key2=value2|
a,b,,c|
10|9|-1|1.5|x|
foo bar|baz|
Location: /usr/lib|Name: x|
aXbX|
||x||
tab	here|
MI300X gpu|
1 2 3|4 5 6|
a.b.c|
path/to/file.txt|
A1b2|
aaa|
"""
    )
]
