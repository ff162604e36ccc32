"""Variables with secrets in a line: ``echo $GITHUB_TOKEN`` shows what the environment keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_tui.permissions.shell.analysis import Analysis, Part

_SECRET = re.compile(
    r"\w*(?:TOKEN|SECRET|PASSWD|PASSWORD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL)\w*",
    re.ASCII | re.IGNORECASE,
)
_USED = re.compile(r"\$(?:\{!?)?([A-Za-z_]\w*)(?!\w|:?\+)", re.ASCII)
"""``$name`` and ``${name...}``; not ``${#name}`` and ``${name:+there}``, which tell nothing of what is in it."""


def shown_variable(part: Part, analysis: Analysis) -> str:
    """Give a variable of the environment that is named like a secret and that a part uses, "" for none.

    Tests only tell whether there is one.
    """
    if part.command.kind == "test" or (part.words and part.words[0].is_text("test", "[")):
        return ""
    texts = list(_texts(part))
    if (
        analysis.structured or "<<" in analysis.text
    ):  # loops and documents hold words that are no command's
        texts.append(analysis.text)
    for text in texts:
        for name in _USED.findall(text):
            if _SECRET.fullmatch(name) and name not in analysis.variables:
                return name
    return ""


def _texts(part: Part) -> Iterator[str]:
    """Give what the shell fills something into; of arrays all."""
    yield from (word.raw for word in part.words if not word.literal)
    for given in part.command.assignments:
        if given.value is None or not given.value.literal:
            yield given.raw
