"""A transcript, or one block of it, as a document: markdown, a web page without scripts, or JSON."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Literal, TypeAlias, get_args

from agent_tui.protocol.display import DiffDisplay, TaskListDisplay
from agent_tui.view import figures
from agent_tui.view.blocks import (
    AnswerBlock,
    Block,
    CompactBlock,
    ErrorBlock,
    NoticeBlock,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
)
from agent_tui.view.clean import clean
from agent_tui.view.copies import Extract, extracts_of
from agent_tui.view.pieces import split

Form: TypeAlias = Literal["md", "html", "json"]
FORMS: tuple[Form, ...] = get_args(Form)

_MARKS = {"pending": "[ ]", "in_progress": "[~]", "completed": "[x]"}


def export(blocks: Iterable[Block], form: Form, title: str = "") -> str:
    """Write blocks as a document. Nothing in it drives a terminal or a browser; secrets are as they are in the blocks."""
    listed = list(blocks)
    return _WRITERS[form](listed, clean(title) or "Conversation")


# Markdown -------------------------------------------------------------------------------------------------------------


def _markdown(blocks: Sequence[Block], title: str) -> str:
    parts = [f"# {title}", *(part for block in blocks if (part := _block_md(block)))]
    return clean("\n\n".join(parts)) + "\n"


def _block_md(block: Block) -> str:
    match block:
        case PromptBlock(text=text, time=time):
            when = f" ({time})" if time else ""
            return f"## Prompt{when}\n\n{_quoted(text)}"
        case AnswerBlock(text=text):
            return text.strip()
        case ThoughtBlock(text=text):
            return f"<details><summary>Thinking</summary>\n\n{_quoted(text)}\n\n</details>" if text.strip() else ""  # fmt: skip
        case ToolBlock():
            return _call_md(block)
        case NoticeBlock(text=text):
            return f"*{' '.join(text.split())}*" if block.level != "output" else _fenced(text)
        case ErrorBlock(text=text):
            return f"**Error:** {text.strip()}"
        case CompactBlock(summary=summary):
            return f"---\n\n*The conversation was summarised here.*\n\n{_quoted(summary)}".rstrip()
        case ResultBlock():
            return f"*{result_words(block)}*"


def _call_md(block: ToolBlock) -> str:
    parts = [f"### {block.name}{_state(block)}"]
    for extract in _parts_of(block):
        language = {"the command": "sh", "the patch": "diff"}.get(extract.what, "")
        parts.append(_fenced(extract.text, language))
    if isinstance(block.display, TaskListDisplay):
        parts.append("\n".join(f"- {_MARKS[t.status]} {t.subject}" for t in block.display.tasks))
    return "\n\n".join(parts)


def _fenced(text: str, language: str = "") -> str:
    """Put a text into a fence that is longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    mark = "`" * (longest + 1)
    body = text.strip("\n")
    return f"{mark}{language}\n{body}\n{mark}"


def _quoted(text: str) -> str:
    return (
        "\n".join(f"> {line}".rstrip() for line in text.strip().split("\n")) if text.strip() else ""
    )


# What both say --------------------------------------------------------------------------------------------------------


def _state(block: ToolBlock) -> str:
    if block.state == "failed":
        return " (failed)"
    if block.state == "stopped":
        return f" (stopped{': ' + block.why if block.why else ''})"
    return "" if block.state == "done" else f" ({block.state})"


def _parts_of(block: ToolBlock) -> list[Extract]:
    """Give what is told of a call: its own parts; of one that no part is known of, what was asked and what came."""
    own = [one for one in extracts_of(block) if one.what != "what came back"]
    if not own and block.input:
        own = [Extract("what was asked", json.dumps(block.input, indent=2, ensure_ascii=False))]
    shown = {one.text for one in own}
    if block.result.strip() and block.result not in shown and not _is_shown_by(block):
        own.append(Extract("what came back", block.result))
    return [one for one in own if one.text.strip()]


def _is_shown_by(block: ToolBlock) -> bool:
    return isinstance(block.display, DiffDisplay | TaskListDisplay) and block.state == "done"


def result_words(block: ResultBlock) -> str:
    """Say how a run ended, in one row."""
    words = [
        f"{block.turns} turn{'s' if block.turns != 1 else ''}",
        f"{figures.tokens(block.tokens)} tokens",
    ]
    if block.cost_usd is not None:
        words.append(figures.money(block.cost_usd))
    words.append(figures.clock(block.duration_ms / 1000))
    return ", ".join([*([block.why] if block.why else []), *words])


# HTML -----------------------------------------------------------------------------------------------------------------

_STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
pre { font: 13px/1.45 ui-monospace, monospace; background: #8881; padding: .6rem .8rem; overflow: auto }
.prompt { background: #8882; padding: .6rem .8rem; font-weight: 600 }
.prompt, .text { white-space: pre-wrap; overflow-wrap: anywhere }
.note { opacity: .75 } .failed { color: #b1241c } time { float: right; font-weight: 400; opacity: .75 }
summary { cursor: pointer } .result { text-align: right; opacity: .75 }
"""
_BARE = re.compile(r"https?://[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]}]")
_INLINE = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")


def _html(blocks: Sequence[Block], title: str) -> str:
    said = html.escape(title)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    body = "\n".join(part for block in blocks if (part := _block_html(block)))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{said}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{said}</h1>\n{body}\n</body>\n</html>\n"
    )


def _block_html(block: Block) -> str:
    match block:
        case PromptBlock(text=text, time=time):
            when = f"<time>{_escape(time)}</time>" if time else ""
            return f'<div class="prompt">{when}{_escape(text.strip())}</div>'
        case AnswerBlock(text=text):
            return "\n".join(
                _piece_html(piece.kind, piece.source, piece.code()) for piece in split(text)
            )
        case ThoughtBlock(text=text):
            return _details("Thinking", f'<div class="text note">{_escape(text.strip())}</div>') if text.strip() else ""  # fmt: skip
        case ToolBlock():
            inner = "\n".join(_pre(one.text) for one in _parts_of(block))
            if isinstance(block.display, TaskListDisplay):
                rows = "\n".join(f"{_MARKS[t.status]} {t.subject}" for t in block.display.tasks)
                inner += _pre(rows)
            failed = ' class="failed"' if block.state == "failed" else ""
            return _details(f"<b{failed}>{_escape(block.name + _state(block))}</b>", inner)
        case NoticeBlock(text=text):
            return (
                _pre(text)
                if block.level == "output"
                else f'<p class="note">{_escape(text.strip())}</p>'
            )
        case ErrorBlock(text=text):
            return f'<p class="failed text">{_escape(text.strip())}</p>'
        case CompactBlock(summary=summary):
            return f"<hr>{_details('The conversation was summarised here', _pre(summary))}"
        case ResultBlock():
            return f'<p class="result">{_escape(result_words(block))}</p>'


def _piece_html(kind: str, source: str, code: Sequence[str]) -> str:
    if kind == "fence":
        return _pre("\n".join(code))
    return f'<div class="text">{_inline(source)}</div>'


def _inline(text: str) -> str:
    """Write prose with its code, bold words and addresses; only addresses of the web become links."""

    def marked(match: re.Match[str]) -> str:
        code, bold = match[1], match[2]
        return f"<code>{_escape(code)}</code>" if code else f"<b>{_linked(bold)}</b>"

    return _between(_INLINE, text, marked, _linked)


def _linked(text: str) -> str:
    def link(match: re.Match[str]) -> str:
        url = _escape(match[0])
        return f'<a href="{url}" rel="noreferrer">{url}</a>'

    return _between(_BARE, text, link, _escape)


def _between(
    pattern: re.Pattern[str],
    text: str,
    found: Callable[[re.Match[str]], str],
    rest: Callable[[str], str],
) -> str:
    out: list[str] = []
    at = 0
    for match in pattern.finditer(text):
        out += (rest(text[at : match.start()]), found(match))
        at = match.end()
    return "".join([*out, rest(text[at:])])


def _details(summary: str, inner: str) -> str:
    return f"<details><summary>{summary}</summary>\n{inner}\n</details>"


def _pre(text: str) -> str:
    shown = text.strip("\n")
    return f"<pre>{_escape(shown)}</pre>"


def _escape(text: str) -> str:
    return html.escape(clean(text))


# JSON -----------------------------------------------------------------------------------------------------------------


def _json(blocks: Sequence[Block], title: str) -> str:
    data = {"title": title, "blocks": [asdict(block) for block in blocks]}
    return json.dumps(data, indent=2, ensure_ascii=True, default=str) + "\n"


_WRITERS: Mapping[Form, Callable[[Sequence[Block], str], str]] = {
    "md": _markdown,
    "html": _html,
    "json": _json,
}
