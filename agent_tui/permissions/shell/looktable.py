"""Programs that only look: their options that can't write or run anything, and which of their words are paths.

An option that isn't in the table makes a call one that has to be approved, so an option that a newer version of a
program adds is never taken for harmless.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from agent_tui.permissions.shell import looker as check
from agent_tui.permissions.shell.awk import AWKS
from agent_tui.permissions.shell.awk import OPTIONS as AWK_OPTIONS
from agent_tui.permissions.shell.looker import Looker
from agent_tui.permissions.shell.options import Options
from agent_tui.permissions.tables import names


def _paths(
    flags: str = "", valued: str = "", long: str = "", long_valued: str = "", **rest: bool
) -> Options:
    loose = rest.pop("loose", True)
    return Options(flags, valued, names(long), names(long_valued), loose=loose, **rest)


_HEAD = _paths(
    "qvzfF",
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
            "regexp max-count after-context before-context context include exclude exclude-dir binary-files"
        ),
        numeric=True,
        exact=True,
    ),
    "pattern",
    pattern_options=names("e regexp"),
    safe=check.follows_no_links,
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
        safe=check.lists_no_links,
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
        _paths("bhiLkNr", "F", "brief mime mime-type mime-encoding dereference", loose=False)
    ),
    "du": Looker(
        _paths(
            "0abchklmPsSx",
            "dtB",
            "null all apparent-size bytes total human-readable max-depth summarize si separate-dirs threshold exclude "
            "time one-file-system block-size",
            "max-depth threshold exclude block-size",
        ),
        here=True,
    ),
    "df": Looker(_paths("ahHiklPT", "tB", "human-readable type inodes all total local")),
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
            exact=True,
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
            names("quiet silent regexp-extended separate null-data expression posix sandbox debug"),
            names("expression"),
            exact=True,
        ),
        "pattern",
        pattern_options=names("e expression"),
        globs=False,
        safe=check.plain_sed,
    ),
    "sort": Looker(
        Options(
            "bdfgiMhnRrVcCmsuz",
            "ktS",
            names(
                "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort month-sort human-numeric-sort "
                "numeric-sort random-sort reverse version-sort check stable unique zero-terminated key field-separator sort parallel buffer-size"
            ),
            names("key field-separator parallel buffer-size"),
        ),
        globs=False,
    ),
    "uniq": Looker(
        _paths(
            "cdDiuz",
            "fsw",
            "count repeated unique ignore-case all-repeated group",
            loose=False,
            mixed=False,
        ),
        safe=check.one_path,
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
        safe=check.compares_no_folders,
        deep=names("always"),
        enters=True,
    ),
    "md5sum": _SUMS,
    "sha1sum": _SUMS,
    "sha224sum": _SUMS,
    "sha256sum": _SUMS,
    "sha512sum": _SUMS,
    "cksum": Looker(_paths()),
    "od": Looker(_paths("abcdfilosvxw", "AjNSt")),
    "tree": Looker(
        Options(
            "adfpugshDFqNrtUCAiSJXx",
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
            names("indent"),
        ),
        "pattern",
        safe=check.plain_jq,
    ),
    "basename": Looker(_paths("az", "s", "multiple suffix zero", "suffix"), "text", fed=True),
    "dirname": Looker(_paths("z"), "text", fed=True),
    "realpath": Looker(
        _paths("eEmLPqsz", "", "relative-to relative-base", "relative-to relative-base")
    ),
    "readlink": Looker(_paths("efmnqsvz")),
    "pwd": Looker(_paths("LP"), "none"),
    "which": Looker(_paths("a"), "text", fed=True),
    "command": Looker(Options(), "free", safe=check.asks_where),
    "type": Looker(_paths("aftpP"), "text"),
    "echo": Looker(_paths(), "free", fed=True),
    "printf": Looker(_paths(), "free", safe=check.plain_printf, fed=True),
    "true": Looker(_paths(), "free", fed=True),
    "false": Looker(_paths(), "free", fed=True),
    ":": Looker(_paths(), "free"),
    "break": Looker(_paths(), "free", safe=check.literal),
    "continue": Looker(_paths(), "free", safe=check.literal),
    "exit": Looker(_paths(), "free", safe=check.literal),
    "wait": Looker(_paths(), "none"),
    "test": Looker(_paths(), "free", safe=check.plainly_tests),
    "[": Looker(_paths(), "free", safe=check.plainly_tests),
    "sleep": Looker(_paths(), "free", safe=check.literal),
    "seq": Looker(Options("w", "sf", numeric=True, exact=True), "text"),
    "date": Looker(
        Options("uIR", "d", names("date utc universal iso-8601 rfc-3339 rfc-email"), names("date")),
        "text",
        safe=check.plain_date,
    ),
    "cd": Looker(_paths("LPe", loose=False), "paths", safe=check.plain_cd),
    "set": Looker(_paths(), "free", safe=check.plain_set),
    "id": Looker(_paths("unGgrz"), "text"),
    "whoami": Looker(_paths(), "none"),
    "uname": Looker(_paths("asnrvmpio"), "none"),
    "hostname": Looker(_paths("sI", loose=False), "none"),
    "uptime": Looker(_paths("ps"), "none"),
    "nproc": Looker(_paths("", "", "all ignore"), "none"),
    "arch": Looker(_paths(), "none"),
    "tty": Looker(_paths("s"), "none"),
    "who": Looker(_paths("abdHmqrsTtuw", loose=False), "none"),
    "w": Looker(_paths("hsfiou", loose=False), "none"),
    "groups": Looker(_paths(loose=False), "none"),
    "users": Looker(_paths(loose=False), "none"),
    "locale": Looker(_paths("am", "", "all-locales charmaps", loose=False), "none"),
    "umask": Looker(_paths("pS", loose=False), "none"),
    "free": Looker(_paths("bkmghtlw", "", "human mega giga kilo total", loose=False), "none"),
    "cal": Looker(_paths("13jmnsy"), "text"),
    "expr": Looker(_paths(), "free"),
    "ps": Looker(Options(), "free", safe=check.plain_ps),
    "pstree": Looker(_paths("aAcghlnpsStTuU", loose=False), "text", safe=check.literal),
    "strings": Looker(_paths("af", "nt", "all", loose=False)),
    "xxd": Looker(_paths("bEipu", "clg", loose=False, mixed=False), safe=check.one_path),
    "hexdump": Looker(_paths("bcCdovx", "ns", loose=False)),
    "hd": Looker(_paths("v", "ns", loose=False)),
    "base64": Looker(_paths("di", "w", "decode ignore-garbage wrap", "wrap", loose=False)),
    "join": Looker(_paths("iz", "aeojtv12", "check-order nocheck-order header ignore-case")),
    "shuf": Looker(_paths("ez", "n", "echo head-count zero-terminated", "head-count", loose=False)),
    "bc": Looker(_paths("lqs", loose=False), "none"),
    "jobs": Looker(_paths("lprs", loose=False), "none"),
    "pr": Looker(_paths("adfFJmrtTveinsS", "DhlNowW", numeric=True)),
    "sum": Looker(_paths("rs")),
    "tsort": Looker(_paths(loose=False)),
    "factor": Looker(_paths(), "text"),
    "numfmt": Looker(_paths("z", "d", "from to field format suffix padding grouping"), "text"),
    "b2sum": _SUMS,
    "sha384sum": _SUMS,
    "zcat": Looker(_paths(loose=False)),
    "unzip": Looker(_paths("lvZ12", loose=False), safe=check.lists_zip),
    **dict.fromkeys(
        sorted(AWKS), Looker(AWK_OPTIONS, "pattern", globs=False, safe=check.plain_awk)
    ),
}

ONLY_SO: Final[dict[str, Looker]] = {
    "docker": Looker(Options(), "free", safe=check.docker_looks),
    "gzip": Looker(_paths("cdltv", loose=False), safe=check.unpacks_to_output),
    **dict.fromkeys(
        names("ruby perl php gcc g++ cc c++ clang make cmake sqlite3 curl wget bash"),
        Looker(Options(), "free", safe=check.tells_version),
    ),
    **dict.fromkeys(
        names("python python3 pip pip3"),
        Looker(Options(), "free", safe=check.tells_version_by("-V")),
    ),
    **dict.fromkeys(
        names("node npm"), Looker(Options(), "free", safe=check.tells_version_by("-v"))
    ),
}
"""Programs that do much else, but only look when they are called just so."""
