"""What a request tells about the conversation so far: the prompts, the calls made, the tools on offer."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, cast

from agent_tui.protocol.content import JsonObject

TOUR_END = "That was the tour."
"""Said at the end of the tour; seen again, it tells that the tour has been given."""

SUMMARY_MARK = "Summary of a scripted demo"
"""How every summary of ours begins; a text with it is a summary, not a request for one."""

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_FOLDER = re.compile(r"(?im)\b(?:working directory|working folder|cwd)\W{1,4}(/[^\n`\"'<>]*)")


@dataclass(frozen=True, slots=True)
class Done:
    """A call that was made and what came of it. ``step`` is the step of the tour that made it."""

    step: str
    name: str
    input: JsonObject
    result: str = ""
    failed: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the result that hold something."""
        return tuple(line for line in self.result.split("\n") if line.strip())


@dataclass(frozen=True, slots=True)
class History:
    """The conversation as the script needs it.

    Attributes:
        prompt: the newest text the person sent, reminders taken out.
        prompts: how many were sent.
        answering: the newest message is a prompt, not the results of tools.
        calls: the calls of the present tour, in order.
        toured: the tour has been given to its end.
        talked: something has been answered before.
        tools: names of the tools on offer.
        folder: the working folder, where the system prompt or a reminder tells it, else empty.
    """

    prompt: str = ""
    prompts: int = 0
    answering: bool = False
    calls: tuple[Done, ...] = ()
    toured: bool = False
    talked: bool = False
    tools: frozenset[str] = frozenset()
    folder: str = ""

    @classmethod
    def of(cls, body: JsonObject) -> History:
        """Read the body of a Messages API request; what is malformed counts as absent."""
        history = cls(
            tools=frozenset(str(tool.get("name")) for tool in _objects(body.get("tools"))),
            folder=_folder(_texts(body.get("system"))),
        )
        open_calls: dict[str, Done] = {}
        for message in _objects(body.get("messages")):
            if message.get("role") == "assistant":
                history = history._after_answer(message, open_calls)
            elif message.get("role") == "user":
                history = history._after_user(message, open_calls)
        return history

    def call(self, step: str, name: str, number: int = 0) -> Done | None:
        """Give the tour's call of this tool in this step, None when there was none; the first has number 0."""
        made = [c for c in self.calls if (c.step, c.name) == (step, name)]
        return made[number] if number < len(made) else None

    def _after_answer(self, message: JsonObject, open_calls: dict[str, Done]) -> History:
        for block in _objects(message.get("content")):
            if block.get("type") == "tool_use":
                raw = block.get("input")
                entry = cast("JsonObject", raw) if isinstance(raw, dict) else {}
                key = str(block.get("id"))
                open_calls[key] = Done(step_of(key), str(block.get("name")), entry)
        ended = any(TOUR_END in text for text in _texts(message.get("content")))
        return replace(self, toured=self.toured or ended, talked=True, answering=False)

    def _after_user(self, message: JsonObject, open_calls: dict[str, Done]) -> History:
        content = message.get("content")
        calls = list(self.calls)
        for block in _objects(content):
            done = open_calls.pop(str(block.get("tool_use_id")), None)
            if block.get("type") == "tool_result" and done is not None:
                text = "\n".join(_texts(block.get("content")))
                calls.append(replace(done, result=text, failed=block.get("is_error") is True))
        after = replace(self, calls=tuple(calls), answering=False)
        for text in _texts(content):
            folder = after.folder or _folder(_REMINDER.findall(text))
            after = replace(after, folder=folder)
            typed = _REMINDER.sub("", text).strip()
            if typed:
                after = after._after_prompt(typed)
        return after

    def _after_prompt(self, text: str) -> History:
        known = replace(self, prompt=text, prompts=self.prompts + 1, answering=True)
        if SUMMARY_MARK in text:
            return replace(known, toured=self.toured or TOUR_END in text, talked=True)
        if self.toured and re.search(r"(?i)\btour\b", text) and not wants_summary(text):
            return replace(known, toured=False, calls=())
        return known


def step_of(call_id: str) -> str:
    """Give the step that made the call with this id (``toolu_demo_<step>_…``), empty for a foreign one."""
    parts = call_id.split("_")
    return parts[2] if len(parts) > 3 and parts[1] == "demo" else ""


def wants_summary(text: str) -> bool:
    """Whether this asks for a summary of the talk, as compaction does."""
    return "summar" in text.lower() and SUMMARY_MARK not in text


def _folder(texts: list[str]) -> str:
    found = _FOLDER.search("\n".join(texts))
    return found.group(1).strip().rstrip(".") if found else ""


def _objects(value: Any) -> list[JsonObject]:
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("JsonObject", entry) for entry in entries if isinstance(entry, dict)]


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [str(b.get("text")) for b in _objects(content) if b.get("type") == "text"]
