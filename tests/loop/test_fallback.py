from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.journal.entries import NoticeEntry
from agent_tui.protocol.errors import ModelError
from tests.fakes.model import Broken, ScriptedModel, Step, said
from tests.loop.stage import MODEL, Stage

pytestmark = pytest.mark.anyio

OVERLOADED = Broken(ModelError("busy", status=529, kind="overloaded"))
OTHERS = ("claude-sonnet-4-6", "claude-haiku-4-5")


async def run(folder: Path, *script: Step, fallbacks: tuple[str, ...] = OTHERS) -> Stage:
    stage = Stage(folder, ScriptedModel(*script), fallbacks=fallbacks)
    await stage.run()
    return stage


def models(stage: Stage) -> list[str]:
    return [request.model for request in stage.model.requests]


async def test_the_next_model_answers_the_same_question(tmp_path: Path) -> None:
    stage = await run(tmp_path, OVERLOADED, said("Done."))
    first, second = stage.model.requests
    assert (first.model, second.model) == (MODEL, OTHERS[0])
    assert (first.messages, first.system, first.tools) == (
        second.messages,
        second.system,
        second.tools,
    )
    [result] = stage.results
    assert result.result == "Done."
    assert result.model_usage is not None and set(result.model_usage) == {OTHERS[0]}
    [told] = stage.system_messages("model_fallback")
    assert told["trigger"] == "overloaded"
    assert (told["original_model"], told["fallback_model"]) == (MODEL, OTHERS[0])
    assert MODEL in str(told["content"]) and OTHERS[0] in str(told["content"])
    assert any(
        isinstance(entry, NoticeEntry) and entry.subtype == "model_fallback"
        for entry in stage.sink.entries
    )


async def test_requests_say_how_long_to_wait_for_a_model_that_has_a_successor(
    tmp_path: Path,
) -> None:
    stage = await run(tmp_path, OVERLOADED, OVERLOADED, said("Done."))
    assert [request.overloads for request in stage.model.requests] == [3, 3, None]
    assert models(stage) == [MODEL, *OTHERS]


async def test_when_all_are_overloaded_the_run_ends_with_the_failure(tmp_path: Path) -> None:
    stage = await run(tmp_path, OVERLOADED, OVERLOADED, OVERLOADED)
    [result] = stage.results
    assert (result.is_error, result.api_error_status) == (True, 529)
    assert models(stage) == [MODEL, *OTHERS]


async def test_the_first_model_is_tried_again_at_the_next_prompt(tmp_path: Path) -> None:
    stage = await run(tmp_path, OVERLOADED, said("One."), said("Two."))
    await stage.run("again", "22222222-0000-4000-8000-000000000000")
    assert models(stage) == [MODEL, OTHERS[0], MODEL]


@pytest.mark.parametrize(
    ("error", "goes_on"),
    [
        (ModelError("down", status=503, kind="server_error"), True),
        (ModelError("no", status=500, kind="server_error"), False),
        (ModelError("no", status=404, kind="model_not_found"), False),
        (ModelError("no", status=401, kind="authentication_failed"), False),
        (ModelError("no", status=429, kind="rate_limit"), False),
    ],
)
async def test_only_a_model_that_is_not_available_is_stood_in_for(
    tmp_path: Path, error: ModelError, goes_on: bool
) -> None:
    stage = await run(tmp_path, Broken(error), said("Done."))
    assert len(stage.model.requests) == 1 + goes_on


async def test_without_other_models_nothing_changes(tmp_path: Path) -> None:
    stage = await run(tmp_path, OVERLOADED, fallbacks=(MODEL,))
    assert models(stage) == [MODEL]
    assert stage.model.requests[0].overloads is None
    assert stage.results[0].is_error
