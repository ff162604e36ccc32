"""Hiding secrets in a text that comes piece by piece.

What may become a secret is held back until it has ended, so nothing of it is seen while it is being written and nothing
that was shown is taken back. Everything else is given on at once.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from agent_tui.protocol.masking import HINTS, PREFIXES, Masker, open_key

MAX_HELD: Final = 16 * 1024
"""A longer stretch without an end is no secret."""
CONTEXT: Final = 80
"""How many characters of a long line are kept to know what a value is given to."""

_WORD = re.compile(r"(?<![\w.-])[\w.-]{1,200}\Z")
_ENDS: Final = {
    "token": re.compile(r"[^\w.=+/~-]"),
    "value": re.compile(r"[\s\"'`,;(){}\[\]<>$&|\\]"),
    "url": re.compile(r"[\s/@\"'<>${}]"),
}
_KEY_BEGUN = re.compile(r"-----BEGIN[A-Z0-9 ]{0,60}-{0,5}\Z")
_KEY_OVER = re.compile(r"-----END [A-Z0-9 ]*-----")


@cache
def _begun(known: tuple[str, ...]) -> re.Pattern[str]:
    """Make the pattern of what may go on as a secret; the group tells what ends it."""
    prefixes = "|".join(re.escape(text) for text in (*known, *PREFIXES) if text != "-----BEGIN")
    names = r"(?i:secret|token|passw(?:or)?d|passphrase|key|credential)[\w.-]{0,40}[\"']?"
    signs = r"[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}[\"'`]?"
    option = r"(?<![\w-])--[\w-]{1,60}[ \t]{1,4}[\"']?"
    scheme = r"(?i:\b(?:bearer|basic))[ \t]+"
    user = r"(?<=\s)(?:-u|--user)[ =][\"']?"
    return re.compile(
        rf"(?<![A-Za-z0-9_-])(?P<token>{prefixes})|(?:{names}{signs}|{option}|{scheme}|{user})(?P<value>(?=[^\s=:]))"
        r"|://[^\s:/@\"'<>]{0,100}:(?P<url>(?=\S))"
    )


class StreamMask:
    """Hides secrets in one text as it grows."""

    def __init__(self, masker: Masker) -> None:
        self._masker = masker
        self._line = ""
        self._given = 0
        self._hinted = -1
        self._hints = (*HINTS, *(value.lower() for value in masker.known))
        self._longest = max(map(len, self._hints))
        texts = (*PREFIXES, *masker.known)
        self._starts = frozenset(text[:end] for text in texts for end in range(1, len(text) + 1))

    def feed(self, text: str) -> str:
        """Take more of the text; give what may be shown of it now."""
        self._note_hints(text)
        out: list[str] = []
        if (begun := self._line.rfind("-----BEGIN")) >= 0:
            over = _KEY_OVER.search(self._line, begun)
            if over is not None:
                out.append(self._settle(over.end()))
            elif self._in_a_key(begun):
                return self._settle(begun)
        if cut := self._line.rfind("\n") + 1:
            out.append(self._settle(cut))
        while (found := self._may_begin()) is not None:
            start, ends = found
            out.append(self._give(start))
            end = ends.search(self._line, start + 1)
            if end is None and len(self._line) - start < MAX_HELD:
                return "".join(out)
            out.append(self._settle(end.end() if end is not None else len(self._line)))
        out.append(self._give(self._word_begun()))
        self._forget()
        return "".join(out)

    def _note_hints(self, text: str) -> None:
        """Add text; note where the last hint of a secret is, so that most texts are hardly looked at."""
        before = max(0, len(self._line) - self._longest)
        self._line += text
        fresh = self._line[before:].lower()
        if any(hint in fresh for hint in self._hints):
            self._hinted = len(self._line)

    def _in_a_key(self, begun: int) -> bool:
        """Tell whether the text ends in a private key that has not ended."""
        if len(self._line) - begun > MAX_HELD:
            return False
        return any(pattern.match(self._line, begun) for pattern in (_KEY_BEGUN, open_key()))

    def _settle(self, end: int) -> str:
        """Give what is left of the text up to ``end``, with its secrets hidden, and begin anew behind it."""
        text, given = self._line[:end], self._given
        self._line, self._given = self._line[end:], max(0, given - end)
        self._hinted -= end
        masked = self._masker.mask(text)
        if not masked.startswith(text[:given]):  # a secret that has no beginning of its own
            return self._masker.mask(text[given:])
        return masked[given:]

    def _give(self, end: int) -> str:
        """Give characters as they are; nothing hidden can be among them."""
        if end <= self._given:
            return ""
        start, self._given = self._given, end
        return self._line[start:end]

    def _may_begin(self) -> tuple[int, re.Pattern[str]] | None:
        start = max(0, self._given - CONTEXT)
        if self._hinted < start:
            return None
        match = _begun(self._masker.known).search(self._line, start)
        if match is None:
            return None
        kind = str(match.lastgroup)
        return match.start(kind), _ENDS[kind]

    def _word_begun(self) -> int:
        """Where the text's last word begins when it could be the beginning of a token, else its end."""
        end = len(self._line)
        last = _WORD.search(self._line, max(self._given, end - 200))
        return last.start() if last is not None and last[0] in self._starts else end

    def _forget(self) -> None:
        """Keep a long line's end only."""
        drop = min(self._given, len(self._line) - CONTEXT)
        if drop > 4 * CONTEXT:
            self._line, self._given = self._line[drop:], self._given - drop
            self._hinted -= drop
