"""Markdown as rows of the screen. Raw HTML, and whatever else is no markdown, is shown as the text it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from rich.style import Style

from agent_tui.tui.coderows import code_rows
from agent_tui.tui.lines import TEXT_COLUMN, Line, Page, Span, blank_line, make_line, width_of
from agent_tui.tui.links import to_web
from agent_tui.tui.tables import Align, Table, draw_table
from agent_tui.tui.theme import TextRole
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.clean import clean
from agent_tui.view.pieces import Piece

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
DEEPEST = 60
"""Markdown with inline marks nested deeper is shown as its source."""
_URL = re.compile(r"https?://[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]}]")


def draw_piece(page: Page, piece: Piece) -> Sequence[Line]:
    """Draw one piece of markdown, without the gap above it."""
    if piece.kind == "fence":
        return code_rows(
            page, [clean(line) for line in piece.code()], language=clean(piece.language)
        )
    return draw_markdown(page, piece.source)


def draw_markdown(page: Page, source: str, *, column: int = TEXT_COLUMN) -> list[Line]:
    """Draw markdown text; every construct is closed at its end."""
    source = clean(source)
    drawing = _Drawing(page, source.split("\n"))
    edge = _Edge(column)
    tokens = _PARSER.parse(source)
    if not _too_deep(tokens):
        drawing.blocks(SyntaxTreeNode(tokens).children, edge)
    if not drawing.lines and source.strip():
        # Only definitions, nothing of which would be seen, or nobody's prose.
        drawing.paragraph([(source, page.theme.style("muted"))], edge)
    return drawing.lines


def _too_deep(tokens: Sequence[Token]) -> bool:
    """Tell whether inline marks are nested beyond any sense: blocks and links are bounded by the parser, these aren't."""
    return any(inner.level > DEEPEST for token in tokens for inner in token.children or ())


@dataclass(slots=True)
class _Edge:
    """Where text begins, and the mark that stands before its first row."""

    column: int
    mark: tuple[Span, ...] = ()
    bar: bool = False
    """In a quotation: a bar stands before every row."""


@dataclass(frozen=True, slots=True)
class _Ink:
    """How inline text looks where it stands."""

    role: TextRole = "text"
    bold: bool = False
    italic: bool = False
    strike: bool = False
    link: str = ""

    def style(self, page: Page, role: TextRole | None = None) -> Style:
        style = page.theme.style(
            role or self.role,
            bold=self.bold or None,
            italic=self.italic or None,
            underline=bool(self.link) or None,
            strike=self.strike or None,
        )
        return to_web(style, self.link) if self.link and page.links else style


class _Drawing:
    """Draws a tree of markdown, block by block."""

    def __init__(self, page: Page, source: Sequence[str]) -> None:
        self.page = page
        self.source = source
        self.lines: list[Line] = []

    # Blocks ---------------------------------------------------------------------------------------------------------

    def blocks(self, nodes: Sequence[SyntaxTreeNode], edge: _Edge) -> None:
        """Draw blocks one below the other; a blank row between where the source has one, or a band or table is."""
        last: SyntaxTreeNode | None = None
        for node in nodes:
            if last is not None and self._are_apart(last, node):
                self.lines.append(self._blank(edge))
            self.block(node, edge)
            edge.mark = ()
            last = node

    def block(self, node: SyntaxTreeNode, edge: _Edge) -> None:
        match node.type:
            case "paragraph":
                self.paragraph(self.inline(node, _Ink()), edge)
            case "heading":
                self.paragraph(self.inline(node, _Ink("strong", bold=True)), edge)
            case "fence" | "code_block":
                self._code(node, edge)
            case "bullet_list" | "ordered_list":
                self._list(node, edge)
            case "blockquote":
                self._quote(node, edge)
            case "table":
                self._table(node, edge)
            case "hr":
                rule = self.page.glyphs.rule * self._room(edge)
                self._put([(rule, self.page.theme.style("line"))], edge, source="---")
            case _:
                text = node.content if node.token else ""
                self.paragraph([(text.rstrip("\n"), self.page.theme.style("text"))], edge)

    def paragraph(self, spans: Sequence[Span], edge: _Edge) -> None:
        for row in wrap_prose(spans, self._room(edge)):
            self._put(row.spans, edge, glue=row.glue)

    def _put(
        self,
        spans: Sequence[Span],
        edge: _Edge,
        *,
        glue: str | None = None,
        source: str | None = None,
    ) -> None:
        paper = self.page.theme.style("text")
        lead: list[Span] = []
        mark = edge.mark or (
            ((self.page.glyphs.bar + " ", self.page.theme.style("line")),) if edge.bar else ()
        )
        if mark:
            wide = sum(width_of(text) for text, _ in mark)
            lead = [(" " * (edge.column - wide), paper), *mark]
        self.lines.append(
            make_line(self.page, spans, lead=lead, column=edge.column, glue=glue, source=source)
        )
        edge.mark = ()

    def _blank(self, edge: _Edge) -> Line:
        if not edge.bar:
            return blank_line(self.page)
        bar = (self.page.glyphs.bar, self.page.theme.style("line"))
        return make_line(self.page, [bar], column=edge.column - 2)

    def _room(self, edge: _Edge) -> int:
        return max(8, self.page.prose_width - (edge.column - TEXT_COLUMN))

    def _code(self, node: SyntaxTreeNode, edge: _Edge) -> None:
        if edge.mark:
            self._put([], edge)
        code = node.content.split("\n")
        language = node.info.split(" ")[0].strip("{}.") if node.type == "fence" else ""
        self.lines.extend(
            code_rows(self.page, code[:-1] or code, language=language, column=edge.column)
        )

    def _list(self, node: SyntaxTreeNode, edge: _Edge) -> None:
        theme = self.page.theme
        start = int(node.attrs.get("start", 1))
        wide = len(str(start + len(node.children) - 1)) + 1
        last: SyntaxTreeNode | None = None
        for number, item in enumerate(node.children, start):
            if last is not None and self._are_apart(last, item):
                self.lines.append(self._blank(edge))
            if node.type == "ordered_list":
                mark = f"{number}{item.markup or '.'}".rjust(wide) + " "
            else:
                mark = self.page.glyphs.bullet + " "
            inner = _Edge(
                edge.column + width_of(mark), (*edge.mark, (mark, theme.style("muted"))), edge.bar
            )
            if edge.bar and not edge.mark:
                inner.mark = ((self.page.glyphs.bar + " ", theme.style("line")), *inner.mark)
            inner.bar = False
            before = len(self.lines)
            self.blocks(item.children, inner)
            if len(self.lines) == before:
                self._put([], inner)
            edge.mark = ()
            last = item

    def _quote(self, node: SyntaxTreeNode, edge: _Edge) -> None:
        inner = _Edge(edge.column + 2, bar=True)
        if edge.mark:
            bar = (self.page.glyphs.bar + " ", self.page.theme.style("line"))
            inner.mark = (*edge.mark, bar)
        self.blocks(node.children, inner)

    def _table(self, node: SyntaxTreeNode, edge: _Edge) -> None:
        if edge.mark:
            self._put([], edge)
        rows = [row for part in node.children for row in part.children]
        head = tuple(
            tuple(self.inline(cell, _Ink("strong", bold=True))) for cell in rows[0].children
        )
        body = tuple(
            tuple(tuple(self.inline(cell, _Ink())) for cell in row.children) for row in rows[1:]
        )
        first, last = node.map or (0, 0)
        table = Table(
            head,
            body,
            tuple(_align(cell) for cell in rows[0].children),
            tuple(line.strip() for line in self.source[first:last]),
        )
        room = self.page.text_width - (edge.column - TEXT_COLUMN)
        self.lines.extend(draw_table(self.page, table, column=edge.column, width=room))

    def _are_apart(self, upper: SyntaxTreeNode, lower: SyntaxTreeNode) -> bool:
        if {upper.type, lower.type} & {"fence", "code_block", "table"}:
            return True
        if upper.map is None or lower.map is None:
            return True
        return not self.source[lower.map[0] - 1].strip(" >\t")

    # Inline ---------------------------------------------------------------------------------------------------------

    def inline(self, node: SyntaxTreeNode, ink: _Ink) -> list[Span]:
        """Give the spans of a node's inline children."""
        spans: list[Span] = []
        for child in node.children:
            self._inline(child, ink, spans)
        return spans

    def _inline(self, node: SyntaxTreeNode, ink: _Ink, spans: list[Span]) -> None:
        match node.type:
            case "text" | "html_inline":
                self._text(node.content, ink, spans)
            case "softbreak" | "hardbreak":
                spans.append(("\n", ink.style(self.page)))
            case "code_inline":
                style = ink.style(self.page, "code.function" if ink.role == "text" else None)
                spans.append((clean(node.content), style))
            case "strong":
                role: TextRole = "strong" if ink.role == "text" else ink.role
                spans.extend(self.inline(node, replace(ink, role=role, bold=True)))
            case "em":
                spans.extend(self.inline(node, replace(ink, italic=True)))
            case "s":
                spans.extend(self.inline(node, replace(ink, strike=True)))
            case "link" | "image":
                self._link(node, ink, spans)
            case _:
                spans.extend(self.inline(node, ink))

    def _text(self, text: str, ink: _Ink, spans: list[Span]) -> None:
        # Entities may have become anything, so the text is cleaned again.
        text = clean(text).replace("\t", "    ")
        at = 0
        if not ink.link and "://" in text:
            for match in _URL.finditer(text):
                if match.start() > at:
                    spans.append((text[at : match.start()], ink.style(self.page)))
                spans.append((match[0], replace(ink, link=match[0]).style(self.page)))
                at = match.end()
        if at < len(text):
            spans.append((text[at:], ink.style(self.page)))

    def _link(self, node: SyntaxTreeNode, ink: _Ink, spans: list[Span]) -> None:
        """Draw what is linked underlined, and where it leads behind it when the words don't say so."""
        target = clean(str(node.attrs.get("href") or node.attrs.get("src") or ""))
        inner = self.inline(node, replace(ink, link=target))
        said = "".join(text for text, _ in inner)
        spans.extend(inner)
        if target and target not in (said, f"mailto:{said}"):
            spans.append((f" ({target})" if said else target, ink.style(self.page, "muted")))


def _align(cell: SyntaxTreeNode) -> Align:
    style = str(cell.attrs.get("style", ""))
    for align in ("right", "center"):
        if align in style:
            return cast("Align", align)
    return "left"
