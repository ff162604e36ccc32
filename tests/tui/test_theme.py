from __future__ import annotations

import math
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
from tests.tui import scenes
from tests.tui.stage import running

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


COLOUR_BLIND = ("colour-blind-dark", "colour-blind-light")


def test_the_seven_themes_are_shipped_and_sound() -> None:
    assert sorted(SHIPPED) == [
        *COLOUR_BLIND, "dark", "high-contrast", "light", "no-colour", "sixteen",
    ]  # fmt: skip
    assert PROBLEMS == ()
    assert sorted(PAINTED) == [*COLOUR_BLIND, "dark", "high-contrast", "light"]


SEEN_AS = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What linear red, green and blue become for an eye without one kind of cones (Machado, Oliveira and Fernandes, 2009)."""


def as_seen(colour: Color, kind: str) -> tuple[float, float, float]:
    """Give a colour as such an eye sees it, where equal distances look equal (OKLab)."""
    assert colour.triplet is not None
    parts = [value / 255 for value in colour.triplet]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    seen = [
        min(1.0, max(0.0, sum(m * x for m, x in zip(row, linear, strict=True))))
        for row in SEEN_AS[kind]
    ]
    red, green, blue = seen
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def apart(theme: Theme, one: str, other: str, kind: str) -> float:
    """How far apart two roles are for such an eye; 0.02 is about what can be told at all."""
    colours: list[Color] = []
    for role in (one, other):
        style = theme.roles[role]
        colour = style.bgcolor or style.color
        assert colour is not None
        colours.append(colour)
    return math.dist(as_seen(colours[0], kind), as_seen(colours[1], kind))


@pytest.mark.parametrize("kind", SEEN_AS)
@pytest.mark.parametrize("name", COLOUR_BLIND)
def test_what_means_different_things_looks_different_to_every_eye(name: str, kind: str) -> None:
    theme = SHIPPED[name]
    for one, other in (
        ("added", "removed"),
        ("ok", "error"),
        ("ok", "warning"),
        ("error", "warning"),
        ("accent", "warning"),
        ("accent", "error"),
        ("added_word", "removed_word"),
    ):
        assert apart(theme, one, other, kind) >= 0.1, (one, other)
    assert apart(theme, "added_bg", "removed_bg", kind) >= 0.045


def test_the_usual_themes_would_not_do_for_them() -> None:
    assert apart(SHIPPED["dark"], "added", "removed", "deuteranopia") < 0.05


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("scene", ["main", "edit", "bash", "work", "choices"])
async def test_u11_text_is_drawn_on_no_other_background_than_those_that_are_measured(
    scene: str, anyio_backend: str
) -> None:
    messages = {
        "main": scenes.main_scene(),
        "edit": [*scenes.begin(), scenes.edit_call(), scenes.edit_question()],
        "bash": [*scenes.begin(), scenes.bash_question()],
        "work": scenes.at_work(),
        "choices": [*scenes.begin(), *scenes.choices()],
    }[scene]
    async with running(up=False) as on:
        made = on.app.backstage.look.theme._made  # pyright: ignore[reportPrivateUsage]
        made.clear()
        await on.say(*messages)
        await on.pass_time(3)
        drawn = {key[:2] for key in made}
    assert len(drawn) > 8
    lines = {"line", "thumb"}
    odd = {(r, on) for r, on in drawn if r not in lines and on not in STANDS_ON[r]}  # type: ignore[index]  # pyright: ignore[reportArgumentType]
    assert not odd


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


@pytest.mark.parametrize("variables", [{}, {"COLORFGBG": "0;15"}, {"COLORFGBG": "15;0"}])
def test_what_the_terminal_says_itself_goes_before_what_a_variable_says(
    variables: dict[str, str],
) -> None:
    here = env(COLORTERM="truecolor", **variables)
    assert choose_theme(here, dark=True) == "dark"
    assert choose_theme(here, dark=False) == "light"
    assert choose_theme(here, "high-contrast", dark=False) == "high-contrast"
    assert choose_theme(env(TERM="linux"), dark=False) == "sixteen"


@pytest.mark.parametrize("theme", SHIPPED.values(), ids=SHIPPED.keys())
def test_the_screen_gets_a_variable_for_each_role(theme: Theme) -> None:
    screen = theme.to_screen()
    variables = screen.to_color_system().generate() | screen.variables
    for role in (*TEXT_ROLES, *BACKGROUNDS):
        name = "role-" + role.replace(".", "-").replace("_", "-")
        colour = variables[name]
        assert (ScreenColor.parse(colour).ansi is not None) == theme.native
        assert variables[f"{name}-style"]


def test_a_theme_may_build_on_one_that_comes_behind_it(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('base = "b"\nabout = "mine"\n')
    (tmp_path / "b.toml").write_text('base = "light"\n[text]\naccent = "#a00000"\n')
    found, problems = load_themes([themes(), tmp_path])
    assert problems == ()
    assert found["a"].colour("accent") == "#a00000"
    assert found["a"].about == "mine"


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
