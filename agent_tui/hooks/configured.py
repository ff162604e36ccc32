"""The hooks that settings files name, read once. What can't be used is left out and told with its file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from agent_tui.hooks.events import EVENTS, NOT_FIRED, Row
from agent_tui.hooks.matcher import ALL, Matcher, read_matcher
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent
from agent_tui.settings.layers import SourcedHooks

OTHER_TYPES = frozenset({"http", "mcp_tool", "prompt", "agent"})

Callback: TypeAlias = Callable[[JsonObject, str | None], Awaitable[JsonObject]]
"""A program's hook: the event's input and the call's id in, the documented output object out."""


@dataclass(frozen=True, slots=True)
class CommandHook:
    """A shell hook.

    Attributes:
        command: a line for the shell; with ``args`` the program itself.
        args: its arguments, run without a shell.
        source: who wants it, for people: ``User``, ``Project``, ``Local``, ``Managed``, ``Settings``.
        path: the file it stands in.
        seconds: its own time limit.
        rule: the permission rule a call must fit (``if``).
        kind: ``command``; any other kind can't be run, so what it guards is not let through.
        background: nobody waits for it.
    """

    command: str
    args: tuple[str, ...] | None = None
    source: str = "User"
    path: str = ""
    seconds: float | None = None
    rule: str | None = None
    background: bool = False
    kind: str = "command"

    @property
    def same(self) -> object:
        """What makes two handlers one."""
        return (self.kind, self.command, self.args)

    @property
    def shown(self) -> str:
        """Its command as a person knows it, on one line."""
        line = " ".join(" ".join((self.command, *(self.args or ()))).split())
        return line if len(line) <= 80 else f"{line[:77]}..."


@dataclass(frozen=True, slots=True)
class CallbackHook:
    """A function of the program. ``on_failure``: ``block``, ``continue`` or None (as documented)."""

    callback: Callback
    seconds: float | None = None
    on_failure: str | None = None
    source: str = "Program"

    @property
    def same(self) -> object:
        """Each registration is a hook of its own."""
        return self


Hook: TypeAlias = CommandHook | CallbackHook


@dataclass(frozen=True, slots=True)
class Registered:
    """A hook and what it is for."""

    event: HookEvent
    hook: Hook
    matcher: Matcher = ALL


@dataclass(frozen=True, slots=True)
class Configured:
    """What the settings name, in order, and a sentence for each thing left out."""

    hooks: tuple[Registered, ...] = ()
    problems: tuple[str, ...] = ()


_SOURCES = {
    "user": "User",
    "project": "Project",
    "local": "Local",
    "managed": "Managed",
    "flag": "Settings",
}


def read_hooks(files: Iterable[SourcedHooks]) -> Configured:
    """Read what files say under ``hooks``; never fails."""
    hooks: list[Registered] = []
    problems: dict[str, None] = {}
    for file in files:
        where = file.path or file.source
        for found in _events(file):
            if isinstance(found, Registered):
                hooks.append(found)
            else:
                problems[f"{where}: {found}"] = None
    return Configured(tuple(hooks), tuple(problems))


def _events(file: SourcedHooks) -> Iterator[Registered | str]:
    data: object = file.data
    if not isinstance(data, dict):
        yield "hooks must be an object by event; it is left out."
        return
    for name, groups in cast("dict[Any, Any]", data).items():
        if name in NOT_FIRED:
            yield f"hooks.{name}: this version has no such moment, so these hooks never run."
        elif name not in EVENTS:
            yield f"hooks.{name} is no event; it is left out."
        elif not isinstance(groups, list):
            yield f"hooks.{name} must be a list; it is left out."
        else:
            for index, group in enumerate(cast("list[Any]", groups)):
                yield from _group(name, f"hooks.{name}[{index}]", group, file)


def _group(
    event: HookEvent, place: str, group: Any, file: SourcedHooks
) -> Iterator[Registered | str]:
    given = cast("JsonObject", group) if isinstance(group, dict) else {}
    handlers: Any = given.get("hooks")
    text: Any = given.get("matcher")
    if not isinstance(handlers, list) or not (text is None or isinstance(text, str)):
        yield f"{place} must hold a list of hooks, and its matcher must be text; it is left out."
        return
    try:
        matcher = read_matcher(text, bars_only=EVENTS[event].bars_only)
    except ValueError as error:
        yield f"{place}: {error}; its hooks never run."
        return
    for index, handler in enumerate(cast("list[Any]", handlers)):
        hook = _handler(handler, EVENTS[event], file)
        if isinstance(hook, str):
            yield f"{place}.hooks[{index}]: {hook}"
            continue
        yield Registered(event, hook, matcher)
        if cast("JsonObject", handler).get("asyncRewake") is True:
            yield f"{place}.hooks[{index}]: asyncRewake is not supported; it runs in the background."


def _handler(handler: Any, row: Row, file: SourcedHooks) -> CommandHook | str:
    """Read one hook, or say why it can't be used."""
    given = cast("JsonObject", handler) if isinstance(handler, dict) else {}
    kind = given.get("type")
    if kind in OTHER_TYPES:
        if row.guards:
            return _guard(str(kind), given, file)
        return f"hooks of type {kind} are not supported by this version. It never runs."
    if kind != "command":
        return "its type must be command; it is left out."
    wrong = _wrong(given, row)
    if wrong:
        return wrong
    args, seconds = given.get("args"), given.get("timeout")
    return CommandHook(
        given["command"],
        None if args is None else tuple(args),
        _SOURCES.get(file.source, file.source),
        file.path,
        None if seconds is None else float(seconds),
        given.get("if"),
        given.get("async") is True or given.get("asyncRewake") is True,
    )


def _guard(kind: str, given: JsonObject, file: SourcedHooks) -> CommandHook:
    """Keep a guard of a kind that can't be run here: one that can't be asked has not agreed."""
    what = next((given[key] for key in ("url", "prompt", "tool") if given.get(key)), kind)
    rule = given.get("if")
    return CommandHook(
        str(what),
        source=_SOURCES.get(file.source, file.source),
        path=file.path,
        rule=rule if isinstance(rule, str) else None,
        kind=kind,
    )


def _wrong(given: JsonObject, row: Row) -> str:
    command, args = given.get("command"), given.get("args")
    seconds, rule = given.get("timeout"), given.get("if")
    if not isinstance(command, str) or not command.strip():
        return "its command must be text; it is left out."
    if args is not None and not _texts(args):
        return "its args must be a list of texts; it is left out."
    if seconds is not None and not _positive(seconds):
        return "its timeout must be a number of seconds; it is left out."
    if given.get("shell") not in (None, "bash"):
        return f"its shell {given['shell']!r} is not supported; it is left out."
    if rule is not None and not isinstance(rule, str):
        return "its if must be a permission rule; it is left out."
    if rule is not None and not row.of_tool:
        return "it has an if, which only hooks of tools may have, so it never runs."
    return ""


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(x, str) for x in cast("list[Any]", value))


def _positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e9
