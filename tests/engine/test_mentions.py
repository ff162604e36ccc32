"""``@path`` in a prompt."""

from __future__ import annotations

import json

import pytest

from agent_tui.engine.mentions import MAX_LISTED, MAX_MENTIONS, MENTION
from tests.engine.sessions import Place, texts_of

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("see @a.py and @b/c.py", ["a.py", "b/c.py"]),
        ("@first thing", ["first"]),
        ('read @"with blank.md" now', ["with blank.md"]),
        ("mail me@example.com", []),
        ("(@a.py)", []),
        ("@", []),
        ("line\n@x", ["x"]),
    ],
)
def test_what_is_a_mention(prompt: str, names: list[str]) -> None:
    assert [found[1] or found[2] for found in MENTION.finditer(prompt)] == names


async def told(place: Place, prompt: str) -> str:
    """What the model is sent beside the prompt."""
    place.api.enqueue("ok")
    talk = await place.talk(prompt)
    assert talk.result.result == "ok"
    blocks = texts_of(place.api.messages[-1].messages[-1])
    return "\n".join(blocks[blocks.index(prompt) + 1 :])


async def test_a_file_is_read_with_its_lines_numbered(place: Place) -> None:
    path = place.write("notes.md", "plum\npear\n")
    text = await told(place, "what says @notes.md?")
    assert f"This is {path}:" in text
    assert "1\tplum" in text.replace("→", "\t")


async def test_a_folder_is_listed_and_bounded(place: Place) -> None:
    for number in range(MAX_LISTED + 3):
        place.write(f"many/f{number:04}.txt", "")
    place.write("many/a/b.txt", "")
    text = await told(place, "look at @many")
    assert "It holds:\na/\nf0000.txt" in text
    assert "and 4 more" in text


async def test_what_is_not_there_is_left_to_the_prompt(place: Place) -> None:
    place.write("fifo.txt", "")
    long = "x" * 5000
    for prompt in ("@none.txt", "@~nobody-of-that-name/x", f"@{long}", "@a/b/c"):
        assert await told(place, prompt) == ""


async def test_a_binary_or_a_pipe_does_not_stop_the_run(place: Place) -> None:
    import os

    os.mkfifo(place.project / "pipe")
    (place.project / "bin.dat").write_bytes(bytes(range(256)) * 10)
    await told(place, "see @pipe and @bin.dat")


async def test_only_so_many_are_read(place: Place) -> None:
    names = [f"f{n}.txt" for n in range(MAX_MENTIONS + 5)]
    for name in names:
        place.write(name, f"content of {name}")
    text = await told(place, " ".join(f"@{name}" for name in names))
    assert text.count("The prompt mentions") == MAX_MENTIONS


async def test_the_end_of_a_sentence_is_no_part_of_the_name(place: Place) -> None:
    place.write("a.py", "plum")
    assert "plum" in await told(place, "look at @a.py, then go on")
    assert "plum" in await told(place, "have you seen @a.py?!")


async def test_a_mentioned_file_may_be_edited_without_another_read(place: Place) -> None:
    from tests.fakes.api_server import reply, tool

    path = place.write("a.txt", "old\n")
    place.api.enqueue(
        reply(tool("Edit", file_path=str(path), old_string="old", new_string="new")), "done"
    )
    talk = await place.mode("acceptEdits").talk("change @a.txt")
    assert path.read_text() == "new\n"
    assert not talk.tool_results[0].is_error


async def test_a7_a_rule_against_reading_holds_for_mentions_too(place: Place) -> None:
    place.write(".env", "SECRET=abc")
    settings = place.home / ".agent-tui" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"permissions": {"deny": ["Read(./.env)"]}}))
    place.api.enqueue("ok")
    await place.talk("what is in @.env ?")
    sent = json.dumps(place.api.messages[0].body)
    assert "SECRET" not in sent
    assert "forbid" in sent
