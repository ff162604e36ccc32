from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

from agent_tui.protocol.display import CommandDisplay, DiffDisplay, Hunk, TaskListDisplay, TaskRow
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
from agent_tui.view.exporting import FORMS, Form, export

EVIL = 'x \x1b]52;c;aGk=\x07 <script>alert("1")</script> \x9b31m javascript:x \u202e'
BLOCKS: list[Block] = [
    PromptBlock("p", "Do <it>", "2026-11-30T14:02:00Z"),
    ThoughtBlock("t", "first this"),
    AnswerBlock("a", "See `f()` and **now** at https://example.org/x?a=1.\n\n```python\na < b\n```\n"),
    ToolBlock("b", "Bash", {}, "failed", CommandDisplay("ls </x>"), "no ``` such"),
    ToolBlock(
        "e", "Edit", {}, "done", DiffDisplay("a.py", (Hunk(1, 1, 1, 1, ("-a", "+b")),), 1, 1), "ok"
    ),
    ToolBlock("m", "mcp__x__y", {"q": 1}, "stopped", None, "", why="refused"),
    ToolBlock(
        "l", "TaskUpdate", {}, "done", TaskListDisplay((TaskRow("1", "do", "completed"),)), "k"
    ),
    NoticeBlock("n", "info", "by the way"),
    NoticeBlock("o", "output", "col  umn"),
    ErrorBlock("x", "overloaded"),
    CompactBlock("c", summary="so far"),
    ResultBlock("r", 2, 8100, 0.0312, 41_000),
]  # fmt: skip


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_markdown_holds_all_and_a_fence_is_longer_than_what_is_in_it() -> None:
    text = export(BLOCKS, "md", "Title")
    assert text.startswith("# Title\n\n## Prompt (2026-11-30T14:02:00Z)\n\n> Do <it>\n\n<details>")
    assert "```python\na < b\n```" in text
    assert "### Bash (failed)\n\n```sh\nls </x>\n```\n\n````\nno ``` such\n````" in text
    assert "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-a\n+b\n```" in text
    assert "### mcp__x__y (stopped: refused)" in text
    assert '"q": 1' in text
    assert "- [x] do" in text
    assert "*by the way*" in text
    assert "```\ncol  umn\n```" in text
    assert "**Error:** overloaded" in text
    assert text.endswith("*2 turns, 8.1k tokens, $0.0312, 0:41*\n")


def test_a_page_is_well_formed_has_no_script_and_links_to_the_web_only() -> None:
    page = export([*BLOCKS, AnswerBlock("z", EVIL), PromptBlock("y", EVIL)], "html", EVIL)
    tags = _Tags()
    tags.feed(page)
    assert tags.open == []
    names = {tag for tag, _ in tags.tags}
    assert "script" not in names and "img" not in names
    links = [attrs["href"] for tag, attrs in tags.tags if tag == "a"]
    assert links == ["https://example.org/x?a=1"]
    assert "<code>f()</code>" in page and "<b>now</b>" in page
    assert "<pre>a &lt; b</pre>" in page
    assert any(attrs.get("content", "") == "default-src 'none'; style-src 'unsafe-inline'" for _, attrs in tags.tags)  # fmt: skip


def test_json_holds_the_blocks_as_they_are() -> None:
    data = json.loads(export(BLOCKS, "json", "T"))
    assert data["title"] == "T"
    assert [block["kind"] for block in data["blocks"]] == [block.kind for block in BLOCKS]
    assert data["blocks"][3]["display"]["command"] == "ls </x>"


@pytest.mark.parametrize("form", FORMS)
def test_u2_no_document_holds_a_code_that_drives_a_terminal(form: Form) -> None:
    text = export([PromptBlock("y", EVIL), ToolBlock("b", "Bash", {"x": EVIL}, "done", None, EVIL)], form, EVIL)  # fmt: skip
    assert not any(code in text for code in ("\x1b", "\x07", "\x9b", "\u202e"))


@pytest.mark.parametrize("form", FORMS)
def test_one_block_alone(form: Form) -> None:
    assert "by the way" in export([NoticeBlock("n", "info", "by the way")], form)
