"""What files a command names, and what it does with them: reads, writes, removes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agent_tui.permissions.shell.lookers import (
    HERE,
    Look,
    look,
    operands,
)
from agent_tui.permissions.shell.looktable import LOOKERS
from agent_tui.permissions.shell.options import Options, Sorted, sort_words
from agent_tui.permissions.shell.sed import sed_script_is_plain, sed_scripts
from agent_tui.permissions.shell.words import Word, word_of
from agent_tui.permissions.shell.wrappers import program
from agent_tui.permissions.shell.writers import written, written_aside
from agent_tui.permissions.tables import names

Does: TypeAlias = Literal["writes", "removes"]


@dataclass(frozen=True, slots=True)
class Touch:
    """A command does something to the file a word names."""

    does: Does
    word: Word


@dataclass(frozen=True, slots=True)
class Changes:
    """The files a command changes. ``known``: that is all it does; ``sources`` are folders whose content it copies."""

    touches: tuple[Touch, ...]
    known: bool
    sources: tuple[Word, ...] = ()


TEXT_ONLY: Final = names(
    "echo printf true false : test [ [[ (( basename dirname which type seq sleep date id whoami uname hostname exit break "
    "continue set tr pwd export unset declare local readonly typeset cd pushd popd git-version kill wait mkdir touch"
)
"""Commands whose words are no files they would read."""

CONTENT_READERS: Final = names(
    "cat head tail nl tac rev grep egrep fgrep rg sed sort uniq cut paste column fold fmt expand comm cmp diff od jq awk "
    "gawk mawk nawk less more most bat xxd hexdump hd strings base64 base32 zcat join pr shuf cp mv ln source . tar zip gzip dd"
)
DEEP: Final[dict[str, frozenset[str]]] = {
    "cp": names("-r -R -a --recursive --archive -rf -fr -ra -rp -pr -Rf"),
    "tar": frozenset(),
    "zip": names("-r"),
    "rsync": frozenset(),
    "ag": frozenset(),
    "ack": frozenset(),
}
"""Commands that read whole folders: with these options, or always."""


def names_files(words: Sequence[Word]) -> Look:
    """Give the words that may name files a command reads, and whether it reads folders whole."""
    name = program(words[0])
    if name is None or name in TEXT_ONLY:
        return Look(())
    found = look((word_of(name), *words[1:]))
    if found is not None:
        return found
    looker = LOOKERS.get(name)
    if looker is not None:
        kept = sort_words(words[1:], looker.options)
        paths = operands(looker, kept) if kept is not None else None
        if kept is not None and paths is not None:
            return Look(paths, bool(looker.deep & (kept.given | {"always"})))
    named = tuple(variant for word in words[1:] for variant in _variants(word))
    whole = _reads_folders(name, words)
    return Look((*named, HERE) if whole else named, whole)


def _reads_folders(name: str, words: Sequence[Word]) -> bool:
    options = {word.start for word in words[1:] if word.start.startswith("-")}
    if name == "git":  # what isn't tracked is found only with these
        return bool(options & {"--no-index", "--untracked"})
    looker = LOOKERS.get(name)
    if looker is not None:
        letters = {letter for option in options if option[1:2] != "-" for letter in option}
        long = {option[2:].partition("=")[0] for option in options}
        return bool(looker.deep & (letters | long | {"always"}))
    deep = DEEP.get(name)
    return deep is not None and (not deep or bool(deep & options))


def _variants(word: Word) -> Iterator[Word]:
    """Give the ways a word can name a file: whole, ``--file=x``, ``of=x``, ``@x``, ``HEAD:x``, ``-fx``."""
    yield word
    start = word.start
    for mark in ("=", ":", "@"):
        if mark in start:
            yield _cut(word, start.index(mark) + 1)
            if start.count(mark) > 1:
                yield _cut(word, start.rindex(mark) + 1)
    if len(start) > 2 and start[0] == "-" and start[1] != "-":
        yield _cut(word, 2)


def _cut(word: Word, skip: int) -> Word:
    rest = word.start[skip:]
    pieces = (rest, *word.pieces[1:]) if rest or word.literal else word.pieces[1:]
    return Word(word.raw, pieces or ("",))


_MAKE: Final = Options("pv", "m", names("parents mode verbose"), names("mode"))
_TOUCH: Final = Options(
    "acmhf", "drt", names("no-create date reference time"), names("date reference time")
)
_COPY: Final = Options(
    "abdfilLHnPpRrsTuvxZ",
    "St",
    names(
        "archive backup force interactive link no-clobber recursive symbolic-link no-target-directory update verbose "
        "preserve parents dereference no-dereference target-directory suffix strip-trailing-slashes no-copy"
    ),
    names("target-directory suffix"),
)
_REMOVE: Final = Options(
    "dfiIrRvp",
    "",
    names(
        "force interactive recursive dir verbose parents ignore-fail-on-non-empty one-file-system preserve-root"
    ),
)
_TEE: Final = Options("aip", "", names("append ignore-interrupts"))
_SED: Final = Options(
    "nErsuzi",
    "e",
    names("quiet silent regexp-extended separate null-data expression in-place"),
    names("expression"),
)
_CHMOD: Final = Options(
    "cfvR", "", names("changes silent quiet verbose recursive reference no-preserve-root")
)
_INSTALL: Final = Options(
    "bcCdDpsTv",
    "gmoSt",
    names("backup directory mode owner group target-directory suffix strip"),
    names("mode owner group target-directory suffix"),
)


def changes(words: Sequence[Word]) -> Changes | None:
    """Say what files a command changes; None for commands that aren't known to change files by name."""
    name = program(words[0])
    rest = tuple(words[1:])
    match name:
        case "mkdir":
            return _all("writes", sort_words(rest, _MAKE), rest)
        case "touch":
            return _all("writes", sort_words(rest, _TOUCH), rest)
        case "rm" | "rmdir" | "unlink" | "shred":
            return _all("removes", sort_words(rest, _REMOVE), rest)
        case "tee" | "truncate" | "sponge":
            return _all("writes", sort_words(rest, _TEE) if name == "tee" else None, rest)
        case "cp" | "mv" | "ln" | "install" | "rsync" | "scp":
            return _copies(name, rest)
        case "sed" if _in_place(rest):
            return _sed(rest)
        case "chmod" | "chown" | "chgrp":
            found = sort_words(rest, _CHMOD)
            touched = rest if found is None else found.rest[1:]
            return Changes(tuple(Touch("writes", word) for word in touched), False)
        case "dd":
            given = [word for word in rest if word.start.startswith("of=")]
            return Changes(tuple(Touch("writes", _cut(word, 3)) for word in given), False)
        case "sort" | "curl" | "wget" | "uniq" | "tree" | "gcc" | "cc":
            return _by_option(name, rest) or _written(name, words)
        case "find":
            return _find(rest)
        case _:
            return _written(name or "", words)


def _written(name: str, words: Sequence[Word]) -> Changes | None:
    found = written(name, words)
    return Changes(tuple(Touch("writes", word) for word in found), False) if found else None


def _all(does: Does, found: Sorted | None, words: tuple[Word, ...]) -> Changes:
    if found is None:
        named = tuple(word for word in words if not word.start.startswith("-"))
        return Changes(tuple(Touch(does, word) for word in named), False)
    return Changes(tuple(Touch(does, word) for word in found.rest), True)


def _copies(name: str, words: tuple[Word, ...]) -> Changes:
    found = sort_words(words, _INSTALL if name == "install" else _COPY)
    if found is None or name in ("rsync", "scp"):
        return Changes(
            tuple(Touch("writes", w) for w in words if not w.start.startswith("-")), False
        )
    target = found.value("t", "target-directory")
    named = found.rest
    known = name in ("cp", "mv") and not any(word.splits and not word.start for word in named)
    if name == "install" and found.given & {"d", "directory"}:
        return Changes(tuple(Touch("writes", word) for word in named), False)
    sources, last = (
        (named, target) if target is not None else (named[:-1], named[-1] if named else None)
    )
    touches = [Touch("writes", last)] if last is not None else []
    if last is not None:
        touches += [Touch("writes", inner) for word in sources for inner in _landing(last, word)]
    if name == "mv":
        touches += [Touch("removes", word) for word in sources]
    return Changes(tuple(touches), known, tuple(sources))


def _landing(folder: Word, source: Word) -> Iterator[Word]:
    """``cp a/x d`` writes ``d/x`` when d is a folder."""
    if source.literal and source.value and (base := source.value.rstrip("/").rpartition("/")[2]):
        yield Word(folder.raw, (*folder.pieces, f"/{base}"))


def _in_place(words: tuple[Word, ...]) -> bool:
    return any(
        word.start.startswith("--in-place")
        or (word.start.startswith("-") and not word.start.startswith("--") and "i" in word.start)
        for word in words
    )


def _sed(words: tuple[Word, ...]) -> Changes:
    plain = tuple(word for word in words if not word.is_text("-i", "--in-place"))
    found = sort_words(plain, _SED)
    if found is None:
        return Changes(
            tuple(Touch("writes", w) for w in words if not w.start.startswith("-")), False
        )
    scripts = sed_scripts(found)
    files = found.rest if found.given & {"e", "expression"} else found.rest[1:]
    known = bool(scripts) and all(map(sed_script_is_plain, scripts)) and len(plain) < len(words)
    return Changes(tuple(Touch("writes", word) for word in files), known)


_OUTPUT: Final = {
    "sort": ("-o", "--output", "--outpu", "--outp", "--out", "--ou", "--o"),
    "curl": ("-o", "--output"),
    "wget": ("-O", "--output-document"),
    "tree": ("-o",),
    "gcc": ("-o",),
    "cc": ("-o",),
}


def _by_option(name: str, words: tuple[Word, ...]) -> Changes | None:
    if name == "uniq":
        named = [word for word in words if not word.start.startswith("-")]
        return Changes((Touch("writes", named[1]),), False) if len(named) > 1 else None
    marks = _OUTPUT[name]
    out: list[Touch] = []
    for index, word in enumerate(words):
        for mark in marks:
            if word.is_text(mark) and index + 1 < len(words):
                out.append(Touch("writes", words[index + 1]))
            elif word.start.startswith(f"{mark}=") or (
                len(mark) == 2 and word.start.startswith(mark) and word.start != mark
            ):
                out.append(
                    Touch("writes", _cut(word, len(mark) + word.start.startswith(f"{mark}=")))
                )
    return Changes(tuple(out), False) if out else None


_NARROWING: Final = names(
    "-name -iname -path -ipath -wholename -regex -iregex -mtime -mmin -atime -ctime -newer -size -empty -user"
)


def _find(words: tuple[Word, ...]) -> Changes | None:
    """``find x -delete`` removes below x; ``-fprint file`` writes."""
    out: list[Touch] = []
    roots: list[Word] = []
    for word in words:
        if word.start[:1] in ("-", "!", "("):
            break
        roots.append(word)
    removing = any(word.is_text("-delete") for word in words) or any(
        word.is_text("-exec", "-execdir")
        and index + 1 < len(words)
        and program(words[index + 1]) in ("rm", "rmdir", "shred", "unlink")
        for index, word in enumerate(words)
    )
    if removing:
        narrowed = any(word.is_text(*_NARROWING) for word in words)
        for root in roots or [word_of(".")]:
            found = Word(root.raw, (*root.pieces, "/(what it finds)")) if narrowed else root
            out.append(Touch("removes", found))
    for index, word in enumerate(words[:-1]):
        if word.is_text("-fprint", "-fprint0", "-fprintf", "-fls"):
            out.append(Touch("writes", words[index + 1]))
    return Changes(tuple(out), False) if out else None


def aside(words: Sequence[Word]) -> tuple[Word, ...]:
    """Give the files that a program which looks writes by an option, or by its script."""
    name = program(words[0]) if words else None
    if name in ("sort", "tree", "uniq"):
        found = changes(words)
        return tuple(touch.word for touch in found.touches) if found is not None else ()
    return () if name is None else written_aside(name, words)
