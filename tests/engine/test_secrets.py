"""Secrets of a project in whole sessions: what reaches the model, and what a person is asked first."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.protocol.requests import Deny, PermissionAnswer, PermissionRequest
from tests.engine.sessions import Answers, Place, Talk
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio

SECRET = "SECRET=plum-abc"


@pytest.fixture
def secretive(place: Place) -> Place:
    """A project with a secret in it."""
    place.write(".env", f"{SECRET}\n")
    place.write("app.py", "SECRET = 1\n")
    return place


def no(request: PermissionRequest) -> PermissionAnswer:
    return Deny("no")


async def called(place: Place, answers: Answers, name: str, **given: Any) -> tuple[Talk, str]:
    """Have the model make one call; give what was said, and all that was sent to it."""
    place.api.enqueue(reply(tool(name, **given)), "done")
    talk = await place.talk("go", approver=answers)
    return talk, json.dumps([request.body for request in place.api.messages])


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Read", {"file_path": ".env"}),
        ("Grep", {"pattern": "SECRET", "path": ".env", "output_mode": "content"}),
        ("Bash", {"command": "cat .env", "description": "look"}),
        ("Bash", {"command": "grep -r SECRET .", "description": "look"}),
        ("Bash", {"command": "sort < .env", "description": "look"}),
    ],
)
async def test_a7_a_secret_is_asked_and_a_no_keeps_it_from_the_model(
    secretive: Place, name: str, given: dict[str, str]
) -> None:
    given = {k: str(secretive.project / v) if k == "file_path" else v for k, v in given.items()}
    answers = Answers(no)
    _, sent = await called(secretive, answers, name, **given)
    assert len(answers.asked) == 1
    assert answers.asked[0].default_to_no
    assert "is a place where secrets are kept." in answers.asked[0].reason
    assert SECRET not in sent


async def test_a_search_that_was_aimed_at_it_and_approved_shows_it(secretive: Place) -> None:
    answers = Answers()
    given = {"pattern": "SECRET", "path": ".env", "output_mode": "content"}
    _, sent = await called(secretive, answers, "Grep", **given)
    assert len(answers.asked) == 1
    assert SECRET in sent


async def test_a7_searches_of_the_folder_leave_it_out_and_say_so(secretive: Place) -> None:
    for given in (
        {"pattern": "SECRET", "output_mode": "content"},
        {"pattern": "SECRET", "output_mode": "content", "glob": "{.env,app.py}"},
    ):
        answers = Answers(no)
        talk, sent = await called(secretive, answers, "Grep", **given)
        assert not answers.asked
        assert SECRET not in sent
        assert "secrets are kept there" in str(talk.tool_results[-1].content)
    talk, _ = await called(secretive, Answers(no), "Glob", pattern="**/.env*")
    assert "No files found" in str(talk.tool_results[-1].content)


async def test_a_rule_of_the_person_opens_it_for_all(secretive: Place) -> None:
    settings = secretive.home / ".agent-tui" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"permissions": {"allow": ["Read(.env)"]}}))
    answers = Answers(no)
    _, sent = await called(secretive, answers, "Grep", pattern="SECRET", output_mode="content")
    assert SECRET in sent
    _, sent = await called(secretive, answers, "Bash", command="cat .env", description="x")
    assert not answers.asked


async def test_without_questions_nothing_is_left_out(secretive: Place) -> None:
    free = secretive.mode("bypassPermissions")
    answers = Answers(no)
    _, sent = await called(free, answers, "Grep", pattern="SECRET", output_mode="content")
    assert SECRET in sent
    assert not answers.asked


async def test_a_mention_of_the_persons_own_reads_it(secretive: Place) -> None:
    (secretive.home / ".netrc").write_text("password plum-netrc")
    (secretive.project / "link").symlink_to(secretive.home / ".netrc")
    secretive.api.enqueue("ok", "ok")
    answers = Answers(no)
    await secretive.talk("look at @.env", "look at @link", approver=answers)
    sent = json.dumps([request.body for request in secretive.api.messages])
    assert SECRET in sent
    assert "plum-netrc" not in sent
    assert not answers.asked
