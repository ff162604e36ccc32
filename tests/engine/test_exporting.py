from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.engine.exporting import Exporting
from agent_tui.journal.fold import Conversation
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.masking import Masker
from agent_tui.settings.options import SessionOptions
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


def exporting(folder: Path, title: str = "Fix it: now!") -> Exporting:
    conversation = replace(Conversation(), session_id="0123456789abcdef", generated_title=title)
    return Exporting(
        lambda: (), lambda: conversation, lambda _name, _given: None, Masker(), folder, folder / "h"
    )


@pytest.mark.parametrize(
    ("args", "form", "file"),
    [
        ("", "md", "fix-it-now-01234567.md"),
        ("html", "html", "fix-it-now-01234567.html"),
        ("JSON", "json", "fix-it-now-01234567.json"),
        ("a b.md", "md", "a b.md"),
        ("talk.html", "html", "talk.html"),
        ("notes.markdown", "md", "notes.markdown"),
        ("json talk.txt", "json", "talk.txt"),
        ("md sub", "md", "sub/fix-it-now-01234567.md"),
        ("talk", "md", "talk"),
        ("~/x.json", "json", "h/x.json"),
    ],
)
def test_a_form_and_a_file_may_be_named(tmp_path: Path, args: str, form: str, file: str) -> None:
    (tmp_path / "sub").mkdir()
    assert exporting(tmp_path).wanted(args) == (form, tmp_path / file)


def test_an_ending_of_no_form_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'a\.pdf' ends in none"):
        exporting(tmp_path).wanted("a.pdf")


def test_without_a_title_it_is_named_by_the_session(tmp_path: Path) -> None:
    assert exporting(tmp_path, "").wanted("")[1].name == "01234567.md"


async def said(place: Place, *prompts: str) -> str:
    talk = await place.talk(*prompts)
    return "\n".join(
        str(message.data["content"])
        for message in (*talk.system("local_command_output"), *talk.system("informational"))
    )


async def test_the_whole_conversation_is_written_for_its_owner_alone_without_secrets(
    place: Place,
) -> None:
    place.write("key.txt", f"password: {SECRET}\n")
    place.api.enqueue(reply(tool("Read", {"file_path": "key.txt"})), "It is **there**.")
    text = await said(place.mode("bypassPermissions"), f"is {SECRET} in it?", "/export out.md")
    path = place.project / "out.md"
    assert f"Exported to {path}." in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    written = path.read_text()
    assert "It is **there**." in written and "### Read" in written and "[masked]" in written
    assert SECRET not in written


async def test_it_is_never_written_over_a_file_and_never_empty(place: Place) -> None:
    there = place.write("out.html", "mine")
    place.api.enqueue("hello")
    assert "nothing to export" in await said(place, "/export out.json")
    assert "is there already" in await said(place, "hi", "/export out.html")
    assert there.read_text() == "mine"
    assert not (place.project / "out.json").exists()


async def test_what_can_not_be_written_is_told(place: Place) -> None:
    place.write("folder", "a file")
    place.api.enqueue("hello")
    assert "can't be written" in await said(place, "hi", "/export folder/x.md")


async def test_a_session_that_is_kept_nowhere_can_be_exported(place: Place) -> None:
    options = replace(place.options, session=SessionOptions(persist=False))
    place.api.enqueue("hello")
    await said(replace(place, options=options), "hi", "/export out.json")
    data = json.loads((place.project / "out.json").read_text())
    assert [block["kind"] for block in data["blocks"]] == ["prompt", "answer", "result"]
