"""AskUserQuestion: questions to the person, with choices."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

from pydantic import Field, field_validator

from agent_tui.protocol.access import Access, AskUser
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import AskedQuestion, Choice, Display, QuestionDisplay
from agent_tui.tools.arguments import Arguments, parse_arguments
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed

Answer: TypeAlias = str | list[str]

UNANSWERED = (
    "Nobody answered: the questions were let through without an answer. Go on with what is most "
    "likely wanted and say what you assumed, or stop and ask in your text."
)


class Option(Arguments):
    """One answer to choose."""

    label: str = Field(min_length=1, description="One to five words")
    description: str = Field("", description="What choosing it means")
    preview: str | None = Field(None, description="Code or a sketch to compare options by")


class Question(Arguments):
    """One question."""

    question: str = Field(min_length=1)
    header: str = Field("", description="A word or two to know it by, at most 12 characters")
    options: tuple[Option, ...] = Field(min_length=2, max_length=4)
    multiple: bool = Field(False, alias="multiSelect")

    @field_validator("options")
    @classmethod
    def _distinct(cls, value: tuple[Option, ...]) -> tuple[Option, ...]:
        return _unlike(value, [option.label for option in value], "label")


class AskUserQuestionArguments(Arguments):
    """Input of AskUserQuestion, as the model gives it."""

    questions: tuple[Question, ...] = Field(min_length=1, max_length=4)

    @field_validator("questions")
    @classmethod
    def _distinct(cls, value: tuple[Question, ...]) -> tuple[Question, ...]:
        return _unlike(value, [question.question for question in value], "question")


class AnsweredArguments(AskUserQuestionArguments):
    """The same, as it comes back from the person."""

    answers: dict[str, Answer] = Field(default_factory=dict[str, Answer])
    response: str | None = None
    annotations: dict[str, Any] | None = None


class AskUserQuestion(BuiltinTool[AskUserQuestionArguments]):
    """Asks; the answers are the person's input to the call, so that the model can't give them."""

    name = "AskUserQuestion"
    arguments = AskUserQuestionArguments
    read_only = True

    def answered(self, raw: JsonObject) -> AnsweredArguments:
        """Read the input with the person's answers in it."""
        return parse_arguments(self.name, AnsweredArguments, raw)

    def access(self, args: AskUserQuestionArguments, cwd: Path) -> Access:
        """Needs the person."""
        return AskUser()

    def preview(self, args: AskUserQuestionArguments, cwd: Path) -> Display:
        """Show the questions, and the answers where there are some."""
        answers = args.answers if isinstance(args, AnsweredArguments) else {}
        return QuestionDisplay(
            tuple(
                AskedQuestion(
                    one.question,
                    one.header,
                    tuple(Choice(o.label, o.description, o.preview or "") for o in one.options),
                    one.multiple,
                    _joined(answers.get(one.question, "")),
                )
                for one in args.questions
            )
        )

    async def run(self, args: AskUserQuestionArguments, call: ToolCall) -> ToolOutput:
        """Tell the model what was answered."""
        display = self.preview(args, call.cwd)
        response = args.response if isinstance(args, AnsweredArguments) else None
        answers = _given(args)
        if not answers and not response:
            return failed(UNANSWERED, display)
        lines = [f"{question} -> {_joined(answer)}" for question, answer in answers.items()]
        unanswered = [q.question for q in args.questions if q.question not in answers]
        lines += [f"{question} -> (no answer)" for question in unanswered if answers]
        text = "\n".join(["The user answered:", *lines]) if answers else ""
        if response:
            text = "\n\n".join(filter(None, (text, f"The user responded: {response}")))
        asked = [
            one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in args.questions
        ]
        data: JsonObject = {"questions": asked, "answers": answers}
        if response:
            data["response"] = response
        return ToolOutput(text, display, data)


def _given(args: AskUserQuestionArguments) -> dict[str, Answer]:
    """Give the answers that say something, in the order of the questions, then any others."""
    if not isinstance(args, AnsweredArguments):
        return {}
    order = [question.question for question in args.questions]
    names = [*order, *(name for name in args.answers if name not in order)]
    return {
        name: args.answers[name] for name in names if _joined(args.answers.get(name, "")).strip()
    }


def _joined(answer: Answer) -> str:
    return answer if isinstance(answer, str) else ", ".join(answer)


def _unlike(value: Any, names: list[str], what: str) -> Any:
    """Refuse two of the same name: an answer could not be told apart."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidInputError(f"{what} {twice!r} is there twice")
    return value


TOOL = AskUserQuestion()
