"""Pictures and dropped files on the whole screen."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from textual import events

from agent_tui.protocol import ops
from agent_tui.protocol.messages import QueueChanged, QueuedPrompt
from tests.tui.scenes import busy
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def png(path: Path, width: int = 64, height: int = 48) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(out, "PNG")
    path.write_bytes(out.getvalue())
    return out.getvalue()


async def looked(on: Stage) -> None:
    """Wait until what was pasted has been looked at."""
    for worker in [w for w in on.app.workers if w.group == "attaching"]:
        await worker.wait()
    await on.settle()


async def paste(on: Stage, text: str) -> None:
    on.main.prompt.post_message(events.Paste(text))
    await on.settle()
    await looked(on)


async def test_a_dropped_picture_is_a_chip_that_is_sent_with_the_prompt(tmp_path: Path) -> None:
    data = png(tmp_path / "my shot.png")
    async with running() as on:
        await on.type("what is ")
        await paste(on, f"'{tmp_path}/my shot.png'")
        await on.type("?")
        assert "what is [Image 1 · 64x48] ?" in on.text
        await on.press("enter")
        [prompt] = on.link.of(ops.Prompt)
        assert prompt.text == "what is [Image 1] ?"
        assert prompt.content is not None
        shown: Any = prompt.content[1]
        assert base64.b64decode(shown["source"]["data"]) == data


async def test_a_chip_that_is_erased_takes_its_picture_along(tmp_path: Path) -> None:
    png(tmp_path / "a.png")
    async with running() as on:
        await paste(on, str(tmp_path / "a.png"))
        await on.press("backspace", "backspace")
        await on.type("no picture")
        await on.press("enter")
        [prompt] = on.link.of(ops.Prompt)
        assert (prompt.text, prompt.content) == ("no picture", None)


async def test_dropped_files_become_mentions(tmp_path: Path) -> None:
    (tmp_path / "a b.txt").write_text("")
    (Path.cwd() / "own.txt").write_text("")
    async with running() as on:
        await paste(on, f"'{tmp_path}/a b.txt' '{Path.cwd()}/own.txt'")
        assert on.main.prompt.value == f'@"{tmp_path}/a b.txt" @own.txt '
        await on.press("ctrl+underscore")
        assert on.main.prompt.value == f"'{tmp_path}/a b.txt' '{Path.cwd()}/own.txt'"


async def test_a_path_as_one_writes_it_stays_and_so_does_what_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    for text in (f"{tmp_path}/a.txt", "'/no/such/file'", "/no/such.png"):
        async with running() as on:
            await paste(on, text)
            assert on.main.prompt.value == text


async def test_in_a_line_for_the_shell_paths_stay_paths(tmp_path: Path) -> None:
    png(tmp_path / "a.png")
    async with running() as on:
        await on.type("! file ")
        await paste(on, f"'{tmp_path}/a.png'")
        assert on.main.prompt.value == f"! file '{tmp_path}/a.png'"


async def test_without_a_program_for_it_ctrl_v_says_which_one_is_missing() -> None:
    async with running() as on:
        await on.type("draft")
        await on.press("ctrl+v")
        await looked(on)
        assert "must be installed" in on.text
        assert on.main.prompt.value == "draft"


async def test_a_queued_prompt_keeps_its_pictures_when_it_is_taken_back(tmp_path: Path) -> None:
    png(tmp_path / "a.png")
    async with running() as on:
        await on.say(busy())
        await on.type("see ")
        await paste(on, str(tmp_path / "a.png"))
        await on.press("enter")
        [prompt] = on.link.of(ops.Prompt)
        await on.say(QueueChanged((QueuedPrompt(prompt.uuid, prompt.text),)))
        await on.press("ctrl+q", "e")
        assert "[Image 1 · 64x48]" in on.text
        await on.press("enter")
        again = on.link.of(ops.Prompt)[-1]
        assert again.content is not None
        assert len(again.content) == 2
