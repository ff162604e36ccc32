"""``git``: what stands before the subcommand, and the forms that only look.

A repository's own settings can make git run programs, so a look is free only in a folder that belongs to the working
folders and is no repository of its own (``lines.py`` checks that), and without options that name settings or programs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from agent_tui.permissions.shell.options import Options, Sorted, sort_words
from agent_tui.permissions.shell.words import Hole, Word, word_of
from agent_tui.permissions.tables import names

_GLOBAL_FLAGS: Final = names(
    "-p --paginate -P --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare "
    "--literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path"
)
_GLOBAL_VALUED: Final = names(
    "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --list-cmds --attr-source"
)
_HARMLESS_GLOBAL: Final = names("-P --no-pager --no-optional-locks --no-advice --no-lazy-fetch")
_SETTINGS: Final = ("-c", "--config-env", "--exec-path")


@dataclass(frozen=True, slots=True)
class GitCall:
    """A call of git: the options before the subcommand, and the subcommand with its words.

    ``unsure``: an option isn't known, so where the subcommand stands isn't either.
    """

    before: tuple[Word, ...]
    words: tuple[Word, ...]
    unsure: bool = False

    @property
    def folders(self) -> tuple[Word, ...]:
        """The folders it goes into first (``-C``), in order."""
        pairs = zip(self.before, self.before[1:], strict=False)
        return tuple(after for word, after in pairs if word.is_text("-C"))

    @property
    def sets_programs(self) -> bool:
        """Settings given on the line can name programs to run."""
        return any(word.start.startswith(_SETTINGS) for word in self.before)


def read_git(words: Sequence[Word]) -> GitCall:
    """Find the subcommand of a call; ``words`` begins with git's name."""
    index = 1
    while index < len(words):
        word = words[index]
        name, equals, _ = word.start.partition("=")
        if not word.start.startswith("-"):
            break
        if (word.literal and word.value in _GLOBAL_FLAGS | {"-v", "--version", "-h", "--help"}) or (
            equals and name in _GLOBAL_VALUED
        ):
            index += 1
        elif word.literal and name in _GLOBAL_VALUED:
            index += 2
        else:
            return GitCall(tuple(words[1:index]), tuple(words[index:]), unsure=True)
    return GitCall(tuple(words[1:index]), tuple(words[index:]))


@dataclass(frozen=True, slots=True)
class _Form:
    """A subcommand that only looks with these options; ``needs``: with one of them only."""

    options: Options
    needs: frozenset[str] = frozenset()


def _form(
    flags: str = "",
    valued: str = "",
    long: str = "",
    long_valued: str = "",
    *,
    needs: str = "",
) -> _Form:
    options = Options(flags, valued, names(long), names(long_valued), numeric=True)
    return _Form(options, names(needs))


_DIFF_LONG = (
    "stat shortstat numstat dirstat summary name-only name-status patch no-patch patch-with-stat raw unified word-diff "
    "word-diff-regex color no-color color-words color-moved check full-index binary abbrev no-abbrev find-renames "
    "find-copies no-renames diff-filter minimal patience histogram diff-algorithm ignore-all-space ignore-space-change "
    "ignore-space-at-eol ignore-blank-lines exit-code quiet relative no-relative cached staged merge-base no-ext-diff "
    "no-textconv function-context inter-hunk-context compact-summary src-prefix dst-prefix no-prefix submodule "
    "pickaxe-regex pickaxe-all ignore-submodules indent-heuristic"
)
_LOG_LONG = (
    "oneline graph all decorate no-decorate decorate-refs pretty format abbrev-commit no-abbrev-commit date since until "
    "after before author committer grep max-count skip reverse first-parent merges no-merges min-parents max-parents "
    "follow branches tags remotes left-right left-only right-only cherry-pick cherry-mark cherry topo-order date-order "
    "author-date-order source use-mailmap no-mailmap parents children boundary simplify-by-decoration full-history "
    "invert-grep regexp-ignore-case extended-regexp fixed-strings perl-regexp all-match walk-reflogs relative-date "
    "no-walk count glob exclude reflog notes no-notes clear-decorations ancestry-path show-pulls"
)
_LOG_VALUED = "date since until after before author committer grep max-count skip"
_DIFF = _form("pusbwRzaWMCBDt", "SGU", _DIFF_LONG, "diff-filter")
_LOG = _form(
    "pusbwRzaWMCgiEFPcmt", "nLSGU", f"{_DIFF_LONG} {_LOG_LONG}", f"{_LOG_VALUED} diff-filter"
)

_FORMS: Final[dict[str, _Form]] = {
    "status": _form(
        "sbzuv",
        "",
        "short branch porcelain long untracked-files ignored show-stash ahead-behind no-renames column",
    ),
    "diff": _DIFF,
    "log": _LOG,
    "show": _LOG,
    "whatchanged": _LOG,
    "shortlog": _form("sneczw", "", f"summary numbered email group {_LOG_LONG}", _LOG_VALUED),
    "rev-list": _form("ngiEFP", "", f"objects {_LOG_LONG}", _LOG_VALUED),
    "rev-parse": _form(
        "q",
        "",
        "show-toplevel abbrev-ref short git-dir is-inside-work-tree is-inside-git-dir is-bare-repository verify quiet "
        "symbolic-full-name symbolic show-prefix show-cdup show-superproject-working-tree absolute-git-dir git-common-dir "
        "all branches tags remotes",
    ),
    "ls-files": _form(
        "cdmosuktvz",
        "x",
        "cached deleted modified others ignored stage unmerged killed exclude-standard full-name error-unmatch "
        "directory no-empty-directory exclude abbrev deduplicate",
    ),
    "ls-tree": _form(
        "drtlz", "", "name-only name-status long full-name full-tree abbrev object-only"
    ),
    "cat-file": _form("ptse"),
    "blame": _form(
        "bclstfnewpMC",
        "L",
        "root show-stats date porcelain line-porcelain incremental show-name show-number show-email abbrev",
    ),
    "grep": _form(
        "EFGPaivwcLlnhHopqIrWz",
        "eABCm",
        "cached extended-regexp fixed-strings basic-regexp perl-regexp ignore-case invert-match word-regexp count "
        "files-with-matches files-without-match name-only line-number column heading break show-function "
        "function-context context after-context before-context max-depth max-count and or not all-match quiet color "
        "no-color only-matching full-name recursive no-recursive",
        "context after-context before-context max-depth max-count",
    ),
    "describe": _form(
        "", "", "tags all long abbrev always dirty contains exact-match match exclude first-parent"
    ),
    "merge-base": _form("a", "", "all octopus independent is-ancestor fork-point"),
    "name-rev": _form("", "", "name-only tags refs always all"),
    "for-each-ref": _form(
        "", "", "format sort count contains merged no-merged points-at", "format sort count"
    ),
    "show-ref": _form("hdsq", "", "head heads branches tags verify hash dereference quiet exists"),
    "diff-tree": _form("rtpsucmzv", "", f"root {_DIFF_LONG}"),
    "count-objects": _form("vH", "", "verbose human-readable"),
    "check-ignore": _form("qvnz", "", "quiet verbose non-matching no-index"),
    "branch": _form(
        "arvq",
        "",
        "all remotes list verbose show-current no-color color column sort contains no-contains merged no-merged "
        "points-at format abbrev ignore-case",
        "sort format",
    ),
    "tag": _form(
        "lni",
        "",
        "list sort contains no-contains merged no-merged points-at format column ignore-case",
        "sort format",
    ),
    "remote": _form("v", "", "verbose"),
    "stash": _form("pu", "", f"oneline {_DIFF_LONG}", "diff-filter"),
    "worktree": _form("v", "", "porcelain verbose"),
    "reflog": _form("n", "", f"{_LOG_LONG}", _LOG_VALUED),
    "config": _form(
        "",
        "",
        "get get-all get-regexp local global system show-origin show-scope name-only null",
        needs="get get-all get-regexp",
    ),
    "version": _form(),
}

LOOKING: Final = frozenset(_FORMS)
"""Subcommands that have forms which only look."""


def looks_only(call: GitCall) -> tuple[Word, ...] | None:
    """Give the words of a call that only looks (revisions and paths, to be held against rules); None: it may do more."""
    if call.unsure or not _harmless_before(call):
        only_version = not call.words and all(w.is_text("--version", "-v") for w in call.before)
        return () if only_version else None
    name = call.words[0].value if call.words else None
    form = _FORMS.get(name or "")
    if form is None or any(word.splits for word in call.words):
        return None
    found = sort_words(call.words[1:], form.options)
    if found is None or not _harmless(str(name), form, found):
        return None
    return found.rest


def _harmless_before(call: GitCall) -> bool:
    """Only options that change how it looks, and folders, which are checked elsewhere."""
    index = 0
    while index < len(call.before):
        if call.before[index].is_text("-C"):
            index += 1
        elif not call.before[index].is_text(*_HARMLESS_GLOBAL):
            return False
        index += 1
    return True


def _harmless(name: str, form: _Form, found: Sorted) -> bool:
    rest = [word.value or "" for word in found.rest]
    if any(
        "%G" in word.start or "signature" in word.start or not word.literal
        for option, word in found.values
        if option in ("format", "pretty", "sort")
    ):
        return False
    if name == "stash":
        return rest == ["list"] or rest[:1] == ["show"]
    if name == "worktree":
        return rest == ["list"]
    if name == "remote":
        return not rest or (rest[0] == "get-url" and len(rest) == 2)
    if name == "reflog":
        return rest[:1] in ([], ["show"]) or not re.fullmatch(
            r"expire|delete|exists|drop|list|write", rest[0]
        )
    if name in ("branch", "tag") and rest:
        return bool(found.given & names("list l contains no-contains merged no-merged points-at"))
    if name == "tag":
        return True
    return not form.needs or bool(form.needs & found.given)


_RUNNING: Final = names(
    "filter-branch difftool mergetool instaweb send-email remote-ext remote-fd merge-index shell for-each-repo "
    "web--browse hook gui citool daemon"
)
"""Subcommands that are there to run other programs."""

_FETCHING: Final = ("--upload-pack", "--exec")
_SENDING: Final = ("--receive-pack", "--exec")
_RUNNING_BY: Final[dict[str, tuple[str, ...]]] = {
    "bisect": ("run",),
    "submodule": ("foreach",),
    "clone": (*_FETCHING, "--config", "--template", "-u", "-c"),
    "init": ("--template",),
    "fetch": _FETCHING,
    "pull": _FETCHING,
    "ls-remote": _FETCHING,
    "fetch-pack": _FETCHING,
    "push": _SENDING,
    "send-pack": _SENDING,
    "archive": ("--exec", "--remote"),
    "grep": ("-O", "--open-files-in-pager"),
    "rebase": ("-x", "--exec"),
}
"""What makes a subcommand run a program that is named on the line."""

WRITING: Final = names(
    "log diff show whatchanged shortlog rev-list diff-tree reflog stash archive format-patch"
)
"""Subcommands that take ``--output``."""


def git_runs(words: Sequence[Word], turns: Callable[[Word], bool] | None) -> str:
    """Say by which word a call would run another program, "" when by none; see ``runners.hidden_run``."""
    call = read_git(words)
    elsewhere = ("-c", "--config-env", "--exec-path", "--git-dir", "--work-tree")
    by = next((word.raw for word in call.before if word.start.startswith(elsewhere)), "")
    if by or call.unsure or not call.words:
        return by or (call.words[0].raw if call.unsure else "")
    name = call.words[0].value
    if name is None or name in _RUNNING:
        return call.words[0].raw
    options = _RUNNING_BY.get(name, ())
    for word in call.words[1:]:
        if turns is not None and (options or name in WRITING) and turns(word):
            return word.raw
        if "ext::" in word.start or _is_one_of(word, options):
            return word.raw
    return ""


def _is_one_of(word: Word, options: tuple[str, ...]) -> bool:
    """Tell whether a word is one of some options, cut short or in a cluster of letters too."""
    start = word.start
    if start.startswith("--"):
        name, equals, _ = start.partition("=")
        unknown = not word.literal and not equals
        return any(o.startswith(name) or (unknown and len(o) > 2) for o in options if len(name) > 3)
    letters = {option[1] for option in options if len(option) == 2}
    if start.startswith("-"):
        return bool(letters & set(start[1:])) or (bool(letters) and not word.literal)
    return start in options


def git_output(words: Sequence[Word]) -> tuple[Word, ...]:
    """Give the files a call writes because of ``--output`` (cut short too), or ``archive -o``.

    A ``--`` before it may be the value of another option, so it isn't believed.
    """
    call = read_git(words)
    name = call.words[0].value if call.words else None
    out: list[Word] = []
    for index, word in enumerate(call.words):
        option, equals, _ = word.start.partition("=")
        long = len(option) > 3 and "--output".startswith(option)
        short = name == "archive" and word.start.startswith("-o")
        if long and equals:
            out.append(_tail(word, len(option) + 1))
        elif short and len(word.start) > 2:
            out.append(_tail(word, 2))
        elif (long or short) and index + 1 < len(call.words):
            out.append(call.words[index + 1])
    return tuple(out)


def _tail(word: Word, skip: int) -> Word:
    rest = word.start[skip:]
    return Word(word.raw, (rest, *word.pieces[1:]) if rest or word.literal else word.pieces[1:])


_ASKING: Final = ("--get", "--list", "-l", "get", "list", "--show-")


def git_settings(words: Sequence[Word]) -> tuple[Word, ...]:
    """Give the settings file that ``git config`` changes; () when it only shows some."""
    call = read_git(words)
    if not call.words or not call.words[0].is_text("config"):
        return ()
    given = call.words[1:]
    if any(word.start.startswith(_ASKING) for word in given):
        return ()
    named = [word for word in given if not word.start.startswith("-")]
    if len(named) < 2 and not any(word.start.startswith(("--", "-e")) for word in given):
        return ()
    if any(word.is_text("--global", "--glob", "--globa") for word in given):
        return (Word("~/.gitconfig", (Hole("tilde", "~", quoted=True), "/.gitconfig")),)
    return (word_of(".git/config"),)
