"""A page of a text file, with line numbers and a note on how to go on."""

from __future__ import annotations

from dataclasses import dataclass

from agent_tui.tools.text import TextFile, sendable

BYTES_PER_TOKEN = 4
"""The estimate used for caps; an exact count would cost a request."""


@dataclass(frozen=True, slots=True)
class Page:
    """Lines ``first`` to ``last`` of ``total``, 1-based and inclusive; none when ``last`` is before ``first``.

    ``content`` is for the model, ``text`` the lines alone. ``by_tokens``: it ends early because of its size. ``clipped``: its one line is not shown whole.
    """

    content: str
    text: str
    first: int
    last: int
    total: int
    note: str = ""
    by_tokens: bool = False
    clipped: bool = False


def cut_page(
    text: TextFile, first: int, wanted: int | None, most_lines: int, most_tokens: int
) -> Page:
    """Cut the page that begins at line ``first``; ``wanted`` lines, or as many as are shown by default."""
    lines = text.lines
    total = len(lines)
    if total == 0:
        return Page("[The file is empty.]", "", 1, 0, 0, "empty")
    if first > total:
        note = f"[The file has {total:,} lines: there is nothing at line {first:,}.]"
        return Page(note, "", first, first - 1, total, "past the end")
    end = min(total, first - 1 + (wanted or most_lines))
    shown: list[str] = []
    plain: list[str] = []
    room = most_tokens * BYTES_PER_TOKEN
    for number in range(first, end + 1):
        line = sendable(lines[number - 1])
        room -= len(f"{number}\t{line}\n".encode())
        if room < 0:
            break
        plain.append(line)
        shown.append(f"{number}\t{line}")
    if not shown:
        return _clipped(lines, first, most_tokens)
    last = first - 1 + len(shown)
    by_tokens = last < end
    notes = _notes(text, first, last, by_tokens=by_tokens, most_tokens=most_tokens)
    content = "\n".join([*shown, *(["", *notes] if notes else [])])
    if not any(line.strip() for line in plain):
        content += "\n\n[All of these lines are blank.]"
    part = "" if (first, last) == (1, total) else f"lines {first}-{last} of {total}"
    return Page(content, "\n".join(plain), first, last, total, part, by_tokens)


def _clipped(lines: list[str], number: int, most_tokens: int) -> Page:
    """Show the beginning of a line that is too long for a page of its own."""
    line = sendable(lines[number - 1])
    start = line.encode()[: most_tokens * BYTES_PER_TOKEN].decode("utf-8", "ignore")
    rest = f" Lines go on with offset: {number + 1}." if number < len(lines) else ""
    note = (
        f"[Line {number:,} is {len(line):,} characters long; only the first {len(start):,} are shown. "
        f"See more of it with Bash (`sed -n '{number}p' FILE | cut -c{len(start) + 1}-`).{rest}]"
    )
    content = f"{number}\t{start}\n\n{note}"
    return Page(content, start, number, number, len(lines), "cut", by_tokens=True, clipped=True)


def _notes(
    text: TextFile, first: int, last: int, *, by_tokens: bool, most_tokens: int
) -> list[str]:
    notes: list[str] = []
    total = len(text.lines)
    if last < total:
        why = f" More would be over {most_tokens:,} tokens." if by_tokens else ""
        notes.append(
            f"[Lines {first:,} to {last:,} of {total:,}.{why} Go on with offset: {last + 1}.]"
        )
    if text.odd_bytes:
        notes.append(
            f"[{text.odd_bytes:,} bytes of this file are not valid UTF-8; those in these lines are shown as "
            "\N{REPLACEMENT CHARACTER}. An edit keeps them as long as they are not part of old_string.]"
        )
    return notes
