"""Does a ``Bash`` rule cover a command? The texts a command is held against, strict for deny, narrow for allow."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from agent_tui.permissions.shell.analysis import Part
from agent_tui.permissions.shell.git import read_git
from agent_tui.permissions.shell.words import Word
from agent_tui.permissions.shell.wrappers import program
from agent_tui.permissions.tables import names
from agent_tui.permissions.wildcards import ANY, Item, Items, items, matches, overlap, star_pattern

SAFE_VARIABLES = names(
    "LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME TZ NO_COLOR FORCE_COLOR CLICOLOR "
    "CLICOLOR_FORCE COLUMNS LINES TERM CI NODE_ENV PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 "
    "RUST_BACKTRACE DEBIAN_FRONTEND GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS"
)
"""Assignments before a command that don't change what it runs."""

_SOMETHING = "\ue000"


class Fit(IntEnum):
    """Whether a rule covers a command: surely not, perhaps, surely."""

    NO = 0
    MAYBE = 1
    YES = 2


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """The specifier of a ``Bash`` rule, read.

    Attributes:
        forms: patterns; the rule fits when one of them does.
        prefix: the literal words it begins with.
        exact: it names one command, nothing more.
    """

    forms: tuple[Items, ...]
    prefix: tuple[str, ...]
    exact: bool

    def fits(self, text: str) -> bool:
        """Tell whether it fits a known text."""
        return any(matches(form, text) for form in self.forms)


@lru_cache(maxsize=4096)
def read_pattern(content: str) -> CommandPattern:
    """Read a specifier: ``npm run *`` and ``npm run:*`` are prefixes that end at a word, other ``*`` stand for anything."""
    head = content.removesuffix(":*") if content.endswith(":*") else content.removesuffix(" *")
    literal = head.partition("*")[0]
    if head != content:
        prefix = star_pattern(head)
        forms = (prefix, (*prefix, " ", ANY))
    else:
        forms = (star_pattern(content),)
    words = literal.split()
    if "*" in head and words and not literal[-1:].isspace():
        words = words[:-1]
    return CommandPattern(forms, tuple(words), head == content and "*" not in content)


def strict_fit(content: str, part: Part, *texts: str) -> Fit:
    """Hold a rule that denies or asks against everything a command runs, however it is written.

    ``texts``: further text in which programs may be named.
    """
    pattern = read_pattern(content)
    best = Fit.NO
    for text, sure in _strict_texts(part):
        if best is Fit.YES:
            break
        if overlap_any(pattern, text):
            definite = sure and pattern.fits("".join(_known(item) for item in text))
            best = max(best, Fit.YES if definite else Fit.MAYBE)
    if best is Fit.NO and any(_scattered(pattern, view.words) for view in part.runs.views):
        best = Fit.MAYBE
    if best is Fit.NO and any(_names(pattern, text) for text in (*part.runs.texts, *texts)):
        best = Fit.MAYBE
    return best


def _names(pattern: CommandPattern, text: str) -> bool:
    """Tell whether a text that is run by other means names the rule's program as a word of its own."""
    if not pattern.prefix:
        return any(matches((ANY, *form, ANY), text) for form in pattern.forms)
    name = re.escape(pattern.prefix[0])
    seen = re.compile(rf"(?<![\w.-]){name}(?![\w.-])")
    return bool(seen.search(text) or seen.search(_QUOTING.sub("", text)))


_QUOTING = re.compile(r"['\"\\\n]")
"""What a shell takes away from a text before it looks for programs in it."""


def overlap_any(pattern: CommandPattern, text: Items) -> bool:
    """Tell whether a text with unknown stretches could fit."""
    return any(overlap(form, text) for form in pattern.forms)


def _known(item: Item) -> str:
    return item if isinstance(item, str) else _SOMETHING


def _strict_texts(part: Part) -> Iterator[tuple[Items, bool]]:
    yield items(part.command.source), True
    if part.command.text != part.command.source:
        yield items(part.command.text), True
    for view in part.runs.views:
        if not view.words:
            continue
        name = program(view.words[0])
        yield _joined(view.words, None), view.sure
        yield items(" ".join(word.raw for word in view.words)), view.sure
        if name is not None:
            yield _joined(view.words, name), view.sure
            if name != name.lower():  # there are file systems where that is the same program
                yield _joined(view.words, name.lower()), False
        if name == "git":
            call = read_git(view.words)
            yield _joined((view.words[0], *call.words), name), view.sure and not call.unsure


def _joined(words: Sequence[Word], name: str | None) -> Items:
    """Write a command with one blank between its words; a word that may vanish takes its blank along."""
    out: list[Item] = []
    for index, word in enumerate(words):
        text = items(name) if index == 0 and name is not None else word.items()
        if index and not word.splits:
            out.append(" ")
        if word.splits and index:
            out.append(ANY)
        out.extend(text)
        if word.splits:
            out.append(ANY)
    return tuple(out)


def _scattered(pattern: CommandPattern, words: Sequence[Word]) -> bool:
    """Tell whether the rule's words may stand in the command with options between them (``docker -H x rm``)."""
    if len(pattern.prefix) < 2 or not words or program(words[0]) != pattern.prefix[0]:
        return False
    if pattern.prefix[0] == "git" and not read_git(words).unsure:
        return False
    wanted = 1
    after_option = options = False
    for word in words[1:]:
        if wanted == len(pattern.prefix):
            break
        if overlap(items(pattern.prefix[wanted]), word.items()):
            wanted, after_option = wanted + 1, False
        elif word.start.startswith("-"):
            after_option = options = True
        elif after_option:
            after_option = False
        else:
            return False
    return options and wanted == len(pattern.prefix)


def allow_fit(content: str, part: Part) -> bool:
    """Hold a rule that allows against a command: exactly as written, or what transparent wrappers run."""
    pattern = read_pattern(content)
    if pattern.exact:
        return pattern.fits(part.command.source) or _narrow(pattern, part)
    runs = part.runs
    if runs.exact_only or (runs.wrapped and len(pattern.prefix) < 2):
        return False
    return _narrow(pattern, part)


def names_exactly(content: str, part: Part) -> bool:
    """Tell whether a rule names just this command, word for word."""
    return read_pattern(content).exact and allow_fit(content, part)


def _narrow(pattern: CommandPattern, part: Part) -> bool:
    if any(a.name not in SAFE_VARIABLES or a.value is None for a in part.command.assignments):
        return False
    return any(pattern.fits(text) for text in allow_texts(part))


def allow_texts(part: Part) -> tuple[str, ...]:
    """Give the texts an allow rule may fit: as written and with the quoting undone, wrappers peeled."""
    words = innermost(part)
    if not words or not words[0].literal:
        return ()
    raw = " ".join(word.raw for word in words)
    plain = " ".join(
        shlex.quote(word.value) if word.value is not None else word.raw for word in words
    )
    return (raw, plain)


def innermost(part: Part) -> tuple[Word, ...]:
    """Give the command that the transparent wrappers around it run."""
    seen = [view.words for view in part.runs.views if view.transparent and view.words]
    return seen[-1] if seen else ()
