"""What a project's settings files bring."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.settings.brought import Listing, hook_scripts, list_settings, mark_of, rule_mark
from agent_tui.settings.paths import Environment
from agent_tui.settings.trusted import trust_rules


class Place:
    """A project and the home of its person."""

    def __init__(self, home: Path, project: Path) -> None:
        self.env = Environment({}, home)
        self.project = project

    def write(self, name: str, data: Any) -> Path:
        path = self.project / ".claude" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data))
        return path

    def listed(self, *sources: Any) -> Listing:
        listing = Listing()
        list_settings(listing, self.env, self.project, sources or ("project", "local"))
        return listing

    def said(self, *sources: Any) -> list[tuple[str, str, str]]:
        return [(one.kind, one.name, one.what) for one in self.listed(*sources).items]

    def marks(self) -> list[str]:
        return [one.mark for one in self.listed().items]


@pytest.fixture
def place(home: Path, tmp_path: Path) -> Place:
    return Place(home, tmp_path)


def hooks(*handlers: Any, event: str = "Stop", **group: Any) -> dict[str, Any]:
    return {"hooks": {event: [{"hooks": [*handlers], **group}]}}


def test_everything_that_takes_effect_by_trust_is_listed(place: Place) -> None:
    shared = place.write(
        "settings.json",
        {
            **hooks(
                {"type": "command", "command": "a", "args": ["b", "c d"]},
                {"type": "http", "url": "http://x/"},
            ),
            "model": "opus",
            "autoCompactWindow": 7,
            "permissions": {
                "allow": ["Bash(a)", {"rule": "Bash(b)", "match": ["b"]}, 7, "Bash(a)"],
                "additionalDirectories": ["../lib"],
                "defaultMode": "acceptEdits",
            },
        },
    )
    place.write("settings.local.json", {"permissions": {"allow": ["Bash(c)"]}})
    listed = place.listed()
    assert place.said() == [
        ("hook", "Stop", "a b c d"),
        ("hook", "Stop", '{"type": "http", "url": "http://x/"}'),
        ("rule", "Bash(a)", ""),
        ("rule", "Bash(b)", ""),
        ("folder", "../lib", ""),
        ("mode", "acceptEdits", ""),
        ("setting", "model", "opus"),
        ("setting", "autoCompactWindow", "7"),
        ("rule", "Bash(c)", ""),
    ]
    assert all(item.acts for item in listed.items)
    assert next(iter(listed.files)) == shared
    assert place.said("local") == [("rule", "Bash(c)", "")]


def test_what_is_stricter_never_taken_or_harmless_is_not(place: Place) -> None:
    place.write(
        "settings.json",
        {
            "$schema": "x",
            "baseUrl": "http://x",
            "apiKeyHelper": "x",
            "env": {"A": "b"},
            "theme": "light",
            "permissions": {
                "deny": ["Bash"],
                "ask": ["Edit"],
                "defaultMode": "bypassPermissions",
                "disableBypassPermissionsMode": "disable",
            },
        },
    )
    assert place.said() == []
    assert not place.listed().files


@pytest.mark.parametrize(
    "data",
    [
        {"hooks": 7},
        {"hooks": {"Stop": 7}},
        {"hooks": {"Stop": [7]}},
        {"hooks": {"Stop": [{"hooks": "x"}]}},
        {"hooks": {"Stop": [{"hooks": ["x"]}]}},
    ],
)
def test_hooks_that_cant_be_read_never_run_and_are_none(place: Place, data: Any) -> None:
    place.write("settings.json", data)
    assert place.said() == []


def test_local_rules_the_person_gave_here_are_no_news(place: Place) -> None:
    rules = {"permissions": {"allow": ["Bash(ls)", "Bash(rm *)"]}}
    place.write("settings.local.json", rules)
    trust_rules(place.env, place.project, ["Bash(ls)"])
    assert place.said() == [("rule", "Bash(rm *)", "")]
    place.write("settings.json", rules)
    assert ("rule", "Bash(ls)", "") in place.said("project")


def test_in_the_home_folder_the_persons_own_file_is_no_projects(home: Path) -> None:
    place = Place(home, home)
    place.write("settings.json", {"model": "mine", **hooks({"type": "command", "command": "x"})})
    assert place.said() == []


def test_a_mark_changes_with_everything_that_matters_and_with_nothing_else(place: Place) -> None:
    script = place.project / "check.sh"
    script.write_text("one")

    def mark(event: str = "Stop", matcher: str = "Bash", **handler: Any) -> str:
        given = {"type": "command", "command": "./check.sh", **handler}
        place.write("settings.json", hooks(given, event=event, matcher=matcher))
        [found] = place.marks()
        return found

    first = mark()
    assert mark() == first
    others = {mark(event="Start"), mark(matcher="Edit"), mark(args=["x"]), mark(command="y")}
    script.write_text("two")
    others.add(mark())
    assert len({first, *others}) == 6
    script.write_text("one")
    assert mark() == first


def test_the_order_of_keys_does_not_matter_and_kinds_do() -> None:
    assert mark_of("hook", {"a": 1, "b": 2}) == mark_of("hook", {"b": 2, "a": 1})
    assert mark_of("rule", "x") != mark_of("folder", "x")
    assert rule_mark("x") == mark_of("rule", "x")


def test_a_script_that_cant_be_read_has_a_mark_too(tmp_path: Path) -> None:
    assert mark_of("hook", "x", [tmp_path / "gone"]) != mark_of("hook", "x", [tmp_path])


def test_the_scripts_of_hooks_are_found(place: Place) -> None:
    script = place.project / "a.sh"
    script.write_text("x")
    data = hooks({"type": "command", "command": "sh a.sh"})["hooks"]
    assert list(hook_scripts(data, place.project)) == [script]
    place.write("settings.json", {"hooks": data})
    assert list(place.listed().files) == [place.project / ".claude" / "settings.json", script]
