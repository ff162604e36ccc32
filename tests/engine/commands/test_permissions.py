from __future__ import annotations

import json

import pytest

from tests.engine.sessions import Place, Talk

pytestmark = pytest.mark.anyio


def given(place: Place, **rules: list[str]) -> None:
    """Put rules into the person's own settings, each on a line of its own."""
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"permissions": rules}, indent=1))


def said(talk: Talk) -> list[str]:
    """The lines of the command's output."""
    return str(talk.system("local_command_output")[-1].data["content"]).splitlines()


async def test_without_more_it_lists_what_holds_with_file_and_line(place: Place) -> None:
    given(place, allow=["Bash(make *)"], deny=["Read(./secret/**)"], ask=["Bash(git push *)"])
    lines = said(await place.talk("/permissions"))
    assert lines[0] == "mode: default"
    assert f"folders: {place.project}" in lines
    assert "sandbox: off" in lines
    place_of = {" ".join(line.split()) for line in lines}
    assert "Bash(make *) ~/.agent-tui/settings.json:4" in place_of
    assert "Read(./secret/**) ~/.agent-tui/settings.json:7" in place_of
    assert "Bash(git push *) ~/.agent-tui/settings.json:10" in place_of
    assert lines.index("Deny") < lines.index("Ask") < lines.index("Allow")


async def test_rules_that_were_left_out_are_told(place: Place) -> None:
    given(place, allow=["Read(!x)"])
    lines = said(await place.talk("/permissions list"))
    at = lines.index("Left out")
    assert "a path pattern can't be negated" in lines[at + 1]
    assert "settings.json:4" in lines[at + 1]


@pytest.mark.parametrize("typed", ["git push -f", "check git push -f", "Bash(git push -f)"])
async def test_with_a_call_it_says_what_would_be_decided_and_why(place: Place, typed: str) -> None:
    given(place, ask=["Bash(git push *)"])
    lines = said(await place.talk(f"/permissions {typed}"))
    assert lines[0] == "Bash(git push -f)"
    assert lines[1].startswith(
        "asks you: The rule Bash(git push *) in ~/.agent-tui/settings.json:4"
    )
    assert any(line.endswith("<- decides") for line in lines)


async def test_nothing_is_run_and_nobody_is_asked(place: Place) -> None:
    talk = await place.talk("/permissions touch made")
    assert said(talk)[1].startswith("asks you: ")
    assert not (place.project / "made").exists()
    assert place.api.messages == []


async def test_it_is_about_this_session(place: Place) -> None:
    talk = await place.mode("acceptEdits").talk("/permissions Edit a.txt")
    assert said(talk)[:2] == ["Edit(a.txt)", "runs: The mode acceptEdits lets it run."]


async def test_check_alone_is_no_call(place: Place) -> None:
    talk = await place.talk("/permissions check")
    assert said(talk)[0] == "Bash(check)"
