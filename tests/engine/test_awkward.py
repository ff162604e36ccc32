"""Awkward pictures, names, files and commands in whole runs: what reaches the model and the disk."""

from __future__ import annotations

import json
import os
import shutil
import socket
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from PIL import Image

from agent_tui.engine.opening import OpenSession
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt
from tests.engine.sessions import Answers, Place
from tests.fakes.api_server import Block, reply, tool
from tests.fakes.api_server.rules import as_list, blocks_of, objects
from tests.machine.alive import gone, running

pytestmark = pytest.mark.anyio


def bash(*commands: str) -> list[Block]:
    return [tool("Bash", {"command": command}) for command in commands]


def told(place: Place, number: int = -1) -> list[str]:
    """The tool results of a request, as text."""
    return [str(result["content"]) for result in place.api.messages[number].tool_results]


async def test_p5_an_oversized_picture_does_not_poison_the_session(place: Place) -> None:
    noise = os.urandom(1_500 * 1_400 * 3)
    Image.frombytes("RGB", (1_500, 1_400), noise).save(place.project / "big.png")
    assert (place.project / "big.png").stat().st_size > 6_000_000
    place.api.enqueue(
        reply(tool("Read", file_path="big.png")), "I see noise.", "big.png", reply("<summary>x</summary>"), "on"
    )  # fmt: skip
    talk = await place.talk("look", "never mind, list the files", "/compact", "and on")
    assert [result.subtype for result in talk.results] == ["success"] * 4
    [result] = place.api.messages[1].tool_results
    picture, why = objects(result["content"])
    assert picture["type"] == "image"
    assert "packed again as JPEG" in str(why["text"])
    assert len(talk.system("compact_boundary")) == 1
    assert place.api.messages[-1].status == 200


async def test_p6_a_name_that_is_no_text_goes_out_and_comes_back(place: Place) -> None:
    odd = Path(os.fsdecode(os.fsencode(place.project) + b"/\xff.txt"))
    odd.write_text("found it")
    place.api.enqueue(
        reply(tool("Glob", pattern="*.txt"), *bash("ls")),
        reply(tool("Read", file_path="\\xff.txt")),
        "ok",
    )
    await place.talk("go")
    assert told(place, 1) == ["\\xff.txt", "\\xff.txt"]
    assert "found it" in told(place)[0]
    assert not odd.with_name("\\xff.txt").exists()


@pytest.mark.parametrize("before", [14_999, 15_000, 29_998, 29_999, 30_000])
async def test_p6_an_emoji_at_the_cut_leaves_no_half_in_the_request(
    place: Place, before: int
) -> None:
    line = f"head -c {before} /dev/zero | tr '\\0' x; printf '\\U1F600'; head -c {30_000 - before + 50} /dev/zero | tr '\\0' y"
    place.api.enqueue(reply(*bash(line)), "ok")
    await place.talk("go")
    raw = place.api.messages[1].raw
    body = json.loads(raw.decode("utf-8"))
    json.dumps(body, ensure_ascii=False).encode("utf-8")
    assert b'\\ud83d"' not in raw.lower()
    assert "xxx" in told(place)[0]


async def test_e4_the_question_about_a_link_names_what_is_written(place: Place) -> None:
    real = place.write("real.txt", "old words\n")
    link = place.project / "link.txt"
    link.symlink_to("real.txt")
    place.api.enqueue(
        reply(tool("Read", file_path="link.txt")),
        reply(tool("Write", file_path="link.txt", content="new words\n")),
        reply(tool("Edit", file_path="link.txt", old_string="new", new_string="newer")),
        "ok",
    )
    people = Answers()
    await place.talk("go", approver=people)
    assert link.is_symlink()
    assert real.read_text() == "newer words\n"
    assert [request.tool_name for request in people.asked] == ["Write", "Edit"]
    for request in people.asked:
        assert f"It is a link: {real} is written." in request.reason


async def test_e6_a_write_from_an_old_copy_is_refused_until_the_file_is_read_again(
    place: Place,
) -> None:
    notes = place.write("notes.md", "one\n")
    place.api.enqueue(
        reply(tool("Read", file_path="notes.md")),
        reply(*bash("true")),
        reply(tool("Write", file_path="notes.md", content="one\nmine\n")),
        reply(tool("Read", file_path="notes.md")),
        reply(tool("Write", file_path="notes.md", content="one\ntheirs\nmine\n")),
        "ok",
    )
    seen: list[str] = []

    def during(message: object, send: object) -> None:
        if len(place.api.messages) == 2 and not seen:
            seen.append("changed")
            notes.write_text("one\ntheirs\n")

    talk = await place.mode("bypassPermissions").talk("go", during=during)
    assert "changed since you read it" in str(talk.tool_results[2].content)
    assert talk.tool_results[2].is_error
    assert not talk.tool_results[4].is_error
    assert "theirs" in told(place, 4)[0]
    assert notes.read_text() == "one\ntheirs\nmine\n"


async def test_s3_a_server_in_the_background_is_gone_with_the_session(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    place.api.enqueue(
        reply(*bash(f"python3 -m http.server -b 127.0.0.1 {port} & echo started")), "ok"
    )

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", "q1"))
            async for message in messages:
                if isinstance(message, ResultMessage):
                    break
        assert running("http.server", port)

    begun = time.monotonic()
    with anyio.fail_after(20):
        await place.mode("bypassPermissions").run(body)
    assert time.monotonic() - begun < 6
    [result] = place.api.messages[1].tool_results
    assert "started" in str(result["content"])
    assert "Still running in the background" in str(result["content"])
    assert not result["is_error"]
    assert await gone("http.server", port)


async def test_s8_a_line_passes_from_the_model_to_the_shell_unchanged(place: Place) -> None:
    printed = r"""printf '%s|' '!= "x"' "a!b" '$HOME' '\t' | od -An -tx1"""
    place.api.enqueue(reply(*bash(printed, "printf 'ax\\nby\\n' | awk '$1 !~ /x/'")), "ok")
    await place.mode("bypassPermissions").talk("go")
    dump, awk = told(place)
    assert bytes.fromhex("".join(dump.split())) == rb"""!= "x"|a!b|$HOME|\t|"""
    assert awk == "by"


async def test_s9_a_folder_deleted_by_the_command_itself_is_left(place: Place) -> None:
    (place.project / "sub").mkdir()
    place.api.enqueue(
        reply(*bash(f"cd {place.project}/sub && rm -rf ../sub")), reply(*bash("echo hi; pwd")), "ok"
    )
    await place.mode("bypassPermissions").talk("go")
    assert f"Shell cwd was reset to {place.project}" in "".join(told(place, 1) + told(place, 2))
    assert told(place, 2)[0].startswith(f"hi\n{place.project}")


async def test_s9_a_project_that_another_program_removes_leaves_home(place: Place) -> None:
    below = place.project / "proj"
    below.mkdir()
    inner = replace(place, options=replace(place.options, cwd=str(below))).mode("bypassPermissions")
    place.api.enqueue(reply(*bash("echo one")), reply(*bash("echo hi; pwd")), "ok")
    done: list[int] = []

    def during(message: object, send: object) -> None:
        if len(place.api.messages) == 2 and not done:
            done.append(1)
            shutil.rmtree(below)

    talk = await inner.talk("go", during=during)
    assert done
    assert told(place)[0].startswith(f"hi\n{place.home}\n")
    assert f"Shell cwd was reset to {place.home}" in told(place)[0]
    assert talk.result.subtype == "success"


async def test_p2_two_calls_of_a_killed_session_are_answered_and_not_run_again(
    place: Place,
) -> None:
    marks = place.project / "marks"
    commands = [f"echo {name} >> {marks}" for name in "ab"]
    calls = [
        tool("Bash", {"command": line}, id=name) for name, line in zip("ab", commands, strict=True)
    ]
    place.api.enqueue(reply(*calls), "never heard")
    trusting = place.mode("bypassPermissions")
    talk = await trusting.talk("go")
    cut_before_results(talk.journal)
    marks.unlink()
    place.api.enqueue("Going on.")
    before = len(place.api.messages)
    again = await trusting.resuming(talk.session_id).mode("bypassPermissions").talk("continue")
    assert again.result.result == "Going on."
    assert len(place.api.messages) == before + 1
    blocks = place.api.messages[-1].last_user_blocks
    assert [b["type"] for b in blocks][:2] == ["tool_result"] * 2
    assert [b["tool_use_id"] for b in blocks[:2]] == ["a", "b"]
    assert all(b["is_error"] and "not completed" in str(b["content"]) for b in blocks[:2])
    assert blocks[-1]["text"] == "continue"
    assert not marks.exists()


def cut_before_results(journal: Path) -> None:
    """Leave what a kill between the calls and their results leaves: nothing after the last call."""
    kept: list[str] = []
    for line in journal.read_text().splitlines(keepends=True):
        record: dict[str, Any] = json.loads(line)
        content = as_list(record.get("message", {}).get("content"))
        if any(block["type"] == "tool_result" for block in blocks_of(content)):
            break
        kept.append(line)
    journal.write_text("".join(kept))
    assert sum('"tool_use"' in line for line in kept) >= 1
