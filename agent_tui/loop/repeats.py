"""Calls that are made again and again although they fail the same way each time. Pure: it counts, others act.

Two calls are the same when name and input are; they fail the same way when their error texts differ in numbers only
(durations, process ids). As soon as some call has changed something, earlier failures say nothing any more: a test
that failed before an edit is worth running after it.
"""

from __future__ import annotations

import enum
import json
import re
from dataclasses import dataclass

from agent_tui.protocol.content import JsonObject

NOTICED_AFTER = 2
"""So often a call may fail the same way; the next one is noticed."""

ENDS_AFTER = 4
"""After so many the next one ends the run."""

_NUMBER = re.compile(r"\d+")
_COMPARED = 2_000
"""Characters of an error text that are compared."""


class Verdict(enum.Enum):
    """What is to be done with a call before it is run."""

    RUN = "run"
    NOTICE = "notice"
    END = "end"


@dataclass(frozen=True, slots=True)
class _Failures:
    how: str
    count: int


class Repeats:
    """The failures of one run."""

    def __init__(self) -> None:
        self._failures: dict[str, _Failures] = {}

    def verdict(self, name: str, given: JsonObject, raw: str | None = None) -> Verdict:
        """Judge a call that is about to be run; ``raw`` is its input where that was no JSON object."""
        count = self.count(name, given, raw)
        if count >= ENDS_AFTER:
            return Verdict.END
        return Verdict.NOTICE if count >= NOTICED_AFTER else Verdict.RUN

    def count(self, name: str, given: JsonObject, raw: str | None = None) -> int:
        """Say how often it has failed the same way in a row."""
        if not self._failures:
            return 0  # the usual case costs nothing, however long the input
        failures = self._failures.get(_key(name, given, raw))
        return failures.count if failures else 0

    def failed(self, name: str, given: JsonObject, text: str, raw: str | None = None) -> None:
        """Note that a call failed, and how."""
        key, how = _key(name, given, raw), _NUMBER.sub("#", text)[:_COMPARED]
        before = self._failures.get(key)
        same = before is not None and before.how == how
        self._failures[key] = _Failures(how, before.count + 1 if before and same else 1)

    def held_back(self, name: str, given: JsonObject, raw: str | None = None) -> None:
        """Note that a call was made once more and was not run."""
        key = _key(name, given, raw)
        before = self._failures[key]
        self._failures[key] = _Failures(before.how, before.count + 1)

    def forgive(self, name: str, given: JsonObject, raw: str | None = None) -> None:
        """Forget a call's failures: it worked, or the person lets it go on."""
        if self._failures:
            self._failures.pop(_key(name, given, raw), None)

    def changed(self) -> None:
        """Forget all failures: something is different now."""
        self._failures.clear()


def _key(name: str, given: JsonObject, raw: str | None) -> str:
    return json.dumps([name, given if raw is None else raw], sort_keys=True, default=str)
