from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.engine.init import Init
from agent_tui.protocol.content import JsonObject
from tests.loop.stage import Stage

pytestmark = pytest.mark.anyio


async def test_it_is_said_once_for_each_prompt_as_things_are_then(tmp_path: Path) -> None:
    stage, model = Stage(tmp_path), ["one"]

    def data() -> JsonObject:
        return {"model": model[0]}

    init = Init(stage.record, data)
    await init.say()
    assert stage.system_messages("init") == []
    init.expect()
    await init.say()
    await init.say()
    model[0] = "two"
    init.expect()
    await init.say()
    assert [told["model"] for told in stage.system_messages("init")] == ["one", "two"]
    assert all(
        told["uuid"] and told["session_id"] == "session" for told in stage.system_messages("init")
    )
