"""What a release is told by: changelog, version, licence, lock file."""

from __future__ import annotations

import re
import tomllib
from typing import Any, cast

import agent_tui
from tests.house.tree import ROOT

KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def project() -> dict[str, Any]:
    """Read the project table."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return cast("dict[str, Any]", tomllib.load(file)["project"])


def test_the_changelog_keeps_its_form() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    assert lines[0] == "# Changelog"
    releases = [line for line in lines if line.startswith("## ")]
    assert releases[0] == "## [Unreleased]"
    assert all(re.fullmatch(r"## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", r) for r in releases[1:])
    kinds = {line[4:] for line in lines if line.startswith("### ")}
    assert kinds
    assert kinds <= KINDS


def test_the_version_is_one() -> None:
    assert project()["version"] == agent_tui.__version__


def test_the_licence_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert project()["license"] == "Apache-2.0"


def test_the_lock_file_names_public_registries_only_and_every_dependency() -> None:
    text = (ROOT / "uv.lock").read_text("utf-8")
    locked = tomllib.loads(text)["package"]
    sources = {str(sorted(package["source"].items())) for package in locked}
    assert sources == {
        "[('editable', '.')]",
        "[('registry', 'https://pypi.org/simple')]",
    }
    hosts = set(re.findall(r'url = "https?://([^/"]+)', text))
    assert hosts == {"files.pythonhosted.org"}
    names = {package["name"] for package in locked}
    extras = cast("dict[str, list[str]]", project()["optional-dependencies"]).values()
    wanted = [*cast("list[str]", project()["dependencies"]), *(one for e in extras for one in e)]
    bare = {re.split(r"[\[<>=; ]", one)[0].lower().replace("_", "-") for one in wanted}
    assert bare <= names
