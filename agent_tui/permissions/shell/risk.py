"""What deserves a second look in a command, marked in its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent_tui.permissions.shell.analysis import Part
from agent_tui.permissions.shell.words import Word
from agent_tui.permissions.shell.wrappers import SHELLS, program
from agent_tui.permissions.tables import names
from agent_tui.protocol.requests import Span

_FORCE: Final = names("--force -f --force-with-lease --mirror --delete -d -D --hard --no-verify")
_DISKS: Final = re.compile(r"mkfs(?:\..*)?|fdisk|parted|wipefs|shred|dd")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def dangers(part: Part) -> tuple[Span, ...]:
    """Mark what is dangerous in a part; spans are characters of ``part.command.text``."""
    text = part.command.text
    out = [
        Span(m.start(), m.end(), "a character that can't be seen") for m in _UNSEEN.finditer(text)
    ]
    for view in part.runs.views:
        if view.sure and view.words:
            out += _marked(text, view.words)
    unique = {(span.start, span.end): span for span in reversed(out)}
    return tuple(sorted(unique.values(), key=lambda span: span.start))


def _marked(text: str, words: Sequence[Word]) -> Iterator[Span]:
    name = program(words[0]) or ""
    options = [word for word in words[1:] if word.start.startswith("-")]
    letters = {
        letter for word in options if not word.start.startswith("--") for letter in word.start
    }
    long = {word.value for word in options}
    if name in ("sudo", "doas", "su"):
        yield from _span(text, words[:1], "runs with another user's rights")
    elif name == "rm" and (letters & set("rRf") or long & {"--recursive", "--force"}):
        yield from _span(text, [words[0], *options], "removes without asking back")
    elif name == "find" and any(word.is_text("-delete") for word in words):
        yield from _span(
            text, [word for word in words if word.is_text("-delete")], "removes what it finds"
        )
    elif _DISKS.fullmatch(name):
        yield from _span(text, words[:1], "can overwrite a disk or a file for good")
    elif name in ("chmod", "chown") and (
        letters & set("R") or any(w.is_text("777", "a+rwx") for w in words)
    ):
        yield from _span(text, words[:2], "changes who may do what")
    elif name == "git" and any(
        word.is_text("push", "reset", "clean", "branch", "checkout") for word in words
    ):
        found = [word for word in words if word.value in _FORCE]
        yield from _span(text, found, "can lose commits or changes")
    elif name in SHELLS and any(re.fullmatch(r"-\w*c", word.start) for word in options):
        yield from _span(text, words[:2], "runs a text as a program")
    elif name in SHELLS and len(words) == 1:
        yield from _span(text, words[:1], "runs whatever it is given to read")
    elif name in ("eval", "source", "."):
        yield from _span(text, words[:1], "runs a text as a program")


def _span(text: str, words: Sequence[Word], why: str) -> Iterator[Span]:
    """Mark words that follow one another in the text as one stretch."""
    at = 0
    places: list[tuple[int, int]] = []
    for word in words:
        start = text.find(word.raw, at)
        if start < 0:
            continue
        at = start + len(word.raw)
        if places and not text[places[-1][1] : start].strip():
            places[-1] = (places[-1][0], at)
        else:
            places.append((start, at))
    yield from (Span(start, end, why) for start, end in places)
