"""Fitting a few typed letters to a name: in order, not necessarily together; the best fit first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a text fits: ``score`` is better when larger; ``matched`` are the characters that fit."""

    score: int
    matched: tuple[int, ...] = ()


WHOLE, START, WORD, TOGETHER = 1000, 400, 60, 30


def fit(text: str, wanted: str) -> Fit | None:
    """Fit what is wanted, in any case, to a text; None when it doesn't fit. Nothing wanted fits everything."""
    low, want = text.casefold(), wanted.casefold().replace(" ", "")
    if not want:
        return Fit(0)
    if len(low) != len(text):
        low = text.lower() if len(text.lower()) == len(text) else text
    at = low.find(want)
    if at >= 0:
        where = START if at == 0 else START // 2 if _begins_word(text, at) else 0
        score = WHOLE + where - at - len(text) // 8
        return Fit(score, tuple(range(at, at + len(want))))
    return _scattered(text, low, want)


def _scattered(text: str, low: str, want: str) -> Fit | None:
    """Take each letter at the beginning of a word where one begins so, else at the next place."""
    matched: list[int] = []
    at = score = 0
    for letter in want:
        places = [i for i in range(at, len(low)) if low[i] == letter]
        if not places:
            return None
        begins = [i for i in places if _begins_word(text, i)]
        next_to = [i for i in places[:1] if matched and i == matched[-1] + 1]
        best = (next_to or begins or places)[0]
        score += TOGETHER if next_to else WORD if begins else 0
        matched.append(best)
        at = best + 1
    spread = matched[-1] - matched[0] - len(want)
    return Fit(score - spread - len(text) // 8, tuple(matched))


def _begins_word(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum() or (text[at].isupper() and text[at - 1].islower())
