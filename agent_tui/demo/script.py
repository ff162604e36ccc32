"""What the scripted model says next: a pure function of the request.

A tour through the folder at hand in four steps (look, read, propose, run) and a closing word. Each step's text is
made of the results of the step before, so what is told is true. A step whose tools are not on offer is left out; a
refusal is taken as an answer. Later prompts get short scripted replies.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, cast

from agent_tui.demo.findings import COUNTER, LANDMARKS, SCRATCH, Findings, findings_of
from agent_tui.demo.history import SUMMARY_MARK, TOUR_END, Done, History, wants_summary
from agent_tui.demo.samples import LONG, MARKDOWN, TIPS
from agent_tui.protocol.content import JsonObject, TextBlock, ThinkingBlock, ToolUseBlock

Block: TypeAlias = ThinkingBlock | TextBlock | ToolUseBlock

COUNTDOWN = "for n in 3 2 1; do echo $n; sleep 0.4; done; sh -c 'uname -sm'"
"""Harmless, not on any list of commands that run unasked, and slow enough for its output to be seen growing."""

_SOURCES = "*.{py,js,ts,tsx,go,rs,c,h,cpp,java,rb,sh,md}"


@dataclass(frozen=True, slots=True)
class Reply:
    """One response of the scripted model."""

    blocks: tuple[Block, ...]

    @property
    def stop_reason(self) -> str:
        """The API's word: ``tool_use`` when a tool is called, else ``end_turn``."""
        called = any(isinstance(block, ToolUseBlock) for block in self.blocks)
        return "tool_use" if called else "end_turn"


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of the tour: what is said, then what is called. No call: the step is left out."""

    name: str
    say: Callable[[History, Findings], str]
    calls: Callable[[History, Findings], tuple[tuple[str, JsonObject], ...]]
    thought: str = ""


def reply(body: JsonObject) -> Reply:
    """Give the next reply to the body of a Messages API request."""
    history = History.of(body)
    facts = findings_of(history)
    if history.answering and history.talked and wants_summary(history.prompt):
        return Reply((TextBlock(_summary(history, facts)),))
    if history.toured:
        return Reply((TextBlock(_small_talk(history)),))
    made = {call.step for call in history.calls}
    for step in _TOUR:
        wanted = step.calls(history, facts) if step.name not in made else ()
        offered = [call for call in wanted if call[0] in history.tools]
        if offered:
            return _step_reply(step, offered, history, facts, body)
    return Reply((TextBlock(_closing(history, facts)),))


def _step_reply(
    step: _Step,
    calls: list[tuple[str, JsonObject]],
    history: History,
    facts: Findings,
    body: JsonObject,
) -> Reply:
    text = step.say(history, facts)
    if history.answering and history.calls:
        text = f"Still a script: your prompt can't change the plan. On with the tour.\n\n{text}"
    # unique over the session, as the API's ids are, and the same for the same request
    stamp = zlib.crc32(json.dumps(body.get("messages"), sort_keys=True).encode())
    uses = tuple(
        ToolUseBlock(f"toolu_demo_{step.name}_{stamp:08x}{number}", name, entry)
        for number, (name, entry) in enumerate(calls)
    )
    thinks = step.thought and _may_think(body)
    thought = (ThinkingBlock(step.thought, "scripted"),) if thinks else ()
    return Reply((*thought, TextBlock(text), *uses))


def _may_think(body: JsonObject) -> bool:
    thinking = body.get("thinking")
    return not isinstance(thinking, dict) or cast("JsonObject", thinking).get("type") != "disabled"


def _say_look(history: History, facts: Findings) -> str:
    return (
        "This is a **scripted demo**: no model is behind these words, and nothing leaves this machine. "
        "A small server on 127.0.0.1 speaks the Messages API and follows a fixed plan. The tools, the "
        "questions and your answers are real.\n\nFirst a look around: which files are here, and what "
        "does git say?"
    )


def _look(history: History, facts: Findings) -> tuple[tuple[str, JsonObject], ...]:
    status = "git status --short --branch"
    known = ",".join((*LANDMARKS, f"{SCRATCH}*.md"))
    return (
        # every file with a line in it: unlike Glob, Grep leaves out what git ignores
        ("Grep", {"pattern": "^", "output_mode": "files_with_matches", "head_limit": 100}),
        # from the top folder only, where no dependency's README is
        ("Glob", {"pattern": f"./{{{known}}}"}),
        ("Bash", {"command": status, "description": "Show branch and changed files"}),
    )


def _say_read(history: History, facts: Findings) -> str:
    parts = [text for text in (_files_text(facts), _git_text(facts)) if text]
    found = " ".join(parts) or "The look around gave nothing to go by."
    return f"{found}\n\nNow a closer look at what tells most about the project."


def _read(history: History, facts: Findings) -> tuple[tuple[str, JsonObject], ...]:
    reads = [path for path in (facts.promising, facts.old_scratch) if path]
    pattern = {"pattern": r"\b(TODO|FIXME)\b", "glob": _SOURCES, "output_mode": "count"}
    return (*(("Read", {"file_path": path, "limit": 60}) for path in reads), ("Grep", pattern))


def _say_propose(history: History, facts: Findings) -> str:
    found = " ".join(text for text in (_title_text(facts), _marks_text(facts)) if text)
    change = "count up in the scratch file of the last tour" if facts.tours else "write it down"
    return (
        f"{found or 'There was nothing to read here.'}\n\nMay I {change}? It goes to "
        f"`{facts.scratch_file}` in this folder, and nowhere else. Say no, and nothing is written; "
        "words you add to a no come back to me."
    )


def _propose(history: History, facts: Findings) -> tuple[tuple[str, JsonObject], ...]:
    path = f"{history.folder}/{facts.scratch_file}" if history.folder else facts.scratch_file
    if facts.tours and "Edit" in history.tools:
        old, new = f"Tours given: {facts.tours}", f"Tours given: {facts.tours + 1}"
        return (("Edit", {"file_path": path, "old_string": old, "new_string": new}),)
    return (("Write", {"file_path": path, "content": _scratch_text(facts)}),)


def _say_run(history: History, facts: Findings) -> str:
    return (
        f"{_outcome(history, facts)}\n\nLast, a command that asks before it runs: it counts down "
        "and names your system, nothing more. Its output shows while it comes."
    ).strip()


def _run(history: History, facts: Findings) -> tuple[tuple[str, JsonObject], ...]:
    return (("Bash", {"command": COUNTDOWN, "description": "Count down, name the system"}),)


_TOUR = (
    _Step("look", _say_look, _look, "There is no thinking here, only a plan. Step one: look around."),
    _Step("read", _say_read, _read),
    _Step("propose", _say_propose, _propose, "Step three: propose an edit and wait for the answer."),
    _Step("run", _say_run, _run),
)  # fmt: skip


def _proposal(history: History) -> Done | None:
    return history.call("propose", "Write") or history.call("propose", "Edit")


def _outcome(history: History, facts: Findings) -> str:
    done = _proposal(history)
    if done is None:
        return ""
    if not done.failed:
        return "Approved and written. The card above shows exactly what changed."
    first = done.lines[0].strip()[:200] if done.lines else "no reason given"
    return f"Nothing was written. The answer was:\n\n> {first}"


def _closing(history: History, facts: Findings) -> str:
    ran = history.call("run", "Bash")
    done = _proposal(history)
    kept = done is not None and not done.failed
    rows = (
        ("Files", _files_text(facts)),
        ("Git", _git_text(facts)),
        ("Read", _title_text(facts)),
        ("Marks", _marks_text(facts)),
        ("Edit", "" if done is None else f"`{_written(done)}`" if kept else "not allowed"),
        ("Command", "" if ran is None else "not run" if ran.failed else _last(ran)),
    )
    table = "\n".join(f"| {name} | {_cell(text)} |" for name, text in rows if text)
    opening = "" if history.calls else f"{_say_nothing_offered()}\n\n"
    left = "that one file" if kept else "nothing at all"
    summed = f"| step | what came of it |\n|---|---|\n{table}\n\n" if table else ""
    return (
        f"{opening}{summed}**{TOUR_END}** It followed a script, no model took part. I changed {left} in this folder. Try `/compact` and `/clear`, "
        "or type *tour*, *markdown* or *long*. For a real model start `agent-tui` without `--demo`."
    )


def _say_nothing_offered() -> str:
    return "This is a **scripted demo**, and no tool that it knows is on offer: there is nothing to show."


def _written(done: Done) -> str:
    return str(done.input.get("file_path", "")).rsplit("/", 1)[-1]


def _last(call: Done) -> str:
    return call.lines[-1].strip()[:60] if call.lines else "no output"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _files_text(facts: Findings) -> str:
    if facts.files is None:
        return ""
    if not facts.files:
        return "No file with text is here, ignored ones aside."
    names = [path.rsplit("/", 1)[-1] for path in facts.files[:4]]
    newest = ", ".join(f"`{name}`" for name in names)
    if facts.count == len(names):
        noun = "file" if facts.count == 1 else "files"
        return f"{facts.count} {noun} with text here: {newest}."
    return f"{facts.count:,} files with text here, the newest: {newest}."


def _git_text(facts: Findings) -> str:
    if facts.repository is None:
        return ""
    if not facts.repository:
        return "This folder is in no git repository."
    changes = {0: "nothing changed", 1: "1 change"}.get(facts.changes, f"{facts.changes} changes")
    return f"On branch `{facts.branch}`, {changes}."


def _title_text(facts: Findings) -> str:
    if not facts.read:
        return ""
    return (
        f"`{facts.read}` begins with “{facts.title}”." if facts.title else f"Read `{facts.read}`."
    )


def _marks_text(facts: Findings) -> str:
    if facts.marks is None:
        return ""
    noun = "line holds" if facts.marks == 1 else "lines hold"
    return f"{facts.marks or 'No'} {noun} a TODO or FIXME."


def _scratch_text(facts: Findings) -> str:
    told = (_files_text(facts), _git_text(facts), _title_text(facts), _marks_text(facts))
    lines = "".join(f"- {text}\n" for text in told if text)
    counter = COUNTER.pattern.replace(r"(\d+)", "1")
    return (
        "# Scratch file of the agent-tui demo\n\n"
        "Written by a script, approved by you. Delete it whenever you like.\n\n"
        f"{lines}- {counter}\n"
    )


def _summary(history: History, facts: Findings) -> str:
    told = (_files_text(facts), _git_text(facts), _title_text(facts), _marks_text(facts))
    state = TOUR_END if history.toured else "The tour has begun and is not at its end."
    text = " ".join(
        (f"{SUMMARY_MARK}, {history.prompts} prompts so far.", state, *filter(None, told))
    )
    return f"<summary>\n{text}\n</summary>" if "<summary>" in history.prompt else text


def _small_talk(history: History) -> str:
    words = history.prompt.lower().split()
    if "markdown" in words:
        return MARKDOWN
    if "long" in words:
        return LONG
    quoted = " ".join(history.prompt.split())[:60].replace("`", "'")
    tip = TIPS[history.prompts % len(TIPS)]
    return (
        f"I'm a script and can't work on `{quoted}`; a real model would. I know three words: *tour* gives "
        f"the tour again, *markdown* shows formatted text, *long* a long answer to scroll and interrupt.\n\n{tip}"
    )
