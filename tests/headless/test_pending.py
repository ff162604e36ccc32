from __future__ import annotations

from typing import Any

from agent_tui.headless.pending import Pending
from agent_tui.protocol.messages import ResultMessage, SystemMessage, UserMessage


def record(text: str) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": text}}


def result(uuid: str | None, *joined: str) -> ResultMessage:
    uuids = (str(uuid), *joined) if joined else None
    return ResultMessage(
        "success", 1, 1, False, 1, "s", user_message_uuid=uuid, user_message_uuids=uuids
    )


def test_a_prompt_waits_until_a_result_names_it() -> None:
    pending = Pending()
    pending.add("a", record("x"))
    pending.add("b", record("y"))
    assert pending.see(result("other")) == (result("other"),)
    assert pending
    pending.see(result("a"))
    assert pending
    pending.see(result("b"))
    assert not pending


def test_prompts_that_joined_a_run_end_with_it() -> None:
    pending = Pending()
    for uuid in ("a", "b", "c"):
        pending.add(uuid, record(uuid))
    pending.see(UserMessage("b", uuid="b"))  # said within the run of a
    pending.see(result("a", "c"))
    assert not pending


def test_the_sender_does_not_hear_its_own_words_unless_it_asked_to() -> None:
    mine, other = UserMessage("x", uuid="a"), UserMessage("y", uuid="z")
    for replay in (False, True):
        pending = Pending(replay)
        pending.add("a", record("x"))
        heard = pending.see(mine)
        assert heard == ((UserMessage("x", uuid="a", replay=True),) if replay else ())
        assert pending.see(other) == (other,)
        assert pending.see(SystemMessage("init")) == (SystemMessage("init"),)


def test_a_prompt_that_was_never_said_is_said_back_with_its_end() -> None:
    pending = Pending(replay=True)
    pending.add("a", record("/compact"))
    assert pending.see(result("a")) == (
        UserMessage("/compact", uuid="a", session_id="s", replay=True),
        result("a"),
    )


def test_a_prompt_that_was_sent_before_is_told_from_a_new_one() -> None:
    pending = Pending()
    assert pending.add("a", record("x"))
    assert not pending.add("a", record("y"))
    pending.see(result("a"))
    assert not pending.add("a", record("z"))
    assert not pending
