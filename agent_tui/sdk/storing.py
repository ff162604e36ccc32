"""A session with a program's store: brought from there before it opens, copied there as it goes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agent_tui.sdk.mirroring import StoreMirror
from agent_tui.sdk.options import ClaudeAgentOptions
from agent_tui.sdk.restoring import restore
from agent_tui.sdk.translate import Opening
from agent_tui.settings.paths import project_key


async def with_store(opening: Opening, options: ClaudeAgentOptions) -> Opening:
    """Give what the session is to be opened with: the same where the program has no store.

    Raises:
        ValueError: a session is to be continued, and the store can't list any.
        SessionError: the store failed or did not answer in time, or the local session is in use.
    """
    store = options.session_store
    if store is None:
        return opening
    restored = await restore(store, opening.options, opening.env, options.load_timeout_ms)
    key = project_key(Path(opening.options.cwd))
    mirror = StoreMirror(store, key, options.session_store_flush)
    return replace(opening, options=restored, extras=replace(opening.extras, mirror=mirror))
