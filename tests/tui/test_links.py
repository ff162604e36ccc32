from __future__ import annotations

import re

import pytest
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from agent_tui.tui.driver import guard
from agent_tui.tui.links import pass_links, to_file, to_web, wanted
from agent_tui.tui.surroundings import Surroundings

KITTY = Surroundings("kitty", "", "xterm-kitty")


def written(text: str, style: Style) -> str:
    """What the screen writes of a row."""
    strip = Strip([Segment(text, style)])
    return strip.render(Console(color_system="truecolor", force_terminal=True))


def drop(text: str) -> str:
    return text.replace("\x1b", "").replace("\x07", "")


def test_a_link_of_ours_reaches_the_terminal_without_its_mark() -> None:
    out = guard(written("here", to_web(Style(bold=True), "https://example.org/a?b=1")))
    assert re.fullmatch(
        r"\x1b\]8;id=\d+;https://example\.org/a\?b=1\x1b\\\x1b\[1mhere\x1b\[0m\x1b\]8;;\x1b\\", out
    )


def test_a_file_is_linked_by_its_absolute_path_on_this_machine() -> None:
    out = guard(written("a b.py", to_file(Style(bold=True), "/w/a b\u00e9.py")))
    assert re.search(r";file://[\w.-]+/w/a%20b%C3%A9\.py\x1b\\", out)
    assert to_file(Style(bold=True), "src/a.py") == Style(bold=True)


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "ftp://x/y", "data:text/html,x", "mailto:a@b", "http://", "file:///etc", "x", "https://a/" + "b" * 3000],
)  # fmt: skip
def test_only_addresses_of_the_web_become_links(address: str) -> None:
    assert to_web(Style(bold=True), address) == Style(bold=True)


@pytest.mark.parametrize(
    "forged",
    [
        "\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\",
        "\x1b]8;id=1;http://evil\x1b\\click",
        "\x1b]8;id=1;0123456789abcdef0123456789abcdef:http://evil\x1b\\click",
        "\x1b]8;;http://evil\x07click\x1b]8;;\x07",
        "\x9d8;;http://evil\x9cclick",
        "\x1b]8;id=1:x=\x1b]52;c;aGk=\x07;http://evil\x1b\\",
    ],
)
def test_u1_u2_nothing_from_outside_can_forge_a_link(forged: str) -> None:
    out = guard(forged + written("ours", to_web(Style(bold=True), "https://example.org/")) + forged)
    found = re.findall(r"\x1b\]8;[^;]*;([^\x1b]*)\x1b\\", out)
    assert [target for target in found if target] == ["https://example.org/"]
    assert "\x07" not in out and "\x9d" not in out and "\x1b]52" not in out


def test_u2_a_target_can_not_end_its_own_sequence() -> None:
    evil = 'https://x/\x1b\\\x1b]52;c;aGk=\x07"> \u202e'
    out = guard(written("t", to_web(Style(bold=True), evil)))
    assert "\x1b]52" not in out and "\x07" not in out and "\u202e" not in out


def test_what_holds_no_link_is_guarded_as_ever() -> None:
    assert pass_links("a\x1bb", drop) == "ab"
    assert pass_links("a\x1b]8;;x", drop) == "a]8;;x"


@pytest.mark.parametrize(
    ("wish", "around", "links"),
    [
        (None, KITTY, True),
        ("auto", Surroundings("unknown", "", "xterm-256color"), True),
        ("auto", Surroundings("unknown", "tmux", "tmux-256color"), True),
        ("auto", Surroundings("unknown", "screen", "screen"), False),
        ("auto", Surroundings("apple", "", "xterm-256color"), False),
        ("auto", Surroundings("linux", "", "linux"), False),
        ("auto", Surroundings("unknown", "", "dumb"), False),
        ("off", KITTY, False),
        ("on", Surroundings("linux", "", "linux"), True),
    ],
)
def test_where_links_are_written(wish: object, around: Surroundings, links: bool) -> None:
    assert wanted(wish, around) is links  # pyright: ignore[reportArgumentType]
