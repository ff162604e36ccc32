"""What a program that only looks is, and the checks of its words that a list of options can't say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agent_tui.permissions.shell.awk import awk_is_plain
from agent_tui.permissions.shell.computing import COUNTS_WRITTEN
from agent_tui.permissions.shell.options import Options, Sorted
from agent_tui.permissions.shell.sed import sed_effects, sed_scripts
from agent_tui.permissions.shell.words import Hole, Word
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
        enters: of a folder it reads the files in it, behind links too.
        fed: words that come from its input (``xargs``) are text too.
    """

    options: Options
    operands: Operands = "paths"
    here: bool = False
    pattern_options: frozenset[str] = frozenset()
    globs: bool = True
    safe: Callable[[Sorted], bool] | None = None
    deep: frozenset[str] = frozenset()
    enters: bool = False
    fed: bool = False


def plain_sed(found: Sorted) -> bool:
    """Only scripts that print, delete and replace."""
    effects = sed_effects(sed_scripts(found))
    return effects is not None and effects.plain


def plain_awk(found: Sorted) -> bool:
    """Only programs that read what they are given and print."""
    text = found.rest[0].value if found.rest else None
    return text is not None and awk_is_plain(text)


_JQ_REACHES_OUT = re.compile(
    r"\benv\b|\$ENV|\binclude\b|\bimport\b|input_filename|modulemeta|search_list|\$__prog"
)


def plain_jq(found: Sorted) -> bool:
    """Only filters that neither read the environment nor load modules."""
    text = found.rest[0].value if found.rest else None
    return text is not None and not _JQ_REACHES_OUT.search(text)


def plain_date(found: Sorted) -> bool:
    """``date 0101`` sets the clock."""
    return all(word.start.startswith("+") for word in found.rest)


def plain_printf(found: Sorted) -> bool:
    """``printf -v`` computes with its next word, and ``%n`` gives one a value."""
    text = found.rest[0].value if found.rest else ""
    return text is not None and not text.startswith("-") and not COUNTS_WRITTEN.search(text)


def asks_where(found: Sorted) -> bool:
    """``command -v name``."""
    return bool(found.rest) and found.rest[0].is_text("-v", "-V")


_COMPARES: Final = names("= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef =~")
_ASKS_OF = re.compile(r"-[a-zA-Z]")
_LOOKS_UP: Final = ("-v", "-R")


def plainly_tests(found: Sorted) -> bool:
    """See ``plain_test``."""
    return plain_test(found.rest)


def plain_test(words: Sequence[Word]) -> bool:
    """``test -v`` looks into a variable, and computes to find it; a word that can't be read could be ``-v``."""
    rest = [word for word in words if not word.is_text("]")]
    if any(word.is_text(*_LOOKS_UP) for word in rest):
        return False
    for index, word in enumerate(rest):
        if word.start or word.literal or _is_tilde(word):
            continue
        before = rest[index - 1] if index else None
        after = rest[index + 1] if index + 1 < len(rest) else None
        asked = before is not None and before.literal and _ASKS_OF.fullmatch(before.value or "")
        compared = any(near is not None and near.is_text(*_COMPARES) for near in (before, after))
        if word.splits or not (asked or compared or len(rest) == 1):
            return False
    return True


def _is_tilde(word: Word) -> bool:
    return isinstance(word.pieces[0], Hole) and word.pieces[0].kind == "tilde"


def plain_cd(found: Sorted) -> bool:
    """One folder."""
    return len(found.rest) <= 1


def plain_set(found: Sorted) -> bool:
    """Only options that make the shell stricter or talk more; by itself it prints all variables."""
    text = " ".join(word.value or "?" for word in found.rest)
    return bool(text) and bool(
        re.fullmatch(r"(?:[-+][eux]+|[-+][eux]*o (?:pipefail|errexit|nounset|xtrace)| )*", text)
    )


def one_path(found: Sorted) -> bool:
    """``uniq in out`` writes its second word."""
    return len(found.rest) <= 1


def follows_no_links(found: Sorted) -> bool:
    """``grep -R`` follows links, which may lead anywhere."""
    return not found.given & {"R", "dereference-recursive"}


def lists_no_links(found: Sorted) -> bool:
    """``ls -RL`` follows links, which may lead anywhere."""
    return not (found.given & {"R", "recursive"} and found.given & {"L", "dereference"})


def compares_no_folders(found: Sorted) -> bool:
    """``diff -r`` follows links, which may lead anywhere."""
    return not found.given & {"r", "recursive"}


def literal(found: Sorted) -> bool:
    """All its words can be read."""
    return all(word.literal for word in found.rest)


def lists_zip(found: Sorted) -> bool:
    """``unzip -l x``: without these letters it unpacks."""
    return bool(found.given & {"l", "Z"}) and len(found.rest) == 1


_PS_LETTERS = re.compile(r"-[AaefFljwHLTMNdq]+|[auxfwjlmvhrTU]+|-?\d+", re.ASCII)
_PS_FIELDS = re.compile(r"[a-z_,%=]+", re.ASCII)


def plain_ps(found: Sorted) -> bool:
    """Without what shows the environment of other programs."""
    fields = False
    for word in found.rest:
        text = word.value or "?"
        if fields:
            fields = False
            if not _PS_FIELDS.fullmatch(text) or "env" in text:
                return False
        elif re.fullmatch(r"-[Aaef]*o", text):
            fields = True
        elif not _PS_LETTERS.fullmatch(text):
            return False
    return not fields


def tells_version(found: Sorted) -> bool:
    """``gcc --version``."""
    return len(found.rest) == 1 and found.rest[0].is_text("--version")


def tells_version_by(letter: str) -> Callable[[Sorted], bool]:
    """Make a check for programs with a short option too; for some ``-v`` means something else altogether."""

    def check(found: Sorted) -> bool:
        return len(found.rest) == 1 and found.rest[0].is_text("--version", letter)

    return check


def unpacks_to_output(found: Sorted) -> bool:
    """``gzip -dc x``, ``gzip -l x``: the file stays as it is."""
    return bool(found.given & {"l", "t"}) or {"c", "d"} <= found.given


_DOCKER: Final = names("ps images version info")
_DOCKER_OPTIONS: Final = names("-a -q -l -s --all --quiet --latest --no-trunc --size --digests")


def docker_looks(found: Sorted) -> bool:
    """``docker ps``, ``docker images``: the daemon is the one the person has set up."""
    words = [word.value for word in found.rest]
    return words[:1] != [] and words[0] in _DOCKER and all(w in _DOCKER_OPTIONS for w in words[1:])
