from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from agent_tui.protocol.explanations import (
    ExplainedPart,
    ExplainedRule,
    ExplainedStep,
    Explanation,
    PermissionsInForce,
)
from agent_tui.protocol.queries import ChangePermissions, Explain, Explained, Failed, InForce
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.screens.permissions import PermissionsScreen
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio

FILE = "/home/me/.agent-tui/settings.json"
GIT = ExplainedRule("ask", "Bash(git push *)", f"{FILE}:5", "user", "", "userSettings")
RM = ExplainedRule("deny", "Bash(rm *)", "/etc/managed.json:2", "managed")
MAKE = ExplainedRule(
    "allow", "Bash(make *)", "the session rules", "session", "2 calls left", "session"
)
STATE = PermissionsInForce(
    "default", (RM, GIT, MAKE), ("/work", "/more"), ("x.json:3: left out.",), False, "on, as usual"
)
ASKED = Explanation(
    "Bash(git push -f)",
    "ask",
    "rule",
    "The rule Bash(git push *) wants this asked.",
    "default",
    GIT,
    (ExplainedPart("git push -f", "ask", "ask Bash(git push *)  user"),),
    steps=(
        ExplainedStep("deny rules", "the one deny rule doesn't cover it"),
        ExplainedStep("ask rules, hooks that ask", "Bash(git push *)", decided=True),
    ),
    changes=("In mode dontAsk it would be denied.",),
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def opened(size: tuple[int, int] = (120, 40), **more: Any) -> AsyncGenerator[Stage]:
    replies: dict[type[Any], Any] = {
        InForce: STATE,
        Explain: lambda query: Explained((replace(ASKED, call=f"Bash({query.text})"),)),  # pyright: ignore[reportUnknownLambdaType,reportUnknownMemberType]
        ChangePermissions: replace(STATE, rules=(RM, MAKE)),
        **more.pop("replies", {}),
    }
    async with running(size=size, replies=replies, **more) as on:
        await on.type("/permissions")
        await on.press("enter")
        await on.settle()
        assert isinstance(on.app.screen, PermissionsScreen)
        yield on


def plain(on: Stage) -> list[str]:
    return [" ".join(row.split()) for row in on.rows]


async def answered(on: Stage) -> None:
    """Wait until what is typed has been asked about."""
    while any(worker.group == "explain" and worker.is_running for worker in on.app.workers):
        await on.pilot.pause(0.02)
    await on.settle()


async def explaining(on: Stage, text: str) -> None:
    await on.type(text)
    await on.press("enter")
    await answered(on)


async def test_it_lists_the_rules_by_what_they_do_and_where_they_stand() -> None:
    async with opened() as on:
        rows = plain(on)
        assert rows[0] == "Permissions mode default sandbox on not trusted"
        assert rows[3] == "Deny 1 rule, whatever else says"
        assert rows[4] == "› Bash(rm *) /etc/managed.json:2"
        assert rows[5] == "decreed by an administrator"
        assert rows[7:9] == ["Ask 1 rule, in every mode", f"Bash(git push *) {FILE}:5"]
        assert rows[11] == "Bash(make *) 2 calls left the session rules"
        assert rows[13:16] == ["Working folders 2 folders", "/work", "/more"]
        assert rows[17:19] == ["Left out 1 notice", "! x.json:3: left out."]
        assert not on.link.sent[1:]


async def test_what_is_typed_is_explained_in_a_moment() -> None:
    async with opened() as on:
        await on.type("git push -f")
        await answered(on)
        [query] = [query for query in on.link.asked if isinstance(query, Explain)]
        assert query.text == "git push -f"
        rows = plain(on)
        assert rows[3] == "◆ Bash(git push -f) asks you mode default"
        assert rows[4] == "The rule Bash(git push *) wants this asked."
        assert "› ask rules, hooks that ask Bash(git push *)" in rows
        assert "· In mode dontAsk it would be denied." in rows
        await on.press("escape")
        await answered(on)
        assert "Deny 1 rule, whatever else says" in plain(on)
        await on.press("escape")
        assert isinstance(on.app.screen, MainScreen)


async def test_what_means_nothing_is_told() -> None:
    async with opened(replies={Explain: Failed("what about?")}) as on:
        await explaining(on, "x")
        assert "what about?" in on.text


async def test_the_search_leaves_only_what_fits() -> None:
    async with opened() as on:
        await on.press("tab", "slash")
        await on.type("push")
        rows = plain(on)
        assert f"› Bash(git push *) {FILE}:5" in rows
        assert not any("Bash(rm *)" in row or "Working folders" in row for row in rows)
        await on.press("escape")
        assert "Bash(make *) 2 calls left the session rules" in plain(on)
        await on.type("zzz")
        assert "nothing found" in on.text


async def test_a_rule_of_ones_own_is_removed_when_that_is_wanted_twice() -> None:
    async with opened() as on:
        await on.press("tab", "down", "d")
        assert f"d again removes it from {FILE}:5" in plain(on)
        assert not [query for query in on.link.asked if isinstance(query, ChangePermissions)]
        await on.press("d")
        await on.settle()
        [query] = [query for query in on.link.asked if isinstance(query, ChangePermissions)]
        rule = PermissionRuleValue("Bash", "git push *")
        assert query.updates == (
            PermissionUpdate("removeRules", (rule,), "ask", destination="userSettings"),
        )
        assert "Bash(git push *)" not in on.text


async def test_a_rule_is_kept_when_one_moves_on_or_goes_back() -> None:
    async with opened() as on:
        await on.press("tab", "down", "d", "escape")
        assert isinstance(on.app.screen, PermissionsScreen)
        await on.press("d", "down", "up")
        assert "again" not in on.text
        await on.press("home", "up", "up", "d", "d")
        assert not [query for query in on.link.asked if isinstance(query, ChangePermissions)]


async def test_a_rule_is_added_where_it_is_wanted() -> None:
    async with opened() as on:
        await on.press("tab", "a")
        await on.type("deny Read(./secret/**)")
        assert "until you leave" in on.text
        await on.press("tab")
        assert "settings.local.json" in on.text
        await on.press("enter")
        await on.settle()
        [query] = [query for query in on.link.asked if isinstance(query, ChangePermissions)]
        rule = PermissionRuleValue("Read", "./secret/**")
        assert query.updates == (
            PermissionUpdate("addRules", (rule,), "deny", destination="localSettings"),
        )
        assert "what would you decide?" in on.text
        await on.press("a")
        await on.type("Bash")
        await on.press("shift+tab", "enter")
        await on.settle()
        added = [query for query in on.link.asked if isinstance(query, ChangePermissions)][-1]
        assert added.updates == (PermissionUpdate("addRules", (PermissionRuleValue("Bash"),)),)


async def test_a_rule_that_is_none_stays_where_it_was_typed() -> None:
    refused = Failed("Write(x): paths are ruled by Edit(...)")
    async with opened(replies={ChangePermissions: refused}) as on:
        await on.press("tab", "a")
        await on.type("a b c")
        await on.press("enter")
        await on.settle()
        assert "A rule looks like Bash(git log *)" in on.text
        await on.press("escape", "a")
        await on.type("Write(x)")
        await on.press("enter")
        await on.settle()
        assert "paths are ruled by Edit(...)" in on.text
        assert "Write(x)" in plain(on)[-3]
        await on.press("escape")
        assert "Deny 1 rule, whatever else says" in plain(on)


async def test_a_click_chooses_a_rule() -> None:
    async with opened() as on:
        await on.pilot.click("#permissions-list", offset=(10, 5))
        assert f"› Bash(git push *) {FILE}:5" in plain(on)


async def test_the_wheel_scrolls_what_is_shown() -> None:
    async with opened(size=(80, 12)) as on:
        before = plain(on)[3:8]
        await on.press("tab", "down", "down")
        assert plain(on)[3:8] != before
        await on.press("tab", "tab")
        await explaining(on, "git push -f")
        before = plain(on)[3:8]
        await on.press("down")
        assert plain(on)[3:8] != before


async def test_it_fits_a_narrow_screen() -> None:
    async with opened(size=(60, 24)) as on:
        assert "Bash(git push *) user" in plain(on)
        await explaining(on, "git push -f")
        assert "◆ Bash(git push -f) asks you" in plain(on)


async def test_without_an_engine_it_says_so() -> None:
    async with opened(replies={InForce: Failed("No session is open.")}) as on:
        assert "No session is open." in on.text


async def test_with_something_after_it_the_engine_is_asked() -> None:
    async with running() as on:
        await on.type("/permissions git push")
        await on.press("enter")
        assert isinstance(on.app.screen, MainScreen)
