"""What an exit code means where 1 is an answer and not a failure."""

from __future__ import annotations

import re
import shlex
import signal

_ONE = {
    "grep": "No matches found",
    "egrep": "No matches found",
    "fgrep": "No matches found",
    "rg": "No matches found",
    "git grep": "No matches found",
    "find": "Some folders could not be searched",
    "diff": "The files differ",
    "git diff": "The files differ",
    "test": "The condition is false",
    "[": "The condition is false",
}

_OPERATORS = frozenset({"|", "|&", ";", "&", "&&", "||", "(", ")", "\n"})


def interpretation(line: str, code: int, output: str) -> str | None:
    """Say what ``code`` means if it is an answer of the line's last command; None if it tells of a failure.

    After ``&&`` the code may be that of a command before: then it counts as an answer only if nothing was printed.
    """
    if code != 1:
        return None
    words, operator = _last_command(line)
    if not words or (operator == "&&" and output.strip()):
        return None
    name = words[0].rsplit("/", 1)[-1]
    if name == "git":
        rest = [word for word in words[1:] if not word.startswith("-")]
        name = f"git {rest[0]}" if rest else name
    return _ONE.get(name)


def describe(code: int) -> str:
    """Name an exit code as a shell would, with the signal's name where one ended the command."""
    if code >= 0:
        return f"Exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"Exit code {128 - code} (ended by {name})"


def _last_command(line: str) -> tuple[list[str], str]:
    """Give the words of the last simple command and the operator before it; nothing if the line is not understood."""
    if re.search(r"<<|`|\$\(", line):
        return [], ""
    lexer = shlex.shlex(line.replace("\n", " ; "), posix=True, punctuation_chars=True)
    lexer.commenters = ""
    words: list[str] = []
    operator = ""
    try:
        for token in lexer:
            if token in _OPERATORS:
                if words:
                    words, operator = [], token
                elif token in ("&&", "||", "|"):
                    operator = token
            else:
                words.append(token)
    except ValueError:
        return [], ""
    while words and re.match(r"[A-Za-z_]\w*=", words[0]):
        words.pop(0)
    return words, operator
