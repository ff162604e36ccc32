"""What of a block is worth copying alone: its code, its command, its output, its patch. As source, never as drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_tui.protocol.display import CommandDisplay, DiffDisplay, FileDisplay, PlanDisplay
from agent_tui.view.blocks import (
    AnswerBlock,
    Block,
    CompactBlock,
    ErrorBlock,
    NoticeBlock,
    PromptBlock,
    ThoughtBlock,
    ToolBlock,
)
from agent_tui.view.pieces import split


@dataclass(frozen=True, slots=True)
class Extract:
    """A part of a block: ``what`` it is, in a word or two, and its text."""

    what: str
    text: str


def extracts_of(block: Block) -> tuple[Extract, ...]:
    """Give the parts of a block that one may want alone, the one wanted most first; a block of text has itself."""
    match block:
        case AnswerBlock(text=text):
            code = [piece for piece in split(text) if piece.kind == "fence"]
            number = len(code) > 1
            made = [
                Extract(_named(piece.language, at if number else 0), "\n".join(piece.code()))
                for at, piece in enumerate(code, 1)
            ]
            return tuple(made) or (Extract("the answer", text),)
        case ToolBlock():
            return tuple(extract for extract in _of_call(block) if extract.text.strip())
        case PromptBlock(text=text):
            return (Extract("the prompt", text),)
        case ThoughtBlock(text=text) | NoticeBlock(text=text) | ErrorBlock(text=text):
            return (Extract("the text", text),) if text.strip() else ()
        case CompactBlock(summary=text):
            return (Extract("the summary", text),) if text.strip() else ()
        case _:
            return ()


def source_of(block: Block) -> str | None:
    """Give the text a whole block stands for; None when that is what is drawn of it."""
    match block:
        case PromptBlock(text=text) | AnswerBlock(text=text) | ErrorBlock(text=text):
            return text
        case ThoughtBlock(text=text) | NoticeBlock(text=text):
            return text or None
        case ToolBlock(display=DiffDisplay() as diff) if diff.hunks:
            return patch_of(diff)
        case ToolBlock(display=CommandDisplay(command=command)):
            output = output_of(block)
            return f"$ {command}\n{output}" if output else f"$ {command}"
        case _:
            return None


def _named(language: str, number: int) -> str:
    what = f"the {language} code" if language else "the code"
    return f"{what}, block {number}" if number else what


def _of_call(block: ToolBlock) -> Sequence[Extract]:
    display = block.display
    match display:
        case CommandDisplay():
            return (
                Extract("the command", display.command),
                Extract("its output", output_of(block)),
            )
        case DiffDisplay():
            patch = patch_of(display) if display.hunks else ""
            return (Extract("the patch", patch), Extract("the path", display.path))
        case FileDisplay(path=path):
            return (Extract("the path", path), Extract("its text", block.result))
        case PlanDisplay(plan=plan):
            return (Extract("the plan", plan),)
        case _:
            return (Extract("what came back", block.result),)


def output_of(block: ToolBlock) -> str:
    """Give what a command said: what the model was given when it has ended, else what is known so far."""
    display = block.display
    if block.ended and block.result:
        return block.result
    if not isinstance(display, CommandDisplay):
        return ""
    left_out = [f"[{display.hidden_lines} lines left out]"] if display.hidden_lines else []
    return "\n".join([*display.head, *left_out, *display.tail])


def patch_of(diff: DiffDisplay) -> str:
    """Give a change as a unified diff, as ``patch`` reads it."""
    before = "/dev/null" if diff.created else f"a/{diff.path.lstrip('/')}"
    lines = [f"--- {before}", f"+++ b/{diff.path.lstrip('/')}"]
    for hunk in diff.hunks:
        heading = f" {hunk.heading}" if hunk.heading else ""
        old, new = f"{hunk.old_start},{hunk.old_lines}", f"{hunk.new_start},{hunk.new_lines}"
        lines += [f"@@ -{old} +{new} @@{heading}", *hunk.lines]
    return "\n".join(lines)
