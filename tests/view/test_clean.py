from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.protocol.display import CommandDisplay, DiffDisplay, Hunk
from agent_tui.view.clean import clean, clean_fields, exact

NASTY = st.text(
    st.sampled_from(
        "ab1 \n\t\x1b[]0;?\\\x07\x9b\x9c\x9d\x90PX^_\x7f\x00\r\u200b\u200d\u200c\ufe0f\u202e\U000e0041😀❤👨ن\udc9b\u0335\u0335"
    )
)


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("plain [bold] text\twith\ntabs", "plain [bold] text\twith\ntabs"),
        ("a\x1b]52;c;aGk=\x07b", "ab"),
        ("a\x1b]0;pwn\x07b", "ab"),
        ("\x1b]8;;http://x\x1b\\click\x1b]8;;\x1b\\", "click"),
        ("a\x1b[2Jb\x1b[6nc\x1bcd", "abcd"),
        ("a\x9b31mred\x9b0m", "ared"),
        ("\x1b[38;2;1;2;3mcolour\x1b[0m", "colour"),
        ("\x1bPq#0\x1b\\sixel", "sixel"),
        ("\x1b(Bset", "set"),
        ("open \x1b]0;never ended\nnext", "open \u241b]0;never ended\nnext"),
        ("a\r\nb\rc", "a\nb\u240dc"),
        ("nul\x00 bel\x07 del\x7f", "nul\u2400 bel\u2407 del\u2421"),
        ("rm \u202etxt\u2066", "rm <U+202E>txt<U+2066>"),
        ("zero\u200bwidth\ufeff", "zero<U+200B>width"),
        ("hidden\U000e0068\U000e0069", "hidden"),
        ("lone \udc9b surrogate", "lone \ufffd surrogate"),
        ("family 👨\u200d👩\u200d👧 heart ❤\ufe0f\u200d🔥 key 1\ufe0f\u20e3", None),
        ("می\u200cخواهم", None),
        ("a\u200db", "a<U+200D>b"),
        ("two\u2028lines", "two<U+2028>lines"),
        ("z" + "\u0335" * 200 + "algo", "z" + "\u0335" * 8 + "algo"),
        ("e\u0301te\u0301 vie\u0323\u0302t", None),
        ("private \ue0b0 icon \uf418", None),
        ("\U0001d173music", "<U+1D173>music"),
        ("x\ufe0f\ufe0f\ufe0f\ufe01flood ❤\ufe0f\ufe0f\ufe0f", "xflood ❤\ufe0f"),
    ],
)
def test_u2_controls_are_dropped_or_made_visible(raw: str, safe: str | None) -> None:
    assert clean(raw) == (raw if safe is None else safe)


@given(NASTY)
@settings(max_examples=300)
def test_u2_nothing_that_drives_a_terminal_is_left_and_cleaning_twice_changes_nothing(
    raw: str,
) -> None:
    once = clean(raw)
    assert not any((c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" for c in once)
    assert not any(c in "\u202e\u200b\U000e0041" or "\ud800" <= c <= "\udfff" for c in once)
    assert clean(once) == once
    once.encode()


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("echo \x1b]0;rm -rf ~ \x07", "echo \u241b]0;rm -rf ~ \u2407"),
        ("a\x1b[8mb\x1b[0m", "a\u241b[8mb\u241b[0m"),
        ("a\x9d0;touch x\x9cb", "a\ufffd0;touch x\ufffdb"),
        ("a\r\nb", "a\u240d\nb"),
        (
            "hidden\U000e0068 soft\u00adhyphen x\ufe0f",
            "hidden<U+E0068> soft<U+00AD>hyphen x<U+FE0F>",
        ),
        ("rm \u202etxt", "rm <U+202E>txt"),
        ("z" + "\u0335" * 10, "z" + "\u0335" * 8 + "<U+0335><U+0335>"),
        ("heart ❤\ufe0f\u200d🔥", "heart ❤\ufe0f\u200d🔥"),
    ],
)
def test_u2_what_is_to_be_approved_is_seen_whole(raw: str, seen: str) -> None:
    assert exact(raw) == seen


@given(NASTY)
@settings(max_examples=300)
def test_u2_what_is_seen_whole_drives_no_terminal_and_loses_no_letter(raw: str) -> None:
    seen = exact(raw)
    assert clean(seen) == seen
    assert [c for c in seen if c in "ab1[];?"] == [
        c for c in raw if c in "ab1[];?"
    ] or "<U+" in seen
    assert exact(seen) == seen


def test_clean_text_is_given_back_as_it_is() -> None:
    text = "nothing to do here – naïve café 日本語\n" * 10
    assert clean(text) is text


def test_every_string_of_a_display_is_cleaned() -> None:
    dirty = CommandDisplay("echo \x1b[2J", head=("a\x07", "b"), output_path="/t\u202e")
    assert clean_fields(dirty) == CommandDisplay(
        "echo ", head=("a\u2407", "b"), output_path="/t<U+202E>"
    )
    fine = DiffDisplay("x.py", (Hunk(1, 1, 1, 1, ("-a", "+b")),), 1, 1)
    assert clean_fields(fine) is fine
