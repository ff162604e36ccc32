"""Text that others wrote, made fit to stand in what the model is told: it can't pass for the program's or a speaker's."""

from __future__ import annotations

import re

TAGS = re.compile(
    r"<(?=/?\s*(?:system|task|command|local-command|user|bash|function|antml|tool|persisted|total)[\w:-]*\b[^<>]*>)",
    re.IGNORECASE,
)
"""The beginning of a tag like those that a harness wraps its own words in."""

SPEAKERS = re.compile(r"^(\s*)(Human|Assistant|System)(?=\s*:)", re.MULTILINE | re.IGNORECASE)


def quoted(text: str) -> str:
    """Give the text with harness-like tags and lines that begin like a speaker's turn made harmless."""
    return SPEAKERS.sub(r"\1\\\2", TAGS.sub("&lt;", text))


def bounded_report(text: str, limit: int, where: str = "") -> str:
    """Give a sub-agent's answer as its caller gets it: quoted, at most ``limit`` characters and a note."""
    safe = quoted(text.strip())
    if len(safe) <= limit:
        return safe
    rest = f"; all of it is in {where}" if where else ""
    return f"{safe[:limit]}\n[Cut off after {limit:,} of {len(safe):,} characters{rest}.]"
