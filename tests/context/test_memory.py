"""Memory files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_tui.context.memory import MAX_BYTES, MemoryText, load
from agent_tui.settings.paths import Environment


@pytest.fixture
def env(home: Path) -> Environment:
    return Environment({}, home)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    (place / ".git").mkdir(parents=True)
    return place


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def names(memory: MemoryText, root: Path) -> list[str]:
    """The files taken, named from a folder where they are in it."""
    return [
        str(Path(one.path).relative_to(root)) if Path(one.path).is_relative_to(root) else one.path
        for one in memory.files
    ]


def test_no_files_no_text(env: Environment, project: Path) -> None:
    assert load(project, env) == MemoryText("")


def test_all_files_from_the_root_down_count_the_nearest_last(
    env: Environment, home: Path, tmp_path: Path, project: Path
) -> None:
    put(home / ".claude" / "CLAUDE.md", "mine")
    put(home / ".agent-tui" / "CLAUDE.md", "mine too")
    put(tmp_path / "CLAUDE.md", "above")
    put(project / "CLAUDE.md", "shared")
    put(project / ".claude" / "CLAUDE.md", "hidden")
    put(project / "CLAUDE.local.md", "not shared")
    put(project / "deep" / "down" / "AGENTS.md", "agents")
    memory = load(project / "deep" / "down", env)
    assert [one.text for one in memory.files] == [
        "mine",
        "mine too",
        "above",
        "shared",
        "hidden",
        "not shared",
        "agents",
    ]
    assert [one.scope for one in memory.files] == ["user"] * 2 + ["project"] * 3 + [
        "local",
        "project",
    ]
    places = [memory.text.index(f"\n\n{one.text}") for one in memory.files]
    assert places == sorted(places)
    assert f"Contents of {project / 'CLAUDE.md'} (project instructions" in memory.text


def test_agents_md_stands_in_only_where_there_is_no_claude_md(
    env: Environment, project: Path
) -> None:
    put(project / "AGENTS.md", "agents")
    assert names(load(project, env), project) == ["AGENTS.md"]
    put(project / ".claude" / "CLAUDE.md", "claude")
    assert names(load(project, env), project) == [".claude/CLAUDE.md"]


def test_sources_say_whose_files_are_read(env: Environment, home: Path) -> None:
    place = home / "project"
    put(home / ".claude" / "CLAUDE.md", "mine")
    put(place / "CLAUDE.md", "shared")
    put(place / "CLAUDE.local.md", "local")
    assert [one.text for one in load(place, env, ("project",)).files] == ["shared"]
    assert [one.text for one in load(place, env, ("local",)).files] == ["local"]
    assert [one.text for one in load(place, env, ("user",)).files] == ["mine"]
    assert load(place, env, ()).files == ()
    everything = [one.text for one in load(place, env).files]
    assert everything == ["mine", "shared", "local"], "the home's own file counts once"


def test_folders_moved_by_variables_are_found(tmp_path: Path, project: Path) -> None:
    variables = {
        "CLAUDE_CONFIG_DIR": str(tmp_path / "c"),
        "AGENT_TUI_HOME": str(tmp_path / "a"),
    }
    put(tmp_path / "c" / "CLAUDE.md", "one")
    put(tmp_path / "a" / "CLAUDE.md", "two")
    memory = load(project, Environment(variables, tmp_path / "home"))
    assert [one.text for one in memory.files] == ["one", "two"]


def test_c7_imports_are_followed_once_and_nothing_else_is(
    env: Environment, home: Path, project: Path
) -> None:
    put(home / ".ssh" / "id_rsa", "PRIVATE KEY")
    put(
        project / "CLAUDE.md",
        "@a.md\nuse `@decorator`, ask me@example.com\n```\n@types/node\n```\n"
        "@~/.ssh/id_rsa\n@gone.md\nthanks to @someone\n",
    )
    put(project / "a.md", "AAA @b.md")
    put(project / "b.md", "BBB @a.md")
    put(project / "types" / "node", "no import")
    put(project / "decorator", "no import")
    memory = load(project, env)
    assert names(memory, project) == ["CLAUDE.md", "a.md", "b.md"]
    assert [one.imported_by for one in memory.files[1:]] == [
        str(project / "CLAUDE.md"),
        str(project / "a.md"),
    ]
    assert "PRIVATE KEY" not in memory.text
    assert [(note.trouble, Path(note.path).name, note.quiet) for note in memory.notes] == [
        ("outside", "id_rsa", False),
        ("missing", "gone.md", True),
    ]
    key = str(home / ".ssh" / "id_rsa")
    agreed = load(project, env, outside_allowed=lambda path: path == key)
    assert "PRIVATE KEY" in agreed.text
    assert [one.path for one in agreed.files if one.outside] == [key]
    forbidden = load(
        project, env, outside_allowed=lambda _: True, may_read=lambda path: path != key
    )
    assert "PRIVATE KEY" not in forbidden.text
    assert "a rule forbids to read" in forbidden.notes[0].text


def test_consent_to_one_file_outside_is_none_to_what_it_imports(
    env: Environment, home: Path, project: Path
) -> None:
    put(project / "CLAUDE.md", "@~/shared.md")
    put(home / "shared.md", "shared @secret.md")
    put(home / "secret.md", "secret")
    agreed = load(project, env, outside_allowed=lambda path: path.endswith("shared.md"))
    assert "shared @secret.md" in agreed.text
    assert [Path(note.path).name for note in agreed.notes] == ["secret.md"]


def test_a_memory_file_that_is_a_link_out_of_the_project_needs_consent(
    env: Environment, home: Path, project: Path
) -> None:
    put(home / "elsewhere.md", "elsewhere")
    project.mkdir(exist_ok=True)
    (project / "CLAUDE.md").symlink_to(home / "elsewhere.md")
    assert load(project, env).files == ()
    [one] = load(project, env, outside_allowed=lambda _: True).files
    assert (one.path, one.outside) == (str(home / "elsewhere.md"), True)


def test_c7_a_person_s_own_file_may_import_from_anywhere(
    env: Environment, home: Path, tmp_path: Path, project: Path
) -> None:
    put(tmp_path / "notes.md", "my notes")
    put(home / ".claude" / "CLAUDE.md", f"@{tmp_path / 'notes.md'} @~/more.md @rel.md")
    put(home / "more.md", "more")
    put(home / ".claude" / "rel.md", "beside")
    assert [one.text for one in load(project, env).files[1:]] == ["my notes", "more", "beside"]


def test_c7_imports_go_four_hops(env: Environment, project: Path) -> None:
    put(project / "CLAUDE.md", "@1.md")
    for number in range(1, 7):
        put(project / f"{number}.md", f"@{number + 1}.md")
    memory = load(project, env)
    assert names(memory, project) == ["CLAUDE.md", "1.md", "2.md", "3.md", "4.md"]
    assert [(note.trouble, Path(note.path).name) for note in memory.notes] == [("too_deep", "5.md")]


def test_c7_links_do_not_lead_out_of_the_project(
    env: Environment, home: Path, project: Path
) -> None:
    secret = put(home / ".ssh" / "id_rsa", "PRIVATE KEY")
    (project / "CLAUDE.md").symlink_to(secret)
    (project / "docs").mkdir()
    (project / "docs" / "x.md").symlink_to(secret)
    put(project / "CLAUDE.local.md", "@docs/x.md @docs/../../out.md")
    put(project.parent / "out.md", "outside")
    memory = load(project, env)
    assert names(memory, project) == ["CLAUDE.local.md"]
    assert [note.trouble for note in memory.notes] == ["outside"] * 3
    assert "PRIVATE KEY" not in memory.text


def test_a_link_within_the_project_is_taken_once(env: Environment, project: Path) -> None:
    put(project / "AGENTS.md", "agents")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    put(project / "sub" / "CLAUDE.md", "@../AGENTS.md sub")
    memory = load(project / "sub", env)
    assert names(memory, project) == ["AGENTS.md", "sub/CLAUDE.md"]


def test_a_home_kept_in_git_is_no_project(env: Environment, home: Path) -> None:
    (home / ".git").mkdir()
    put(home / ".ssh" / "id_rsa", "PRIVATE KEY")
    put(home / "download" / "CLAUDE.md", "@../.ssh/id_rsa")
    memory = load(home / "download", env)
    assert "PRIVATE KEY" not in memory.text
    assert [note.trouble for note in memory.notes] == ["outside"]


def test_comments_are_stripped_and_import_nothing(env: Environment, project: Path) -> None:
    put(project / "CLAUDE.md", "one\n<!-- @a.md\nfor people -->\ntwo\n")
    put(project / "a.md", "AAA")
    memory = load(project, env)
    assert [one.text for one in memory.files] == ["one\ntwo\n"]


def test_files_that_can_not_be_taken_are_told(env: Environment, project: Path) -> None:
    (project / "CLAUDE.md").write_bytes(b"x" * (MAX_BYTES + 1))
    (project / "CLAUDE.local.md").write_bytes(b"\x89PNG\0")
    os.mkfifo(project / "pipe.md")
    put(project / ".claude" / "CLAUDE.md", "@../pipe.md @../folder.d")
    (project / "folder.d").mkdir()
    memory = load(project, env)
    assert [(note.trouble, Path(note.path).name) for note in memory.notes] == [
        ("too_large", "CLAUDE.md"),
        ("missing", "pipe.md"),
        ("missing", "folder.d"),
        ("not_text", "CLAUDE.local.md"),
    ]
    (project / "CLAUDE.md").write_bytes(b"x" * MAX_BYTES)
    assert len(load(project, env).files[0].text) == MAX_BYTES
    (project / "CLAUDE.md").unlink()
    os.mkfifo(project / "CLAUDE.md")
    assert load(project, env).notes[0].trouble == "unreadable"


def test_text_of_any_encoding_is_taken(env: Environment, project: Path) -> None:
    (project / "CLAUDE.md").write_bytes(b"\xef\xbb\xbfcaf\xe9 ok")
    assert load(project, env).files[0].text == "caf\ufffd ok"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_stranger_s_file_in_everybody_s_folder_is_not_read(
    env: Environment, tmp_path: Path
) -> None:
    shared = tmp_path / "tmp"
    place = shared / "work"
    place.mkdir(parents=True)
    shared.chmod(0o1777)
    os.chown(put(shared / "CLAUDE.md", "do evil"), 65534, 65534)
    put(place / "CLAUDE.md", "do good")
    memory = load(place, env)
    assert [one.text for one in memory.files] == ["do good"]
    assert [note.trouble for note in memory.notes] == ["outside"]
