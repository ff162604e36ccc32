"""The question about a folder, line by line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.line.trusting import WAYS, told, trusted
from agent_tui.protocol.queries import Failed, FolderOffer, FolderTrust, Query, Reply
from agent_tui.protocol.trust import Brought
from agent_tui.settings.options import Options, TrustOptions

pytestmark = pytest.mark.anyio

OFFER = FolderOffer(
    ask=True,
    project="/p",
    origin="example.com/clone",
    seen="s1",
    items=(
        Brought("hook", "Stop", "touch\npwn\x1b[2J", "m1"),
        Brought("rule", "Bash(make)", "", "m2", new=False),
        Brought("memory", "AGENTS.md", "41 lines"),
    ),
)
OPTIONS = Options(cwd="/p", interactive=True)


class Person:
    """Answers in order, then leaves."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.heard: list[str] = []

    async def prompt(self, message: str) -> str:
        raise AssertionError("no prompt is asked for")

    async def answer(self, message: str, text: str = "") -> str:
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)


async def ask(person: Person, reply: Reply = OFFER) -> Options:
    async def engine(query: Query) -> Reply:
        assert isinstance(query, FolderTrust)
        assert Options.from_json(query.options) == OPTIONS
        return reply

    return await trusted(engine, OPTIONS, person, person.heard.append)


@pytest.mark.parametrize("reply", [Failed("no"), FolderOffer(project="/p")])
async def test_without_need_nobody_is_asked_and_nothing_is_trusted(reply: Reply) -> None:
    person = Person()
    assert await ask(person, reply) == OPTIONS
    assert person.heard == []


@pytest.mark.parametrize(
    ("answers", "given"),
    [
        (("trust",), "always"),
        ((" Once ",), "once"),
        (("no",), "no"),
        (("", "y", "yes", "t", "no"), "no"),
    ],
)
async def test_only_a_whole_word_is_an_answer(answers: tuple[str, ...], given: str) -> None:
    person = Person(*answers)
    options = await ask(person)
    assert options == replace(OPTIONS, trust=TrustOptions(given, "s1"))  # pyright: ignore[reportArgumentType]
    assert person.heard.count("Nothing was answered.") == len(answers) - 1


async def test_who_leaves_has_answered_nothing() -> None:
    with pytest.raises(EOFError):
        await ask(Person("what"))


def test_everything_is_told_and_nothing_drives_the_terminal() -> None:
    assert told(OFFER) == [
        "Question: Do you trust this folder?",
        "  /p, cloned from example.com/clone",
        "It brings what can run programs or steer the model. None of it is active yet:",
        "  hook (runs a command): Stop  touch␤pwn␛[2J",
        "  allow rule (skips questions): Bash(make)",
        "  memory file (read by the model): AGENTS.md  41 lines",
        WAYS,
    ]
    changed = told(replace(OFFER, changed=True, origin=""))
    assert changed[1:3] == [
        "  /p",
        "It has changed since you trusted it. New, and not active yet:",
    ]
    assert "  and 1 more that you trusted before; all of it waits for your answer" in changed
    assert not any("Bash(make)" in line for line in changed)


async def test_the_files_can_be_read_first(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("one\n\x1b]0;pwn\x07two\n")
    person = Person("read", "no")
    offer = replace(OFFER, files=(str(file), str(tmp_path / "gone")))
    assert (await ask(person, offer)).trust.answer == "no"
    assert "one\n␛]0;pwn␇two\n" in person.heard
    assert "can't be read: No such file or directory" in person.heard
