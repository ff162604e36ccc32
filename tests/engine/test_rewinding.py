"""Going back to an earlier prompt."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import anyio
import pytest

from agent_tui.engine.replies import Answerer
from agent_tui.journal.file import Reading
from agent_tui.journal.fold import fold
from agent_tui.journal.kept_files import kept_folder
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import SystemMessage
from agent_tui.protocol.queries import Data, PreviewRewind, Rewind, RewindFiles
from agent_tui.protocol.reviews import Consent
from tests.engine.hindsight import Desk, at_desk, bash, edit, tree, write
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, stall

pytestmark = pytest.mark.anyio


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@t", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
    )
    return done.stdout


async def test_h7_only_what_the_agent_changed_is_put_back(place: Place) -> None:
    a = place.write("src/a.py", "one\ntwo\n")
    hand = place.write("hand.txt", "mine\n")
    both = place.write("both.py", "x = 1\n")
    git(place.project, "init", "-q")
    git(place.project, "add", "src")
    big = place.write("data/big.jsonl", "{}\n" * 1000)
    index = git(place.project, "ls-files", "--stage")
    new = place.project / "new.py"
    place.api.enqueue(edit(a, "two", "2"), write(new, "made\n"), edit(both, "1", "2"), "done")

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("go")
        hand.write_text("mine, changed\n")
        both.write_text("x = 2\nby hand = 3\n")
        plan = await desk.plan(uuid)
        assert {row.shown: (row.does, bool(row.foreign)) for row in plan.files} == {
            "both.py": ("restore", True),
            "new.py": ("remove", False),
            "src/a.py": ("restore", False),
        }
        done = await desk.rewind(uuid)
        assert (done.files, done.left) == (("new.py", "src/a.py"), ("both.py",))

    await at_desk(place, body)
    assert a.read_text() == "one\ntwo\n"
    assert not new.exists()
    assert hand.read_text() == "mine, changed\n"
    assert both.read_text() == "x = 2\nby hand = 3\n"
    assert big.read_text() == "{}\n" * 1000
    assert git(place.project, "ls-files", "--stage") == index
    assert git(place.project, "stash", "list") == ""


async def test_a_file_that_others_changed_is_put_back_with_consent_to_what_was_shown(
    place: Place,
) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done")

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("go")
        file.write_text("by hand\n")
        [row] = (await desk.plan(uuid)).files
        assert row.foreign == "changed since"
        file.write_text("by hand again\n")
        done = await desk.rewind(uuid, also=(Consent(row.path, row.seen),), conversation=False)
        assert done.left == ("a.txt",)
        [row] = (await desk.plan(uuid)).files
        done = await desk.rewind(uuid, also=(Consent(row.path, row.seen),), conversation=False)
        assert done.files == ("a.txt",)
        assert file.read_text() == "one\n"
        undo = (await desk.points()).points[0]
        assert undo.kind == "rewind"
        assert (await desk.rewind(undo.uuid, conversation=False)).files == ("a.txt",)
        assert file.read_text() == "by hand again\n"

    await at_desk(place, body)


async def test_what_others_changed_in_between_is_named_too_and_not_lost(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done", edit(file, "hand", "tool"), "done")

    async def body(desk: Desk) -> None:
        first = await desk.prompt("go")
        file.write_text("two\nhand\n")
        second = await desk.prompt("go on")
        [row] = (await desk.plan(first)).files
        assert row.foreign == "also changed by others in between"
        assert (await desk.rewind(second)).files == ("a.txt",)
        assert file.read_text() == "two\nhand\n"

    await at_desk(place, body)


async def test_the_conversation_goes_on_from_before_the_prompt(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue("an answer", edit(file, "one", "two"), "done", "another answer")

    async def body(desk: Desk) -> None:
        await desk.prompt("first")
        second = await desk.prompt("second")
        points = (await desk.points()).points
        assert [(p.text, p.files) for p in points] == [("second", 1), ("first", 0)]
        done = await desk.rewind(second)
        assert (done.prompt, done.conversation) == ("second", True)
        assert file.read_text() == "one\n"
        await desk.prompt("third")
        sent = place.api.messages[-1].body["messages"]
        assert "second" not in str(sent)
        assert "an answer" in str(sent)
        kept = fold(Reading(desk.opened.journal_path))
        assert kept.lines == desk.opened.session.record.conversation.lines
        assert kept.last_prompt == "third"
        assert kept.total_cost_usd == desk.opened.session.record.conversation.total_cost_usd

    await at_desk(place, body)
    text = next((place.home / ".agent-tui").glob("projects/*/*.jsonl")).read_text()
    assert '"second"' in text  # nothing is deleted


async def test_going_back_can_be_taken_back_with_all_that_was_said(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done", "more", "and on")

    async def body(desk: Desk) -> None:
        first = await desk.prompt("first")
        await desk.prompt("second")
        before = desk.opened.session.record.conversation.lines
        await desk.rewind(first)
        assert [point.kind for point in (await desk.points()).points] == ["rewind"]
        undo = (await desk.points()).points[0].uuid
        await desk.rewind(undo)
        assert file.read_text() == "two\n"
        assert list(desk.opened.session.record.conversation.lines) == list(before)
        texts = [p.text for p in (await desk.points()).points if p.kind == "prompt"]
        assert texts == ["second", "first"]
        await desk.prompt("third")

    await at_desk(place, body)


async def test_after_a_resume_everything_is_as_before_it(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done", edit(file, "two", "three"), "done")
    ids: list[str] = []

    async def body(desk: Desk) -> None:
        ids.append(await desk.prompt("first"))
        ids.append(desk.opened.session.record.session_id)

    await at_desk(place, body)

    async def again(desk: Desk) -> None:
        await desk.prompt("second")
        assert (await desk.rewind(ids[0])).files == ("a.txt",)

    await at_desk(place.resuming(ids[1]), again)
    assert file.read_text() == "one\n"


async def test_the_model_is_told_of_files_it_could_be_wrong_about(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done", "ok", "ok")

    async def body(desk: Desk) -> None:
        first = await desk.prompt("first")
        await desk.rewind(first, conversation=False)
        await desk.prompt("second")
        assert "put these files back to what they were" in str(place.api.messages[-1].body)
        file.write_text("two\n")

    await at_desk(place, body)


async def test_the_conversation_alone_goes_back_and_the_files_stay(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done", "ok")

    async def body(desk: Desk) -> None:
        first = await desk.prompt("first")
        assert (await desk.rewind(first, files=False)).files == ()
        assert file.read_text() == "two\n"
        await desk.prompt("again")
        sent = str(place.api.messages[-1].body["messages"])
        assert "These files are not as they were then: a.txt" in sent

    await at_desk(place, body)


async def test_line_ends_modes_links_and_bytes_are_kept(place: Place) -> None:
    crlf = place.project / "crlf.txt"
    crlf.write_bytes(b"one\r\ntwo\r\n")
    script = place.write("run.sh", "echo 1\n")
    script.chmod(0o750)
    real = place.write("real.txt", "one\n")
    link = place.project / "link.txt"
    link.symlink_to("real.txt")
    hard = place.project / "hard.txt"
    os.link(real, hard)
    binary = place.project / "b.bin"
    binary.write_bytes(bytes(range(256)))
    secret = place.write("secret.env", "KEY=1\n")
    secret.chmod(0o600)
    before = tree(place.project)
    place.api.enqueue(
        edit(crlf, "two", "2"),
        edit(script, "1", "2"),
        edit(link, "one", "1"),
        bash("printf x > b.bin; rm secret.env; chmod 644 run.sh"),
        "done",
    )

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("go")
        assert not secret.exists()
        done = await desk.rewind(uuid)
        assert not done.problems
        assert not done.left

    await at_desk(place, body)
    assert tree(place.project) == before
    assert link.is_symlink()
    assert os.stat(real).st_ino == os.stat(hard).st_ino
    assert stat.S_IMODE(script.stat().st_mode) == 0o750
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600


async def test_a_link_in_the_place_of_a_file_is_left_alone(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    other = place.write("other.txt", "precious\n")
    place.api.enqueue(edit(file, "one", "two"), "done")

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("go")
        file.unlink()
        file.symlink_to(other)
        [row] = (await desk.plan(uuid)).files
        assert row.link
        done = await desk.rewind(uuid)
        assert "link" in done.problems[0]

    await at_desk(place, body)
    assert other.read_text() == "precious\n"
    assert file.is_symlink()


async def test_kept_files_are_the_owners_alone(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done")
    where: list[Path] = []

    async def body(desk: Desk) -> None:
        await desk.prompt("go")
        where.append(kept_folder(desk.opened.journal_path))

    await at_desk(place, body)
    [kept] = where[0].iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(where[0].stat().st_mode) == 0o700
    assert kept.read_text() == "one\n"


async def test_what_can_t_be_kept_is_changed_all_the_same_and_said(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done")

    async def body(desk: Desk) -> None:
        folder = kept_folder(desk.opened.journal_path)
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.write_text("a file where the folder should be")
        uuid = await desk.prompt("go")
        notices = [str(m.data.get("content")) for m in desk.heard if isinstance(m, SystemMessage)]
        assert any("a.txt is changed without a way back" in text for text in notices)
        [row] = (await desk.plan(uuid)).files
        assert row.problem == "what it was is not kept"
        assert (await desk.rewind(uuid)).problems

    await at_desk(place, body)
    assert file.read_text() == "two\n"


async def test_while_a_run_goes_nothing_goes_back(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done", reply("late", fault=stall(block=0)))

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("go")
        async with anyio.create_task_group() as group:
            group.start_soon(desk.prompt, "and on")
            await anyio.to_thread.run_sync(place.api.wait_requests, 3, 20)
            with pytest.raises(UsageError, match="at work"):
                await desk.rewind(uuid)
            group.cancel_scope.cancel()

    await at_desk(place, body)
    assert file.read_text() == "two\n"


async def test_a_moment_that_is_not_there_is_said(place: Place) -> None:
    async def body(desk: Desk) -> None:
        with pytest.raises(UsageError, match="no such moment"):
            await desk.plan("nowhere")
        assert (await desk.points()).points == ()

    await at_desk(place, body)


async def test_a_fork_begins_without_the_past_of_files(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done")
    talk = await place.mode("bypassPermissions").talk("go")
    lines = talk.journal.read_text()
    assert '"file-change"' in lines
    assert file.read_text() == "two\n"


async def test_a_program_is_answered_as_documented(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    hand = place.write("hand.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two\nthree"), edit(hand, "one", "two"), "done")

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("go")
        hand.write_text("mine\n")
        dry = (await desk.ask(RewindFiles(uuid, dry_run=True), Data)).data
        assert dry == {
            "canRewind": True,
            "filesChanged": [str(file)],
            "insertions": 1,
            "deletions": 2,
            "changedByOthers": [str(hand)],
        }
        assert file.read_text() == "two\nthree\n"
        assert (await desk.ask(RewindFiles(uuid), Data)).data == dry
        assert (file.read_text(), hand.read_text()) == ("one\n", "mine\n")
        unknown = (await desk.ask(RewindFiles("x"), Data)).data
        assert unknown["canRewind"] is False

    await at_desk(place, body)


async def test_without_a_session_there_is_nothing_to_go_back_to(place: Place) -> None:
    for query in (PreviewRewind("x"), Rewind("x")):
        reply = await Answerer(place.env).answer(query)
        assert "No session" in str(reply)
