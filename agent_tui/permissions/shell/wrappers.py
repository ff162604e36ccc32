"""Programs that run other programs: what they run, peeled out layer by layer.

A rule sees through them in two ways. The *transparent* ones (``timeout``, ``nice``...) change nothing about what a
command may do, so allow rules are held against what is inside. Rules that deny or ask see through all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from agent_tui.permissions.shell.computing import computes
from agent_tui.permissions.shell.find import CHANGES, RUNS, may_be, may_run
from agent_tui.permissions.shell.options import Options, sort_words
from agent_tui.permissions.shell.runners import (
    CARRIERS,
    carries,
    handed,
    hidden_run,
    interprets,
    runs_its_input,
    starts_shell,
)
from agent_tui.permissions.shell.shells import OTHER_SHELLS, SHELLS, read_shell, told_file
from agent_tui.permissions.shell.source import ASSIGN
from agent_tui.permissions.shell.words import Word
from agent_tui.permissions.tables import names

MAX_LAYERS: Final = 12


@dataclass(frozen=True, slots=True)
class Wrapper:
    """How a wrapper's words are read: its options, then ``skip`` words of its own, then the command."""

    options: Options
    skip: int = 0
    assigns: bool = False
    transparent: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A command as some layer runs it.

    Attributes:
        words: the command.
        transparent: only transparent wrappers stand around it.
        sure: this is what is run; else it may be.
    """

    words: tuple[Word, ...]
    transparent: bool = True
    sure: bool = True


@dataclass(slots=True)
class Unwrapped:
    """What a command runs.

    Attributes:
        views: the command itself first, then what its layers run.
        scripts: shell text that is run.
        opaque: why what is run can't be seen, "" when it can.
        wrapped: an allow rule must name more than the wrapper.
        exact_only: it can be allowed only by a rule for exactly this text.
        fed: further words come from its input (``xargs``).
        texts: text in which programs that are run may be named: another language, an option's value.
        reads: programs may be named anywhere in the line: in what is handed to an interpreter to read.
    """

    views: list[View] = field(default_factory=list[View])
    scripts: list[str] = field(default_factory=list[str])
    opaque: str = ""
    wrapped: bool = False
    exact_only: bool = False
    fed: bool = False
    texts: list[str] = field(default_factory=list[str])
    reads: bool = False

    def hide(self, why: str) -> None:
        """Note that what is run can't be seen."""
        self.opaque = self.opaque or why


def _wrapper(
    flags: str = "",
    valued: str = "",
    long: str = "",
    long_valued: str = "",
    *,
    skip: int = 0,
    assigns: bool = False,
    transparent: bool = False,
    numeric: bool = False,
) -> Wrapper:
    options = Options(flags, valued, names(long), names(long_valued), numeric=numeric, mixed=False)
    return Wrapper(options, skip, assigns, transparent)


WRAPPERS: Final[dict[str, Wrapper]] = {
    "timeout": _wrapper(
        "v",
        "ks",
        "preserve-status foreground verbose kill-after signal",
        "kill-after signal",
        skip=1,
        transparent=True,
    ),
    "nice": _wrapper("", "n", "adjustment", "adjustment", transparent=True, numeric=True),
    "nohup": _wrapper(transparent=True),
    "stdbuf": _wrapper("", "ioe", "input output error", "input output error", transparent=True),
    "time": _wrapper(
        "pv", "f", "portability verbose format", "format", assigns=True, transparent=True
    ),
    "command": _wrapper("p", transparent=True),
    "builtin": _wrapper(transparent=True),
    "noglob": _wrapper(transparent=True),
    "env": _wrapper(
        "i0v",
        "u",
        "ignore-environment null unset debug default-signal ignore-signal block-signal",
        "unset",
        assigns=True,
    ),
    "exec": _wrapper("cl", "a"),
    "sudo": _wrapper(
        "nSEHbkKiPABs",
        "ughpCrtTUD",
        "non-interactive stdin preserve-env set-home background login shell user group host prompt chdir",
        "user group host prompt chdir",
        assigns=True,
    ),
    "doas": _wrapper("ns", "uC"),
    "setsid": _wrapper("cfw", "", "ctty fork wait"),
    "ionice": _wrapper(
        "t", "cnpPu", "ignore class classdata pid pgid uid", "class classdata pid pgid uid"
    ),
    "chrt": _wrapper("abdfimoprRv", "TPD", skip=1),
    "taskset": _wrapper("apc", "", "all-tasks pid cpu-list", skip=1),
    "watch": _wrapper(
        "bcdegtwx", "n", "beep color differences errexit chgexit no-title exec interval", "interval"
    ),
    "xargs": _wrapper(
        "0rtpxoiel",
        "nLPIdEsa",
        "null no-run-if-empty verbose interactive exit open-tty max-args max-lines max-procs replace delimiter eof max-chars "
        "arg-file",
        "max-args max-procs delimiter max-chars arg-file",
    ),
    "strace": _wrapper("cCfFhikqrtTvVwxy", "abeEoOPpsSuU"),
    "ltrace": _wrapper("cCfhiLrStTV", "aADeFlnopsux"),
    "unshare": _wrapper("imnpuUrcfC"),
    "chroot": _wrapper("", "", "groups userspec skip-chdir", "groups userspec", skip=1),
    "caffeinate": _wrapper("disumt", "w"),
    "xvfb-run": _wrapper("a", "enpsf"),
    "firejail": _wrapper("", "", "quiet private net"),
    "busybox": _wrapper(),
    "toybox": _wrapper(),
}
EXACT_ONLY: Final = names("watch setsid ionice flock")


def unwrap(words: Sequence[Word]) -> Unwrapped:
    """Peel a command."""
    out = Unwrapped()
    waiting = [View(tuple(words))]
    while waiting:
        view = waiting.pop(0)
        out.views.append(view)
        if len(out.views) > MAX_LAYERS:
            out.hide("it has too many layers")
            break
        if view.words:
            waiting.extend(_peel(view, out))
    return out


def program(word: Word) -> str | None:
    """Give the name of a program, folders left out; None when it is filled in at run time."""
    text = word.value
    return None if text is None else text.rsplit("/", 1)[-1]


def _peel(view: View, out: Unwrapped) -> list[View]:
    words = view.words
    name = program(words[0])
    if name is None or name == "":
        out.hide("the program's name is made at run time")
        return []
    if name in EXACT_ONLY:
        out.exact_only = True
    if name in SHELLS:
        _shell(words, out)
        return []
    _texts(name, words, out)
    match name:
        case "eval" | "trap":
            _text(name, words, out)
            return []
        case "find":
            return _find(view, out)
        case "flock":
            return _flock(view, out)
        case "su" | "runuser" | "script":
            _option_script(words, out)
            return []
        case "source" | ".":
            if len(words) > 1 and not told_file(words[1]):
                out.hide("what is run can't be told before")
        case _ if why := computes(name, words):
            out.hide(why)
        case _:
            pass
    wrapper = WRAPPERS.get(name)
    return [] if wrapper is None else _wrapped(name, wrapper, view, out)


def _texts(name: str, words: Sequence[Word], out: Unwrapped) -> None:
    """Note what is run by other means than words in the place of a command."""
    if name in OTHER_SHELLS:
        out.wrapped = True
        out.hide("what the shell runs can't be seen")
    if runs_its_input(name, words) or starts_shell(name, words):
        out.hide(f"'{name}' runs what it is given to read")
    carried = carries(name, words)
    out.wrapped |= name in CARRIERS
    inline = interprets(name, words)
    out.reads |= inline
    by = hidden_run(name, words)
    if carried or inline or by or (name == "find" and may_run(words)):
        out.texts.append(" ".join(_readable(word) for word in words[1:]))
    given = [_readable(word) for word in handed(name, words, by)] if by else []
    out.texts += [_LETTER.sub(r"\g<0> ", re.sub(r"['\"\\]", "", text)) for text in given]
    if any(map(MADE.search, given)):
        out.hide(f"what {by} runs is made at run time")


_LETTER = re.compile(r"(?<![\w-])-[A-Za-z]")
"""An option whose value may be attached: ``-Orm``."""

MADE = re.compile(r"[$`*?{\[\ufffd]")
"""What makes the names of programs in a text something that is told at run time only."""


def _readable(word: Word) -> str:
    return "".join(piece if isinstance(piece, str) else "\ufffd" for piece in word.pieces)


def _wrapped(name: str, wrapper: Wrapper, view: View, out: Unwrapped) -> list[View]:
    words = view.words
    if name == "command" and len(words) > 1 and words[1].is_text("-v", "-V"):
        return []
    out.fed = out.fed or name == "xargs"
    transparent = wrapper.transparent or (name == "xargs" and _flagless(words))
    if not transparent:
        out.wrapped = True
    found = sort_words(words[1:], wrapper.options)
    if found is None:
        if name == "env":
            _env_string(words, out)
        if name == "watch":
            out.hide("the options of 'watch' aren't understood")
        return _suffixes(view)
    if name == "sudo" and found.given & {"i", "s", "login", "shell"} and not found.rest:
        out.hide("'sudo' starts a shell")
    inner = found.rest[wrapper.skip :]
    if name == "env" and inner and inner[0].is_text("-"):
        inner = inner[1:]
    if wrapper.assigns:
        while inner and ASSIGN.match(inner[0].raw):
            out.texts.append(_readable(inner[0]))
            inner, transparent, out.wrapped = inner[1:], False, True
    if name == "watch" and "x" not in found.given and "exec" not in found.given:
        _join("watch", inner, out)
        return []
    if not inner:
        return []
    return [View(inner, view.transparent and transparent, view.sure)]


def _flagless(words: Sequence[Word]) -> bool:
    return len(words) < 2 or (bool(words[1].start) and not words[1].start.startswith("-"))


def _suffixes(view: View) -> list[View]:
    """An option isn't known, so any later word may be the program."""
    words = view.words
    return [View(words[index:], False, False) for index in range(1, min(len(words), MAX_LAYERS))]


def _shell(words: Sequence[Word], out: Unwrapped) -> None:
    """``bash -c text``; without text or file it runs what it reads."""
    call = read_shell(words)
    if not call.clear:
        out.hide("what the shell runs can't be seen")
    elif call.text is not None:
        out.wrapped = True
        if call.text.value is None:
            out.hide("what the shell runs is made at run time")
        else:
            out.scripts.append(call.text.value)
    elif call.file is not None:
        if not told_file(call.file):
            out.hide("what the shell runs can't be told before")
    elif not call.tells:
        out.wrapped = True
        out.hide("the shell runs what it is given to read")


def _text(name: str, words: Sequence[Word], out: Unwrapped) -> None:
    out.wrapped = True
    given = [word for word in words[1:] if not word.is_text("--")]
    if name == "trap":
        given = given[:1]
        if given and given[0].is_text("-", "", "-p", "-l"):
            return
    _join(name, given, out)


def _join(name: str, given: Sequence[Word], out: Unwrapped) -> None:
    """Several words make one text, which is read as a line."""
    values = [word.value for word in given]
    if any(value is None for value in values):
        out.hide(f"what '{name}' runs is made at run time")
    else:
        out.scripts.append(" ".join(map(str, values)))


def _env_string(words: Sequence[Word], out: Unwrapped) -> None:
    """``env -S 'rm x'`` splits a text into words."""
    for index, word in enumerate(words):
        if word.start.startswith(("-S", "--split-string")) or word.start.startswith("-vS"):
            text = word.start.partition("=")[2] or word.start[2:]
            rest = [text] if text else []
            rest += [later.value or "" for later in words[index + 1 :]]
            out.scripts.append(" ".join(rest))
    out.hide("the options of 'env' aren't understood")


def _find(view: View, out: Unwrapped) -> list[View]:
    """``find -exec cmd ;`` and its like; ``-delete`` removes."""
    views: list[View] = []
    words = view.words
    index = 1
    while index < len(words):
        word = words[index]
        if word.literal and may_be(word, RUNS):
            end = index + 1
            while end < len(words) and not words[end].is_text(";", "+"):
                end += 1
            out.exact_only = True
            views.append(View(words[index + 1 : end], False, view.sure))
            index = end
        elif word.literal and may_be(word, CHANGES):
            out.exact_only = True
        index += 1
    return [inner for inner in views if inner.words]


def _flock(view: View, out: Unwrapped) -> list[View]:
    known = Options(
        "enosuxF",
        "Ew",
        names("exclusive nonblock no-fork close shared unlock timeout verbose"),
        names("timeout wait"),
        mixed=False,
    )
    found = sort_words(view.words[1:], known)
    if found is None:
        return _suffixes(view)
    rest = found.rest[1:]
    if rest and rest[0].is_text("-c", "--command"):
        _join("flock", rest[1:2], out)
        return []
    return [View(rest, False, view.sure)] if rest else []


def _option_script(words: Sequence[Word], out: Unwrapped) -> None:
    """``su -c text``, ``script -c text``; without it a shell is started."""
    out.wrapped = True
    for index, word in enumerate(words[1:], 1):
        short = re.fullmatch(r"-[A-Za-z]*c", word.start) and word.literal
        if short or word.is_text("--command"):
            _join(str(words[0].value), words[index + 1 : index + 2], out)
            return
        if word.start.startswith("--command="):
            _join(str(words[0].value), [Word(word.raw, (word.start[10:], *word.pieces[1:]))], out)
            return
    out.hide(f"'{words[0].value}' starts a shell")
