"""What a session gives its tools beside files, shell and search, as fakes: a task list, modes, a shelf."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import ShelvedTool
from agent_tui.protocol.tasks import Task
from tests.tools.place import Place


@dataclass
class FakeTasks:
    """Implements ``TaskList`` with a dict; ``objection`` is what a hook says to every change."""

    tasks: dict[str, Task] = field(default_factory=dict[str, Task])
    objection: str = ""

    def all(self) -> tuple[Task, ...]:
        return tuple(self.tasks.values())

    def next_id(self) -> str:
        return str(len(self.tasks) + 1)

    async def put(self, *tasks: Task) -> None:
        if self.objection:
            raise PortError(self.objection)
        self.tasks.update({task.id: task for task in tasks})

    async def remove(self, task_id: str) -> None:
        del self.tasks[task_id]


@dataclass
class FakeModes:
    """Implements ``Modes``."""

    mode: str = "default"

    async def set_mode(self, mode: str) -> None:
        self.mode = mode


@dataclass
class FakeShelf:
    """Implements ``ToolShelf``; ``taken`` are the names that were taken, in order."""

    tools: tuple[ShelvedTool, ...] = ()
    taken: list[str] = field(default_factory=list[str])

    def shelved(self) -> tuple[ShelvedTool, ...]:
        return tuple(replace(tool, taken=tool.name in self.taken) for tool in self.tools)

    def take(self, names: tuple[str, ...]) -> None:
        self.taken.extend(names)


def with_tasks(place: Place, tasks: FakeTasks) -> Place:
    """The same place, with a task list."""
    place.ports = replace(place.ports, tasks=tasks)
    return place


def with_modes(place: Place, modes: FakeModes) -> Place:
    """The same place, in a mode that can be changed."""
    place.ports = replace(place.ports, modes=modes)
    return place


def with_shelf(place: Place, shelf: FakeShelf) -> Place:
    """The same place, with tools to be searched for."""
    place.ports = replace(place.ports, shelf=shelf)
    return place
