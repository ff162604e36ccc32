"""Questions as lines, and what a typed line answers. Only a whole word and Enter answers; an empty line answers nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from agent_tui.line import words
from agent_tui.protocol.display import (
    AskedQuestion,
    CommandDisplay,
    DiffDisplay,
    FileDisplay,
    PlanDisplay,
    QuestionDisplay,
    TextDisplay,
)
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    GrantLimit,
    PermissionAnswer,
    PermissionRequest,
    PermissionUpdate,
)
from agent_tui.view.clean import clean, exact
from agent_tui.view.proposal import changed_input, note_for_model, proposal_of

PLACES = {
    "session": "until you leave",
    "localSettings": "in this project's settings.local.json",
    "projectSettings": "in this project's settings.json",
    "userSettings": "in your own settings.json",
}
EDIT = ("edit", "e")
TAKE_EDITS = PermissionUpdate("setMode", mode="acceptEdits")


class Question(Protocol):
    """One thing to be asked, line by line, until ``answer`` is there."""

    def lines(self) -> list[str]:
        """Say what is asked, and how to answer."""
        ...

    @property
    def prompt(self) -> str:
        """What stands before the answer."""
        ...

    def take(self, line: str) -> PermissionAnswer | str:
        """Take a line: the answer, or a sentence why it is none yet (empty: ask on)."""
        ...

    def to_edit(self, line: str) -> str | None:
        """Give the text that is to be changed first, when the line asks for that."""
        ...

    def edited(self, text: str) -> PermissionAnswer:
        """Take the changed text: the call runs with it."""
        ...


def question_of(request: PermissionRequest) -> Question:
    """Choose how to ask."""
    if isinstance(request.display, QuestionDisplay):
        return Choosing(request, request.display.questions)
    if isinstance(request.display, PlanDisplay):
        return Approving(request, plan=True)
    return Approving(request)


@dataclass(frozen=True, slots=True)
class _Way:
    """One answer: the words that give it, what it does, and what it is made of from the text behind the word.

    ``make`` gives a sentence where that text is not what it needs.
    """

    words: tuple[str, ...]
    does: str
    make: Callable[[str], PermissionAnswer | str]


class Approving:
    """May this call run?"""

    def __init__(self, request: PermissionRequest, *, plan: bool = False) -> None:
        self._request = request
        self._plan = plan
        self._proposal = proposal_of(request)
        self._ways = self._plan_ways() if plan else self._call_ways()

    @property
    def prompt(self) -> str:
        """What stands before the answer."""
        return "answer: "

    def lines(self) -> list[str]:
        """Say the call, why it is asked, and the answers."""
        request = self._request
        who = f" ({clean(request.agent)} asks)" if request.agent else ""
        out = [f"Question: {clean(request.title)}{who}"]
        out += [f"  {line}" for line in _what(request)]
        if request.cwd:
            out.append(f"In {exact(request.cwd)}")
        out.append(f"Why: {clean(request.reason)}")
        for part in request.parts if len(request.parts) > 1 else ():
            state = "allowed already" if part.allowed else "needs your answer"
            out.append(f"  Part: {exact(part.text)} ({state}, {clean(part.decided_by)})")
        out += [
            f"  Careful: {exact(_command(request)[span.start : span.end])}: {clean(span.why)}"
            for span in request.danger
        ]
        out.append("Answers, each with Enter:")
        out += [f"  {way.words[0]}: {way.does}" for way in self._ways if way not in _REFUSALS]
        if self._proposal is not None:
            out.append(
                f"  {EDIT[0]}: change {self._proposal.name} first; the model is told what you changed"
            )
        out += [f"  {way.words[0]}: {way.does}" for way in _REFUSALS]
        return out

    def take(self, line: str) -> PermissionAnswer | str:
        """Take ``yes``, ``no because …`` and so on; a single letter will do, but to let something dangerous run."""
        first, _, rest = line.strip().partition(" ")
        word = first.casefold().rstrip(",.:")
        for way in self._ways:
            if word not in way.words:
                continue
            if len(word) == 1 and self._request.default_to_no and way not in _REFUSALS:
                return f"It is dangerous: write the whole word, {way.words[0]}."
            return way.make(rest.strip())
        if not word:
            return "Nothing was answered."
        return f"{clean(first)!r} is no answer here; write yes or no."

    def to_edit(self, line: str) -> str | None:
        """Give the command, the new text or the plan for ``edit``."""
        asked = line.strip().casefold() in EDIT
        return self._proposal.text if asked and self._proposal is not None else None

    def edited(self, text: str) -> PermissionAnswer:
        """Run the changed call; the model is told what was changed."""
        assert self._proposal is not None
        changed = changed_input(self._request, self._proposal, text)
        return Allow(changed, note=note_for_model(self._proposal, text))

    def _call_ways(self) -> tuple[_Way, ...]:
        ways = [_Way(("yes", "y"), "run it, once; text after it is told to the model", _yes)]
        update = next(iter(self._request.suggestions), None)
        if update is not None and update.destination != "session":
            ways.append(_allowing(("always", "a"), update))
        if update is not None:
            session = replace(update, destination="session")
            ways.append(_allowing(("session", "s"), session))
            ways += _for_a_while(session) if session.rules else ()
        return (*ways, *_REFUSALS)

    def _plan_ways(self) -> tuple[_Way, ...]:
        auto = [update for update in self._request.suggestions if update.mode == "auto"]
        return (
            _Way(("yes", "y"), "carry it out, and ask for each edit", _yes),
            _Way(
                ("edits", "a"),
                "carry it out; edits in this folder are not asked",
                lambda said: Allow(updated_permissions=(TAKE_EDITS,), note=_told(said)),
            ),
            *(
                _Way(
                    ("auto",),
                    "carry it out; a small model may let calls run",
                    lambda said: Allow(updated_permissions=tuple(auto), note=_told(said)),
                )
                for _ in auto[:1]
            ),
            *_REFUSALS,
        )


def _allowing(name: tuple[str, ...], update: PermissionUpdate) -> _Way:
    rules = " and ".join(exact(str(rule)) for rule in update.rules) or _effect(update)
    return _Way(
        name,
        f"run it, and allow {rules} {PLACES[update.destination]}",
        lambda said: Allow(updated_permissions=(update,), note=_told(said)),
    )


def _for_a_while(update: PermissionUpdate) -> tuple[_Way, ...]:
    """Give the answers that hold for less than the session."""

    def limited(limit: GrantLimit, said: str) -> PermissionAnswer:
        return Allow(updated_permissions=(replace(update, limit=limit),), note=_told(said))

    def counted(make: Callable[[int], GrantLimit]) -> Callable[[str], PermissionAnswer | str]:
        def take(said: str) -> PermissionAnswer | str:
            number, _, rest = said.partition(" ")
            if not re.fullmatch("[1-9][0-9]{0,2}", number):
                return "How many? Write a number from 1 to 999 after the word."
            return limited(make(int(number)), rest.strip())

        return take

    return (
        _Way(
            ("task",),
            "run it, and allow the same until this prompt has its result",
            lambda said: limited(GrantLimit(task=True), said),
        ),
        _Way(
            ("calls",),
            "with a number: run it, and allow the same so many more times",
            counted(lambda number: GrantLimit(calls=number)),
        ),
        _Way(
            ("minutes",),
            "with a number: run it, and allow the same for so long",
            counted(lambda number: GrantLimit(minutes=number)),
        ),
    )


def _told(said: str) -> str:
    return f"The person said with their approval: {said}" if said else ""


def _yes(said: str) -> PermissionAnswer:
    return Allow(note=_told(said))


def _no(said: str) -> PermissionAnswer:
    return Deny(message=said)


def _stop(said: str) -> PermissionAnswer:
    return Deny(message=said, interrupt=True)


_REFUSALS = (
    _Way(("no", "n"), "don't run it; text after it is told to the model", _no),
    _Way(("stop",), "don't run it, and stop", _stop),
)


def _effect(update: PermissionUpdate) -> str:
    if update.type == "setMode":
        return f"what mode {update.mode} allows"
    return " and ".join(map(exact, update.directories))


def _command(request: PermissionRequest) -> str:
    return request.display.command if isinstance(request.display, CommandDisplay) else ""


def _what(request: PermissionRequest) -> list[str]:
    """Give the call itself, whole: what is approved must be heard as it is."""
    match request.display:
        case CommandDisplay(command=command):
            return exact(command).split("\n")
        case DiffDisplay():
            return [exact(request.display.path), *words.diff(request.display)]
        case PlanDisplay(plan=plan):
            return clean(plan).split("\n")
        case FileDisplay(path=path):
            return [exact(path)]
        case TextDisplay(title=title, text=text):
            return [line for line in (*exact(title).split("\n"), *exact(text).split("\n")) if line]
        case _:
            return [f"{exact(key)}: {exact(str(value))}" for key, value in request.input.items()]


class Choosing:
    """The model's own questions (or ours), one after another: a number, several, or words of one's own."""

    def __init__(self, request: PermissionRequest, questions: tuple[AskedQuestion, ...]) -> None:
        self._request = request
        self._questions = questions
        self._answers: dict[str, str | list[str]] = {}

    @property
    def _now(self) -> AskedQuestion:
        return self._questions[len(self._answers)]

    @property
    def prompt(self) -> str:
        """What stands before the answer."""
        return "numbers, or words: " if self._now.multiple else "number, or words: "

    def lines(self) -> list[str]:
        """Say the question that is to be answered next."""
        question = self._now
        many = len(self._questions)
        where = f" ({len(self._answers) + 1} of {many})" if many > 1 else ""
        out = [f"Question{where}: {clean(question.question)}"]
        for at, choice in enumerate(question.choices, 1):
            about = f": {clean(choice.description)}" if choice.description else ""
            out.append(f"  {at}. {clean(choice.label)}{about}")
        out.append("  stop: no answer, and stop")
        return out

    def take(self, line: str) -> PermissionAnswer | str:
        """Take an answer to the next question; the whole answer once all are there."""
        said = line.strip()
        if not said:
            return "Nothing was answered."
        if said.casefold() == "stop":
            return Deny(interrupt=bool(self._request.tool_name))
        question = self._now
        try:
            given = _chosen(said, question)
        except ValueError as error:
            return str(error)
        self._answers[question.question] = given
        if len(self._answers) < len(self._questions):
            return ""
        return Allow({**self._request.input, "answers": self._answers})

    def to_edit(self, line: str) -> str | None:
        """Give nothing: an answer is written as it is."""
        return None

    def edited(self, text: str) -> PermissionAnswer:
        """Never called."""
        raise AssertionError("a question has nothing to edit")


def _chosen(said: str, question: AskedQuestion) -> str | list[str]:
    """Read numbers as choices, anything else as the person's own words.

    Raises:
        ValueError: there is no choice of that number, or only one may be chosen.
    """
    pieces = said.replace(",", " ").split()
    if not all(piece.isdecimal() for piece in pieces):
        return [said] if question.multiple else said
    numbers = [int(piece) for piece in pieces]
    wrong = next((n for n in numbers if not 1 <= n <= len(question.choices)), None)
    if wrong is not None:
        raise ValueError(f"There is no answer {wrong}; they go from 1 to {len(question.choices)}.")
    if len(numbers) > 1 and not question.multiple:
        raise ValueError("Only one may be chosen.")
    labels = [question.choices[n - 1].label for n in dict.fromkeys(numbers)]
    return labels if question.multiple else labels[0]
