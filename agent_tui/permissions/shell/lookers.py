"""Programs that only look: their options that can't write or run anything, and which of their words are paths.

An option that isn't in the table makes a call one that has to be approved, so an option that a newer version of a
program adds is never taken for harmless.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from agent_tui.permissions.shell.find import find_paths
from agent_tui.permissions.shell.options import Options, Sorted, sort_words
from agent_tui.permissions.shell.sed import sed_script_is_plain, sed_scripts
from agent_tui.permissions.shell.words import Hole, Word, word_of
from agent_tui.permissions.tables import names

Operands: TypeAlias = Literal["paths", "text", "free", "pattern", "none"]


@dataclass(frozen=True, slots=True)
class Looker:
    """A program that only looks.

    Attributes:
        options: what it may be given.
        operands: what its other words are: paths; text; a pattern (script, filter), then paths; nothing. ``free``: it
            has no options that matter, all its words are text.
        here: without a path it looks at the current folder.
        pattern_options: options that give the pattern, so that no word is one.
        globs: unquoted globs in its words are harmless (a file's name can't turn into a dangerous option).
        safe: a further check of the sorted words.
        deep: options that make it look into folders.
    """

    options: Options
    operands: Operands = "paths"
    here: bool = False
    pattern_options: frozenset[str] = frozenset()
    globs: bool = True
    safe: Callable[[Sorted], bool] | None = None
    deep: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Look:
    """What a call of such a program looks at. ``names_files``: further words would be files."""

    paths: tuple[Word, ...]
    deep: bool = False
    hidden: bool = True
    names_files: bool = False


HERE = word_of(".")
HOME = Word("~", (Hole("tilde", "~", quoted=True),))


def look(words: Sequence[Word]) -> Look | None:
    """Say what a command looks at, None: it isn't known to only look; ``git`` has its own file."""
    name = words[0].value
    if name == "find":
        found_paths = find_paths(words)
        return None if found_paths is None else Look(found_paths or (HERE,), names_files=True)
    looker = LOOKERS.get(name or "")
    if looker is None:
        return None
    if looker.operands == "free":
        plain = Sorted(tuple(words[1:]), (), frozenset(), 0)
        return Look(()) if looker.safe is None or looker.safe(plain) else None
    found = sort_words(words[1:], looker.options)
    if found is None or (looker.safe is not None and not looker.safe(found)):
        return None
    paths = operands(looker, found)
    if paths is None or (not looker.globs and any(word.splits for word in paths)):
        return None
    deep = bool(looker.deep & found.given) or "always" in looker.deep
    if name == "cd":
        return _cd(paths)
    if not paths and (looker.here or (deep and looker.operands == "pattern")):
        paths = (HERE,)
    hidden = name != "rg" or bool(found.given & names("hidden no-ignore . u unrestricted"))
    return Look(paths, deep, hidden, looker.operands in ("paths", "pattern"))


def operands(looker: Looker, found: Sorted) -> tuple[Word, ...] | None:
    """Give the words that are paths, None when there is something wrong with the others."""
    rest = found.rest
    match looker.operands:
        case "paths":
            return rest
        case "pattern":
            return rest if looker.pattern_options & found.given else rest[1:]
        case "none":
            return None if rest else ()
        case "text" | "free":
            return ()


def _cd(paths: tuple[Word, ...]) -> Look | None:
    if any(path.is_text("-") for path in paths):
        return None
    return Look(paths or (HOME,))


def _plain_sed(found: Sorted) -> bool:
    scripts = sed_scripts(found)
    return bool(scripts) and all(map(sed_script_is_plain, scripts))


def _plain_jq(found: Sorted) -> bool:
    text = found.rest[0].value if found.rest else None
    return text is not None and not re.search(
        r"\benv\b|\$ENV|\binclude\b|\bimport\b|input_filename", text
    )


def _plain_date(found: Sorted) -> bool:
    return all(word.start.startswith("+") for word in found.rest)


def _plain_printf(found: Sorted) -> bool:
    """``printf -v`` computes with its next word."""
    return not found.rest or (
        found.rest[0].literal and not (found.rest[0].value or "").startswith("-")
    )


def _asks_where(found: Sorted) -> bool:
    """``command -v name``."""
    return bool(found.rest) and found.rest[0].is_text("-v", "-V")


def _plain_test(found: Sorted) -> bool:
    """``test -v`` looks into a variable, and computes to find it; any word that can't be read could be ``-v``."""
    return not any(
        word.is_text("-v", "-R") or (word.splits and not word.start) for word in found.rest
    )


def _plain_cd(found: Sorted) -> bool:
    return len(found.rest) <= 1


def _plain_set(found: Sorted) -> bool:
    text = " ".join(word.value or "?" for word in found.rest)
    return bool(
        re.fullmatch(r"(?:[-+][eux]+|[-+][eux]*o (?:pipefail|errexit|nounset|xtrace)| )*", text)
    )


def _one_path(found: Sorted) -> bool:
    """``uniq in out`` writes its second word."""
    return len(found.rest) <= 1


def _follows_no_links(found: Sorted) -> bool:
    """``grep -R`` follows links, which may lead anywhere."""
    return not found.given & {"R", "dereference-recursive"}


def _compares_no_folders(found: Sorted) -> bool:
    """``diff -r`` follows links, which may lead anywhere."""
    return not found.given & {"r", "recursive"}


def _numbers(found: Sorted) -> bool:
    return all(word.literal for word in found.rest)


def _paths(
    flags: str = "", valued: str = "", long: str = "", long_valued: str = "", **rest: bool
) -> Options:
    loose = rest.pop("loose", True)
    return Options(flags, valued, names(long), names(long_valued), loose=loose, **rest)


_HEAD = _paths(
    "cqvzfF",
    "nc",
    "quiet silent verbose zero-terminated lines bytes follow",
    "lines bytes",
    numeric=True,
)
_GREP = Looker(
    Options(
        "EFGPivwxcLlqsobHhnTUzaIrRy",
        "emABCdD",
        names(
            "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp "
            "line-regexp count color colour files-without-match files-with-matches quiet silent no-messages only-matching "
            "byte-offset with-filename no-filename line-number initial-tab null text binary-files recursive "
            "dereference-recursive include exclude exclude-dir null-data line-buffered regexp max-count after-context "
            "before-context context"
        ),
        names(
            "regexp max-count after-context before-context context include exclude exclude-dir color"
        ),
        numeric=True,
    ),
    "pattern",
    pattern_options=names("e regexp"),
    safe=_follows_no_links,
    deep=names("r R recursive dereference-recursive"),
)
_SUMS = Looker(_paths("btwz", "", "binary text tag zero"))

LOOKERS: Final[dict[str, Looker]] = {
    "ls": Looker(
        _paths(
            "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
            "ITw",
            "all almost-all author escape ignore-backups color directory classify file-type full-time "
            "group-directories-first no-group human-readable si dereference-command-line hide indicator-style inode "
            "ignore dereference numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style "
            "reverse recursive size sort time time-style tabsize width context format block-size",
        ),
        here=True,
    ),
    "cat": Looker(
        _paths(
            "AbeEnstTuv",
            "",
            "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
        )
    ),
    "head": Looker(_HEAD),
    "tail": Looker(
        replace(_HEAD, long=_HEAD.long | names("retry pid sleep-interval"), valued="ncs")
    ),
    "nl": Looker(_paths("p", "bdfhilnsvw")),
    "tac": Looker(_paths("br", "s")),
    "rev": Looker(_paths()),
    "wc": Looker(_paths("cmlLw", "", "bytes chars lines max-line-length words total")),
    "stat": Looker(
        _paths("Lft", "c", "dereference file-system format printf terse cached", "format printf")
    ),
    "file": Looker(
        _paths("bhiLkNprsz", "F", "brief mime mime-type mime-encoding dereference", loose=False)
    ),
    "du": Looker(
        _paths(
            "0abcDhHklLmPsSx",
            "dt",
            "null all apparent-size bytes total human-readable max-depth summarize si separate-dirs threshold exclude "
            "time one-file-system dereference",
            "max-depth threshold exclude",
        ),
        here=True,
    ),
    "df": Looker(_paths("aBhHiklPT", "t", "human-readable type inodes all total local")),
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "rg": Looker(
        Options(
            "acFHhiIlnNopPqsSuUvwx.0",
            "eABCmgtTdjMr",
            names(
                "color colors column context count count-matches files files-with-matches files-without-match "
                "fixed-strings glob iglob heading no-heading hidden ignore-case invert-match json line-number "
                "no-line-number line-regexp max-columns max-count max-depth multiline no-filename with-filename no-ignore "
                "no-messages null only-matching passthru pcre2 pretty quiet regexp replace smart-case case-sensitive sort "
                "sortr stats text trim type type-not type-list unrestricted vimgrep word-regexp after-context "
                "before-context threads no-config no-ignore-vcs multiline-dotall crlf"
            ),
            names(
                "color colors context glob iglob max-columns max-count max-depth regexp replace sort sortr type type-not "
                "after-context before-context threads"
            ),
            numeric=False,
        ),
        "pattern",
        here=True,
        pattern_options=names("e regexp files type-list"),
        deep=names("always"),
    ),
    "sed": Looker(
        Options(
            "nErsuz",
            "e",
            names("quiet silent regexp-extended separate null-data expression"),
            names("expression"),
        ),
        "pattern",
        pattern_options=names("e expression"),
        globs=False,
        safe=_plain_sed,
    ),
    "sort": Looker(
        Options(
            "bdfgiMhnRrVcCmsuz",
            "kt",
            names(
                "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort month-sort human-numeric-sort "
                "numeric-sort random-sort reverse version-sort check stable unique zero-terminated key field-separator sort"
            ),
            names("key field-separator"),
        ),
        globs=False,
    ),
    "uniq": Looker(
        _paths(
            "cdDiuz", "fsw", "count repeated unique ignore-case all-repeated group", loose=False
        ),
        safe=_one_path,
    ),
    "cut": Looker(
        _paths(
            "snz",
            "bcdf",
            "bytes characters delimiter fields complement only-delimited output-delimiter",
            "bytes characters delimiter fields output-delimiter",
        )
    ),
    "tr": Looker(_paths("cCdst"), "text"),
    "paste": Looker(_paths("sz", "d")),
    "column": Looker(_paths("tnexJ", "scNoR")),
    "fold": Looker(_paths("bs", "w")),
    "fmt": Looker(_paths("cstu", "wpg")),
    "expand": Looker(_paths("i", "t")),
    "comm": Looker(_paths("123z", "", "check-order nocheck-order total output-delimiter")),
    "cmp": Looker(_paths("bls", "in")),
    "diff": Looker(
        Options(
            "qsceuyptNrawbBEZidT",
            "CUWx",
            names(
                "brief report-identical-files unified context side-by-side new-file recursive text ignore-space-change "
                "ignore-all-space ignore-blank-lines ignore-case minimal color suppress-common-lines width exclude"
            ),
            names("width exclude"),
        ),
        safe=_compares_no_folders,
        deep=names("r recursive"),
    ),
    "md5sum": _SUMS,
    "sha1sum": _SUMS,
    "sha224sum": _SUMS,
    "sha256sum": _SUMS,
    "sha512sum": _SUMS,
    "cksum": Looker(_paths()),
    "od": Looker(_paths("abcdfilosvx", "AjNStw")),
    "tree": Looker(
        Options(
            "adfpugshDFqNrtUCAiSJXlx",
            "LPI",
            names("dirsfirst noreport prune gitignore du si inodes device filelimit"),
        ),
        here=True,
    ),
    "jq": Looker(
        Options(
            "nrcCMsSeajR",
            "",
            names(
                "null-input raw-output compact-output color-output monochrome-output slurp sort-keys exit-status ascii-output join-output raw-input tab indent"
            ),
        ),
        "pattern",
        safe=_plain_jq,
    ),
    "basename": Looker(_paths("az", "s", "multiple suffix zero", "suffix"), "text"),
    "dirname": Looker(_paths("z"), "text"),
    "realpath": Looker(
        _paths("eEmLPqsz", "", "relative-to relative-base", "relative-to relative-base")
    ),
    "readlink": Looker(_paths("efmnqsvz")),
    "pwd": Looker(_paths("LP"), "none"),
    "which": Looker(_paths("a"), "text"),
    "command": Looker(Options(), "free", safe=_asks_where),
    "type": Looker(_paths("aftpP"), "text"),
    "echo": Looker(_paths(), "free"),
    "printf": Looker(_paths(), "free", safe=_plain_printf),
    "true": Looker(_paths(), "free"),
    "false": Looker(_paths(), "free"),
    ":": Looker(_paths(), "free"),
    "break": Looker(_paths(), "free", safe=_numbers),
    "continue": Looker(_paths(), "free", safe=_numbers),
    "exit": Looker(_paths(), "free", safe=_numbers),
    "wait": Looker(_paths(), "none"),
    "test": Looker(_paths(), "free", safe=_plain_test),
    "[": Looker(_paths(), "free", safe=_plain_test),
    "sleep": Looker(_paths(), "free", safe=_numbers),
    "seq": Looker(Options("w", "sf", numeric=True), "text"),
    "date": Looker(
        Options("uIR", "d", names("date utc universal iso-8601 rfc-3339 rfc-email"), names("date")),
        "text",
        safe=_plain_date,
    ),
    "cd": Looker(_paths("LPe", loose=False), "paths", safe=_plain_cd),
    "set": Looker(_paths(), "free", safe=_plain_set),
    "id": Looker(_paths("unGgrz"), "text"),
    "whoami": Looker(_paths(), "none"),
    "uname": Looker(_paths("asnrvmpio"), "none"),
    "hostname": Looker(_paths("fsi"), "none"),
    "uptime": Looker(_paths("ps"), "none"),
    "nproc": Looker(_paths("", "", "all ignore"), "none"),
    "arch": Looker(_paths(), "none"),
    "tty": Looker(_paths("s"), "none"),
}
