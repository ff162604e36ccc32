"""Allow rules of the session that hold for a task, some calls or some minutes only.

They stand beside the book of rules and are joined to it for each judgement. A call counts when it was let through and
would not have been without the rule; being judged again counts nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.requests import GrantLimit, PermissionRuleValue, PermissionUpdate

Clock = Callable[[], float]


@dataclass(slots=True)
class Grant:
    """One rule and what is left of its limit.

    ``calls`` is how many more it lets through, ``deadline`` when it ends by the clock that only goes on and ``until`` by
    the one on the wall; None where that is not its limit.
    """

    rule: PermissionRuleValue
    limit: GrantLimit
    calls: int | None
    deadline: float | None
    until: float | None


class LimitedRules:
    """The rules with a limit, oldest first.

    Args:
        clock: seconds that only go on, for deadlines.
        wall: seconds since the epoch, for what the journal is told. A deadline is over when either says so: the first
            stands still while the machine sleeps, the second can be set back.
    """

    def __init__(self, clock: Clock = time.monotonic, wall: Clock = time.time) -> None:
        self._clock = clock
        self._wall = wall
        self._grants: list[Grant] = []

    @property
    def grants(self) -> tuple[Grant, ...]:
        """What holds now."""
        now, today = self._clock(), self._wall()
        self._grants = [
            grant
            for grant in self._grants
            if (grant.deadline is None or now < grant.deadline)
            and (grant.until is None or today < grant.until)
        ]
        return tuple(self._grants)

    def add(self, update: PermissionUpdate) -> PermissionUpdate:
        """Take the rules of an update that has a limit; give it with the time at which it ends, if it does."""
        limit = update.limit
        assert limit is not None
        deadline = None
        if limit.minutes is not None:
            today, seconds = self._wall(), limit.minutes * 60
            until = limit.until if limit.until is not None else today + seconds
            limit = replace(limit, until=until)
            deadline = self._clock() + min(until - today, seconds)
        for rule in update.rules:
            self._grants.append(Grant(rule, limit, limit.calls, deadline, limit.until))
        return replace(update, limit=limit)

    def remove(self, rules: Iterable[PermissionRuleValue] | None) -> None:
        """Take rules away before their time; None: all."""
        gone = None if rules is None else set(rules)
        self._grants = [g for g in self._grants if gone is not None and g.rule not in gone]

    def end_task(self) -> None:
        """A run has ended, or one begins: what held for the task does not any more."""
        self._grants = [grant for grant in self._grants if not grant.limit.task]

    def joined(self, book: RuleBook, without: Collection[PermissionRuleValue] = ()) -> RuleBook:
        """Give the book with the rules that hold now, but for some."""
        rules = dict.fromkeys(grant.rule for grant in self.grants if grant.rule not in without)
        if not rules:
            return book
        return book.with_update(PermissionUpdate("addRules", tuple(rules)))

    @property
    def counted(self) -> tuple[PermissionRuleValue, ...]:
        """The rules whose calls are counted: those that hold for some calls and for no other reason."""
        grants = self.grants
        free = {grant.rule for grant in grants if grant.calls is None}
        counted = (grant.rule for grant in grants if grant.rule not in free)
        return tuple(dict.fromkeys(counted))

    def use(self, rule: PermissionRuleValue) -> None:
        """Count a call that the rule let through; the last one takes it away."""
        for grant in self._grants:
            if grant.rule == rule and grant.calls is not None:
                grant.calls -= 1
                if grant.calls <= 0:
                    self._grants.remove(grant)
                return


def left_for_later(
    updates: Iterable[PermissionUpdate], wall: Clock = time.time
) -> tuple[PermissionUpdate, ...]:
    """Give those of a session's updates that still hold when it is resumed: no task or count goes on, minutes may."""
    now = wall()
    return tuple(
        update
        for update in updates
        if update.limit is None or (update.limit.until is not None and now < update.limit.until)
    )
