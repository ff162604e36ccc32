"""``git``: what stands before the subcommand, and the forms that only look.

A repository's own settings can make git run programs, so a look is free only in a folder that belongs to the working
folders and is no repository of its own (``lines.py`` checks that), and without options that name settings or programs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent_tui.permissions.shell.options import Options, Sorted, sort_words
from agent_tui.permissions.shell.words import Word
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
    """A subcommand that only looks with these options. ``bare``: other words would change something."""

    options: Options
    bare: bool = False
    needs: frozenset[str] = frozenset()


def _form(
    flags: str = "",
    valued: str = "",
    long: str = "",
    long_valued: str = "",
    *,
    bare: bool = False,
    needs: str = "",
) -> _Form:
    options = Options(flags, valued, names(long), names(long_valued), numeric=True)
    return _Form(options, bare, names(needs))


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
_LOG_VALUED = "pretty format date since until after before author committer grep max-count skip"
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
        bare=True,
    ),
    "tag": _form(
        "lni",
        "",
        "list sort contains no-contains merged no-merged points-at format column ignore-case",
        "sort format",
        bare=True,
    ),
    "remote": _form("v", "", "verbose", bare=True),
    "stash": _form("", "", "", bare=True, needs="list"),
    "worktree": _form("v", "", "porcelain verbose", bare=True, needs="list"),
    "reflog": _form("n", "", f"{_LOG_LONG}", _LOG_VALUED, bare=True),
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
    if call.unsure or any(not word.is_text(*_HARMLESS_GLOBAL) for word in call.before):
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


def _harmless(name: str, form: _Form, found: Sorted) -> bool:
    rest = [word.value or "" for word in found.rest]
    if any(
        "%G" in word.start or not word.literal
        for option, word in found.values
        if option in ("format", "pretty")
    ):
        return False
    if name in ("stash", "worktree"):
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
