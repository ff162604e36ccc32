"""Text files as the model sees them and as they are: line ends, byte order marks and odd bytes are kept.

The model works on text whose lines end with LF only. A change is made in the file's own text, so what is not touched stays as it
is, byte for byte.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

LOOKED_AT = 8_192
"""A NUL among so many first bytes makes a file binary."""


Codec: TypeAlias = Literal["utf-8", "utf-16-le", "utf-16-be"]

_WIDE: tuple[tuple[Codec, bytes], ...] = (
    ("utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16-be", codecs.BOM_UTF16_BE),
)


class NotTextError(ValueError):
    """The bytes are no text; the message says what they look like."""


@dataclass(frozen=True)
class TextFile:
    """A decoded text file. ``raw`` has the file's own line ends; a byte that is no UTF-8 is a lone surrogate."""

    raw: str
    codec: Codec = "utf-8"
    mark: bytes = b""

    @classmethod
    def decode(cls, data: bytes) -> TextFile:
        """Read bytes.

        Raises:
            NotTextError: they are binary.
        """
        if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
            raise NotTextError("it is UTF-32 text, which is not supported")
        if data.startswith(codecs.BOM_UTF8):
            return cls(_utf8(data[3:]), "utf-8", codecs.BOM_UTF8)
        for codec, mark in _WIDE:
            if data.startswith(mark):
                try:
                    return cls(data[2:].decode(codec), codec, mark)
                except UnicodeDecodeError:
                    raise NotTextError("it is a binary file") from None
        if b"\0" in data[:LOOKED_AT]:
            raise NotTextError("it is a binary file")
        return cls(_utf8(data))

    def encode(self) -> bytes:
        """Give the bytes back."""
        return self.mark + self.raw.encode(self.codec, "surrogateescape")

    @cached_property
    def newline(self) -> str:
        r"""The line end that most lines have: LF, CR LF, or CR where there is no LF at all."""
        pairs, feeds = self.raw.count("\r\n"), self.raw.count("\n")
        if feeds:
            return "\r\n" if 2 * pairs > feeds else "\n"
        return "\r" if "\r" in self.raw else "\n"

    @cached_property
    def text(self) -> str:
        r"""What the model works on: every line ends with LF. Undecodable bytes are still lone surrogates."""
        text = self.raw.replace("\r\n", "\n")
        return text.replace("\r", "\n") if self.newline == "\r" else text

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        return split_lines(self.text)

    @property
    def odd_bytes(self) -> int:
        """How many bytes of it are not UTF-8."""
        return len(_SURROGATE.findall(self.raw))

    def with_text(self, text: str) -> TextFile:
        """Give a file of the same make with other text."""
        return replace(self, raw=self._own_ends(text))

    def places(self, old: str) -> list[int]:
        """Where ``old`` is found in ``text``, without overlaps."""
        found: list[int] = []
        at = self.text.find(old)
        while at >= 0:
            found.append(at)
            at = self.text.find(old, at + len(old))
        return found

    def replaced(self, places: list[int], length: int, new: str) -> TextFile:
        """Put ``new`` in the place of the ``length`` characters at each of ``places`` of ``text``."""
        ends = self._pair_places
        own = self._own_ends(new)
        parts: list[str] = []
        done = 0
        for place in places:
            first = place + bisect_left(ends, place)
            last = place + length + bisect_left(ends, place + length)
            parts += (self.raw[done:first], own)
            done = last
        return replace(self, raw="".join([*parts, self.raw[done:]]))

    @cached_property
    def _pair_places(self) -> list[int]:
        r"""Where in ``text`` the line ends are that are CR LF in ``raw``."""
        return [match.start() - n for n, match in enumerate(re.finditer("\r\n", self.raw))]

    def _own_ends(self, text: str) -> str:
        if self.newline == "\n":
            return text
        return text.replace("\r\n", "\n").replace("\n", self.newline)


def split_lines(text: str) -> list[str]:
    r"""Split at LF only; the last line end does not begin a line."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def sendable(text: str) -> str:
    """Give text without lone surrogates: each becomes U+FFFD."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


_SURROGATE = re.compile("[\ud800-\udfff]")


def _utf8(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
