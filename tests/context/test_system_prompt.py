"""What the model is told before the conversation."""

from __future__ import annotations

from agent_tui.context.system_prompt import (
    MAX_STATUS_LINES,
    Surroundings,
    context_text,
    environment_text,
    our_prompt,
    sections,
    system_prompt,
)

PLACE = Surroundings(
    "/work/app",
    "2026-03-01",
    platform="Linux 6.8",
    shell="/bin/bash",
    git_branch="main",
    git_status=" M a.py\n?? b.py\n",
    recent_commits="abc one\ndef two",
    folders=("/work/lib",),
)


def test_the_prompt_has_its_sections_and_is_short() -> None:
    assert list(sections()) == ["Who you are", "How to work", "Tools", "Safety", "Style"]
    assert all(sections().values())
    assert len(our_prompt().encode()) // 4 <= 1_500


def test_c6_the_prompt_says_nothing_that_changes() -> None:
    assert system_prompt() == system_prompt() == (our_prompt(),)
    assert "2026" not in our_prompt()


def test_it_can_be_replaced_and_added_to() -> None:
    assert system_prompt("Mine.") == ("Mine.",)
    assert system_prompt(append="And this.") == (our_prompt(), "And this.")
    assert system_prompt("Mine.", "And this.") == ("Mine.", "And this.")
    assert system_prompt("", "  ") == ()


def test_the_environment_is_told() -> None:
    told = environment_text(PLACE)
    for words in (
        "Working directory: /work/app",
        "Further directory: /work/lib",
        "Today's date: 2026-03-01",
        "Platform: Linux 6.8",
        "Shell: /bin/bash",
        "Git branch: main",
        "Git status:\n M a.py\n?? b.py",
        "Recent commits:\nabc one\ndef two",
    ):
        assert words in told
    assert "Git: no repository" in environment_text(Surroundings("/x", "2026-03-01"))
    bare = Surroundings("/x", "2026-03-01", git_branch="", git_status="")
    assert "(detached head)" in environment_text(bare)
    assert "Git status: clean" in environment_text(bare)


def test_a_status_nobody_looked_at_is_not_told() -> None:
    assert "status" not in environment_text(Surroundings("/x", "2026-03-01", git_branch="main"))


def test_a_long_status_is_cut_and_counted() -> None:
    status = "\n".join(f"?? f{n}" for n in range(MAX_STATUS_LINES + 5))
    told = environment_text(Surroundings("/x", "2026-03-01", git_branch="b", git_status=status))
    assert f"f{MAX_STATUS_LINES - 1}\n(5 more)" in told


def test_environment_and_memory_go_in_as_one_reminder() -> None:
    told = context_text(PLACE, "Use tabs.\n")
    assert told.startswith("<system-reminder>\nEnvironment")
    assert told.endswith("\n\nUse tabs.\n</system-reminder>")
    assert context_text(PLACE) == context_text(PLACE, "  ")
