"""Plays a conversation against the script, with small stand-ins for the tools that do the real thing in a folder."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from agent_tui.demo.script import Reply, reply
from agent_tui.protocol.content import JsonObject, TextBlock, ToolUseBlock, block_to_json

ALL_TOOLS = ("Read", "Edit", "Write", "Glob", "Grep", "Bash")
Gate = Callable[[ToolUseBlock], str | None]
"""Gives the words of a refusal, or None to let the call run."""


def allow(call: ToolUseBlock) -> str | None:
    """Let every call run."""
    return None


@dataclass
class Scene:
    """A folder, the tools on offer, and the talk so far."""

    folder: Path
    tools: tuple[str, ...] = ALL_TOOLS
    gate: Gate = allow
    system: str = ""
    messages: list[JsonObject] = field(default_factory=list[JsonObject])
    calls: list[ToolUseBlock] = field(default_factory=list[ToolUseBlock])

    def body(self) -> JsonObject:
        """The next request."""
        system = self.system or f"You are an agent.\nWorking directory: {self.folder}\nPlatform: x"
        return {
            "model": "demo",
            "system": [{"type": "text", "text": system}],
            "tools": [{"name": name} for name in self.tools],
            "messages": self.messages,
        }

    def say(self, prompt: str) -> list[Reply]:
        """Send a prompt and go on until no tool is called."""
        self.messages.append({"role": "user", "content": prompt})
        replies: list[Reply] = []
        while len(replies) < 12:
            answer = reply(self.body())
            replies.append(answer)
            blocks = [block_to_json(block) for block in answer.blocks]
            self.messages.append({"role": "assistant", "content": blocks})
            calls = [block for block in answer.blocks if isinstance(block, ToolUseBlock)]
            if not calls:
                return replies
            self.messages.append({"role": "user", "content": [self._run(call) for call in calls]})
        raise AssertionError("the script never comes to an end")

    def _run(self, call: ToolUseBlock) -> JsonObject:
        self.calls.append(call)
        refused = self.gate(call)
        text, failed = (refused, True) if refused is not None else self.perform(call)
        result: JsonObject = {"type": "tool_result", "tool_use_id": call.id, "content": text}
        return {**result, "is_error": True} if failed else result

    def perform(self, call: ToolUseBlock) -> tuple[str, bool]:
        """Run a call: the result's text, and whether it failed."""
        name, args = call.name, call.input
        path = self.folder / str(args.get("file_path", ""))
        match name:
            case "Glob":
                wanted = args["pattern"].removeprefix("./").strip("{}").split(",")
                found = {p for one in wanted for p in self.folder.glob(one) if p.is_file()}
                found = {p for p in found if ".git" not in p.parts}
                return "\n".join(map(str, sorted(found))) or "No files found", False
            case "Read":
                lines = path.read_text("utf-8").split("\n")[: args["limit"]]
                return "\n".join(f"{n}\t{line}" for n, line in enumerate(lines, 1)), False
            case "Grep" if args["output_mode"] == "files_with_matches":
                found = {p for p in self.folder.rglob("*") if p.is_file() and p.stat().st_size}
                names = sorted(str(p) for p in found if ".git" not in p.parts)
                total = f"Found {len(names)} {'file' if len(names) == 1 else 'files'}"
                return "\n".join([total, *names]) if names else "No matches found.", False
            case "Grep":
                counted = (
                    (p, p.read_text("utf-8").count("TODO"))
                    for p in self.folder.glob("*.??*")
                    if p.is_file()
                )
                return "\n".join(f"{p}:{n}" for p, n in counted if n) or "No matches found", False
            case "Write":
                path.write_text(args["content"], "utf-8")
                return f"Created {path}", False
            case "Edit":
                old = path.read_text("utf-8")
                path.write_text(old.replace(args["old_string"], args["new_string"]), "utf-8")
                return f"Edited {path}", False
            case _:
                done = subprocess.run(
                    ["/bin/sh", "-c", args["command"].replace("sleep 0.4", "true")],
                    cwd=self.folder,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                return done.stdout + done.stderr, done.returncode != 0


def text_of(answer: Reply) -> str:
    """What a reply says."""
    return "\n".join(block.text for block in answer.blocks if isinstance(block, TextBlock))
