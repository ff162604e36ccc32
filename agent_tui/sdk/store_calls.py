"""Calls of a program's store: which methods it has, and what goes wrong in it as errors of ours."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias, TypeVar

import anyio
import anyio.lowlevel

from agent_tui.protocol.errors import SessionError

T = TypeVar("T")

Optional: TypeAlias = Literal["list_sessions", "list_session_summaries", "delete", "list_subkeys"]


class StoreError(SessionError):
    """A store failed; the text names the call and what it raised."""


class StoreTimeoutError(StoreError):
    """A store did not answer in time; what it was asked to do may still happen."""


def offers(store: object, method: Optional) -> bool:
    """Whether a store has an optional method of its own; one that a protocol class stands in with is none."""
    if not callable(getattr(store, method, None)):
        return False
    owner = next((kind for kind in type(store).__mro__ if method in vars(kind)), None)
    return owner is None or not vars(owner).get("_is_protocol", False)


async def asked(name: str, call: Callable[[], Awaitable[T]], seconds: float) -> T:
    """Make one call of a store.

    Args:
        name: the method, for the error's text.
        call: makes it.
        seconds: how long it may take; 0 is no time at all.

    Raises:
        StoreTimeoutError: it took longer.
        StoreError: it failed.
    """
    try:
        with anyio.fail_after(seconds):
            await anyio.lowlevel.checkpoint()
            return await call()
    except TimeoutError as error:
        raise StoreTimeoutError(
            f"The session store did not answer {name} within {round(seconds * 1000)} ms."
        ) from error
    except Exception as error:  # boundary: a program's store may fail in any way
        raise StoreError(f"The session store failed in {name}: {said(error)}") from error


def said(error: BaseException) -> str:
    """Say what an exception says."""
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
