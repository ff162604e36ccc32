"""The edge where outside text becomes text that may be drawn: no terminal code, no invisible character is left.

Escape sequences are dropped whole, so that what they coloured stays readable; other controls become their Unicode
pictures, invisible and direction-changing characters their code points, tag characters go, and so do marks stacked on a
character beyond what any script needs. Line breaks, tabs, and joiners where they belong (emoji, scripts that need them)
stay, and so do characters for private use: fonts draw icons with them.

What a person is asked to approve passes ``exact`` instead, which leaves nothing out: a sequence could hide a command.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NewType, TypeVar

from agent_tui.protocol.texts import map_texts

SafeText = NewType("SafeText", str)
"""Text that has passed ``clean`` or ``exact``."""

T = TypeVar("T")

_INVISIBLE = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_STACKED = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
MAX_STACKED = 8
"""Marks that may stand on one character; more of them would be drawn over the lines around it."""
_FLOOD = re.compile(rf"([{_STACKED}]{{{MAX_STACKED}}})([{_STACKED}]+)")

_SUSPECT = re.compile(
    rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_INVISIBLE}\ud800-\udfff]|[{_STACKED}]{{{MAX_STACKED + 1}}}"
)
_ASCII_SUSPECT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

_EMOJI = r"\u00a9\u00ae\u203c\u2049\u2100-\u3299\U0001f000-\U0001faff"
_JOINING = r"\u0600-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\ufb50-\ufdff\ufe70-\ufefc"
# Sequences, from ESC or from their one-character forms: CSI; strings up to their terminator; two characters.
_CONTROLS = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-OQ-WYZ`-~]"
    r"|(?P<line>\r\n)"
    r"|(?P<shown>[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff])"
)
_EACH_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# Joiners and variation selectors stay where they belong.
_UNSEEN = (
    rf"(?P<kept>(?<=[{_EMOJI}0-9#*])\ufe0f|(?<=[{_EMOJI}])\ufe0e"
    rf"|(?:(?<=[{_EMOJI}]\ufe0f)|(?<=[{_EMOJI}]))\u200d(?=[{_EMOJI}])"
    rf"|(?<=[{_JOINING}])[\u200c\u200d])"
    r"|(?P<dropped>[\ufe00-\ufe0f\ufeff\u00ad\U000e0000-\U000e0fff])"
    rf"|(?P<shown>[{_INVISIBLE}])"
)


def clean(text: str) -> SafeText:
    """Make outside text safe to draw. Cheap when there is nothing to do; cleaning twice changes nothing."""
    suspect = _ASCII_SUSPECT if text.isascii() else _SUSPECT
    if suspect.search(text) is None:
        return SafeText(text)
    # Two passes: what a joiner belongs to is seen only when the sequences are gone.
    text = _unseen().sub(_mend_unseen, _CONTROLS.sub(_mend_control, text))
    return SafeText(_FLOOD.sub(r"\1", text))


def exact(text: str) -> SafeText:
    """Make a text safe to draw that will be run or written: like ``clean``, but every character of it is seen."""
    suspect = _ASCII_SUSPECT if text.isascii() else _SUSPECT
    if suspect.search(text) is None:
        return SafeText(text)
    text = _unseen().sub(_show_unseen, _EACH_CONTROL.sub(_picture, text))
    return SafeText(_FLOOD.sub(lambda match: f"{match[1]}{_codes(match[2])}", text))


@cache
def _unseen() -> re.Pattern[str]:
    """Make the pattern when something is to be mended for the first time: it takes long, and most texts are clean."""
    return re.compile(_UNSEEN)


def clean_fields(value: T, how: Callable[[str], SafeText] = clean) -> T:
    """Clean every string in a frozen dataclass, its tuples and dicts; the same object when nothing was to do."""
    return map_texts(value, how)


def _mend_control(match: re.Match[str]) -> str:
    if match["shown"] is None:
        return "\n" if match["line"] else ""
    return _picture(match)


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def _mend_unseen(match: re.Match[str]) -> str:
    char = match["shown"]
    return match["kept"] or "" if char is None else _codes(char)


def _show_unseen(match: re.Match[str]) -> str:
    return match["kept"] or _codes(match[0])


def _codes(text: str) -> str:
    return "".join(f"<U+{ord(char):04X}>" for char in text)
