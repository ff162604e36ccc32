from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.engine.past import keeps_files
from agent_tui.settings.options import Options, SessionOptions
from agent_tui.settings.paths import Environment
from tests.engine.hindsight import Desk, at_desk, edit
from tests.engine.sessions import Place

SCREEN, PROGRAM = Options(cwd="/w", interactive=True), Options(cwd="/w")
ASKED = {"CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING": "true"}
OFF = {"CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING": "1"}


@pytest.mark.parametrize(
    ("options", "variables", "keeps"),
    [
        (SCREEN, {}, True),
        (PROGRAM, {}, False),
        (PROGRAM, ASKED, True),
        (replace(PROGRAM, keep_files=True), {}, True),
        (SCREEN, OFF, False),
        (replace(PROGRAM, keep_files=True), OFF, False),
    ],
)
def test_what_files_were_is_kept_for_a_person_and_for_who_asks(
    options: Options, variables: dict[str, str], keeps: bool
) -> None:
    assert keeps_files(options, Environment(variables, Path("/home/ada"))) is keeps


@pytest.mark.anyio
async def test_a_session_that_is_not_saved_goes_back_too_and_leaves_nothing(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.options = replace(place.options, session=SessionOptions(persist=False))
    place.api.enqueue(edit(file, "one", "two"), "done", "after")

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("the first")
        assert [row.shown for row in (await desk.changes()).files] == ["a.txt"]
        assert (await desk.rewind(uuid)).files == ("a.txt",)
        await desk.prompt("the second")
        assert "the first" not in str(place.api.messages[-1].messages)
        assert (await desk.points()).points[0].text == "the second"

    await at_desk(place, body)
    assert file.read_text() == "one\n"
    assert not list(place.home.rglob("file-history"))


@pytest.mark.anyio
async def test_lines_of_the_person_themselves_are_not_the_agents(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done")

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("go")
        await desk.shell("echo mine > a.txt; echo mine > other.txt")
        [row] = (await desk.plan(uuid)).files
        assert (row.shown, row.foreign) == ("a.txt", "changed since")

    await at_desk(place, body)
    assert (place.project / "other.txt").read_text() == "mine\n"
