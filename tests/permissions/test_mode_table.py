"""docs/permissions.md shows the modes as the judge has them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agent_tui.permissions.examples import hold
from agent_tui.permissions.malformed import insist
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.messages import PERMISSION_MODES
from agent_tui.settings.positions import Written
from agent_tui.settings.rule_entries import read_entries
from tests.permissions.ground import Project
from tests.permissions.mode_table import BEGIN, DOCUMENT, END, Place, renewed, table


def test_the_document_has_the_table_as_it_is_now(tmp_path: Path) -> None:
    text = DOCUMENT.read_text("utf-8")
    assert text == renewed(text, tmp_path), "python -m tests.permissions.mode_table renews it"
    assert text.count(BEGIN) == text.count(END) == 1


def test_every_mode_is_in_it(tmp_path: Path) -> None:
    head, line, *rows = table(tmp_path).splitlines()
    assert [cell.strip(" `") for cell in head.split("|")[2:-1]] == list(PERMISSION_MODES)
    assert len(rows) > 40
    assert {row.count("|") for row in (head, line, *rows)} == {len(PERMISSION_MODES) + 2}
    text = DOCUMENT.read_text("utf-8")
    for mode in PERMISSION_MODES:
        assert re.search(rf"^\| `{mode}`.* \|", text, re.MULTILINE), mode


def test_it_says_what_was_observed(tmp_path: Path) -> None:
    place = Place.below(tmp_path)
    calls = {call.title: call for _, group in place.calls() for call in group}

    def row(title: str) -> list[str]:
        return [place.outcome(calls[title], mode) for mode in PERMISSION_MODES[:5]]

    ask = "ask / no"
    assert row("read a file in the working folders") == ["run"] * 5
    assert row("read a file elsewhere (`/etc/hostname`)") == [ask, ask, "run", "no", "run"]
    assert row("edit or write a file in the working folders") == [ask, "run", ask, "no", "run"]
    assert row("edit or write a file elsewhere") == [ask, ask, ask, "no", "run"]
    assert row("write a protected path (`.git/hooks/x`)") == [ask, ask, ask, "no", "run"]
    assert row("a question to you, a plan to approve") == [ask, ask, ask, "no", ask]
    assert row("one that a deny rule covers too") == ["no"] * 5


BLOCKS = re.findall(r"```json\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_the_examples_of_the_document_are_settings_that_hold(project: Project, block: str) -> None:
    data: Any = json.loads(block)
    entries, problems = read_entries(
        data["permissions"], Written("x", block), "user", str(project.folder)
    )
    insist(entries)
    held = hold(entries, project.ground())
    assert (problems, held.problems, RuleBook.of(held.entries).problems) == ([], (), ())
    assert entries


def test_the_rules_it_names_are_rules() -> None:
    section = DOCUMENT.read_text("utf-8").partition("### Commands")[0].partition("| rule |")[2]
    named = re.findall(
        r"`([^`]+)`",
        "\n".join(row.split("|")[1] for row in section.splitlines() if row.startswith("| `")),
    )
    assert len(named) > 20
    for text in named:
        rules = RuleBook.of([*read_entries({"deny": [text]}, Written("x"), "user", "")[0]])
        assert rules.problems == (), text
