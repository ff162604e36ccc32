"""Halves of characters. JSON's escapes can carry them; no file and no API takes them."""

from __future__ import annotations


def mended(text: str) -> str:
    """Join halves that belong together, and replace a half that stands alone by U+FFFD.

    A sender that counts in UTF-16 may cut a text between the two halves of a character.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
