"""What the reference said in scripted situations, ours says too: messages, requests, questions, hooks.

``tests/data/kept_differences.toml`` names each difference that is meant, with its reason; one that is gone must go
from there too.
"""

from __future__ import annotations

import difflib
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from agent_tui.sdk import ProcessError
from tests.engine.sessions import refused
from tests.fakes.api_server import ApiServer
from tests.house.tree import ROOT
from tests.sdk import scenes_asked, scenes_at_work, scenes_ended
from tests.sdk.lines import binding, hooks_of
from tests.sdk.place import Place
from tests.sdk.scene import SCENARIOS, Scene

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::agent_tui.sdk.warned.CanUseToolShadowedWarning"),
]

DATA = ROOT / "tests" / "data"
THEIRS: dict[str, dict[str, Any]] = json.loads((DATA / "sdk-sequences.json").read_text("utf-8"))
KEPT: list[dict[str, Any]] = tomllib.loads((DATA / "kept_differences.toml").read_text("utf-8"))[
    "kept"
]
LISTED = (scenes_asked, scenes_at_work, scenes_ended)
"""The modules whose drivers are in ``SCENARIOS`` by now."""
REFUSED_AT_THE_START = "budget_zero"
"""The one scenario without a message: nothing begins."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def scene(clean_room: Path) -> Any:
    outside = clean_room / "outside"
    outside.mkdir()
    with ApiServer() as api:
        yield Scene(Place(api, clean_room / "work"), outside)
        assert not refused(api)
        assert not api.errors


def differences(theirs: list[str], ours: list[str]) -> list[tuple[list[str], list[str]]]:
    """Give the places where two lists differ: what one has there, what the other has."""
    match = difflib.SequenceMatcher(None, theirs, ours, autojunk=False)
    return [(theirs[a:b], ours[c:d]) for tag, a, b, c, d in match.get_opcodes() if tag != "equal"]


@pytest.mark.parametrize("name", sorted(SCENARIOS))
async def test_a_scenario_goes_as_with_the_reference(name: str, scene: Scene) -> None:
    await SCENARIOS[name](scene)
    theirs = THEIRS[name]
    found = {
        "messages": differences(binding(theirs["events"]), binding(scene.seen.lines)),
        "hooks": differences(hooks_of(theirs["events"]), scene.seen.hooks),
        "asked": differences(list(map(str, theirs["asked"])), list(map(str, scene.seen.asked))),
        "requests": differences([str(theirs["requests"])], [str(len(scene.api.messages))]),
    }
    seen = [(place, *parts) for place, all_parts in found.items() for parts in all_parts]
    meant = [
        (kept["place"], kept.get("theirs", []), kept.get("ours", []))
        for kept in KEPT
        if kept["scenario"] == name
    ]
    unmeant = [difference for difference in seen if difference not in meant]
    unused = [difference for difference in meant if difference not in seen]
    assert not unmeant, _told("differs", unmeant)
    assert not unused, _told("is kept and does not differ any more", unused)


def _told(what: str, found: list[tuple[str, list[str], list[str]]]) -> str:
    lines = [f"It {what}:"]
    for place, theirs, ours in found:
        lines += [f"  {place}:", *(f"    - {line}" for line in theirs)]
        lines += [f"    + {line}" for line in ours]
    return "\n".join(lines)


async def test_a_budget_of_nothing_is_refused_at_the_start(scene: Scene) -> None:
    assert THEIRS[REFUSED_AT_THE_START] == {"events": [], "requests": 0, "asked": []}
    with pytest.raises(ProcessError, match="max_budget_usd"):
        await scenes_ended.looping(scene, max_budget_usd=0.0)
    assert not scene.api.requests


def test_every_scenario_has_a_driver() -> None:
    assert {*SCENARIOS, REFUSED_AT_THE_START} == THEIRS.keys()


def test_every_kept_difference_has_its_reason() -> None:
    assert KEPT
    for kept in KEPT:
        assert kept["scenario"] in SCENARIOS
        assert kept["place"] in ("messages", "hooks", "asked", "requests")
        assert len(kept["reason"]) > 20
        assert kept.get("theirs") or kept.get("ours")
