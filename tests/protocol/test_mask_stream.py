"""Secrets in a text that comes piece by piece: never seen, not even for a moment, and nothing else is held long."""

from __future__ import annotations

import random
import time

import pytest

from agent_tui.protocol.mask_stream import StreamMask
from agent_tui.protocol.masking import Masker
from tests.protocol.test_masking import HIDDEN, SHOWN

KNOWING = Masker.knowing(["plain-gateway-key"])
WORDS = ["the quick brown fox", "```python", "x = 1", "\n\n", "- item", "plain-gateway-key"]


def streamed(text: str, size: int, masker: Masker = KNOWING) -> list[str]:
    """Feed a text in pieces; give what had been shown after each."""
    stream, shown, out = StreamMask(masker), "", list[str]()
    for at in range(0, len(text), size):
        shown += stream.feed(text[at : at + size])
        out.append(shown)
    return out


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("text", [text for text, _ in HIDDEN])
def test_nothing_of_a_secret_is_seen_at_any_cut(text: str, size: int) -> None:
    final = KNOWING.mask(text)
    for shown in streamed(text, size):
        assert final.startswith(shown)


@pytest.mark.parametrize("text", [text for text in SHOWN if len(text) < 1000])
def test_what_is_no_secret_comes_with_the_next_line_at_the_latest(text: str) -> None:
    assert streamed(text + "\n\nnext line", 1)[-1].startswith(text)


@pytest.mark.parametrize("seed", range(40))
def test_what_streams_is_the_beginning_of_what_stays(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(25):
        parts = [
            dice.choice([*(text for text, _ in HIDDEN), *SHOWN[:-1], *WORDS])
            for _ in range(dice.randint(1, 6))
        ]
        text = dice.choice([" ", "\n", " is ", ", "]).join(parts)
        final, stream, shown, at = KNOWING.mask(text), StreamMask(KNOWING), "", 0
        while at < len(text):
            step = dice.randint(1, 9)
            shown += stream.feed(text[at : at + step])
            at += step
            assert final.startswith(shown), text[:at][-120:]


def test_ordinary_words_are_not_held_back() -> None:
    text = "Every word of this is seen at once, and so is `x = [1, 2]`."
    for at, shown in enumerate(streamed(text, 1), 1):
        assert at - len(shown) <= 8


def test_a_header_that_is_only_mentioned_holds_nothing_back() -> None:
    text = "A file begins with -----BEGIN PRIVATE KEY----- and then comes the key. " * 3
    assert len(text) - len(streamed(text, 3)[-1]) < 10


def test_a_very_long_word_is_let_go() -> None:
    assert len(streamed("sk-" + "a" * 50_000 + " end", 500)[-1]) > 16_000


@pytest.mark.parametrize("size", [8, 64])
def test_it_costs_about_a_microsecond_a_character(size: int) -> None:
    text = (
        "def f(self, token: str) -> None:\n    return self._words[key]  # it is the next one\n"
        * 400
    )
    begun = time.thread_time()
    streamed(text, size)
    assert time.thread_time() - begun < len(text) * 5e-6
