"""Does a rule cover a path, a host, a tool or a value? Shell commands have their own file (``shell/forms.py``).

Path patterns are gitignore-like (reference/permissions.md, section 3). A rule that allows must fit the path as given
*and* the file it leads to; a rule that denies or asks applies when either fits.
"""

from __future__ import annotations

import os.path
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from agent_tui.permissions.resolver import Resolver
from agent_tui.permissions.rule import Rule, tool_named
from agent_tui.permissions.wildcards import (
    ANY,
    ONE,
    Item,
    Items,
    OneOf,
    items,
    matches,
    read_class,
    segments_match,
    star_pattern,
)
from agent_tui.protocol.access import CallMcp
from agent_tui.protocol.content import JsonObject

_YES = frozenset({"true", "1", "yes", "y", "on", "t"})
_NO = frozenset({"false", "0", "no", "n", "off", "f"})
"""What tools take for true and false, besides those themselves."""


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A path pattern, read: the folder it starts at and its segments (None is ``**``)."""

    anchor: str
    segments: tuple[Items | None, ...]

    @property
    def below(self) -> bool:
        """The pattern ends in ``**``: it is about what is inside a folder."""
        return bool(self.segments) and self.segments[-1] is None


@dataclass(frozen=True, slots=True)
class Anchors:
    """Where relative patterns start: the session's first folder, the current one, and home."""

    project: str
    cwd: str
    home: str


def read_patterns(rule: Rule, anchors: Anchors) -> tuple[PathPattern, ...]:
    """Read the path patterns of a ``Read`` or ``Edit`` rule; more than one where a deny may start at two folders."""
    content = rule.content
    text = "**" if content is None else content
    return _patterns(text, rule.behavior != "allow", rule.source.anchor, anchors)


@lru_cache(maxsize=4096)
def _patterns(
    text: str, strict: bool, source_anchor: str, anchors: Anchors
) -> tuple[PathPattern, ...]:
    starts: tuple[str, ...] = (anchors.project,)
    if text.startswith("//"):
        starts, text = ("/",), text[2:]
    elif text.startswith("~/"):
        starts, text = (anchors.home,), text[2:]
    elif text.startswith("/"):
        starts, text = (source_anchor or anchors.project,), text[1:]
    else:
        if strict and anchors.cwd != anchors.project:
            starts = (anchors.project, anchors.cwd)
        anchored = text.startswith("./")
        text = text.removeprefix("./")
        if not anchored and _floats(text, strict):
            text = f"**/{text}"
    if text.endswith("/"):
        text += "**"
    names = [name for name in text.split("/") if name not in ("", ".")]
    # In names of files brackets are common (``[id].tsx``), so what restricts takes them as they stand too.
    readings = (True, False) if strict and "[" in text else (True,)
    return tuple(
        _pattern(os.path.normpath(start), names, classes=classes)
        for start in starts
        for classes in readings
    )


def _pattern(start: str, names: list[str], *, classes: bool) -> PathPattern:
    """Make a pattern; ``..`` goes up, from the folder it starts at too."""
    segments: list[Items | None] = []
    for name in names:
        if name != "..":
            segments.append(None if name == "**" else _segment(name, classes=classes))
        elif segments and segments[-1] is not None:
            segments.pop()
        elif not segments:
            start = os.path.dirname(start)  # noqa: PTH120 - text only
    return PathPattern(start, tuple(segments))


def _floats(text: str, strict: bool) -> bool:
    """A bare name applies at any depth; ``name/**`` too, but only where the rule makes things stricter."""
    body = text.rstrip("/")
    if "/" not in body:
        return True
    head, _, tail = body.partition("/")
    return strict and tail == "**" and head != "**"


@lru_cache(maxsize=4096)
def _segment(name: str, *, classes: bool) -> Items:
    out: list[Item] = []
    index = 0
    while index < len(name):
        char = name[index]
        if char == "\\" and index + 1 < len(name):
            out.append(name[index + 1])
            index += 2
            continue
        if classes and char == "[" and (found := read_class(name, index)) is not None:
            one, index = found
            out.append(one)
            continue
        out.append(ANY if char == "*" else ONE if char == "?" else char)
        index += 1
    return items(*out)


def _literal(segment: Items | None) -> str | None:
    """Give the one name a segment fits; None where it isn't one."""
    if segment is None or not all(isinstance(item, str) for item in segment):
        return None
    return "".join(map(str, segment))


def pattern_fits(pattern: PathPattern, path: str, *, strict: bool, fold: bool = False) -> bool:
    """Tell whether a pattern fits an absolute, normalised path.

    ``strict`` (deny, ask): a pattern that fits a folder covers what is in it, and ``x/**`` covers ``x`` itself.
    """
    names = _names_below(pattern.anchor, path, fold)
    if names is None:
        return False
    segments = _folded(pattern.segments) if fold else pattern.segments
    if segments_match(segments, names):
        return True
    if not strict:
        return False
    return any(segments_match(segments, names[:length]) for length in range(1, len(names)))


def may_be_below(pattern: PathPattern, folder: str, *, hidden: bool = True) -> bool:
    """Tell whether a file the pattern fits could be inside ``folder``; without ``hidden``, dot names don't count."""
    known: list[str] = []
    for segment in pattern.segments:
        name = _literal(segment)
        if name is None:
            break
        known.append(name)
    rest = pattern.segments
    if not hidden and "/." not in folder and any(s and s[0] == "." for s in rest):
        return False
    start = os.path.join(pattern.anchor, *known)  # noqa: PTH118 - text only, nothing is looked up
    return (
        start == folder
        or inside(start, folder)
        or (len(known) < len(rest) and inside(folder, start))
    )


def literal_path(pattern: PathPattern) -> str | None:
    """Give the one path a pattern without wildcards names."""
    names: list[str] = []
    for segment in pattern.segments:
        name = _literal(segment)
        if name is None:
            return None
        names.append(name)
    return os.path.join(pattern.anchor, *names)  # noqa: PTH118 - text only


def inside(path: str, folder: str) -> bool:
    """Tell whether a path is below a folder (not the folder itself); both absolute and normalised."""
    return path.startswith("/" if folder == "/" else f"{folder}/") and path != folder


def both_paths(path: str, resolver: Resolver) -> tuple[str, str]:
    """Give the path as written (normalised) and the file it leads to."""
    return os.path.normpath(path), resolver.realpath(path)


def _names_below(anchor: str, path: str, fold: bool) -> list[str] | None:
    if fold:
        anchor, path = anchor.casefold(), path.casefold()
    if not inside(path, anchor):
        return [] if path == anchor else None
    return path[len(anchor.rstrip("/")) + 1 :].split("/")


@lru_cache(maxsize=1024)
def _folded(segments: tuple[Items | None, ...]) -> tuple[Items | None, ...]:
    return tuple(
        None if segment is None else items(*map(_fold_item, segment)) for segment in segments
    )


def _fold_item(item: Item) -> Item:
    if isinstance(item, OneOf):
        return replace(item, folds=True)
    return item.casefold() if isinstance(item, str) else item


@dataclass(frozen=True, slots=True)
class PathRule:
    """A ``Read`` or ``Edit`` rule made ready for one place: its patterns, and how it compares."""

    rule: Rule
    patterns: tuple[PathPattern, ...]
    strict: bool
    fold: bool

    @classmethod
    def of(cls, rule: Rule, anchors: Anchors, resolver: Resolver) -> PathRule:
        """Read the rule's patterns; a folder reached through a link counts under its real name too."""
        patterns = read_patterns(rule, anchors)
        real = tuple(
            PathPattern(where, pattern.segments)
            for pattern in patterns
            if (where := resolver.realpath(pattern.anchor)) != pattern.anchor
        )
        strict = rule.behavior != "allow"
        return cls(rule, patterns + real, strict, strict and resolver.folds_case)

    def covers(self, paths: tuple[str, str]) -> bool:
        """Tell whether the rule covers a file, given as ``both_paths`` gives it."""
        different = paths if paths[0] != paths[1] else paths[:1]
        return (any if self.strict else all)(self._fits(path) for path in different)

    def may_be_below(self, folder: str, *, hidden: bool = True) -> bool:
        """Tell whether the rule could cover a file inside ``folder``."""
        return any(may_be_below(pattern, folder, hidden=hidden) for pattern in self.patterns)

    def _fits(self, path: str) -> bool:
        return any(
            pattern_fits(pattern, path, strict=self.strict, fold=self.fold)
            for pattern in self.patterns
        )


def rule_covers_host(content: str, url: str, *, strict: bool) -> bool:
    """Tell whether ``domain:<host>`` covers an address; ``strict`` (deny, ask): by any way its host can be read."""
    wanted = content.partition(":")[2].lower().rstrip(".")
    return (any if strict else all)(_host_fits(wanted, host) for host in _hosts(url))


def _hosts(url: str) -> set[str]:
    """Read the host as programs do: some take a backslash for ``/``, some turn wide letters and dots into plain ones."""
    found: set[str] = set()
    for text in (url, url.replace("\\", "/")):
        try:
            host = (urlsplit(text).hostname or "").lower().rstrip(".")
        except ValueError:
            host = ""
        plain = unicodedata.normalize("NFKC", host).replace("\u3002", ".").lower().rstrip(".")
        found |= {host, plain}
    return found


def _host_fits(wanted: str, host: str) -> bool:
    if not host:
        return False
    if wanted == "*":
        return True
    if wanted.startswith("*."):
        return host.endswith(wanted[1:]) and len(host) > len(wanted) - 1
    labels, names = wanted.split("."), host.split(".")
    return len(labels) == len(names) and all(
        matches(star_pattern(label), name) for label, name in zip(labels, names, strict=True)
    )


def rule_covers_mcp(rule: Rule, access: CallMcp, tool_name: str) -> bool:
    """Tell whether a rule's tool name covers a tool of a server.

    Names are joined with ``__``, so ``mcp__x__y__z`` may be two things: to allow, the server must be the one named; to
    deny, either reading will do.
    """
    server = f"mcp__{access.server}"
    if rule.behavior != "allow":
        return tool_named(rule, tool_name) or tool_named(rule, f"{server}__{access.tool}")
    if rule.tool in (server, tool_name):
        return True
    prefix = f"{server}__"
    return (
        "*" in rule.tool
        and rule.tool.startswith(prefix)
        and matches(star_pattern(rule.tool[len(prefix) :]), access.tool)
    )


def value_fits(pattern: str, tool_input: JsonObject, name: str) -> bool:
    """Tell whether the input has the scalar field ``name`` with a value that fits, however a tool may read it."""
    value: Any = tool_input.get(name)
    if isinstance(value, bool):
        texts = {"true" if value else "false"}
    elif isinstance(value, str | int | float):
        texts = {str(value), str(value).strip()}
        if isinstance(value, float) and value.is_integer():
            texts.add(str(int(value)))
        word = str(value).strip().lower()
        texts |= {"true"} if word in _YES else {"false"} if word in _NO else set()
    else:
        return False
    return any(matches(star_pattern(pattern), text) for text in texts)
