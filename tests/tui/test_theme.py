from __future__ import annotations

from pathlib import Path

import pytest
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as ScreenColor

from agent_tui.settings.paths import Environment, themes
from agent_tui.tui.theme import (
    BACKGROUNDS,
    STANDS_ON,
    TEXT_ROLES,
    Theme,
    ThemeError,
    Uncoloured,
    choose_theme,
    load_themes,
    read_theme,
)

SHIPPED, PROBLEMS = load_themes([themes()])
PAINTED = [name for name, theme in SHIPPED.items() if not theme.native]


def luminance(colour: Color) -> float:
    def channel(value: int) -> float:
        part = value / 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    assert colour.triplet is not None
    red, green, blue = map(channel, colour.triplet)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(style: Style) -> float:
    assert style.color is not None and style.bgcolor is not None
    high, low = sorted((luminance(style.color), luminance(style.bgcolor)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def env(**variables: str) -> Environment:
    return Environment(variables, Path("/nowhere"))


def test_the_five_themes_are_shipped_and_sound() -> None:
    assert sorted(SHIPPED) == ["dark", "high-contrast", "light", "no-colour", "sixteen"]
    assert PROBLEMS == ()
    assert PAINTED == ["dark", "high-contrast", "light"]


@pytest.mark.parametrize("name", PAINTED)
def test_u11_each_text_colour_can_be_read_on_each_background_it_stands_on(name: str) -> None:
    theme = SHIPPED[name]
    least = 5.4 if name == "high-contrast" else 4.5
    for role, grounds in STANDS_ON.items():
        for ground in grounds:
            assert contrast(theme.style(role, ground)) >= least, (role, ground)


@pytest.mark.parametrize(
    ("name", "role", "ground", "ratio"),
    [
        ("dark", "text", "bg", 12.7),
        ("dark", "muted", "select", 4.9),
        ("dark", "code.keyword", "added_word", 4.9),
        ("light", "muted", "bg", 5.7),
        ("light", "ok", "surface", 5.5),
        ("light", "code.string", "added_word", 4.7),
    ],
)
def test_values_are_those_that_were_designed(
    name: str, role: str, ground: str, ratio: float
) -> None:
    style = SHIPPED[name].style(role, ground)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert contrast(style) == pytest.approx(ratio, abs=0.35)  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.parametrize("name", ["sixteen", "no-colour"])
def test_a_theme_of_the_terminals_colours_never_paints_the_page(name: str) -> None:
    theme = SHIPPED[name]
    assert theme.native and not theme.tints
    for ground in BACKGROUNDS:
        assert theme.style("text", ground).bgcolor is None
    assert theme.to_screen().ansi
    assert theme.style("muted", "select") == Style(reverse=True)
    assert theme.style("strong", "select") == Style(bold=True, reverse=True)


def test_u11_no_colour_has_no_colour_and_tells_by_attributes() -> None:
    theme = SHIPPED["no-colour"]
    for role in TEXT_ROLES:
        for ground in BACKGROUNDS:
            style = theme.style(role, ground)
            assert style.color is None and style.bgcolor is None
    assert theme.style("muted").dim
    assert theme.style("text", "added_word").reverse


def test_a_changed_word_keeps_its_sign_colour_where_tints_are_missing() -> None:
    style = SHIPPED["sixteen"].style("code.keyword", "removed_word")
    assert style.reverse and style.color == Color.parse("bright_red")


def test_u11_what_is_written_under_no_color_holds_no_colour_code() -> None:
    segment = Segment("x", Style.parse("bold red on #101010"))
    (plain,) = Uncoloured().apply([segment], ScreenColor(0, 0, 0))
    assert plain == Segment("x", Style(bold=True))


@pytest.mark.parametrize(
    ("variables", "wanted", "name"),
    [
        ({"NO_COLOR": "1", "COLORTERM": "truecolor"}, "light", "no-colour"),
        ({"NO_COLOR": "", "COLORTERM": "truecolor"}, "", "dark"),
        ({"TERM": "xterm-256color"}, "auto", "dark"),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, "", "light"),
        ({"TERM": "xterm-256color", "COLORFGBG": "15;0"}, "", "dark"),
        ({"TERM": "linux"}, "", "sixteen"),
        ({"TERM": "vt100"}, "", "no-colour"),
        ({"TERM": "xterm-256color", "FORCE_COLOR": "0"}, "dark", "no-colour"),
        ({"TERM": "vt100", "FORCE_COLOR": "1"}, "", "sixteen"),
        ({"TERM": "linux"}, "high-contrast", "high-contrast"),
        ({"TERM": "xterm-kitty"}, "", "dark"),
    ],
)
def test_the_theme_fits_the_terminal(variables: dict[str, str], wanted: str, name: str) -> None:
    assert choose_theme(env(**variables), wanted) == name


@pytest.mark.parametrize("theme", SHIPPED.values(), ids=SHIPPED.keys())
def test_the_screen_gets_a_variable_for_each_role(theme: Theme) -> None:
    screen = theme.to_screen()
    variables = screen.to_color_system().generate() | screen.variables
    for role in (*TEXT_ROLES, *BACKGROUNDS):
        name = "role-" + role.replace(".", "-").replace("_", "-")
        colour = variables[name]
        assert (ScreenColor.parse(colour).ansi is not None) == theme.native
        assert variables[f"{name}-style"]


def test_a_persons_theme_builds_on_another_and_replaces_by_name(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('base = "light"\n[text]\naccent = "#a00000 underline"\n')
    (tmp_path / "wrong.toml").write_text('base = "light"\n[text]\naccnt = "#a00000"\n')
    found, problems = load_themes([themes(), tmp_path])
    assert found["mine"].colour("accent") == "#a00000"
    assert found["mine"].attributes("accent") == "underline"
    assert found["mine"].colour("text") == SHIPPED["light"].colour("text")
    assert not found["mine"].dark
    assert len(problems) == 1 and "accnt" in problems[0]


@pytest.mark.parametrize(
    "text", ["not toml", "dark = true", '[text]\ntext = "nocolour"', "text = 1", 'base = "none"']
)
def test_a_broken_theme_is_told_with_its_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ThemeError, match=r"bad\.toml"):
        read_theme(path)
