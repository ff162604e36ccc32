"""The pictures: what each shows, and how a person gets there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pictures import scripts, things
from pictures.camera import Step, answerable, keys, typed, wait
from pictures.times import BRIEF, CLOCK, THOUGHT, TOOK, WAITS, Fixed
from tests.fakes.api_server import ReplySource, Rule
from tests.journeys.program import Program

MODEL = "claude-sonnet-5-5"
WIDE, NARROW = (120, 40), (60, 24)
READY = wait("default")
"""The screen is there."""
DRAFT = "and bump the version to "


def sent(prompt: str) -> tuple[Step, ...]:
    """Send a prompt."""
    return READY, typed(prompt), keys("enter")


def asked(prompt: str) -> tuple[Step, ...]:
    """Send a prompt, and wait for the end of its answer."""
    return typed(prompt), keys("enter"), wait(f"That was: {prompt}")


def times(
    clock: str, *took: str, thought: str = "0.5 s", waiting: str = "0:05"
) -> tuple[Fixed, ...]:
    """Fix when the prompt was sent, how long things took from top to bottom, how long was thought and waited."""
    return (
        Fixed(WAITS, (waiting,)),
        Fixed(CLOCK, (clock,)),
        Fixed(THOUGHT, (thought,)),
        Fixed(BRIEF, ("",)),
        Fixed(TOOK, took),
    )


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture.

    Attributes:
        name: of the file, without its ending.
        title: what it shows, in a line.
        replies: what the model says.
        steps: what the person does.
        size: columns and rows.
        theme: by name; empty for the program's own choice.
        settings: more of the person's own settings.
        variables: more for the environment; an empty value takes one away.
        arguments: of the program.
        times: fixed times to put in.
        rules: what the model says to requests that fit.
        before: what is put on the machine beforehand.
    """

    name: str
    title: str
    replies: tuple[ReplySource, ...] = ()
    steps: tuple[Step, ...] = ()
    size: tuple[int, int] = WIDE
    theme: str = "dark"
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    arguments: tuple[str, ...] = ("--max-budget-usd", "5")
    times: tuple[Fixed, ...] = ()
    rules: tuple[Rule, ...] = ()
    before: tuple[Callable[[Program], object], ...] = ()

    def settings_file(self) -> dict[str, Any]:
        """Give the person's settings."""
        return {
            "model": "sonnet",
            **({"theme": self.theme} if self.theme else {}),
            "prices": {MODEL: {"window": 200_000}},
            **self.settings,
        }


def allowed(*rules: str) -> dict[str, Any]:
    """Give settings that allow by these rules."""
    return {"permissions": {"allow": list(rules)}}


MAIN = Picture(
    "01-main-dark",
    "A finished prompt: a failed test run, what was read, the finding, the edit as a diff, the result",
    scripts.whole_prompt(),
    (*sent(scripts.FIRST_PROMPT), wait("4 turns"), typed(DRAFT)),
    settings=allowed("Bash(uv run *)", "Edit(src/**)"),
    times=times("14:02", "2.3 s", "3.9 s", "41 s", thought="6 s"),
)
EDIT = Picture(
    "03-permission-edit",
    "A question about an edit: why it is asked, hunk by hunk, and what each answer does",
    scripts.proposal(),
    (*sent(scripts.FIRST_PROMPT), typed(DRAFT), wait("No, and say why")),
    times=times("14:02", waiting="0:08"),
)

BASH = Picture(
    "04-permission-bash",
    "A question about a shell line: its dangerous words, its parts, and what decided about each",
    scripts.publish(),
    (*sent(scripts.PUBLISH_PROMPT), wait("No, and say why")),
    settings={"permissions": {"allow": ["Bash(uv *)"], "ask": ["Bash(git push *)"]}},
    before=(things.built,),
    times=times("14:20", waiting="0:03", thought="3 s"),
)
CHOICES = Picture(
    "15-question",
    "Two questions of the model's own, with answers to choose from",
    scripts.choices(),
    (
        *sent(scripts.RENAME_PROMPT),
        wait("Where should the warning"),
        answerable(),
        keys("down tab space down down space shift+tab"),
    ),
    times=times("14:15"),
)
STREAMING = Picture(
    "11-streaming",
    "A run that goes on: the task list, edits, a command with its newest lines, a sub-agent, a long draft",
    scripts.rename(),
    (
        *sent(scripts.SKEW_PROMPT),
        wait("1 turn"),
        typed(scripts.RENAME_PROMPT),
        keys("enter"),
        wait("test_scheduler.py"),
        wait("in the background"),
        typed(
            "When the suite is green, also look at the docs: the quick start still imports "
            "Session from tokenbox.auth, and docs/api.md has a table of classes. "
        ),
    ),
    settings=allowed("Bash(uv run *)", "Edit(src/**)"),
    before=(things.reviewer,),
    rules=scripts.reviewer(),
    times=(
        Fixed(r"Working +(\d+:\d\d)", ("1:07",)),
        Fixed(r"running +(\d+:\d\d)", ("0:42",)),
        *times("14:15", "58 s", "0:31", thought="4 s"),
    ),
)
WELCOME = Picture(
    "10a-welcome",
    "The first start: enter a key, use another server, or try the demo",
    (),
    (
        wait("Use another server"),
        keys("2 enter"),
        typed("{url}"),
        keys("tab"),
        typed("local-key"),
        keys("enter"),
        wait("answered in"),
    ),
    variables={"ANTHROPIC_API_KEY": "", "ANTHROPIC_BASE_URL": ""},
    arguments=(),
    times=(
        Fixed(r"(http://127\.0\.0\.1:\d+)", ("http://127.0.0.1:8080",)),
        Fixed(r"answered in (\d+\.\d s)", ("0.4 s",)),
        Fixed(r"agent-tui  (\d\S+)", ("0.1.0",)),
    ),
)
TRUST = Picture(
    "10b-trust",
    "A folder that was never seen before: what it brings, and whether that is trusted",
    (),
    (wait("Do you trust this folder?"), answerable()),
    before=(things.brought,),
)
PICKER = Picture(
    "07-picker",
    "Stored sessions, found by what was said in them, with a preview",
    (),
    (READY, typed("/resume"), keys("enter"), wait("Resume a session"), typed("expired token")),
    before=(things.sessions,),
    times=(
        Fixed(r"((?:today|yesterday|\d\d \w{3} \d{4}) \d\d:\d\d)", ("today 14:02",)),
        Fixed(r"│.*› .* (\d\d:\d\d) *$", ("14:02",)),
        Fixed(r"\b(\d+ kB)\b", ("6 kB",)),
        Fixed(r"\$\S+ {3}(\S+ s|\d+:\d\d) *$", ("41 s",)),
    ),
)
SEVERAL = Picture(
    "08-context",
    "What fills the window, as a bar and part by part",
    (*scripts.whole_prompt(), *scripts.small_prompts()),
    (
        *MAIN.steps[:4],
        *(step for prompt in scripts.SMALL_PROMPTS for step in asked(prompt)),
        *(typed("/context"), keys("enter"), wait("System prompt")),
    ),
    settings=MAIN.settings,
    times=(
        Fixed(r"^   (\d\d:\d\d)  ", ("14:02", "14:09", "14:15", "14:28")),
        Fixed(r"warm for (\d:\d\d)", ("3:40",)),
        *times("14:02", "41 s"),
    ),
)
REVIEW = Picture(
    "09-review",
    "All changes of the session, file by file, with comments on lines",
    scripts.changes(),
    (
        *sent(scripts.FIRST_PROMPT),
        wait("3 turns"),
        *(typed("/diff"), keys("enter"), wait("›  42 −")),
        *(keys("j down down c"), wait("✎ line 120"), typed(scripts.REMARK)),
        *(keys("enter"), wait("1 comment"), keys("k down c"), wait("✎ line 42")),
        typed("why 30? "),
    ),
    settings=allowed("Edit(src/**)", "Edit(tests/**)", "Edit(CHANGELOG.md)"),
    times=(Fixed(r"turn \d+, (\d\d:\d\d)", ("14:03",)), *times("14:02", "41 s")),
)
QUEUE = Picture(
    "01b-queue",
    "Prompts that wait for the end of the run, above the draft",
    (*scripts.whole_prompt()[:-1], scripts.slow_end()),
    (
        *sent(scripts.FIRST_PROMPT),
        wait("15 passed"),
        *(typed("add a test for a clock that is one minute off"), keys("enter")),
        *(typed("then update CHANGELOG.md"), keys("enter"), wait("2 queued"), typed(DRAFT)),
    ),
    settings=MAIN.settings,
    times=(
        Fixed(r"Working +(\d+:\d\d)", ("0:38",)),
        *times("14:02", "3.9 s", thought="6 s"),
    ),
)
DEMO_ASKS = Picture(
    "demo-permission",
    "The demo asks before it writes a file: the whole change, why it is asked, what each answer does",
    (),
    (*sent("tour"), wait("No, and say why"), answerable()),
    size=(100, 34),
    arguments=("--demo",),
    times=(
        # these depend on how long the names of the machine's folders are
        Fixed(r"context \S+ (\d+%)", ("3%",)),
        Fixed(r"cache (\d+%)", ("65%",)),
        Fixed(r"turns   (\d+(?:\.\d)?k) tok", ("9.1k",)),
        *times("14:02", "4.1 s", waiting="0:08"),
    ),
)
DEMO = replace(
    DEMO_ASKS,
    name="demo-main",
    title="The end of the demo's tour: what was written, a command that was refused, the answer",
    steps=(
        *DEMO_ASKS.steps,
        keys("y"),
        wait("Run this command?"),
        answerable(),
        *(keys("n enter"), wait("That was the tour")),
    ),
)
NO_COLOUR = {"NO_COLOR": "1"}

PICTURES: tuple[Picture, ...] = (
    MAIN,
    QUEUE,
    replace(MAIN, name="02-main-light", theme="light"),
    EDIT,
    BASH,
    replace(BASH, name="04b-permission-bash-light", theme="light"),
    replace(
        EDIT,
        name="05-side-by-side",
        title="The question on the whole screen, the file as it is beside the file as proposed",
        replies=scripts.long_proposal(),
        steps=(*EDIT.steps, answerable(), keys("f")),
        size=(160, 45),
    ),
    replace(EDIT, name="06-narrow", size=NARROW),
    PICKER,
    SEVERAL,
    replace(
        SEVERAL,
        name="08b-cost",
        title="What the session cost, by model and by prompt",
        steps=(*SEVERAL.steps[:-3], typed("/cost"), keys("enter"), wait("Cache read")),
    ),
    REVIEW,
    WELCOME,
    TRUST,
    STREAMING,
    replace(MAIN, name="12a-high-contrast", theme="high-contrast"),
    replace(MAIN, name="12b-sixteen-colours", theme="sixteen"),
    replace(MAIN, name="12c-no-colour", theme="", variables=NO_COLOUR),
    replace(EDIT, name="12d-permission-16", theme="sixteen"),
    replace(
        EDIT,
        name="14-edit-first",
        title="The proposal is changed before it is answered; the model will be told how",
        replies=scripts.small_proposal(),
        steps=(
            *EDIT.steps,
            answerable(),
            keys("e end left left" + " backspace" * 2),
            typed("self.early"),
            keys("end ctrl+j"),
            typed('            log.debug("token expired, renewing")'),
        ),
    ),
    CHOICES,
    DEMO,
    replace(DEMO, name="demo-light", theme="light"),
    DEMO_ASKS,
    replace(DEMO_ASKS, name="demo-narrow", size=NARROW),
)
