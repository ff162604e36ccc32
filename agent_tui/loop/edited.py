"""A call that was changed by whoever allowed it: does it raise a question that the yes did not answer?"""

from __future__ import annotations

from typing import Final

from agent_tui.permissions.policy import By, MustAsk

MAX_ROUNDS: Final = 3
"""So often one call may be asked about; one that is changed into something new each time is refused then."""

CHANGED_TOO_OFTEN = "The input of this call was changed again and again into something that has to be asked about, so it was not run."

_GRAVE: Final[frozenset[By]] = frozenset({"rule", "hook", "critical", "unparsable"})


def asks_anew(before: MustAsk, after: MustAsk) -> bool:
    """Tell whether the changed call must be asked about, though the one it was made of has been allowed.

    The person has seen what they typed, so a plain "no rule allows it" is answered. A rule that wants it asked, a
    critical or protected path, a line that can't be understood are not, unless that was the question already.
    """
    if after.decided_by not in _GRAVE and not after.default_to_no:
        return False
    return _ground(before) != _ground(after)


def _ground(question: MustAsk) -> tuple[str, str | None, str | None, str, bool]:
    return (
        question.decided_by,
        question.rule,
        question.blocked_path,
        question.reason,
        question.default_to_no,
    )


def both_notes(first: str, second: str) -> str:
    """Join what two answers to the same call say to the model."""
    return "\n".join(filter(None, (first, second)))
