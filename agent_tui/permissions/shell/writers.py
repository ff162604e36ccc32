"""More programs that write files: archives, downloads, changes by ``git``. What they write is named or a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent_tui.permissions.shell.git import git_output, git_settings, read_git
from agent_tui.permissions.shell.runners import sed_does
from agent_tui.permissions.shell.words import Word, word_of
from agent_tui.permissions.tables import names

_HERE: Final = word_of(".")
_PACKERS: Final = names("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd compress uncompress")
_TO_OUTPUT: Final = names(
    "-c --stdout --to-stdout -l --list -t --test -dc -cd -kc --help --version"
)
_CHANGING: Final = names("checkout restore rm mv clean")


def written(name: str, words: Sequence[Word]) -> tuple[Word, ...]:
    """Give the files, and the folders below which files, a command writes; () when it isn't one of those here."""
    if name in ("tar", "bsdtar"):
        return _tar(words[1:])
    if name == "unzip":
        looks = any(word.start.startswith(("-l", "-Z", "-p", "-t", "-c")) for word in words[1:])
        return () if looks else (_after(words, "-d") or _HERE,)
    if name == "zip":
        return tuple(_named(words)[:1])
    if name in _PACKERS:
        return () if any(word.value in _TO_OUTPUT for word in words) else _named(words)
    if name == "split":
        given = _named(words)
        return given[1:2] or (_HERE,)
    if name == "wget":
        return () if _after(words, "-O") else (_after(words, "-P", "--directory-prefix") or _HERE,)
    if name == "curl":
        kept = any(word.is_text("-O", "--remote-name", "--remote-name-all") for word in words)
        return (_after(words, "--output-dir") or _HERE,) if kept else ()
    if name == "sed":
        effects = sed_does(words)
        return tuple(map(word_of, effects.writes)) if effects is not None else ()
    return _git(words) if name == "git" else ()


def written_aside(name: str, words: Sequence[Word]) -> tuple[Word, ...]:
    """Give the files that a program which looks writes by an option, or by its script."""
    if name == "git":
        return git_output(words)
    return written(name, words) if name == "sed" else ()


def _tar(words: Sequence[Word]) -> tuple[Word, ...]:
    """``tar xf a -C d`` writes below d, ``tar cf a x`` writes a."""
    letters = "".join(
        word.start.removeprefix("-")
        for index, word in enumerate(words)
        if (index == 0 and not word.start.startswith("--"))
        or word.start[:1] == "-" != word.start[1:2]
    )
    long = {word.start.partition("=")[0] for word in words if word.start.startswith("--")}
    if "x" in letters or long & {"--extract", "--get"}:
        return (_after(words, "-C", "--directory") or _HERE,)
    if set("cru") & set(letters) or long & {"--create", "--append", "--update"}:
        for index, word in enumerate(words[:-1]):
            bundled = index == 0 or word.start.startswith("-")
            if bundled and word.literal and word.start.endswith("f") and "=" not in word.start:
                return (words[index + 1],)
        return _valued(words, "--file=")
    return ()


def _git(words: Sequence[Word]) -> tuple[Word, ...]:
    """``--output`` writes a file, ``git config`` the settings, which can name programs; some write what they name."""
    call = read_git(words)
    out = [*git_output(words), *git_settings(words)]
    if call.words and call.words[0].value in _CHANGING:
        ends = [index for index, word in enumerate(call.words) if word.is_text("--")]
        if ends or call.words[0].value in ("rm", "mv", "restore"):
            out += _named(call.words[ends[0] :] if ends else call.words)
    return tuple(out)


def _named(words: Sequence[Word]) -> tuple[Word, ...]:
    return tuple(word for word in words[1:] if not word.start.startswith("-"))


def _after(words: Sequence[Word], *options: str) -> Word | None:
    """Give the value of an option: the next word, or what is attached."""
    for index, word in enumerate(words):
        for option in options:
            if word.is_text(option) and index + 1 < len(words):
                return words[index + 1]
            rest = word.start.removeprefix(option)
            if rest != word.start and (rest or not word.literal):
                rest = rest.removeprefix("=")
                return Word(
                    word.raw, (rest, *word.pieces[1:]) if rest else word.pieces[1:] or ("",)
                )
    return None


def _valued(words: Sequence[Word], mark: str) -> tuple[Word, ...]:
    return tuple(
        Word(word.raw, (word.start.removeprefix(mark), *word.pieces[1:]))
        for word in words
        if word.start.startswith(mark)
    )
