"""What a session's file tells from its first and last bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from agent_tui.journal.entries import Origin, content_blocks
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.usage import Usage

FIRST_BYTES = 8 * 1024
HEAD_BYTES = 64 * 1024
TAIL_BYTES = 16 * 1024
MAX_TITLE = 200

_COMMAND = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_NOT_SAID = re.compile(
    r"<local-command-stdout>|<session-start-hook>|<tick>|<goal>|<system-reminder>|<ide_"
    r"|<bash-(?:input|stdout)>|\[Request interrupted by user"
)
_TOLD_LATE = (
    b'"custom-title"',
    b'"ai-title"',
    b'"last-prompt"',
    b'"summary"',
    b'"tag"',
    b'"result"',
    b'"response"',
    b'"compact_boundary"',
)
_ORIGINS: dict[str, Origin] = {"interactive": "interactive", "print": "print", "sdk": "sdk"}
UNTITLED = "Untitled session"


@dataclass(frozen=True, slots=True)
class Peek:
    """A session from outside.

    ``title`` is the best there is (the person's, a generated one, last prompt, summary, first prompt), empty for a
    session in which nothing was said; ``name`` is one that was given or made, not taken from what was said. ``prompts``
    is None where the file is too long to count them. ``created`` is the first line's time (ISO 8601), empty if unknown.
    ``model`` answered last, and its window held ``context_tokens`` then (0 unknown).
    """

    cwd: str
    origin: Origin
    title: str
    first_prompt: str
    branch: str = ""
    cost_usd: float | None = None
    prompts: int | None = None
    name: str = ""
    tag: str = ""
    created: str = ""
    model: str = ""
    context_tokens: int = 0


@dataclass(slots=True)
class Told:
    """What lines have told of a session so far; the last title, tag and prompt win, the first prompt stays."""

    cwd: str = ""
    branch: str = ""
    origin: Origin = "interactive"
    first_prompt: str = ""
    command: str = ""
    prompts: int = 0
    custom_title: str = ""
    generated_title: str = ""
    last_prompt: str = ""
    summary: str = ""
    cost_usd: float | None = None
    tag: str = ""
    created: str = ""
    model: str = ""
    context_tokens: int = 0

    def hear(self, line: JsonObject) -> None:
        """Take in a line."""
        if isinstance(line.get("cwd"), str):
            self.cwd = line["cwd"] or self.cwd
        if isinstance(line.get("gitBranch"), str):
            self.branch = line["gitBranch"] or self.branch
        if not self.created and isinstance(line.get("timestamp"), str):
            self.created = line["timestamp"]
        heard = _HEARD.get(str(line.get("type")))
        if heard is not None:
            heard(self, line)

    def seen(self, fallback: str = "", *, counted: bool = True) -> Peek:
        """Give what is known; ``fallback`` is the title of a session that has none, ``counted``: all was heard."""
        first = self.first_prompt or self.command
        name = self.custom_title or self.generated_title
        titles = (name, self.last_prompt, self.summary, first, fallback)
        return Peek(
            self.cwd,
            self.origin,
            next((title for title in titles if title), ""),
            first,
            self.branch,
            self.cost_usd,
            self.prompts if counted else None,
            name,
            self.tag,
            self.created,
            self.model,
            self.context_tokens,
        )


def peek_lines(lines: Iterable[JsonObject]) -> Peek | None:
    """Look at a session that is no file: all its lines; None for a sub-agent's."""
    told = Told()
    for number, line in enumerate(lines):
        if number == 0 and line.get("isSidechain"):
            return None
        told.hear(line)
    return told.seen()


def peek(path: Path, size: int, tail_bytes: int = TAIL_BYTES) -> Peek | None:
    """Look at a session's file of ``size`` bytes; None for what is none (a sub-agent's, unreadable)."""
    told = Told()
    try:
        with path.open("rb") as file:
            head = file.read(FIRST_BYTES)
            if not _hear_head(told, head, size):
                return None
            if not told.first_prompt and size > len(head):
                head += file.read(HEAD_BYTES - FIRST_BYTES)
                told = Told()
                _hear_head(told, head, size)
            if size > len(head):
                heard = (
                    head.rfind(b"\n") + 1
                )  # the line that the head ends in is heard with the tail
                file.seek(max(heard, size - tail_bytes))
                tail = file.read(tail_bytes)
                _hear_tail(told, tail)
    except OSError:
        return None
    fallback = UNTITLED if size > HEAD_BYTES else ""  # long prompts hide their own beginning
    return told.seen(fallback, counted=size <= len(head))


def first_words(text: str) -> str:
    """Give a text as one line of at most 200 characters."""
    line = " ".join(text[: 4 * MAX_TITLE].split())
    return line if len(line) <= MAX_TITLE else line[:MAX_TITLE].rstrip() + "…"


def _hear_head(told: Told, head: bytes, size: int) -> bool:
    """Take in whole lines from the beginning; False for a sub-agent's file."""
    whole = head if len(head) >= size else head[: head.rfind(b"\n") + 1]
    for number, line in enumerate(_objects(whole)):
        if number == 0 and line.get("isSidechain"):
            return False
        told.hear(line)
    return True


def _hear_tail(told: Told, tail: bytes) -> None:
    """Take in the lines that tell of the end; the first is likely cut and then no JSON."""
    lines = tail.split(b"\n")
    for raw in lines:
        if any(mark in raw[:400] for mark in _TOLD_LATE):
            for line in _objects(raw):
                told.hear(line)
    for raw in reversed(lines):
        found = next(_objects(raw), None)
        if found is not None and found.get("cwd"):
            told.cwd = str(found["cwd"])
            told.branch = str(found.get("gitBranch") or told.branch)
            return


def _objects(data: bytes) -> Iterator[JsonObject]:
    for raw in data.split(b"\n"):
        if not raw.strip():
            continue
        try:
            line: object = json.loads(raw)
        except (ValueError, RecursionError):
            continue
        if isinstance(line, dict):
            yield cast("JsonObject", line)


def _hear_user(told: Told, line: JsonObject) -> None:
    if line.get("isMeta") or line.get("isCompactSummary") or line.get("isSynthetic"):
        return
    message = line.get("message")
    blocks = content_blocks(cast("JsonObject", message)) if isinstance(message, dict) else ()
    if any(block.get("type") == "tool_result" for block in blocks):
        return
    told.prompts += 1
    for block in blocks:
        text: Any = block.get("text")
        if told.first_prompt or not isinstance(text, str) or not text.strip():
            continue
        command = _COMMAND.search(text)
        if command is not None:
            told.command = told.command or first_words(command.group(1))
        elif not _NOT_SAID.match(text.strip()):
            told.first_prompt = first_words(text)


def _hear_system(told: Told, line: JsonObject) -> None:
    if line.get("subtype") == "session_started":
        told.origin = _ORIGINS.get(str(line.get("origin")), "sdk")
    result = line.get("result")
    if line.get("subtype") == "result" and isinstance(result, dict):
        cost = cast("JsonObject", result).get("total_cost_usd")
        told.cost_usd = float(cost) if isinstance(cost, int | float) else None
    usage = line.get("usage")
    if line.get("subtype") == "response" and line.get("purpose", "main") == "main":
        told.model = str(line.get("model") or "")
        told.context_tokens = Usage.from_api(
            cast("JsonObject", usage) if isinstance(usage, dict) else None
        ).total_tokens
    after = line.get("compactMetadata")
    if line.get("subtype") == "compact_boundary" and isinstance(after, dict):
        tokens = cast("JsonObject", after).get("post_tokens")
        told.context_tokens = tokens if isinstance(tokens, int) else 0


def _hear_custom_title(told: Told, line: JsonObject) -> None:
    told.custom_title = first_words(str(line.get("customTitle") or ""))


def _hear_ai_title(told: Told, line: JsonObject) -> None:
    told.generated_title = first_words(str(line.get("aiTitle") or ""))


def _hear_last_prompt(told: Told, line: JsonObject) -> None:
    told.last_prompt = first_words(str(line.get("lastPrompt") or ""))


def _hear_tag(told: Told, line: JsonObject) -> None:
    told.tag = first_words(str(line.get("tag") or ""))


def _hear_summary(told: Told, line: JsonObject) -> None:
    told.summary = first_words(str(line.get("summary") or ""))


_HEARD: dict[str, Callable[[Told, JsonObject], None]] = {
    "user": _hear_user,
    "system": _hear_system,
    "custom-title": _hear_custom_title,
    "ai-title": _hear_ai_title,
    "last-prompt": _hear_last_prompt,
    "summary": _hear_summary,
    "tag": _hear_tag,
}
