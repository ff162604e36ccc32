from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from agent_tui.sdk import CLIConnectionError, Transport
from agent_tui.sdk.transport import refuse


class Nothing(Transport):
    """A transport that leads nowhere."""

    async def connect(self) -> None: ...

    async def write(self, data: str) -> None: ...

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        yield {}

    async def close(self) -> None: ...

    def is_ready(self) -> bool:
        return False

    async def end_input(self) -> None: ...


def test_it_can_be_subclassed_and_not_made_as_it_is() -> None:
    assert not Nothing().is_ready()
    with pytest.raises(TypeError):
        Transport()  # pyright: ignore[reportAbstractUsage]


def test_one_that_is_given_is_refused_in_a_sentence() -> None:
    refuse(None)
    with pytest.raises(CLIConnectionError, match=r"runs the agent in your program.*Nothing"):
        refuse(Nothing())
