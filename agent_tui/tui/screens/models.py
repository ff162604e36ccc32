"""Choosing a model, and how hard it is to think."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from textual import events

from agent_tui.link.base import Link
from agent_tui.protocol.queries import Commands, Data, Failed
from agent_tui.tui.look import Look
from agent_tui.tui.screens.choosing import Choice, ChoiceScreen

LEFT = (("enter", "use it from the next request on"), ("up down", "choose"), ("esc", "back"))
RIGHT = (("left right", "effort"),)
USUAL = "effort as it is"


class ModelsScreen(ChoiceScreen):
    """Gives what to do as lines: ``/model NAME``, perhaps ``/effort LEVEL`` behind a line break."""

    def __init__(self, look: Look, link: Link, current: str) -> None:
        super().__init__(
            look,
            "Model",
            placeholder="type to filter; any other name is taken as an id",
            hints=(LEFT, RIGHT),
            note="asking what there is",
        )
        self._link = link
        self._model = current
        self._efforts: dict[str, tuple[str, ...]] = {}
        self._effort: dict[str, str] = {}

    def on_mount(self) -> None:
        """Ask which there are."""
        super().on_mount()
        self.run_worker(self._load, group="models")

    async def _load(self) -> None:
        reply = await self._link.ask(Commands())
        if not self.is_attached:
            return
        match reply:
            case Data(data):
                self._take(data)
            case Failed(error):
                self.list.show((), error)
            case _:
                pass

    def _take(self, data: Mapping[str, object]) -> None:
        rows = cast("list[dict[str, Any]]", data.get("models", []))
        choices: list[Choice] = []
        current = ""
        for row in rows:
            name, shown = str(row["value"]), str(row.get("displayName", row["value"]))
            self._efforts[name] = tuple(map(str, row.get("supportedEffortLevels", ())))
            used = self._model in (name, shown) or f"({self._model})" in shown
            current = current or (name if used else "")
            choices.append(
                Choice(name, shown, str(row.get("description", "")), "in use" if used else "")
            )
        self._current = current
        self.show(choices)

    def key(self, event: events.Key) -> bool:
        """Left and right choose the effort, while nothing is typed."""
        chosen = self.list.current
        if event.key not in ("left", "right") or chosen is None or self.search.value:
            return False
        levels = ("", *self._efforts.get(chosen.id, ()))
        at = levels.index(self._effort.get(chosen.id, ""))
        self._effort[chosen.id] = levels[
            max(0, min(at + (1 if event.key == "right" else -1), len(levels) - 1))
        ]
        level = self._effort[chosen.id]
        self.every = tuple(
            replace(one, fact=f"effort {level}" if level else USUAL, fact_role="accent")
            if one.id == chosen.id
            else one
            for one in self.every
        )
        self.filter()
        return True

    def take(self) -> None:
        """Give the commands that choose it."""
        chosen, typed = self.list.current, self.search.value.strip()
        if chosen is None:
            if typed and " " not in typed:
                self.answer(f"/model {typed}")
            return
        level = self._effort.get(chosen.id, "")
        self.answer(f"/model {chosen.id}" + (f"\n/effort {level}" if level else ""))
