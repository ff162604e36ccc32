"""Stored sessions for tests: journals in the test's own home, and lines as other programs write them."""

from __future__ import annotations

import json
import os
import time
import uuid
from pathlib import Path
from typing import Any

from agent_tui.journal.codec import encode, parse
from agent_tui.journal.entries import TitleEntry, UnknownEntry
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.usage import Usage
from agent_tui.settings.paths import Environment, journal
from tests.journal.story import Story, call, text, thinking

NOBODY = "11111111-1111-4111-8111-111111111111"


def new_story(cwd: Path) -> Story:
    return Story(str(cwd), str(uuid.uuid4()))


def a_session(cwd: Path, prompt: str = "fix the tests", *, title: str = "") -> Story:
    """A session of one prompt, two calls at once, one retracted answer and a final one."""
    story = new_story(cwd)
    story.started("sdk")
    story.model()
    story.context()
    story.prompt(prompt)
    one, two = story.answer("m1", thinking("hm"), call("a"), call("b"), usage=Usage(5, 5))[1:]
    story.result("b", "second", source=two)
    story.result("a", "first", source=one)
    story.answer("m2", text("taken back"), ends=False)
    story.retracted("m2")
    story.answer("m3", text("They pass."), cost=0.25)
    if title:
        story.add(TitleEntry(story.header(), title))
    story.finished(cost=0.25)
    return story


def save(story: Story, cwd: Path, *, age: float = 0) -> Path:
    """Put a session into this process's own home; it ended ``age`` seconds ago."""
    return save_lines(stored(story), journal(Environment.of_process(), cwd, story.session_id), age)


def save_lines(lines: list[JsonObject], path: Path, age: float = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(encode(UnknownEntry(line)) for line in lines))
    then = time.time() - age
    os.utime(path, (then, then))
    return path


def stored(story: Story) -> list[JsonObject]:
    return [line for entry in story.entries if (line := parse(encode(entry))) is not None]


def save_agent(session: Path, agent_id: str, said: str, **note: str) -> list[JsonObject]:
    """Put a sub-agent's journal beside a session's, with a note; give its lines."""
    story = Story("/work/app", session.stem)
    story.prompt("look")
    story.answer("s1", text(said))
    lines = [{**line, "isSidechain": True, "agentId": agent_id} for line in stored(story)]
    path = session.with_suffix("") / "subagents" / f"agent-{agent_id}.jsonl"
    save_lines(lines, path)
    if note:
        path.with_suffix(".meta.json").write_text(json.dumps(note))
    return lines


def line(kind: str, uuid: str, parent: str | None, content: Any, **fields: Any) -> JsonObject:
    """A line as other programs write it."""
    message: JsonObject = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": fields.pop("id", "m1"), "model": "m", "type": "message"}
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": NOBODY,
        "timestamp": "2026-03-01T12:00:00.000Z",
        "isSidechain": False,
        "message": message,
        **fields,
    }


def parallel() -> list[JsonObject]:
    """Three calls of one response and their results, each on a branch of its own; the talk goes on from the last."""
    result = "tool_result"
    return [
        line("user", "u1", None, "go"),
        line("assistant", "a1", "u1", [call("x")]),
        line("assistant", "a2", "a1", [call("y")]),
        line("assistant", "a3", "a2", [call("z")]),
        line("user", "r1", "a1", [{"type": result, "tool_use_id": "x", "content": "1"}],
             sourceToolAssistantUUID="a1"),
        line("user", "r2", "a2", [{"type": result, "tool_use_id": "y", "content": "2"}],
             sourceToolAssistantUUID="a2"),
        line("user", "r3", "a3", [{"type": result, "tool_use_id": "z", "content": "3"}],
             sourceToolAssistantUUID="a3"),
        line("assistant", "a4", "r3", [text("done")], id="m2"),
    ]  # fmt: skip


def kinds(messages: list[Any]) -> list[str]:
    """What each message consists of, in the order given."""
    out: list[str] = []
    for message in messages:
        content = message.message["content"]
        if isinstance(content, str):
            out.append(f"{message.type}: {content}")
            continue
        out.extend(
            f"{message.type} {block['type']}: "
            f"{block.get('text') or block.get('id') or block.get('content') or block.get('thinking')}"
            for block in content
        )
    return out
