"""A sandbox that bounds nothing: which lines run inside, and what it says of them, is up to the test."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from agent_tui.protocol.ports import Start


@dataclass
class FakeConfined:
    """A command that is started as it is, but for a variable that says where it runs."""

    start: Start
    said: tuple[str, ...] = ()
    broken: str = ""
    closed: bool = False

    def begun(self) -> None:
        """Nothing to let go of."""

    async def serve(self) -> None:
        """Nothing to do beside it."""

    def failure(self, exit_code: int, output: str) -> str:
        return self.broken

    def inner(self) -> int:
        return 0

    def notes(self, line: str, exit_code: int, output: str) -> tuple[str, ...]:
        return self.said

    def close(self) -> tuple[str, ...]:
        return ()

    def release(self) -> None:
        self.closed = True


@dataclass
class FakeSandbox:
    """Holds every line but those of ``outside`` and, where it lets them, those that want out."""

    unasked: bool = True
    may_leave: bool = True
    outside: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    broken: str = ""
    confined: list[FakeConfined] = field(default_factory=list[FakeConfined])

    def holds(self, line: str, *, leaves: bool) -> bool:
        return line not in self.outside and not (leaves and self.may_leave)

    def inside(self, path: str) -> str:
        return path

    def confine(self, start: Start) -> FakeConfined:
        marked = replace(start, env={**start.env, "INSIDE": "yes"})
        self.confined.append(FakeConfined(marked, self.said, self.broken))
        return self.confined[-1]
