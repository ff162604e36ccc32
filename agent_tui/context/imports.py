"""Reading a memory file's markdown: which ``@paths`` in it are imports, and what of it is a comment.

Only as much markdown as it takes to know code from text. In doubt a thing is code, and not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"^[ >]*(`{3,}|~{3,})")
_INDENTED = re.compile(r"^(?: {4}|\t)\s*(?![-*+] |\d+[.)] )\S")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.|\n)*?(?<!`)\1(?!`)")
_IMPORT = re.compile(r"(?<!\S)@((?:\\ |[^\s`<>\"'|])+)")
_COMMENT = re.compile(r"^ {0,3}<!--.*?-->[ \t]*\n?", re.DOTALL | re.MULTILINE)
_TRAILING = ".,;:!?)]}"


def imports(text: str) -> list[str]:
    """Give what stands after each ``@`` that begins a word of plain text, each once, in order.

    Trailing punctuation is left off; a blank after a backslash belongs to the path. Whether there is such a file
    is for the caller to see.
    """
    found: dict[str, None] = {}
    for paragraph in _paragraphs(text):
        plain = _CODE_SPAN.sub(" ` ", paragraph)
        for match in _IMPORT.finditer(plain):
            name = match.group(1).replace("\\ ", " ").rstrip(_TRAILING)
            if name:
                found[name] = None
    return list(found)


def looks_like_path(name: str) -> bool:
    """Whether a name that leads nowhere was meant as a file, not as ``@someone`` or ``@decorator``."""
    return "/" in name or re.search(r"\.\w+$", name) is not None


def without_comments(text: str) -> str:
    """Take out HTML comments that begin a line, those in code excepted."""
    parts: list[str] = []
    for is_code, part in _code_and_text(text):
        parts.append(part if is_code else _COMMENT.sub("", part))
    return "".join(parts)


def _paragraphs(text: str) -> Iterator[str]:
    for is_code, part in _code_and_text(text):
        if not is_code:
            yield from re.split(r"\n\s*\n", part)


def _code_and_text(text: str) -> Iterator[tuple[bool, str]]:
    """Split into fenced or indented code and the rest; joined again they are the text."""
    block: list[str] = []
    fence = ""
    before_blank = True
    was_code = False
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            is_code = True
            if mark and mark.group(1).startswith(fence) and not line.strip(" >\r\n\t`~"):
                fence = ""
        elif mark:
            is_code, fence = True, mark.group(1)
        else:
            is_code = _INDENTED.match(line) is not None and (before_blank or was_code)
        if is_code != was_code and block:
            yield was_code, "".join(block)
            block = []
        block.append(line)
        was_code = is_code
        before_blank = not line.strip()
    if block:
        yield was_code, "".join(block)
