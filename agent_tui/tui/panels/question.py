"""What the person has made of a permission question so far, and the answer that follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from agent_tui.protocol.display import DiffDisplay, PlanDisplay
from agent_tui.protocol.requests import (
    Allow,
    Destination,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
)
from agent_tui.tui.panels import picking, rules
from agent_tui.tui.panels.answers import TAKE_EDITS, AnswerKey, Choice, choices
from agent_tui.tui.panels.lasting import Lasting
from agent_tui.tui.panels.picking import Picking, picking_of
from agent_tui.view.proposal import (
    Proposal,
    changed_input,
    note_for_model,
    proposal_of,
    told_changes,
)

Mode = Literal["answers", "comment", "note", "rule", "edit"]
SAID = "The person allowed this call and says: {}"
"""How the model is told what goes with a yes."""


@dataclass(slots=True)
class Question:
    """A request, and everything about it that a key can change.

    Attributes:
        mode: choosing an answer, or typing: why not, what goes with a yes, another rule, another proposal.
        chosen: the answer under the cursor.
        update, place: what "always" would store, and where; ``suggestion`` is its place among the suggestions.
        edited: the proposal as the person changed it, None while untouched.
        picked: the hunks that are chosen (0-based); ``hunk`` is the one under the cursor.
        unified, wrap: how a diff is shown; None leaves it to the width.
        lasting: how long "this session" is to hold.
        typed: the rules that are typed, None while they are none; ``problem`` is what is wrong with them.
        allows: whether they would let the call through; None: not known yet.
    """

    request: PermissionRequest
    mode: Mode = "answers"
    chosen: AnswerKey = "n"
    suggestion: int = 0
    update: PermissionUpdate | None = None
    place: Destination = "localSettings"
    proposal: Proposal | None = None
    edited: str | None = None
    picking: Picking | None = None
    picked: set[int] = field(default_factory=set[int])
    hunk: int = 0
    unified: bool | None = None
    wrap: bool = True
    lasting: Lasting = field(default_factory=Lasting)
    typed: tuple[PermissionRuleValue, ...] | None = None
    problem: str = ""
    allows: bool | None = None

    @classmethod
    def of(cls, request: PermissionRequest) -> Question:
        """Begin with a request: No is chosen, the narrowest rule is offered, every hunk is in."""
        update = request.suggestions[0] if request.suggestions else None
        picks = picking_of(request)
        return cls(
            request,
            update=update,
            proposal=proposal_of(request),
            picking=picks,
            picked=set(range(picks.count)) if picks else set(),
        )

    @property
    def text(self) -> str | None:
        """The proposal as it would run now; None when it can't be changed."""
        if self.proposal is None:
            return None
        if self.edited is not None:
            return self.edited
        if self.picking is not None and len(self.picked) < self.picking.count:
            return self.picking.text(self.picked)
        return self.proposal.text

    @property
    def is_changed(self) -> bool:
        """Whether something else than what was proposed would run."""
        return self.proposal is not None and self.text != self.proposal.text

    @property
    def hunks(self) -> int:
        """How many hunks the change has."""
        display = self.request.display
        return len(display.hunks) if isinstance(display, DiffDisplay) else 0

    def toggle_hunk(self) -> bool:
        """Take the hunk under the cursor out, or in again; the last one stays. Tell whether that was possible."""
        if self.picking is None or self.edited is not None:
            return False
        left = self.picked ^ {self.hunk}
        if left:
            self.picked = left
        return True

    def move_hunk(self, by: int) -> bool:
        """Go to another hunk; False when there is only one."""
        if self.hunks < 2:
            return False
        self.hunk = max(0, min(self.hunk + by, self.hunks - 1))
        return True

    def other_suggestion(self, by: int) -> PermissionUpdate | None:
        """Go to a wider or narrower rule; None when there is no other."""
        others = [update for update in self.request.suggestions if update.rules]
        if len(others) < 2:
            return None
        self.suggestion = (self.suggestion + by) % len(others)
        self.update = others[self.suggestion]
        return self.update

    def look_at_rules(
        self, text: str, tools: Sequence[str]
    ) -> tuple[PermissionRuleValue, ...] | None:
        """Read the rules that are typed; None, and ``problem``, when they can't be used."""
        try:
            found = rules.parse_rules(text, tools)
        except ValueError as error:
            self.typed, self.problem, self.allows = None, str(error), None
            return None
        if found != self.typed:
            self.typed, self.problem, self.allows = found, "", None
        return self.typed

    def take(self, key: AnswerKey, comment: str = "") -> Allow:
        """Give the answer that an allowing key stands for."""
        updates: tuple[PermissionUpdate, ...] = ()
        if key == "a" and isinstance(self.request.display, PlanDisplay):
            updates = (TAKE_EDITS,)
        elif key in ("a", "s") and self.update is not None:
            place = self.place if key == "a" else "session"
            updates = rules.at_place([self.update], place)
            if key == "s" and self.update.rules:
                updates = tuple(replace(one, limit=self.lasting.limit()) for one in updates)
        answer = self.allow(updates)
        if comment:
            said = SAID.format(comment)
            answer = replace(answer, note=f"{answer.note}\n{said}" if answer.note else said)
        return answer

    def allow(self, updates: Sequence[PermissionUpdate] = ()) -> Allow:
        """Give the answer yes, to what the person made of the proposal."""
        text = self.text
        if self.proposal is None or text is None or not self.is_changed:
            return Allow(updated_permissions=tuple(updates))
        if self.edited is None and self.picking is not None:
            changes = told_changes(self.proposal, text)
            note = picking.note_for_model(self.picked, self.picking.count, changes)
        elif isinstance(self.request.display, PlanDisplay):
            note = ""  # the model is given the plan as it is now
        else:
            note = note_for_model(self.proposal, text)
        changed = changed_input(self.request, self.proposal, text)
        return Allow(changed, tuple(updates), note)

    def choices(self) -> tuple[Choice, ...]:
        """Give the answers there are now."""
        picks = self.picking if self.edited is None else None
        return choices(
            self.request,
            self.update,
            self.place,
            self.proposal,
            edited=self.is_changed,
            picked=None if picks is None else (len(self.picked), picks.count),
            chosen=self.chosen,
            lasting=self.lasting,
        )
