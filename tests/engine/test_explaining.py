"""Queries about the permissions of an open session, and changes of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.engine.replies import Answerer
from agent_tui.protocol.explanations import PermissionsInForce
from agent_tui.protocol.queries import (
    ChangePermissions,
    Explain,
    Explained,
    Failed,
    InForce,
    Query,
    Reply,
)
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio

MAKE = PermissionRuleValue("Bash", "make *")


def kept(place: Place) -> dict[str, Any]:
    """The person's own rules, as they are stored."""
    return json.loads((place.home / ".agent-tui" / "settings.json").read_text())["permissions"]


async def asked(place: Place, *queries: Query) -> list[Reply]:
    """Open a session and ask."""
    replies: list[Reply] = []

    async def body(opened: OpenSession) -> None:
        answerer = Answerer(place.env)
        answerer.attach(opened)
        replies.extend([await answerer.answer(query) for query in queries])

    await place.run(body)
    return replies


async def test_what_holds_and_what_would_be_decided(place: Place) -> None:
    folder = place.home / ".agent-tui"
    folder.mkdir()
    (folder / "settings.json").write_text('{"permissions": {"allow": [\n"Bash(make *)"]}}')
    state, explained, nothing = await asked(place, InForce(), Explain("make all"), Explain(" "))
    assert isinstance(state, PermissionsInForce)
    [rule] = [rule for rule in state.rules if rule.text == "Bash(make *)"]
    assert (rule.source, rule.removable) == (f"{folder}/settings.json:2", "userSettings")
    assert (state.mode, state.sandbox, state.trusted) == ("default", "off", None)
    assert isinstance(explained, Explained)
    assert explained.explanations[0].outcome == "allow"
    assert isinstance(nothing, Failed) and "what about" in nothing.error


async def test_a_folder_that_brings_something_is_told_to_be_trusted_or_not(place: Place) -> None:
    place.write(".claude/settings.json", '{"permissions": {"allow": ["Bash(evil)"]}}')
    [state] = await asked(place, InForce())
    assert isinstance(state, PermissionsInForce)
    assert state.trusted is False
    assert not any(rule.text == "Bash(evil)" for rule in state.rules)
    assert state.problems


async def test_a_rule_is_added_and_removed_for_good(place: Place) -> None:
    add = PermissionUpdate("addRules", (MAKE,), destination="userSettings")
    remove = PermissionUpdate("removeRules", (MAKE,), destination="userSettings")
    added, explained = await asked(place, ChangePermissions((add,)), Explain("make all"))
    assert isinstance(added, PermissionsInForce)
    assert kept(place)["allow"] == ["Bash(make *)"]
    assert isinstance(explained, Explained) and explained.explanations[0].outcome == "allow"
    removed, explained = await asked(place, ChangePermissions((remove,)), Explain("make all"))
    assert isinstance(removed, PermissionsInForce)
    assert not any(rule.text == "Bash(make *)" for rule in removed.rules)
    assert kept(place)["allow"] == []
    assert isinstance(explained, Explained) and explained.explanations[0].outcome == "ask"


async def test_a_rule_that_could_never_be_used_is_refused(place: Place) -> None:
    wrong = PermissionUpdate(
        "addRules", (PermissionRuleValue("Write", "src/**"),), destination="userSettings"
    )
    [reply] = await asked(place, ChangePermissions((wrong,)))
    assert isinstance(reply, Failed)
    assert reply.error.startswith("Write(src/**): paths are ruled by")
    assert not (place.home / ".agent-tui" / "settings.json").exists()


async def test_without_a_session_nothing_is_known(place: Place) -> None:
    for query in (InForce(), Explain("ls"), ChangePermissions(())):
        assert isinstance(await Answerer(place.env).answer(query), Failed)
