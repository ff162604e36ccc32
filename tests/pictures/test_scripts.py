from __future__ import annotations

from pictures import scripts, tokenbox
from tests.fakes.api_server import Reply


def calls(replies: tuple[object, ...]) -> list[dict[str, object]]:
    return [
        dict(block.body)
        for reply in replies
        if isinstance(reply, Reply)
        for block in reply.blocks
        if block.kind == "tool_use"
    ]


def test_every_edit_of_the_file_fits_it() -> None:
    found = [
        call["input"]
        for script in (
            scripts.whole_prompt,
            scripts.proposal,
            scripts.long_proposal,
            scripts.small_proposal,
            scripts.rename,
            scripts.changes,
            scripts.every_state,
        )
        for call in calls(script())
        if call["name"] == "Edit"
    ]
    files = {
        scripts.AUTH: tokenbox.auth(),
        scripts.TESTS: tokenbox.TESTS,
        "CHANGELOG.md": "# Changes\n\n- begin\n",
    }
    assert len(found) >= 8
    for given in found:
        assert isinstance(given, dict)
        assert files[str(given["file_path"])].count(str(given["old_string"])) == 1  # pyright: ignore[reportUnknownArgumentType]


def test_each_small_prompt_has_an_answer_of_its_own() -> None:
    answers = [
        str(block.body["text"])
        for reply in scripts.small_prompts()
        if isinstance(reply, Reply)
        for block in reply.blocks
    ]
    assert answers == [f"That was: {prompt}" for prompt in scripts.SMALL_PROMPTS]


def test_tokens_add_up() -> None:
    told = scripts.usage(1, 2, 3, 4)
    assert told["cache_creation"] == {
        "ephemeral_5m_input_tokens": 2,
        "ephemeral_1h_input_tokens": 0,
    }
    assert (told["cache_read_input_tokens"], told["input_tokens"], told["output_tokens"]) == (
        1,
        3,
        4,
    )
