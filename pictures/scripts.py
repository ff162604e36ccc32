"""What the model says in the pictures."""

from __future__ import annotations

from pictures import tokenbox
from tests.fakes.api_server import (
    Reply,
    ReplySource,
    Rule,
    all_of,
    has_tool_result,
    no_tool_result,
    reply,
    rule,
    stall,
    system_contains,
    thinking,
    tool,
)

AUTH = "src/auth.py"
TESTS = "tests/test_auth.py"
FIRST_PROMPT = "The refresh-token tests fail since the httpx bump. Find out why and fix it."

FINDING = """\
httpx 0.28 no longer retries a 401, so two callers now see `refresh()` hand back an **expired** token:

| Caller | Gets today | Should get | Tests |
|---|---|---|--:|
| `Client.get` | the cached token | a new one after expiry | 2 |
| `Scheduler.tick` | the cached token | a new one, 30 s early | 1 |

A guard in `refresh()` repairs both:

```python
if self.expired(early=30):
    self._token = self._fetch()
```
"""
TYPING = 2.0
"""Seconds before a reply in which the person types on."""
PROPOSAL = (
    "A guard in `refresh()` repairs both callers, and the scheduler should renew a little early."
)


def usage(read: int, written: int, fresh: int, said: int) -> dict[str, object]:
    """Give the tokens of one response: read from the cache, written to it, neither, and those of the answer."""
    return {
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
        "cache_creation": {"ephemeral_5m_input_tokens": written, "ephemeral_1h_input_tokens": 0},
        "input_tokens": fresh,
        "output_tokens": said,
    }


def edit(*changes: tuple[str, str]) -> dict[str, object]:
    """Give the input of an Edit of ``auth.py`` that makes all of these changes at once."""
    old, new = tokenbox.changed(tokenbox.auth(), *changes)
    return {"file_path": AUTH, "old_string": old, "new_string": new}


def look_around() -> Reply:
    """Read two files and search."""
    return reply(
        tool("Read", file_path=AUTH),
        tool("Read", file_path=TESTS),
        tool("Grep", pattern="refresh", output_mode="content"),
        usage=usage(54_000, 1_900, 200, 180),
    )


def whole_prompt() -> tuple[ReplySource, ...]:
    """Find out and repair: a failed run, reading, a finding with an edit and a run of all tests, the end."""
    guard = (tokenbox.OLD_REFRESH, tokenbox.NEW_REFRESH)
    return (
        reply(
            thinking("Run the tests first, then look at what they call."),
            tool("Bash", command="uv run pytest tests/test_auth.py -q"),
            usage=usage(52_000, 900, 250, 160),
        ),
        look_around(),
        reply(
            FINDING,
            tool("Edit", edit(guard)),
            tool("Bash", command="uv run pytest -q"),
            usage=usage(56_000, 3_000, 200, 520),
        ),
        reply(
            "The refresh path ignored expiry. **All 15 tests pass now.**",
            usage=usage(59_000, 2_600, 200, 60),
        ),
    )


def proposal() -> tuple[ReplySource, ...]:
    """Look around, then propose an edit in two places."""
    both = (
        (tokenbox.OLD_REFRESH, tokenbox.NEW_REFRESH),
        (tokenbox.OLD_TICK, tokenbox.NEW_TICK),
    )
    return (
        reply(
            tool("Read", file_path=AUTH),
            tool("Grep", pattern="refresh", output_mode="content"),
            usage=usage(52_000, 1_800, 250, 160),
            before=TYPING,
        ),
        reply(PROPOSAL, tool("Edit", edit(*both)), usage=usage(54_000, 3_000, 200, 520)),
    )


def small_proposal() -> tuple[ReplySource, ...]:
    """Propose an edit in one place."""
    first, _ = proposal()
    guard = (tokenbox.OLD_REFRESH, tokenbox.NEW_REFRESH)
    return first, reply(PROPOSAL, tool("Edit", edit(guard)), usage=usage(54_000, 3_000, 200, 520))


PUBLISH_PROMPT = "Clean the build folders, build the wheel and publish the branch."
PUBLISH = "rm -rf build dist && uv build && git push --force origin fix-auth | tee push.log"
CLEAN_TREE = (
    "The working tree is clean and all 15 tests pass. I’ll rebuild from scratch, then push. "
    "The branch was rebased this morning, so the push has to replace what is on `origin`."
)


def publish() -> tuple[ReplySource, ...]:
    """Look at the state of the tree, then ask for a line of four commands."""
    return (
        reply(
            thinking("Is the tree clean?"),
            CLEAN_TREE,
            tool("Bash", command="git status --short --branch"),
            usage=usage(62_000, 1_800, 250, 160),
        ),
        reply(
            tool("Bash", command=PUBLISH, description="Rebuild and publish the branch"),
            usage=usage(64_000, 2_000, 200, 120),
        ),
    )


SIDE_BY_SIDE = (
    (
        "    def __init__(self, client: Client) -> None:\n        self._client = client\n",
        "    def __init__(self, client: Client, early: float = 30) -> None:\n"
        "        self._client = client\n",
    ),
    (
        "        self._token: Token | None = None\n\n",
        "        self._token: Token | None = None\n"
        "        self._early = early\n\n"
        "    def expired(self, at: float) -> bool:\n"
        "        token = self._token\n"
        "        return token is None or at >= token.expires_at - self._early\n\n",
    ),
    ("        if self._token is None:\n", "        if self.expired(now()):\n"),
    (tokenbox.OLD_TICK, tokenbox.NEW_TICK),
)


def long_proposal() -> tuple[ReplySource, ...]:
    """Propose an edit that is better seen side by side."""
    first, _ = proposal()
    return first, reply(
        PROPOSAL, tool("Edit", edit(*SIDE_BY_SIDE)), usage=usage(54_000, 3_000, 200, 520)
    )


SKEW_PROMPT = "add a test for a clock that is one minute off"
SKEW = "Added `test_clock_skew`; it covers one minute in both directions. **All 16 tests pass.**"
RENAME_PROMPT = (
    "Rename Session to TokenSession everywhere, and keep the old name importable for one release."
)
TASKS = ("rename in src", "rename in tests", "run the suite", "alias with a DeprecationWarning")


def rename() -> tuple[ReplySource, ...]:
    """End one prompt; then plan, edit, and run the suite while a sub-agent looks on."""
    return (
        reply(SKEW, usage=usage(60_000, 2_000, 200, 300)),
        reply(
            thinking("Where is it used?"),
            "There are 23 uses in 9 files. I’ll rename them, leave an alias that warns, and run the whole suite.",
            *(tool("TaskCreate", subject=subject) for subject in TASKS),
            usage=usage(70_000, 1_500, 200, 300),
        ),
        reply(
            tool("TaskUpdate", taskId="1", status="completed"),
            tool("TaskUpdate", taskId="2", status="completed"),
            tool("TaskUpdate", taskId="3", status="in_progress"),
            tool(
                "Edit",
                file_path=AUTH,
                old_string="class Session:",
                new_string="class TokenSession:",
            ),
            tool("Grep", pattern=r"\bSession\b"),
            usage=usage(72_000, 1_500, 200, 300),
        ),
        reply(
            tool(
                "Agent",
                description="looks for places that pickle the old class name",
                prompt="Look for places that pickle the old class name.",
                subagent_type="reviewer",
                run_in_background=True,
            ),
            tool("Bash", command="uv run pytest -q -x"),
            usage=usage(74_000, 1_500, 200, 300),
        ),
    )


def reviewer() -> tuple[Rule, ...]:
    """What the sub-agent does: search, and go on thinking."""
    asked = system_contains(REVIEWER)
    return (
        rule(
            all_of(asked, no_tool_result),
            reply(
                tool("Grep", pattern="pickle"),
                tool("Grep", pattern="Session"),
                usage=usage(0, 2_800, 200, 120),
            ),
        ),
        rule(all_of(asked, has_tool_result()), reply("", fault=stall(block=0))),
    )


REVIEWER = "You review renames."


def choices() -> tuple[ReplySource, ...]:
    """Look around, then ask two questions."""
    return (
        reply(
            tool("Grep", pattern=r"\bSession\b", output_mode="content"),
            tool("Read", file_path=AUTH),
            tool("Read", file_path=TESTS),
            usage=usage(60_000, 1_500, 200, 200),
        ),
        reply(
            "The old name is also stored in pickled caches, so the alias alone is not enough for people who upgrade.",
            tool("AskUserQuestion", questions=QUESTIONS),
            usage=usage(62_000, 1_500, 200, 300),
        ),
    )


QUESTIONS = [
    {
        "question": "What should happen to caches that were pickled under the old name?",
        "header": "Caches",
        "multiSelect": False,
        "options": [
            {
                "label": "Read them through the alias",
                "description": "they keep working; the alias must stay until they expire",
            },
            {
                "label": "Drop them at start",
                "description": "one slow start for everyone; nothing old stays",
            },
            {
                "label": "Convert them once",
                "description": "a small script under tools/, run by hand",
            },
        ],
    },
    {
        "question": "Where should the warning be shown?",
        "header": "Warning",
        "multiSelect": True,
        "options": [
            {
                "label": "When the old name is imported",
                "description": "DeprecationWarning, once per process",
            },
            {"label": "In the changelog", "description": "under “Deprecated”"},
            {"label": "In the docs", "description": "a note in docs/api.md"},
        ],
    },
]


SMALL_PROMPTS = (
    "add a test for a clock that is one minute off",
    "rename Session to TokenSession everywhere",
    "then update CHANGELOG.md",
)


def small_prompts() -> tuple[ReplySource, ...]:
    """Answer each of the small prompts at once."""
    sizes = ((62_000, 2_000, 400, 900), (64_000, 9_000, 800, 2_900), (73_000, 1_500, 200, 300))
    return tuple(
        reply(f"That was: {prompt}", usage=usage(*size))
        for prompt, size in zip(SMALL_PROMPTS, sizes, strict=True)
    )


def slow_end() -> Reply:
    """Say the end, and keep the connection open."""
    return reply(
        "The refresh path ignored expiry. **All 15 tests pass now.**",
        usage=usage(59_000, 2_600, 200, 60),
        fault=stall(block=1),
    )


REMARK = "EARLY should come from the settings, not from the module. Keep 30 s as the default."


def changes() -> tuple[ReplySource, ...]:
    """Change four files and be done."""
    guard = (tokenbox.OLD_REFRESH, tokenbox.NEW_REFRESH)
    return (
        reply(
            *(tool("Read", file_path=path) for path in (AUTH, TESTS, "CHANGELOG.md")),
            usage=usage(52_000, 900, 250, 160),
        ),
        reply(
            tool("Edit", edit(guard, (tokenbox.OLD_TICK, tokenbox.NEW_TICK))),
            tool(
                "Edit",
                file_path=TESTS,
                old_string="    old = session.refresh()\n",
                new_string="    old = session.refresh()\n    session.forget()\n",
            ),
            tool(
                "Edit",
                file_path="CHANGELOG.md",
                old_string="- begin\n",
                new_string="- tokens are renewed in time\n",
            ),
            usage=usage(54_000, 900, 250, 160),
        ),
        reply("Tokens are renewed in time now.", usage=usage(56_000, 900, 250, 60)),
    )


def every_state() -> tuple[ReplySource, ...]:
    """Make calls that end in every way, and some that don't end."""
    return (
        reply(tool("Read", file_path=AUTH)),
        reply(tool("Bash", command="uv run pytest tests/test_auth.py -q")),
        reply(
            tool("Edit", file_path=AUTH, old_string="EARLY = 30\n", new_string="EARLY = 60\n"),
            tool("Bash", command="git push origin fix-auth"),
        ),
        reply(
            tool(
                "Agent",
                description="looks for places that pickle the old class name",
                prompt="Look for places that pickle the old class name.",
                subagent_type="reviewer",
                run_in_background=True,
            ),
            tool("Edit", file_path="CHANGELOG.md", old_string="- begin", new_string="- renew"),
            tool("Bash", command="uv run pytest -q"),
        ),
    )
