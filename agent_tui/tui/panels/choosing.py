"""What the person has chosen so far of some questions, and the answers that follow from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent_tui.protocol.display import AskedQuestion, Choice

OTHER = Choice("Something else…", "type it; the model reads it as your answer")


@dataclass(slots=True)
class Choosing:
    """Some questions, and everything about them that a key can change.

    Attributes:
        free: an answer in the person's own words is possible.
        at: the question that has the keyboard.
        cursors: the row under the cursor, for each question.
        picked: the rows that are chosen, for each question; of a single choice at most one.
        words: the person's own words, for each question.
        typing: they are being typed.
    """

    questions: tuple[AskedQuestion, ...]
    free: bool = True
    at: int = 0
    cursors: list[int] = field(default_factory=list[int])
    picked: list[set[int]] = field(default_factory=list[set[int]])
    words: list[str] = field(default_factory=list[str])
    typing: bool = False

    def __post_init__(self) -> None:
        count = len(self.questions)
        self.cursors = self.cursors or [0] * count
        self.picked = self.picked or [set() for _ in range(count)]
        self.words = self.words or [""] * count

    @property
    def question(self) -> AskedQuestion:
        """The question that has the keyboard."""
        return self.questions[self.at]

    def choices(self, at: int) -> tuple[Choice, ...]:
        """Give the rows of a question."""
        own = self.questions[at].choices
        return (*own, OTHER) if self.free else own

    def is_other(self, at: int, row: int) -> bool:
        """Tell whether a row is the one for the person's own words."""
        return self.free and row == len(self.questions[at].choices)

    def answered(self, at: int) -> bool:
        """Tell whether a question has its answer."""
        chosen = self.picked[at]
        return bool(chosen) and (
            not any(self.is_other(at, row) for row in chosen) or bool(self.words[at].strip())
        )

    @property
    def complete(self) -> bool:
        """Whether every question has its answer."""
        return all(self.answered(at) for at in range(len(self.questions)))

    def move(self, by: int) -> None:
        """Move the cursor of this question."""
        self.cursors[self.at] = (self.cursors[self.at] + by) % len(self.choices(self.at))

    def next(self, by: int = 1) -> None:
        """Go to another question."""
        self.at = (self.at + by) % len(self.questions)

    def point(self, row: int) -> bool:
        """Put the cursor on a row; False when there is no such row."""
        if not 0 <= row < len(self.choices(self.at)):
            return False
        self.cursors[self.at] = row
        return True

    def toggle(self) -> None:
        """Choose the row under the cursor, or let go of it; of a single choice it becomes the one."""
        row, chosen = self.cursors[self.at], self.picked[self.at]
        if not self.question.multiple:
            self.picked[self.at] = {row}
        else:
            chosen ^= {row}
        if self.is_other(self.at, row) and row in self.picked[self.at]:
            self.typing = True

    def take(self) -> None:
        """Take the answer to this question and go to the next one that has none."""
        if not self.question.multiple or not self.picked[self.at]:
            if self.cursors[self.at] not in self.picked[self.at]:
                self.toggle()
            elif self.is_other(self.at, self.cursors[self.at]) and not self.words[self.at].strip():
                self.typing = True
        if not self.typing:
            self._go_on()

    def say(self, text: str) -> None:
        """Take the person's own words; empty ones take the choice back."""
        self.typing = False
        self.words[self.at] = text.strip()
        other = len(self.question.choices)
        if self.words[self.at]:
            if not self.question.multiple:
                self._go_on()
        else:
            self.picked[self.at].discard(other)

    def answers(self) -> dict[str, str | list[str]]:
        """Give the answers by question: a label, several, or the person's own words."""
        found: dict[str, str | list[str]] = {}
        for at, question in enumerate(self.questions):
            said = [
                self.words[at] if self.is_other(at, row) else question.choices[row].label
                for row in sorted(self.picked[at])
            ]
            if said:
                found[question.question] = said if question.multiple else said[0]
        return found

    def _go_on(self) -> None:
        for step in range(1, len(self.questions)):
            at = (self.at + step) % len(self.questions)
            if not self.answered(at):
                self.at = at
                return
