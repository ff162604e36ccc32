"""Text that is text: halves of surrogate pairs joined, lone ones replaced, so that it can be UTF-8.

They come from file names that are no UTF-8, from cut emoji, and from JSON escapes; one of them makes a whole request
or journal line invalid.
"""

from __future__ import annotations

from typing import Any, cast


def well_formed(text: str) -> str:
    """Give ``text`` without surrogates; the very same object when there were none."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def well_formed_json(value: Any) -> Any:
    """Give JSON data with every string in it, keys too, made well-formed; new containers."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list | tuple):
        return [well_formed_json(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value).items()
        return {well_formed(str(key)): well_formed_json(item) for key, item in entries}
    return value
