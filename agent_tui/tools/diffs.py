"""The difference of two texts, by lines: hunks with context, for people and for the structured output alike."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rapidfuzz.distance import Indel, Postfix, Prefix

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import MAX_DISPLAY_LINES, DiffDisplay, Hunk
from agent_tui.tools.text import sendable, split_lines

CONTEXT = 3

MAX_CELLS = 100_000_000
"""Beyond so many pairs of lines to compare, lines that occur once in both texts are taken as fixed first."""


@dataclass(frozen=True, slots=True)
class Change:
    """Lines ``old_first`` up to ``old_last`` became ``new_first`` up to ``new_last``; 0-based, ends excluded."""

    old_first: int
    old_last: int
    new_first: int
    new_last: int


def changes(old: list[str], new: list[str]) -> list[Change]:
    """Find what differs, in order."""
    found: list[Change] = []
    for change in _changes(old, new, 0, 0, anchored=False):
        if found and (found[-1].old_last, found[-1].new_last) == (
            change.old_first,
            change.new_first,
        ):
            before = found.pop()
            change = replace(change, old_first=before.old_first, new_first=before.new_first)
        found.append(change)
    return found


def _changes(
    old: list[str], new: list[str], old_at: int, new_at: int, *, anchored: bool
) -> Iterator[Change]:
    start = Prefix.similarity(old, new)
    end = Postfix.similarity(old[start:], new[start:])
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    old_at, new_at = old_at + start, new_at + start
    if not old and not new:
        return
    if old and new and len(old) * len(new) <= MAX_CELLS:
        for code in Indel.opcodes(old, new):
            if code.tag != "equal":
                yield Change(
                    old_at + code.src_start,
                    old_at + code.src_end,
                    new_at + code.dest_start,
                    new_at + code.dest_end,
                )
    elif not old or not new or anchored:
        yield Change(old_at, old_at + len(old), new_at, new_at + len(new))
    else:
        old_done = new_done = 0
        for old_next, new_next in [*_anchors(old, new), (len(old), len(new))]:
            yield from _changes(
                old[old_done:old_next],
                new[new_done:new_next],
                old_at + old_done,
                new_at + new_done,
                anchored=True,
            )
            old_done, new_done = old_next, new_next


def _anchors(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Pair the lines that occur once in both, as many as keep their order: the longest rising sequence."""
    new_place = {line: at for at, line in enumerate(new)}
    old_count, new_count = Counter(old), Counter(new)
    ends: list[int] = []
    chains: list[tuple[int, int, int]] = []  # where in old, where in new, the pair before
    heads: list[int] = []
    for at, line in enumerate(old):
        if old_count[line] == 1 and new_count[line] == 1:
            place = new_place[line]
            slot = bisect_left(ends, place)
            chains.append((at, place, heads[slot - 1] if slot else -1))
            ends[slot : slot + 1] = [place]
            heads[slot : slot + 1] = [len(chains) - 1]
    pairs: list[tuple[int, int]] = []
    link = heads[-1] if heads else -1
    while link >= 0:
        at, place, link = chains[link]
        pairs.append((at, place))
    return pairs[::-1]


def hunks(old_text: str, new_text: str, context: int = CONTEXT) -> tuple[Hunk, ...]:
    """Make hunks of two texts. A missing line end at the end of one is shown on its last line's neighbour."""
    old, new = _lines(old_text), _lines(new_text)
    return tuple(_hunk(old, new, group, context) for group in _groups(old, new, context))


def stretches(old_text: str, new_text: str, context: int = CONTEXT) -> list[list[Change]]:
    """Give the changes that each of ``hunks`` holds."""
    return _groups(_lines(old_text), _lines(new_text), context)


def _groups(old: list[str], new: list[str], context: int) -> list[list[Change]]:
    groups: list[list[Change]] = []
    for change in changes(old, new):
        if groups and change.old_first - groups[-1][-1].old_last <= 2 * context:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def diff_display(path: str, old_text: str | None, new_text: str) -> DiffDisplay:
    """Show a change; ``old_text`` None for a new file."""
    display = shown_hunks(path, hunks(old_text or "", new_text))
    return replace(display, created=old_text is None)


def shown_hunks(path: str, found: tuple[Hunk, ...]) -> DiffDisplay:
    """Show hunks. What is beyond the limit of displays is counted."""
    lines = [line for hunk in found for line in hunk.lines]
    shown: list[Hunk] = []
    room = MAX_DISPLAY_LINES
    for hunk in found:
        if room <= 0:
            break
        shown.append(replace(hunk, lines=hunk.lines[:room]))
        room -= len(hunk.lines)
    return DiffDisplay(
        path,
        tuple(shown),
        added=sum(line.startswith("+") for line in lines),
        removed=sum(line.startswith("-") for line in lines),
        truncated=max(-room, 0) + sum(len(hunk.lines) for hunk in found[len(shown) :]),
    )


def structured_patch(found: tuple[Hunk, ...]) -> list[JsonObject]:
    """Give hunks in the documented shape."""
    return [
        {
            "oldStart": hunk.old_start,
            "oldLines": hunk.old_lines,
            "newStart": hunk.new_start,
            "newLines": hunk.new_lines,
            "lines": list(hunk.lines),
        }
        for hunk in found
    ]


def heading(lines: list[str], at: int) -> str:
    """Name the classes and functions around line ``at`` (0-based), outermost first, by indentation alone."""
    depth = _depth(lines[at]) if at < len(lines) and lines[at].strip() else 1_000
    names: list[str] = []
    for line in reversed(lines[max(0, at - 5_000) : at]):
        if not line.strip() or _depth(line) >= depth:
            continue
        if match := _DEFINES.match(line):
            names.append(f"class {match['type']}" if match["type"] else match["name"])
            depth = _depth(line)
        elif _depth(line) == 0:
            break
    return " · ".join(reversed(names))


_DEFINES = re.compile(
    r"""\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|static|abstract|final|async|unsafe|
        declare|inline|override|virtual|internal|sealed|partial|data|open)\s+)*
    (?:(?:class|struct|interface|trait|impl(?:<[^>]*>)?|enum|module|namespace|object|protocol|extension)\s+
        (?P<type>[A-Za-z_][\w.]*(?:::\w+)*)
     |(?:def|fn|func|function\*?|sub|proc|fun)\s+(?:\([^)]*\)\s*)?(?P<name>[A-Za-z_]\w*))""",
    re.VERBOSE,
)


def _hunk(old: list[str], new: list[str], group: list[Change], context: int) -> Hunk:
    first, last = group[0], group[-1]
    before = min(context, first.old_first)
    after = min(context, len(old) - last.old_last)
    lines: list[str] = []
    at = first.old_first - before
    for change in group:
        lines += (f" {line}" for line in old[at : change.old_first])
        lines += (f"-{line}" for line in old[change.old_first : change.old_last])
        lines += (f"+{line}" for line in new[change.new_first : change.new_last])
        at = change.old_last
    lines += (f" {line}" for line in old[at : at + after])
    old_start, old_end = first.old_first - before, last.old_last + after
    new_start, new_end = first.new_first - before, last.new_last + after
    return Hunk(
        old_start + 1 if old_end > old_start else old_start,
        old_end - old_start,
        new_start + 1 if new_end > new_start else new_start,
        new_end - new_start,
        tuple(sendable(line.removesuffix("\n")) for line in lines),
        sendable(heading(new, first.new_first) if new else heading(old, first.old_first)),
    )


def _lines(text: str) -> list[str]:
    """Split keeping the line ends, so that adding the last one is a change."""
    lines = [f"{line}\n" for line in split_lines(text)]
    if lines and not text.endswith("\n"):
        lines[-1] = lines[-1][:-1]
    return lines


def _depth(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())
