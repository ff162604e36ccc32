"""What /doctor looks at; the command itself is tried in tests/engine/commands/test_doctor.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.engine.foundation import lay
from agent_tui.engine.health import Check, examine
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def checks(place: Place, model: str = "claude-sonnet-5-5") -> dict[str, Check]:
    base = lay(place.options, place.env)
    try:
        found = await examine(base, model)
    finally:
        await base.client.aclose()
    return {check.about: check for check in found}


async def test_a_sound_place_has_nothing_wrong(place: Place) -> None:
    found = await checks(place)
    assert {about for about, check in found.items() if check.state == "wrong"} == set()
    assert found["key"].found == "from the variable ANTHROPIC_API_KEY"
    assert found["project"].found == str(place.project)
    assert found["server"].found.startswith(f"{place.api.url} answered in ")
    assert "sk-test-dummy" not in str(found)


async def test_terminal_and_locale_are_told(place: Place) -> None:
    place.variables.update({"TERM": "xterm-256color", "TMUX": "/tmp/x", "LANG": "C.UTF-8"})
    found = await checks(place)
    assert found["terminal"].found == "xterm-256color, 24-bit or 256 colours, inside tmux"
    assert "locale" not in found
    place.variables.update({"LANG": "C", "NO_COLOR": "1", "TMUX": ""})
    found = await checks(place)
    assert "no colours" in found["terminal"].found
    assert found["locale"].state == "note"


async def test_programs_that_are_missing_are_told_with_what_that_means(place: Place) -> None:
    place.variables["PATH"] = str(place.home)
    found = await checks(place)
    assert found["git"].state == "note"
    assert "branches" in found["git"].found


async def test_a_model_the_server_does_not_list_is_noted(place: Place) -> None:
    assert (await checks(place, "house-7b"))["model"].state == "note"


async def test_a_server_that_does_not_answer_is_wrong(place: Place) -> None:
    place.variables["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9"
    assert (await checks(place))["server"].state == "wrong"


async def test_others_that_may_write_into_our_folder_are_wrong(place: Place) -> None:
    folder = Path(place.home / ".agent-tui")
    folder.mkdir()
    folder.chmod(0o777)
    found = await checks(place)
    assert found["own folder"].state == "wrong"
    assert "chmod go-w" in found["own folder"].found


async def test_the_demo_needs_no_key_and_no_server(place: Place) -> None:
    place = replace(place, options=replace(place.options, demo=True))
    found = await checks(place, "demo")
    assert (found["key"].state, found["server"].state) == ("ok", "ok")
