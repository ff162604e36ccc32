"""The keys in use: the usual ones, with those that the person gave to actions under ``keybindings`` in the settings."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from agent_tui.settings.keybindings import SourcedKeys
from agent_tui.tui.keys import ACTIONS, HELP, TOGETHER, Action, Place

Section = tuple[str, tuple[tuple[str, str], ...]]

BY_NAME: Mapping[str, Action] = {action.name: action for action in ACTIONS}
MODIFIERS = {"control": "ctrl", "option": "alt", "opt": "alt", "cmd": "super", "command": "super"}
_MODIFIERS = frozenset({"ctrl", "alt", "shift", "super", "hyper", "meta"})
_NAMES = {"esc": "escape", "return": "enter", "del": "delete", "pgup": "pageup", "pgdn": "pagedown", "pagedn": "pagedown", "spacebar": "space", "bs": "backspace"}  # fmt: skip
_NAMED = frozenset(
    {"enter", "tab", "escape", "space", "backspace", "delete", "insert", "home", "end", "pageup"}
    | {"pagedown", "up", "down", "left", "right", *(f"f{n}" for n in range(1, 25))}
)
_SIGNS = {"solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus", "plus_sign": "plus", "low_line": "underscore"}  # fmt: skip
_SAME = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+left_square_bracket": "escape"}
"""What a terminal can't tell from another key."""
FIXED = {"ctrl+c": "screen:interrupt", "escape": ""}
"""Keys that stop what runs; nothing else can have them, but where a list or a search is closed by them."""
_HINT = re.compile(r"\{([a-z]+:\w+)(\*?)\}")


def read_key(text: str) -> str:
    """Give the name that the terminal's reader has for a key a person wrote: ``Ctrl-E``, ``alt+?``, ``PgUp``.

    Raises:
        ValueError: there is no such key; the text says so in words.
    """
    if " " in text.strip():
        raise ValueError(f"{text!r} is more than one key")
    parts = re.split(r"[+-](?=.)", text.strip()) if len(text.strip()) > 1 else [text.strip()]
    *before, base = parts
    modifiers = {MODIFIERS.get(part.lower(), part.lower()) for part in before}
    base = _NAMES.get(base.lower(), base)
    if base.lower() in _NAMED:
        base = base.lower()
    elif len(base) == 1 and not base.isalnum():
        name = unicodedata.name(base, "").lower().replace("-", "_").replace(" ", "_")
        base = _SIGNS.get(name, name)
    elif len(base) == 1 and base.isupper() and modifiers:
        modifiers, base = modifiers | {"shift"}, base.lower()
    known = base in _NAMED or len(base) == 1 or _sign(base)
    if not base or not known or modifiers - _MODIFIERS:
        raise ValueError(f"there is no key {text!r}")
    return "+".join([*sorted(modifiers), base])


def _sign(name: str) -> str:
    """Give the character that has this name, empty when none has."""
    full = {short: long for long, short in _SIGNS.items()}.get(name, name)
    try:
        return unicodedata.lookup(full.replace("_", " "))
    except KeyError:
        try:
            return unicodedata.lookup(full.replace("_", "-"))
        except KeyError:
            return ""


def shown(key: str) -> str:
    """Give a key as hints and the help write it: ``esc``, ``?``, ``ctrl+_``."""
    *modifiers, base = key.split("+")
    base = {"escape": "esc"}.get(base, base)
    if len(base) > 1 and base not in _NAMED and base != "esc":
        base = _sign(base) or base
    return "+".join([*modifiers, base])


@dataclass(frozen=True, slots=True)
class Keymap:
    """Which keys do what.

    Attributes:
        keys: the keys of each action, the one that hints name first.
    """

    keys: Mapping[str, tuple[str, ...]]
    _by_place: dict[Place, dict[str, str]] = field(
        default_factory=dict[Place, dict[str, str]], init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        for name, keys in self.keys.items():
            place = BY_NAME[name].place
            self._by_place.setdefault(place, {}).update(dict.fromkeys(keys, name))

    def action(self, key: str, *places: Place) -> str:
        """Give the action a key means in the first of these places where it means one; empty when in none."""
        for place in places:
            name = self._by_place.get(place, {}).get(key)
            if name is not None:
                return name
        return ""

    def label(self, name: str) -> str:
        """Give the first key of an action as hints write it, empty when it has none."""
        keys = self.keys[name]
        return shown(keys[0]) if keys else ""

    def told(self, text: str) -> str:
        """Put keys in the place of the actions a text names: ``{screen:stash}``, with a star for several of its keys."""

        def keys(found: re.Match[str]) -> str:
            every = self.keys[found[1]]
            return "  ".join(map(shown, every[: 3 if found[2] else 1])) or "no key"

        return _HINT.sub(keys, text)

    def help(self) -> tuple[Section, ...]:
        """Give the help's sections with the keys in use."""
        return tuple(
            (title, tuple((self.told(keys), self.told(what)) for keys, what in rows))
            for title, rows in HELP
        )


USUAL = Keymap({action.name: action.keys for action in ACTIONS})
"""The keys without settings."""


@dataclass(slots=True)
class _Reader:
    problems: list[str] = field(default_factory=list[str])
    said: dict[str, tuple[tuple[str, ...], str]] = field(
        default_factory=dict[str, tuple[tuple[str, ...], str]]
    )

    def take(self, source: SourcedKeys) -> None:
        data, written = source.data, source.written
        if not isinstance(data, dict):
            where = written.at("keybindings")
            self.problems.append(
                f"{where}: keybindings must be an object of actions; it is ignored."
            )
            return
        for name, given in cast("dict[str, Any]", data).items():
            where = written.at("keybindings", name)
            if name not in BY_NAME:
                self.problems.append(f"{where}: {_no_action(name)}")
                continue
            keys = self._keys(name, given, where)
            if keys is not None:
                self.said[name] = (keys, where)

    def _keys(self, name: str, given: Any, where: str) -> tuple[str, ...] | None:
        """Read the keys of an action; None when nothing of it can be used."""
        entries = cast("list[Any]", given) if isinstance(given, list) else [given]
        if given is None:
            entries = []
        keys: list[str] = []
        for entry in entries:
            try:
                if not isinstance(entry, str):
                    raise ValueError("it takes a key, a list of keys, or null for none")
                key = read_key(entry)
                _may_have(name, key, entry)
            except ValueError as error:
                self.problems.append(f"{where}: {name}: {error}; it is left out.")
            else:
                keys += [key] if key not in keys else []
        return tuple(keys) if keys or not entries else None


def _no_action(name: str) -> str:
    near = difflib.get_close_matches(name, BY_NAME, 1, 0.5)
    meant = f"; did you mean {near[0]}?" if near else "; the README lists them."
    return f"there is no action {name!r}{meant}"


def _may_have(name: str, key: str, written: str) -> None:
    place = BY_NAME[name].place
    if key in _SAME:
        raise ValueError(f"a terminal sends {_SAME[key]} for {written!r}; name that")
    if key in FIXED and place not in ("list", "search", "find") and FIXED[key] != name:
        raise ValueError(f"{written!r} always stops what runs")
    typed = "ctrl" not in key and "alt" not in key and "super" not in key
    base = key.rpartition("+")[2] if "+" in key else key
    is_text = base == "space" or (base not in _NAMED and (len(base) == 1 or bool(_sign(base))))
    if typed and place not in ("empty", "walk") and is_text:
        raise ValueError(f"{written!r} could not be typed any more")


def read_bindings(sources: Sequence[SourcedKeys]) -> tuple[Keymap, tuple[str, ...]]:
    """Read the settings, lowest first; give the keys in use, and a sentence for what can't be as it is written.

    An action named in several files has the keys of the last one. A key given to two actions that count at the same time
    stays with the one that stands first; one that usually does something else is taken from that.
    """
    if not sources:
        return USUAL, ()
    reader = _Reader()
    for source in sources:
        reader.take(source)
    keys: dict[str, tuple[str, ...]] = {}
    owners: dict[tuple[str, str], tuple[str, str]] = {}
    for name, (wanted, where) in reader.said.items():
        keys[name] = tuple(_free(name, wanted, where, owners, reader.problems.append))
    for action in ACTIONS:
        if action.name not in reader.said:
            keys[action.name] = tuple(_left(action, owners, reader.problems.append))
    _must_have(keys)
    in_order = {action.name: keys[action.name] for action in ACTIONS}
    return Keymap(in_order), tuple(reader.problems)


def _must_have(keys: dict[str, tuple[str, ...]]) -> None:
    """Leave a way to send, and to stop."""
    if "ctrl+c" not in keys["screen:interrupt"]:
        keys["screen:interrupt"] = (*keys["screen:interrupt"], "ctrl+c")
    taken = {key for name, own in keys.items() if BY_NAME[name].place in TOGETHER for key in own}
    if not keys["edit:submit"]:
        keys["edit:submit"] = ("enter",) if "enter" not in taken else ("ctrl+enter",)


def _scope(name: str) -> str:
    place = BY_NAME[name].place
    return "main" if place in TOGETHER else place


def _free(
    name: str,
    wanted: Iterable[str],
    where: str,
    owners: dict[tuple[str, str], tuple[str, str]],
    say: Callable[[str], None],
) -> Iterable[str]:
    """Give those of the wanted keys that no other action of the settings has; note them as taken."""
    for key in wanted:
        owner = owners.get((_scope(name), key))
        if owner is None:
            owners[_scope(name), key] = (name, where)
            yield key
        else:
            say(
                f"{where}: {name}: {shown(key)} already means {owner[0]} ({owner[1]}); it stays so."
            )


def _left(
    action: Action, owners: dict[tuple[str, str], tuple[str, str]], say: Callable[[str], None]
) -> Iterable[str]:
    """Give those of the usual keys of an action that the settings have not given to another."""
    lost = [key for key in action.keys if (_scope(action.name), key) in owners]
    left = [key for key in action.keys if key not in lost]
    for key in lost:
        owner, where = owners[_scope(action.name), key]
        rest = f"is left with {', '.join(map(shown, left))}" if left else "has no key now"
        say(
            f"{where}: {owner}: {shown(key)} usually means {action.name}, which {rest}. "
            f"Name {action.name}, too, to have it as you want."
        )
    return left
