from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.tui.lines import Line
from agent_tui.tui.markdown import draw_markdown, draw_piece
from agent_tui.view.pieces import Splitter, split
from tests.fakes.conversation_host import page, texts


def styles(lines: list[Line]) -> dict[str, str]:
    """Which style each run of text has."""
    return {s.text.strip(): str(s.style) for line in lines for s in line.strip if s.text.strip()}


def test_inline_marks_become_styles() -> None:
    sheet = page(80)
    theme = sheet.theme
    found = styles(
        draw_markdown(
            sheet, "plain **bold** *slanted* `code` ~~gone~~ **`both`** [here](http://x.y)"
        )
    )
    assert found["plain"] == str(theme.style("text"))
    assert found["bold"] == str(theme.style("strong", bold=True))
    assert found["slanted"] == str(theme.style("text", italic=True))
    assert found["code"] == str(theme.style("code.function"))
    assert found["gone"] == str(theme.style("text", strike=True))
    assert found["here"] == str(theme.style("text", underline=True))
    assert found["(http://x.y)"] == str(theme.style("muted"))


def test_blocks() -> None:
    source = """# Head

text
second line

- one
  - nested
- two

  para

10. ten

> said
> - by

---
![alt](pic.png)"""
    assert texts(draw_markdown(page(60), source)) == [
        "   Head",
        "",
        "   text",
        "   second line",
        "",
        "   • one",
        "     • nested",
        "   • two",
        "",
        "     para",
        "",
        "   10. ten",
        "",
        "   ▎ said",
        "   ▎ • by",
        "",
        "   " + "─" * 55,
        "   alt (pic.png)",
    ]


def test_a_fence_in_a_list_stands_at_the_lists_edge() -> None:
    rows = texts(draw_markdown(page(40), "- a\n\n  ```sh\n  ls\n  ```"))
    assert rows == ["   • a", "", "       ls" + " " * 26 + "sh"]


def test_addresses_are_underlined_and_end_before_the_full_stop() -> None:
    found = styles(draw_markdown(page(80), "see https://a.b/c_(d). Or <https://e.f>"))
    assert "underline" in found["https://a.b/c_(d"] or "underline" in found["https://a.b/c_(d)"]
    assert "underline" in found["https://e.f"]


BRACKETS = 'use [/] and [/bold] or [red]x, list[0], [link=file:///x]y, [b + "'


def test_u1_square_brackets_are_text_at_every_cut() -> None:
    sheet = page(120)
    text = str(sheet.theme.style("text"))
    for cut in range(len(BRACKETS) + 1):
        splitter = Splitter()
        splitter.feed(BRACKETS[:cut])
        splitter.feed(BRACKETS[cut:])
        rows = [line for piece in splitter.tail() for line in draw_piece(sheet, piece)]
        assert texts(rows) == ["   " + BRACKETS]
        assert set(styles(rows).values()) == {text}


def test_u1_html_is_text() -> None:
    source = "<b>x</b> <script>y</script>\n\n<div>\nz\n</div>"
    assert texts(draw_markdown(page(80), source)) == [
        "   <b>x</b> <script>y</script>",
        "",
        "   <div>",
        "   z",
        "   </div>",
    ]


def test_u2_neither_raw_nor_as_entity_does_a_control_reach_the_screen() -> None:
    source = "a\x1b[2Jb &#27;[2J &#x202e;c [x\x1b]0;y\x07](http://z\x1b[m)\n\n```s\x1bh\n\x1b]52;c;aGk=\x07code\n```"
    for piece in split(source):
        for line in draw_piece(page(80), piece):
            assert not any(
                c < " " or "\x7f" <= c <= "\x9f" or c == "\u202e" for c in line.strip.text
            )


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("```py\nx = 1\n\n~~~\ny", ["     x = 1" + " " * 32 + "py", "", "     ~~~", "     y"]),
        ("| a | b |\n|---|---|\n| 1", ["   a        b", "   " + "─" * 10, "   1"]),
        ("**bold unclosed", ["   **bold unclosed"]),
        ("- a\n  ```\n  x", ["   • a", "", "       x"]),
        ("[x]: http://y", ["   [x]: http://y"]),
        ("`code", ["   `code"]),
    ],
)
def test_u5_markdown_cut_in_the_middle_is_shown_as_far_as_it_goes(
    source: str, rows: list[str]
) -> None:
    found = [row for piece in split(source) for row in texts(draw_piece(page(47), piece))]
    assert found == rows


def test_copied_rows_are_the_text_without_the_breaks_of_the_screen() -> None:
    rows = draw_markdown(page(40), "one two three four five six seven eight nine ten")
    joined = "".join(line.content + (line.glue if line.glue is not None else "\n") for line in rows)
    assert len(rows) == 2 and joined == "one two three four five six seven eight nine ten\n"


MARKDOWN = st.text("ab*_`#->| \n[]()~1.", max_size=60)


@given(MARKDOWN, st.integers(20, 90))
@settings(max_examples=150, deadline=None)
def test_anything_can_be_drawn_and_no_row_is_too_wide(source: str, width: int) -> None:
    sheet = page(width)
    for piece in split(source):
        for line in draw_piece(sheet, piece):
            assert sum(s.cell_length for s in line.strip) == width


@pytest.mark.parametrize("mark", ["**", "_", "~~"])
def test_marks_nested_without_end_are_shown_as_they_are(mark: str) -> None:
    source = " ".join([mark + "a"] * 800 + ["a" + mark] * 800)
    drawn = draw_markdown(page(80), source)
    assert "".join(texts(drawn)).count("a") == 1600
    whole = "*" * 3000 + "x" + "*" * 3000
    assert "".join(texts(draw_markdown(page(80), whole))).replace(" ", "") == whole
    assert texts(draw_markdown(page(80), "**a *b _c_* d**")) == texts(
        draw_markdown(page(80), "a b c d")
    )


def linked(text: str, *, links: bool = True) -> list[tuple[str, str]]:
    """The links a terminal gets: what is said, and the target behind our mark."""
    rows = draw_markdown(replace(page(100), links=links), text)
    return [
        (segment.text, segment.style.link.partition(":")[2])
        for row in rows
        for segment in row.strip
        if segment.style and segment.style.link
    ]


def test_addresses_are_links_and_where_one_leads_is_always_in_sight() -> None:
    text = "see [docs](https://example.org/d) and https://example.org/a?b=1."
    assert linked(text) == [
        ("docs", "https://example.org/d"),
        ("https://example.org/a?b=1", "https://example.org/a?b=1"),
    ]
    assert "docs (https://example.org/d)" in draw_markdown(page(100), text)[0].strip.text
    assert linked(text, links=False) == []


@pytest.mark.parametrize(
    "text",
    ["[x](javascript:alert)", "[x](file:///etc/passwd)", "[x](//a)", "[x](data:text/html,a)", "<mailto:a@b.c>"],
)  # fmt: skip
def test_u2_only_the_web_is_linked_from_what_a_model_says(text: str) -> None:
    assert linked(text) == []


def test_a_link_keeps_its_target_over_a_break() -> None:
    text = f"[{'word ' * 30}](https://example.org/d)"
    assert {target for _, target in linked(text)} == {"https://example.org/d"}
