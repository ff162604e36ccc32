"""Hooks are told which memory files a window's context holds."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from agent_tui.engine.extras import Extras, HookGroup
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt
from tests.engine.sessions import Answers, Place
from tests.fakes.api_server import is_summary, reply

pytestmark = pytest.mark.anyio


async def loaded(place: Place, *prompts: str, expect: int, matcher: str | None = None) -> list[Any]:
    """Talk; give what hooks were told of memory files, once there are as many as expected."""
    told: list[JsonObject] = []
    enough = anyio.Event()

    async def hook(given: JsonObject, call_id: str | None) -> JsonObject:
        told.append(given)
        if len(told) == expect:
            enough.set()
        return {"hookSpecificOutput": {"hookEventName": "InstructionsLoaded"}}

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            for number, text in enumerate(prompts):
                opened.session.send(Prompt(text, f"00000000-0000-4000-8000-{number:012d}"))
                async for message in messages:
                    if isinstance(message, ResultMessage):
                        break
        with anyio.fail_after(5):
            await enough.wait()

    group = HookGroup(matcher, (hook,))
    extras = Extras(approver=Answers(), hooks={"InstructionsLoaded": (group,)})
    await with_session(place.options, place.env, body, extras=extras)
    return sorted(told, key=lambda given: str(given["file_path"]))


async def test_each_file_is_told_with_its_kind_and_why_it_was_read(place: Place) -> None:
    own = place.home / ".claude" / "CLAUDE.md"
    own.parent.mkdir()
    own.write_text("Be brief.")
    main = place.write("CLAUDE.md", "See @more.md")
    more = place.write("more.md", "plum")
    mine = place.write("CLAUDE.local.md", "pear")
    place.api.enqueue("ok", "ok")
    told = await loaded(place, "hi", "again", expect=4)
    seen = {g["file_path"]: (g["memory_type"], g["load_reason"], g.get("parent_file_path")) for g in told}  # fmt: skip
    assert seen == {
        str(own): ("User", "session_start", None),
        str(main): ("Project", "session_start", None),
        str(more): ("Project", "include", str(main)),
        str(mine): ("Local", "session_start", None),
    }
    assert all(given["hook_event_name"] == "InstructionsLoaded" for given in told)


async def test_a_window_that_was_cut_reads_them_again(place: Place) -> None:
    place.write("CLAUDE.md", "plum")
    place.api.add_rule(is_summary(), reply("<summary>A plum.</summary>"))
    place.api.enqueue("first", "second", "third")
    told = await loaded(place, "a", "b", "/compact", "c", expect=2)
    assert [given["load_reason"] for given in told] == ["session_start", "compact"]


async def test_matchers_are_compared_with_the_reason(place: Place) -> None:
    place.write("CLAUDE.md", "See @more.md")
    more = place.write("more.md", "plum")
    place.api.enqueue("ok")
    told = await loaded(place, "hi", expect=1, matcher="include")
    assert [given["file_path"] for given in told] == [str(more)]
