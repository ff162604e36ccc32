"""How a tool call looks, as bounded plain data; front ends draw it.

``Tool.preview`` gives the display of a call, ``ToolOutput.display`` that of its result; both may be the same class
with more filled in. Texts are raw: front ends clean them before drawing. Big payloads stay in files and are named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_tui.protocol.content import JsonObject

MAX_DISPLAY_LINES = 2_000
"""No display holds more lines than this; what is beyond is counted, not carried."""


@dataclass(frozen=True, slots=True)
class TextDisplay:
    """Fallback: a line that says what the call does, and text."""

    title: str = ""
    text: str = ""
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Hunk:
    """One stretch of a diff. ``lines`` start with ``' '``, ``'-'`` or ``'+'``; starts are 1-based.

    ``heading`` is the enclosing class or function where known, e.g. ``class Session · refresh``.
    """

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    lines: tuple[str, ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class DiffDisplay:
    """A change of a file. ``created`` when there was none before; ``truncated`` lines were left out."""

    path: str
    hunks: tuple[Hunk, ...] = ()
    added: int = 0
    removed: int = 0
    created: bool = False
    truncated: int = 0
    kind: Literal["diff"] = "diff"


@dataclass(frozen=True, slots=True)
class CommandDisplay:
    """A shell command and, when it has run, the bounded head and tail of its output.

    Times in milliseconds. ``exit_code`` is None while it runs; a signal is negative as in ``subprocess``.
    ``hidden_lines`` counts the lines between ``head`` and ``tail`` that are not carried; ``output_path`` names
    the file with all of it, where one was kept.
    """

    command: str
    description: str = ""
    cwd: str = ""
    timeout_ms: int | None = None
    exit_code: int | None = None
    timed_out: bool = False
    interrupted: bool = False
    duration_ms: int | None = None
    head: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    hidden_lines: int = 0
    output_bytes: int = 0
    output_path: str | None = None
    kind: Literal["command"] = "command"


@dataclass(frozen=True, slots=True)
class FileDisplay:
    """A file that was, or is to be, looked at; lines are 1-based and inclusive."""

    path: str
    first_line: int | None = None
    last_line: int | None = None
    total_lines: int | None = None
    note: str = ""
    kind: Literal["file"] = "file"


@dataclass(frozen=True, slots=True)
class SearchDisplay:
    """A search by name (Glob) or content (Grep) and what it found."""

    pattern: str
    path: str = ""
    matches: int | None = None
    files: int | None = None
    lines: tuple[str, ...] = ()
    truncated: bool = False
    kind: Literal["search"] = "search"


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that may be chosen. ``preview`` is longer text shown for it."""

    label: str
    description: str = ""
    preview: str = ""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with its choices; a free answer is always possible. ``answer`` is set once it was given."""

    question: str
    header: str = ""
    choices: tuple[Choice, ...] = ()
    multiple: bool = False
    answer: str = ""


@dataclass(frozen=True, slots=True)
class QuestionDisplay:
    """Questions to the person: the model's (AskUserQuestion), or ours (a budget that is used up)."""

    questions: tuple[AskedQuestion, ...]
    kind: Literal["question"] = "question"


@dataclass(frozen=True, slots=True)
class PlanDisplay:
    """A plan to be approved; Markdown. ``outcome`` says what became of it."""

    plan: str
    path: str = ""
    outcome: str = ""
    kind: Literal["plan"] = "plan"


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task as a list shows it; ``changed`` by the call the display belongs to."""

    id: str
    subject: str
    status: Literal["pending", "in_progress", "completed"]
    active_form: str = ""
    blocked_by: tuple[str, ...] = ()
    changed: bool = False


@dataclass(frozen=True, slots=True)
class TaskListDisplay:
    """The task list after a call."""

    tasks: tuple[TaskRow, ...] = ()
    kind: Literal["task_list"] = "task_list"


@dataclass(frozen=True, slots=True)
class AgentDisplay:
    """A sub-agent: what it was asked, what it does now, what it came to. Times in milliseconds.

    ``last`` is the newest tool call in a few words; ``report`` the beginning of its answer.
    """

    description: str
    agent_type: str = ""
    status: Literal["running", "completed", "failed", "background", "interrupted"] = "running"
    prompt: str = ""
    last: str = ""
    tool_uses: int = 0
    total_tokens: int = 0
    duration_ms: int = 0
    report: str = ""
    task_id: str = ""
    kind: Literal["agent"] = "agent"


@dataclass(frozen=True, slots=True)
class UnknownDisplay:
    """A display of a kind this version does not know; drawn as text."""

    kind: str
    data: JsonObject


Display: TypeAlias = (
    TextDisplay
    | DiffDisplay
    | CommandDisplay
    | FileDisplay
    | SearchDisplay
    | QuestionDisplay
    | PlanDisplay
    | TaskListDisplay
    | AgentDisplay
    | UnknownDisplay
)
