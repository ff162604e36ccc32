from __future__ import annotations

import os
from dataclasses import replace
from functools import cached_property
from typing import Any

import anyio.to_thread
import pytest

from agent_tui.engine.chosen import origin_of
from agent_tui.engine.controls import Held
from agent_tui.engine.extras import NO_EXTRAS, Extras
from agent_tui.engine.foundation import lay
from agent_tui.engine.opening import OpenSession
from agent_tui.engine.saving import SavingNotice
from agent_tui.engine.sessions import choose
from agent_tui.engine.wiring import Wiring, preview
from agent_tui.loop.approvals import DenyAll
from agent_tui.loop.asking import NobodyThere, PersonAsked
from agent_tui.protocol.display import DiffDisplay
from agent_tui.protocol.ops import Stop
from agent_tui.settings.options import LimitOptions, Options, PermissionOptions
from tests.engine.sessions import Answers, Place

pytestmark = pytest.mark.anyio


async def wired(place: Place, extras: Extras = NO_EXTRAS, **changes: Any) -> Wiring:
    """Lay the foundation and take a journal, as opening a session does."""
    options: Options = replace(place.options, **changes)
    base = await anyio.to_thread.run_sync(lay, options, place.env)
    saving = SavingNotice()
    chosen = choose(place.env, base.cwd, options.session, saving.changed, origin_of(options))
    return Wiring(base, extras, Held(chosen, extras.mirror), saving)


async def ended(wiring: Wiring) -> None:
    """Let go of what was made: a session that is never served holds its streams."""
    if "session" in vars(wiring):
        wiring.session.send(Stop())
        await wiring.session.serve()
    wiring.held.close()


def parts_of(wiring: Wiring) -> list[str]:
    """Name every part."""
    return [name for name, made in vars(type(wiring)).items() if isinstance(made, cached_property)]


async def test_every_part_can_be_asked_for_first(place: Place) -> None:
    names = parts_of(await wired(place))
    assert len(names) > 20
    for name in names:
        wiring = await wired(place)
        part = vars(type(wiring))[name].__get__(wiring)
        assert vars(wiring)[name] is part, name
        await ended(wiring)


async def test_parts_are_made_once_and_know_one_another(place: Place) -> None:
    wiring = await wired(place)
    session, deps = wiring.session, wiring.deps()
    assert session.record is deps.record is wiring.record
    assert deps.requests is wiring.requests
    assert wiring.place.ports.agents is wiring.helping.session_agents
    assert wiring.spill() == wiring.held.path.with_suffix("") / "tool-results"
    await ended(wiring)


async def test_a_person_is_asked_only_where_there_is_one(place: Place) -> None:
    screen = await wired(place)
    assert isinstance(screen.asker(), PersonAsked)
    assert screen.desk is not None
    alone = await wired(place, interactive=False)
    assert isinstance(alone.asker(), NobodyThere)
    assert isinstance(alone.approver, DenyAll)
    program = await wired(place, Extras(approver=Answers()))
    assert isinstance(program.asker(), NobodyThere)
    assert program.desk is None
    for wiring in (screen, alone, program):
        await ended(wiring)


@pytest.mark.parametrize(
    ("permissions", "origin", "more"),
    [
        (PermissionOptions(), "interactive", ()),
        (PermissionOptions(), "sdk", ("dontAsk", "auto")),
        (PermissionOptions(mode="auto"), "print", ("auto",)),
        (PermissionOptions(mode="dontAsk"), "print", ("dontAsk",)),
        (PermissionOptions(allow_bypass=True), "print", ("bypassPermissions",)),
    ],
)
async def test_modes_beside_the_usual_ones_are_offered_where_they_were_allowed(
    place: Place, permissions: PermissionOptions, origin: str, more: tuple[str, ...]
) -> None:
    place.variables["IS_SANDBOX"] = "1"
    wiring = await wired(place, permissions=permissions, origin=origin)
    assert wiring.modes == ("default", "acceptEdits", "plan", *more)
    await ended(wiring)


async def test_root_is_never_offered_to_go_without_approval(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    wiring = await wired(place, permissions=PermissionOptions(allow_bypass=True))
    assert "bypassPermissions" not in wiring.modes
    await ended(wiring)


async def test_limits_are_those_that_were_asked_for(place: Place) -> None:
    free = await wired(place)
    assert free.limits == (free.budget,)
    bound = await wired(place, limits=LimitOptions(max_turns=3, max_budget_usd=2.0))
    assert len(bound.limits) == 2
    assert bound.status.budget_usd == bound.budget.usd == 2.0
    for wiring in (free, bound):
        await ended(wiring)


async def test_a_preview_shows_what_would_be_done(place: Place) -> None:
    file = place.write("a.txt", "old\n")

    async def body(opened: OpenSession) -> None:
        tools, cwd = opened.base.tools, place.project
        edit = {"file_path": str(file), "old_string": "old", "new_string": "new"}
        assert isinstance(preview(tools, cwd, "Edit", edit), DiffDisplay)
        assert opened.tool_display("Edit", edit) == preview(tools, cwd, "Edit", edit)
        assert preview(tools, cwd, "Edit", {"file_path": 7}) is None
        assert preview(tools, cwd, "Fly", {}) is None

    await place.run(body)
    assert file.read_text() == "old\n"
