"""Questions of a front end about the settings, and their replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

SettingKind: TypeAlias = Literal["text", "flag", "count", "choice", "object"]


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting.

    Attributes:
        key: as a file has it; inside another object with a dot: ``permissions.defaultMode``.
        about: what it does, a few words.
        value: what is in force, as JSON has it; None: nothing is said, the default holds.
        source: whose file says it: ``user``, ``project``, ``local``, ``flag``, ``managed``; empty: nobody's.
        place: that file, and the line where it is known.
        takes: what sort of value it takes.
        wanted: what it must be, in words.
        choices: all it may be, where that is a few words.
        locked: a file that goes before the person's own decides, so theirs changes nothing here.
        at_once: a change counts at once, not from the next session on.
    """

    key: str
    about: str
    value: Any = None
    source: str = ""
    place: str = ""
    takes: SettingKind = "text"
    wanted: str = ""
    choices: tuple[str, ...] = ()
    locked: bool = False
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Preferences:
    """Which settings are there, and what holds?"""

    kind: Literal["preferences"] = "preferences"


@dataclass(frozen=True, slots=True)
class PreferenceList:
    """Reply to ``Preferences``. ``file`` is the person's own, where changes are written."""

    rows: tuple[SettingRow, ...] = ()
    file: str = ""


@dataclass(frozen=True, slots=True)
class SetPreference:
    """Write a value into the person's own settings; None takes the key out. The reply is ``PreferenceList``."""

    key: str
    value: Any = None
    kind: Literal["set_preference"] = "set_preference"
