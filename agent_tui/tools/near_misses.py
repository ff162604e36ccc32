"""Why a text to replace was not found: the usual slips, looked for one after another."""

from __future__ import annotations

import re

from agent_tui.tools.text import TextFile, sendable

_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_NUMBERED = re.compile(r"^ *\d+\t", re.MULTILINE)


def why_not_found(file: TextFile, old: str, new: str) -> str:
    """Give a sentence on what is there instead; empty if nothing comes near."""
    if _NUMBERED.match(old) and _NUMBERED.sub("", old) in file.text:
        return "It holds line numbers as Read shows them: leave them and the tab out."
    if (at := file.text.translate(_QUOTES).find(old.translate(_QUOTES))) >= 0:
        return (
            f"At line {_line(file, at)} the same text stands with other quotes (curly or straight)."
        )
    if (at := sendable(file.text).find(old)) >= 0:
        return (
            f"At line {_line(file, at)} it would match, but bytes there are not valid UTF-8 and are only shown as "
            "\N{REPLACEMENT CHARACTER}: choose a text without them."
        )
    if (line := _same_but_for_space(file.lines, old)) is not None:
        return f"At line {line} the same text stands with other white space: read it again there."
    if new.strip() and new in file.text:
        return "The new text is there already."
    return ""


def _line(file: TextFile, at: int) -> int:
    return file.text.count("\n", 0, at) + 1


def _same_but_for_space(lines: list[str], old: str) -> int | None:
    wanted = [" ".join(line.split()) for line in old.strip("\n").split("\n")]
    if not any(wanted):
        return None
    have = [" ".join(line.split()) for line in lines]
    for at in range(len(have) - len(wanted) + 1):
        if have[at : at + len(wanted)] == wanted:
            return at + 1
    return None
