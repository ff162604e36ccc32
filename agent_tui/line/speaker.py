"""Says what changes in the transcript, each thing once: answers line by line as they come, the rest when it has ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agent_tui.line import words
from agent_tui.view.blocks import (
    Added,
    AnswerBlock,
    Block,
    Change,
    Cleared,
    Closed,
    Grew,
    PromptBlock,
    Removed,
    ThoughtBlock,
    ToolBlock,
    Updated,
)
from agent_tui.view.clean import clean

TAKEN_BACK = "(What was said last was taken back.)"
CUT = "(The answer was cut off here.)"
CLEARED = "(A new conversation begins.)"


class Speaker:
    """Turns changes into lines.

    Args:
        say: writes one line, without its end.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._rest: dict[str, str] = {}
        self._begun: set[str] = set()
        self._asked: set[str] = set()
        self._said: set[str] = set()

    def changed(self, changes: Iterable[Change]) -> None:
        """Say what is new in these changes."""
        for change in changes:
            match change:
                case Added(block):
                    self._added(block)
                case Grew(block_id, text):
                    self._grew(block_id, text)
                case Updated(block):
                    self._updated(block)
                case Closed(block):
                    self._closed(block)
                case Removed(block_id):
                    if block_id in self._said or self._rest.pop(block_id, ""):
                        self._say(TAKEN_BACK)
                case Cleared():
                    self._rest.clear()
                    self._say(CLEARED)
                case _:
                    pass

    def recall(self, blocks: Iterable[Block]) -> None:
        """Say blocks of the past, as they ended."""
        for block in blocks:
            if isinstance(block, AnswerBlock):
                self._lines(clean(block.text).rstrip("\n").split("\n"))
            else:
                self._lines(words.finished(block))
            self._said.add(block.id)

    def _added(self, block: Block) -> None:
        match block:
            case AnswerBlock():
                self._grew(block.id, block.text)
                if not block.open:
                    self._closed(block)
            case ThoughtBlock(open=True) | PromptBlock():
                self._said.add(block.id)  # what was typed stands there already
            case ToolBlock():
                self._updated(block)
            case _:
                self._finish(block)

    def _grew(self, block_id: str, text: str) -> None:
        """Say the whole lines; what is not a line yet waits, since a reader would read half words."""
        *whole, rest = (self._rest.get(block_id, "") + text).split("\n")
        self._rest[block_id] = rest
        if whole:
            self._said.add(block_id)
            self._lines(clean(line) for line in whole)

    def _updated(self, block: Block) -> None:
        if not isinstance(block, ToolBlock):
            return
        if block.ended:
            self._finish(block)
        elif block.state == "asking":
            self._asked.add(block.id)
        elif block.state == "running" and block.id not in self._begun:
            self._begun.add(block.id)
            if not block.looked:
                self._say(words.begun(block))

    def _closed(self, block: Block) -> None:
        if isinstance(block, AnswerBlock):
            rest = self._rest.pop(block.id, "")
            if rest.strip():
                self._say(clean(rest))
            if block.aborted:
                self._say(CUT)
            self._said.add(block.id)
        elif isinstance(block, ToolBlock):  # its input is whole; it has not run
            self._updated(block)
        else:
            self._said.discard(block.id)
            self._finish(block)

    def _finish(self, block: Block) -> None:
        if block.id not in self._said:
            self._said.add(block.id)
            self._lines(words.finished(block, asked=block.id in self._asked))

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)
