"""The pictures: what each shows, and how a person gets there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pictures import scripts, things
from pictures.camera import Step, answerable, keys, typed, wait
from pictures.times import BRIEF, CLOCK, THOUGHT, TOOK, Fixed
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


def times(clock: str, *took: str, thought: str = "") -> tuple[Fixed, ...]:
    """Fix when the prompt was sent, how long things took from top to bottom, and how long was thought."""
    return (
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
    times=times("14:02", "0:08"),
)

BASH = Picture(
    "04-permission-bash",
    "A question about a shell line: its dangerous words, its parts, and what decided about each",
    scripts.publish(),
    (*sent(scripts.PUBLISH_PROMPT), wait("No, and say why")),
    settings={"permissions": {"allow": ["Bash(uv *)"], "ask": ["Bash(git push *)"]}},
    before=(things.built,),
    times=(*times("14:20", "0:03", thought="3 s"), Fixed(r"exit 0(   0\.\d s)", ("",))),
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
    times=times("14:15", "0:05"),
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
        wait("It answers"),
    ),
    variables={"ANTHROPIC_API_KEY": "", "ANTHROPIC_BASE_URL": ""},
    arguments=(),
    times=(
        Fixed(r"(http://127\.0\.0\.1:\d+)", ("http://127.0.0.1:8080",)),
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
)
NO_COLOUR = {"NO_COLOR": "1"}

PICTURES: tuple[Picture, ...] = (
    MAIN,
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
            typed('log.debug("token expired, renewing")'),
        ),
    ),
    CHOICES,
)
