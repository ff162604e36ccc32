from __future__ import annotations

import inspect

from agent_tui.protocol import errors
from agent_tui.protocol.errors import AgentTuiError, JournalError, ModelError, SessionError


def test_there_is_one_tree_and_its_drawing_shows_it_whole() -> None:
    classes = [c for _, c in inspect.getmembers(errors, inspect.isclass)]
    assert all(issubclass(c, AgentTuiError) for c in classes)
    drawn = errors.__doc__ or ""
    assert all(c.__name__ in drawn for c in classes)
    assert issubclass(JournalError, SessionError)


def test_a_model_error_is_its_sentence_and_what_the_loop_must_know() -> None:
    plain = ModelError("The API is gone.")
    assert (str(plain), plain.kind, plain.status) == ("The API is gone.", "unknown", None)
    assert not plain.prompt_too_long and not plain.request_too_large
    long = ModelError("Too long.", status=400, prompt_too_long=True, after_blocks=2)
    assert (long.status, long.prompt_too_long, long.after_blocks) == (400, True, 2)
