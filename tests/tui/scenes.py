"""Scripted moments of a session, as the pictures of the design show them."""

from __future__ import annotations

from typing import Any

from agent_tui.link.base import EngineUp, Incoming
from agent_tui.protocol.content import TextBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock
from agent_tui.protocol.display import (
    AgentDisplay,
    AskedQuestion,
    Choice,
    CommandDisplay,
    DiffDisplay,
    Display,
    FileDisplay,
    Hunk,
    QuestionDisplay,
    SearchDisplay,
    TaskListDisplay,
    TaskRow,
)
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    QueueChanged,
    QueuedPrompt,
    ResultMessage,
    StatusChanged,
    SystemMessage,
    ToolProgress,
    UserMessage,
)
from agent_tui.protocol.requests import (
    CommandPart,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
    Span,
)

SESSION = "11111111-2222-3333-4444-555555555555"
CWD = "/home/ada/work/tokenbox"
HOME = "/home/ada"


def status(**changes: Any) -> StatusChanged:
    """Give the status of the pictures, with changes."""
    values: dict[str, Any] = {
        "session_id": SESSION,
        "model": "sonnet",
        "mode": "default",
        "turns": 4,
        "run_tokens": 8100,
        "run_cost_usd": 0.0312,
        "context_tokens": 62_000,
        "context_window": 200_000,
        "cache_share": 0.91,
        "total_cost_usd": 0.0312,
        "budget_usd": 5.0,
        "branch": "fix-auth*",
        "cwd": CWD,
    }
    return StatusChanged(**{**values, **changes})


def busy(**changes: Any) -> StatusChanged:
    """Give a status while a run goes."""
    return status(**{"busy": True, "phase": "tools", **changes})


def hunks() -> tuple[Hunk, ...]:
    """Give the two hunks of the pictures."""
    return (
        Hunk(
            41,
            4,
            41,
            5,
            (
                "     def refresh(self) -> Token:",
                "-        if self._token is None:",
                "+        if self.expired(early=30):",
                "             self._token = self._fetch()",
                "+            self._renewed_at = now()",
                "         return self._token",
            ),
            "class Session · refresh",
        ),
        Hunk(
            117,
            3,
            118,
            4,
            (
                "     async def tick(self) -> None:",
                "-        token = self.session.token",
                "+        token = self.session.refresh()",
                "+        self.next_at = token.expires_at - EARLY",
                '         await self.client.get("/health", token=token)',
            ),
            "class Scheduler · tick",
        ),
    )


def _say(text: str, ident: str) -> AssistantMessage:
    return AssistantMessage(
        (TextBlock(text),), "sonnet", message_id=ident, uuid=f"a-{ident}", session_id=SESSION
    )


def _call(ident: str, name: str, tool_input: dict[str, Any], display: Display) -> AssistantMessage:
    return AssistantMessage(
        (ToolUseBlock(ident, name, tool_input),),
        "sonnet",
        message_id=f"m-{ident}",
        uuid=f"u-{ident}",
        session_id=SESSION,
        display=display,
    )


def _result(
    ident: str, text: str, display: Display, ms: int, *, error: bool = False
) -> UserMessage:
    return UserMessage(
        (ToolResultBlock(ident, text, error),),
        uuid=f"r-{ident}",
        session_id=SESSION,
        display=display,
        duration_ms=ms,
    )


def _prompt(text: str, ident: str, time: str) -> UserMessage:
    return UserMessage(text, uuid=ident, session_id=SESSION, timestamp=time)


PROMPT = "The refresh-token tests fail since the httpx bump. Find out why and fix it."


def looked() -> list[Message]:
    """Give the calls that only looked."""
    read = FileDisplay("src/auth.py", 1, 220, 220)
    test = FileDisplay("tests/test_auth.py")
    grep = SearchDisplay("refresh", matches=14, files=5)
    return [
        _call("t2", "Read", {"file_path": "src/auth.py"}, read),
        _call("t3", "Read", {"file_path": "tests/test_auth.py"}, test),
        _call("t4", "Grep", {"pattern": "refresh"}, grep),
        _result("t2", "...", read, 40),
        _result("t3", "...", test, 30),
        _result("t4", "...", grep, 30),
    ]


def main_scene() -> list[Incoming]:
    """Give what leads to the first picture."""
    failed = CommandDisplay(
        "uv run pytest tests/test_auth.py -q",
        exit_code=1,
        duration_ms=2300,
        tail=(
            "FAILED tests/test_auth.py::test_refresh_after_expiry - AssertionError: 'old' == 'new'",
            "3 failed, 12 passed in 2.11s",
        ),
        hidden_lines=48,
    )
    passed = CommandDisplay(
        "uv run pytest -q", exit_code=0, duration_ms=3900, tail=("15 passed in 3.70s",)
    )
    diff = DiffDisplay("src/auth.py", hunks()[:1], 2, 1)
    table = (
        "httpx 0.28 no longer retries a 401, so two callers now see `refresh()` hand back an "
        "**expired** token:\n\n"
        "| Caller | Gets today | Should get | Tests |\n|---|---|---|---:|\n"
        "| `Client.get` | the cached token | a new one after expiry | 2 |\n"
        "| `Scheduler.tick` | the cached token | a new one, 30 s early | 1 |\n\n"
        "A guard in `refresh()` repairs both:\n\n"
        "```python\nif self.expired(early=30):\n    self._token = self._fetch()\n```\n"
    )
    return [
        EngineUp(),
        status(busy=True, phase="requesting", turns=0),
        _prompt(PROMPT, "p1", "2026-11-30T14:02:00Z"),
        AssistantMessage(
            (ThinkingBlock("I should run the tests first.", "sig"),),
            "sonnet",
            message_id="m0",
            uuid="th",
            session_id=SESSION,
            timestamp="2026-11-30T14:02:06Z",
        ),
        _call("t1", "Bash", {"command": failed.command}, CommandDisplay(failed.command)),
        _result("t1", "3 failed", failed, 2300, error=True),
        *looked(),
        _say(table, "m2"),
        _call("t5", "Edit", {"file_path": "src/auth.py"}, diff),
        _result("t5", "edited", diff, 20),
        _call("t6", "Bash", {"command": passed.command}, CommandDisplay(passed.command)),
        _result("t6", "15 passed", passed, 3900),
        _say("The refresh path ignored expiry. **All 15 tests pass now.**", "m3"),
        ResultMessage(
            "success",
            41_000,
            30_000,
            False,
            4,
            SESSION,
            usage={"input_tokens": 5000, "output_tokens": 3100},
            result="done",
            uuid="res1",
            cost_usd=0.0312,
            total_cost_usd=0.0312,
        ),
        QueueChanged(
            (
                QueuedPrompt("q1", "add a test for a clock that is one minute off"),
                QueuedPrompt("q2", "then update CHANGELOG.md"),
            )
        ),
        status(),
    ]


def begin(prompt: str = PROMPT) -> list[Incoming]:
    """Give a run that has begun and looked at things."""
    return [
        EngineUp(),
        busy(turns=3, context_tokens=58_000, total_cost_usd=0.0214, run_cost_usd=0.0214),
        _prompt(prompt, "p1", "2026-11-30T14:02:00Z"),
        *looked(),
        _say(
            "A guard in `refresh()` repairs both callers, and the scheduler should renew a "
            "little early.",
            "m2",
        ),
    ]


def edit_call() -> AssistantMessage:
    """Give the call that is asked about."""
    return _call(
        "t5", "Edit", {"file_path": "src/auth.py"}, DiffDisplay("src/auth.py", hunks(), 4, 2)
    )


def edited_texts() -> tuple[str, str]:
    """Give lines 41 to 121 of the file, before and after the edit of the pictures."""
    first, second = hunks()
    old, new = (
        [line[1:] for line in h.lines if line[0] != sign]
        for h, sign in ((first, "+"), (first, "-"))
    )
    filler = [f"    # {number}" for number in range(46, 118)]
    old += filler + [line[1:] for line in second.lines if line[0] != "+"]
    new += filler + [line[1:] for line in second.lines if line[0] != "-"]
    return "\n".join(old), "\n".join(new)


def edit_question(ident: str = "r1", **changes: Any) -> PermissionRequest:
    """Give the question of the third picture."""
    old, new = edited_texts()
    rule = PermissionRuleValue("Edit", "src/**")
    values: dict[str, Any] = {
        "id": ident,
        "tool_name": "Edit",
        "tool_use_id": "t5",
        "input": {
            "file_path": "src/auth.py",
            "old_string": old,
            "new_string": new,
        },
        "display": DiffDisplay("src/auth.py", hunks(), 4, 2),
        "title": "Edit src/auth.py?",
        "reason": "Asked because no rule matches and mode default asks before edits.",
        "cwd": CWD,
        "suggestions": (
            PermissionUpdate("addRules", (rule,), destination="localSettings"),
            PermissionUpdate(
                "addRules", (PermissionRuleValue("Edit"),), destination="localSettings"
            ),
        ),
    }
    return PermissionRequest(**{**values, **changes})


COMMAND = "rm -rf build dist && uv build && git push --force origin fix-auth | tee push.log"


def _mark(text: str, word: str) -> Span:
    at = text.index(word)
    return Span(at, at + len(word))


def bash_question(ident: str = "r2") -> PermissionRequest:
    """Give the question of the fourth picture."""
    push = "git push --force origin fix-auth"
    return PermissionRequest(
        id=ident,
        tool_name="Bash",
        tool_use_id="t7",
        input={"command": COMMAND},
        display=CommandDisplay(COMMAND, "Rebuild and publish the branch"),
        title="Run this command?",
        reason="A rule asks.",
        decided_by="rule",
        rule="Bash(git push *)",
        rule_source="~/.agent-tui/settings.json line 14",
        cwd=CWD,
        parts=(
            CommandPart(
                "rm -rf build dist",
                False,
                "no rule, mode default asks",
                "deletes 2 folders, 41 files",
                (_mark("rm -rf build dist", "-rf"),),
            ),
            CommandPart("uv build", True, "allow Bash(uv *)  project", "writes dist/"),
            CommandPart(
                push,
                False,
                "ask Bash(git push *)  user",
                "replaces 3 commits on origin",
                (_mark(push, "--force"),),
            ),
            CommandPart("tee push.log", True, "inside the project", "writes push.log"),
        ),
        danger=(_mark(COMMAND, "-rf"), _mark(COMMAND, "--force")),
        suggestions=(
            PermissionUpdate(
                "addRules",
                (
                    PermissionRuleValue("Bash", "rm -rf build dist"),
                    PermissionRuleValue("Bash", push),
                ),
                destination="localSettings",
            ),
        ),
        default_to_no=True,
    )


def choices() -> list[Incoming]:
    """Give the questions of the fifteenth picture."""
    caches = AskedQuestion(
        "What should happen to caches that were pickled under the old name?",
        "Caches",
        (
            Choice(
                "Read them through the alias",
                "they keep working; the alias must stay until they expire",
            ),
            Choice("Drop them at start", "one slow start for everyone; nothing old stays"),
            Choice("Convert them once", "a small script under tools/, run by hand"),
        ),
    )
    warning = AskedQuestion(
        "Where should the warning be shown?",
        "Warning",
        (
            Choice("When the old name is imported", "DeprecationWarning, once per process"),
            Choice("In the changelog", "under Deprecated"),
            Choice("In the docs", "a note in docs/api.md"),
        ),
        multiple=True,
    )
    display = QuestionDisplay((caches, warning))
    return [
        _call("t8", "AskUserQuestion", {}, display),
        PermissionRequest("q1", "AskUserQuestion", "t8", {}, display, "2 questions", ""),
    ]


def _tasks(done: int, *, changed: tuple[int, ...]) -> TaskListDisplay:
    subjects = ("rename in src", "rename in tests", "run the suite", "alias that warns")
    rows = tuple(
        TaskRow(
            str(at + 1),
            subject,
            "completed" if at < done else "in_progress" if at == done else "pending",
            changed=at in changed,
        )
        for at, subject in enumerate(subjects)
    )
    return TaskListDisplay(rows)


def at_work() -> list[Incoming]:
    """Give a run with a task list, sub-agents, and work in the background: one asks, one ended, one was refused."""
    begun, further = _tasks(0, changed=(0, 1, 2, 3)), _tasks(2, changed=(1, 2))
    suite = CommandDisplay("uv run pytest -q")
    finder = AgentDisplay(
        "finds the callers",
        "general-purpose",
        last="Grep Session",
        tool_uses=3,
        total_tokens=4100,
        task_id="a1",
    )
    reviewer = AgentDisplay(
        "looks for places that pickle the old class name",
        "reviewer",
        last="Bash uv run python -c ...",
        tool_uses=7,
        total_tokens=3200,
        task_id="a2",
    )
    edit = DiffDisplay("src/auth.py", hunks()[:1], 2, 1)
    background = {"task_id": "b2", "task_type": "local_bash", "description": "npm run watch"}
    return [
        EngineUp(),
        busy(turns=12, total_cost_usd=0.1534, run_cost_usd=0.0704, run_tokens=9800),
        _prompt("Rename Session to TokenSession everywhere.", "p1", "2026-11-30T14:15:00Z"),
        _call("k1", "TaskCreate", {"subject": "rename in src"}, begun),
        _result("k1", "ok", begun, 4),
        _say("There are 23 uses in 9 files.", "m1"),
        _call("k2", "TaskUpdate", {"taskId": "2"}, further),
        _result("k2", "ok", further, 4),
        _call("t5", "Edit", {"file_path": "src/auth.py"}, edit),
        UserMessage((ToolResultBlock("t5", "A hook denied this call: generated", True),), "r5"),
        _call("s1", "Bash", {"command": suite.command}, suite),
        UserMessage(
            (ToolResultBlock("s1", "begun"),),
            "rs",
            tool_use_result={"backgroundTaskId": "b1"},
            display=suite,
        ),
        SystemMessage(
            "task_notification",
            {
                "uuid": "n1",
                "task_id": "b1",
                "tool_use_id": "s1",
                "status": "failed",
                "summary": "Command 'uv run pytest -q' ended with exit code 1",
            },
        ),
        SystemMessage("background_tasks_changed", {"uuid": "n2", "tasks": [background]}),
        _call("a1", "Agent", {"description": finder.description}, finder),
        _call("a2", "Agent", {"description": reviewer.description}, reviewer),
        ToolProgress("a1", "Agent", 31_000, finder),
        ToolProgress("a2", "Agent", 12_000, reviewer),
    ]
