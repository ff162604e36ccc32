from __future__ import annotations

from tests.tui.look import THEMES, look


def test_a_page_follows_the_theme_in_use() -> None:
    made = look("dark")
    before = made.page(80)
    made.theme = THEMES["light"]
    after = made.page(80)
    assert (before.theme.name, after.theme.name) == ("dark", "light")
    assert after.width == 80
    assert after.cwd == made.cwd
