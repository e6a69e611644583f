"""Override words: groups and knobs of ours, verl's keys, and the values of each."""

from __future__ import annotations

from verlgen.cli.complete import keys, ours
from verlgen.cli.complete.facts import Facts
from verlgen.cli.complete.found import Candidates, beginning
from verlgen.cli.complete.key_values import key_values


def override_words(facts: Facts, word: str, more: Candidates) -> Candidates:
    """Return overrides: groups, knobs and verl's keys, or the values of one.

    Args:
        facts: What they depend on.
        word: The word under the cursor.
        more: Candidates that come first.
    """
    head, equals, _ = word.partition("=")
    operator, key = _operator(head)
    if equals:
        values = _values(facts, operator, key, word[len(head) + 1 :])
        return beginning(word, ((f"{head}={text}", about) for text, about in values))
    found = beginning(word, more)
    if not operator and ("." not in word or ours.may_be_knob(word)):
        found += beginning(word, ours.words(facts, typed=word))
    if word:  # all of verl's names would bury ours
        table = facts.table
        named = keys.below(table, operator, key) or (
            [] if found else keys.search(table, operator, key)
        )
        found += [(operator + text, about) for text, about in named]
    return found


def _operator(head: str) -> tuple[str, str]:
    operator = next((sign for sign in ("++", "+", "~") if head.startswith(sign)), "")
    return operator, head[len(operator) :]


def _values(facts: Facts, operator: str, key: str, typed: str) -> Candidates:
    # With an operator a name is verl's, whatever it is without one.
    known = None if operator else ours.values(facts, key, typed)
    return key_values(facts.table, key) if known is None else known
