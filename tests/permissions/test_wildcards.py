"""Patterns against texts with unknown stretches."""

from __future__ import annotations

import fnmatch
import itertools
import time

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.permissions.wildcards import (
    ANY,
    ONE,
    OneOf,
    items,
    matches,
    overlap,
    read_class,
    segments_match,
    star_pattern,
)

words = st.text("ab*", max_size=8)


@given(words, st.text("ab", max_size=8))
def test_a_star_pattern_matches_as_the_library_does(pattern: str, text: str) -> None:
    assert matches(star_pattern(pattern), text) == fnmatch.fnmatchcase(text, pattern)


@given(words, words)
def test_two_patterns_overlap_when_some_text_fits_both(one: str, other: str) -> None:
    shared = any(
        fnmatch.fnmatchcase(text, one) and fnmatch.fnmatchcase(text, other) for text in SHORT
    )
    if shared:
        assert overlap(star_pattern(one), star_pattern(other))
    if not overlap(star_pattern(one), star_pattern(other)):
        assert not shared


SHORT = ["", *("".join(x) for n in range(1, 6) for x in itertools.product("ab", repeat=n))]


def test_one_stands_for_exactly_one() -> None:
    pattern = items("a", ONE, "c")
    assert matches(pattern, "abc")
    assert not matches(pattern, "ac")
    assert not matches(pattern, "abbc")
    assert overlap(items("abc"), items("a", ONE, "c"))
    assert not overlap(items("ac"), items("a", ONE, "c"))


def test_an_unknown_stretch_may_be_nothing() -> None:
    assert overlap(items("rm x"), items("r", ANY, "m x"))
    assert not overlap(items("rm x"), items("q", ANY))


def test_time_is_bounded_whatever_the_pattern() -> None:
    start = time.process_time()
    assert not matches(star_pattern("*a" * 60 + "b"), "a" * 5_000)
    assert time.process_time() - start < 2


def test_double_stars_stand_for_any_number_of_segments() -> None:
    def fit(pattern: str, path: str) -> bool:
        parts = [None if p == "**" else star_pattern(p) for p in pattern.split("/")]
        return segments_match(parts, path.split("/"))

    assert fit("src/**", "src/a/b")
    assert fit("src/**", "src")
    assert fit("**/x", "x")
    assert fit("a/**/b", "a/b")
    assert fit("a/**/b", "a/x/y/b")
    assert not fit("a/*/b", "a/x/y/b")


def test_a_class_is_read_as_gitignore_reads_it() -> None:
    def read(text: str) -> tuple[str, int] | None:
        found = read_class(text, 0)
        if found is None:
            return None
        return "".join(char for char in "!-]^abcdxyz\\" if found[0].holds(char)), found[1]

    assert read("[abc]") == ("abc", 5)
    assert read("[a-c]x") == ("abc", 5)
    assert read("[!a-d]") == ("!-]^xyz\\", 6)
    assert read("[]a]") == ("]a", 4)
    assert read("[!]a]") == ("!-^bcdxyz\\", 5)
    assert read("[a-]") == ("-a", 4)
    assert read("[\\]a]") == ("]a", 5)
    assert read("[") is read("[a") is read("[]") is read("[!") is read("[a-") is None
    assert read("[z-a]") == ("", 5)


@given(st.text("[]!a-c", max_size=8), st.text("abc[]-!", max_size=4))
def test_any_class_is_read_as_the_library_reads_it(pattern: str, text: str) -> None:
    found = read_class(f"[{pattern}", 0)
    if found is not None and found[1] == len(pattern) + 1 and len(text) == 1:
        assert found[0].holds(text) == fnmatch.fnmatchcase(text, f"[{pattern}")


def test_a_class_is_one_character_of_a_pattern() -> None:
    pattern = items("a", OneOf((("0", "9"),)), ANY)
    assert matches(pattern, "a7")
    assert matches(pattern, "a7z")
    assert not matches(pattern, "a")
    assert not matches(pattern, "ax")
    assert overlap(pattern, items("a", ANY))
    assert overlap(pattern, items(ONE, ONE))


def test_a_folded_class_has_a_letter_in_either_case() -> None:
    assert OneOf((("a", "c"),), folds=True).holds("B")
    assert not OneOf((("a", "c"),)).holds("B")
