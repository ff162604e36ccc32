from __future__ import annotations

from agent_tui.settings.typed import Typed
from agent_tui.tui.history import History


def filled(*texts: str, project: str = "/p") -> History:
    history = History("/p")
    for text in texts:
        history.add(Typed(text, project))
    return history


def test_walking_up_and_down_comes_back_to_the_draft() -> None:
    history = filled("one", "two")
    assert history.older("draft") == "two"
    assert history.older("ignored") == "one"
    assert history.older("ignored") is None
    assert history.newer() == "two"
    assert history.newer() == "draft"
    assert history.newer() is None


def test_leaving_a_walk_gives_the_draft_back_so_that_it_can_be_kept() -> None:
    history = filled("one")
    history.older("my draft")
    assert history.leave() == "my draft"
    assert history.leave() == ""


def test_prompts_of_other_projects_are_not_walked_through() -> None:
    history = filled("theirs", project="/other")
    history.add(Typed("mine", "/p"))
    assert history.older("") == "mine"
    assert history.older("") is None


def test_the_same_prompt_twice_in_a_row_counts_once() -> None:
    history = filled("a")
    assert not history.add(Typed("a", "/p"))
    assert history.texts("project") == ["a"]


def test_search_by_scope() -> None:
    history = History("/p")
    history.add(Typed("fix the Tests", "/p", "s1"))
    history.add(Typed("fix tests elsewhere", "/other", "s9"))
    history.add(Typed("more tests", "/p", "s2"))
    assert history.search("TESTS", "project") == ["more tests", "fix the Tests"]
    assert history.search("tests", "session", "s1") == ["fix the Tests"]
    assert len(history.search("tests", "all")) == 3


def test_files_that_the_last_prompts_mention_are_known_the_last_one_first() -> None:
    history = History("/p")
    for text in (
        "look at @a.py and @b.py.",
        'see @"with blank.md"',
        "mail me@b.org",
        "@b.py again",
    ):
        history.add(Typed(text, "/p"))
    history.add(Typed("@elsewhere.py", "/q"))
    assert history.mentioned() == ("b.py", "with blank.md", "a.py")
