"""One block as the session's file has it: every line that is of it, as JSON, nothing folded, nothing interpreted."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from agent_tui.protocol.looking import RawLines
from agent_tui.tui.coderows import code_rows
from agent_tui.tui.lines import Line, Page, blank_line, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.scrolled import Scrolled
from agent_tui.tui.stack import Stack
from agent_tui.view.clean import clean


class _Body(Sheet):
    """The lines, one below the other; rows are made when they come in sight."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.raw: RawLines | None = None
        self.trouble = ""

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the rows."""
        theme = page.theme
        if self.raw is None or not self.raw.lines:
            words = self.trouble or (
                "reading" if self.raw is None else "Nothing of it is in the session's file."
            )
            return [make_line(page, [(words, theme.style("muted"))])]
        parts: list[Sequence[Line]] = []
        if self.raw.more:
            words = f"{self.raw.more} older lines are not shown"
            parts.append([make_line(page, [(words, theme.style("muted"))]), blank_line(page)])
        for line in self.raw.lines:
            name, time = _what(line), str(line.get("timestamp") or "")
            head = make_line(
                page,
                [(clean(name), theme.style("strong", bold=True))],
                facts=[(clean(time), theme.style("muted"))],
            )
            parts += [[head], code_rows(page, pretty(line), language="json"), [blank_line(page)]]
        return Stack(*parts)


def _what(line: Mapping[str, Any]) -> str:
    """Say in a word what a line of the journal is."""
    message = line.get("message")
    content: Any = message.get("content") if isinstance(message, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    kinds = {str(block.get("type")) for block in content if isinstance(block, dict)} if isinstance(content, list) else set[str]()  # fmt: skip # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
    if "tool_use" in kinds:
        return "Request"
    return "Result" if "tool_result" in kinds else str(line.get("type") or "Line").capitalize()


def pretty(value: Any) -> list[str]:
    """Write data as indented JSON, line by line; a text that is JSON itself is written out, too."""
    text = json.dumps(_opened(value), indent=2, ensure_ascii=False, default=str)
    return [clean(line) for line in text.split("\n")]


def _opened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _opened(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [_opened(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, str) and value[:1] in ("{", "[") and value.rstrip()[-1:] in ("}", "]"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


class DetailScreen(Scrolled, inherit_bindings=False):
    """Shows what ``read`` gives. ``copy`` puts all of it into the clipboard."""

    def __init__(
        self,
        look: Look,
        title: str,
        read: Callable[[], Awaitable[RawLines | str]],
        copy: Callable[[str], None],
    ) -> None:
        self._read = read
        self._copy = copy
        self._body = _Body(look)
        super().__init__(look, title, self._body, (("y", "copy"),))

    def on_mount(self) -> None:
        """Ask for the lines."""
        self.run_worker(self._fetch, group="detail")

    async def _fetch(self) -> None:
        found = await self._read()
        if isinstance(found, str):
            self._body.trouble = found
        else:
            self._body.raw = found
        self._body.redraw()

    def take_key(self, key: str) -> bool:
        """Copy, or go back by the key that led here."""
        if key == "y" and self._body.raw is not None:
            self._copy("\n".join("\n".join(pretty(line)) for line in self._body.raw.lines))
        elif key == "r":
            self.answer()
        else:
            return False
        return True
