from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.engine.switching import Switch, objection, switched
from agent_tui.protocol.hooks import HookBehavior, HookOutcome
from tests.loop.spoken import Spoken
from tests.loop.stage import Stage

pytestmark = pytest.mark.anyio

SWITCH = Switch("old", "new", "alias", 42)
SAME = Switch("old", "old", None, 42)


@pytest.mark.parametrize(
    ("behavior", "why"),
    [
        (None, None),
        ("allow", None),
        ("deny", "A hook keeps the model at old: too dear"),
        ("ask", "A hook keeps the model at old: too dear"),
    ],
)
async def test_a_hook_may_keep_the_model(behavior: HookBehavior | None, why: str | None) -> None:
    hooks = Spoken({"PreModelSwitch": HookOutcome(behavior, "too dear")})
    assert await objection(hooks, SWITCH) == why
    assert hooks.given("PreModelSwitch") == {
        "from_model": "old",
        "to_model": "new",
        "requested_model": "alias",
        "source": "user",
        "context_tokens": 42,
    }


async def test_hooks_are_told_when_it_has_changed_and_may_add_to_it(tmp_path: Path) -> None:
    hooks = Spoken({"PostModelSwitch": HookOutcome(additional_context=("you are new here",))})
    stage = Stage(tmp_path)
    await switched(hooks, SWITCH, stage.record)
    assert stage.record.conversation.head is None
    await stage.record.prompt("go", None)
    await switched(hooks, SWITCH, stage.record)
    assert "you are new here" in str(stage.next_request().messages)
    assert hooks.events == ["PostModelSwitch", "PostModelSwitch"]


async def test_the_same_model_again_is_no_change(tmp_path: Path) -> None:
    hooks = Spoken()
    assert await objection(hooks, SAME) is None
    await switched(hooks, SAME, Stage(tmp_path).record)
    assert hooks.heard == []
