"""Which path is meant."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.engine.ranking import Ranker, mask, score


def ranked(paths: list[str], query: str, limit: int = 10) -> list[str]:
    ranker = Ranker()
    ranker.add(paths)
    return [match.path for match in ranker.search(query, limit)]


def test_a_files_name_counts_more_than_its_folders() -> None:
    paths = ["model/readme.md", "docs/model.py", "src/my_model_test.py"]
    assert ranked(paths, "model")[0] == "docs/model.py"


def test_a_whole_name_beats_its_beginning_and_that_a_middle() -> None:
    paths = ["remain.py", "main.pyc", "main.py"]
    assert ranked(paths, "main.py")[:2] == ["main.py", "main.pyc"]
    assert ranked(paths, "main")[-1] == "remain.py"


def test_initials_find_a_path() -> None:
    assert ranked(["tests/engine/test_host.py", "text.txt"], "teth") == [
        "tests/engine/test_host.py"
    ]


def test_case_does_not_matter_and_order_does() -> None:
    assert ranked(["README.md"], "readme") == ["README.md"]
    assert ranked(["abc"], "CBA") == []


def test_the_matched_characters_are_told() -> None:
    match = score("mp", "src/main.py")
    assert match is not None
    assert [match.path[at] for at in match.at] == ["m", "p"]
    assert score("x", "abc") is None


def test_without_a_query_shallow_paths_come_first() -> None:
    assert ranked(["a/b/c", "z", "a/", "a/b"], "", 3) == ["z", "a/", "a/b"]


def test_the_limit_holds() -> None:
    assert len(ranked([f"f{n}.py" for n in range(100)], "f", 7)) == 7


def test_a_longer_query_gives_what_a_fresh_search_gives() -> None:
    paths = [f"{a}{b}/{c}.py" for a in "abc" for b in "abc" for c in ("ab", "bc", "cab")]
    grown = Ranker()
    grown.add(paths)
    grown.search("a", 99)
    assert grown.search("ab", 99) == ranked_matches(paths, "ab")
    assert grown.search("b", 99) == ranked_matches(paths, "b")


def ranked_matches(paths: list[str], query: str) -> list[object]:
    fresh = Ranker()
    fresh.add(paths)
    return list(fresh.search(query, 99))


class _Searching(str):
    """A path that searches while it is added, as another thread may."""

    ranker: Ranker
    searched = False

    def lower(self) -> str:
        if not self.searched:
            self.searched = True
            self.ranker.search("ne", 10)
        return str(self).lower()


def test_a_search_may_go_on_while_paths_are_added() -> None:
    ranker = Ranker()
    ranker.add(["one.py"])
    late = _Searching("nested.py")
    late.ranker = ranker
    ranker.add(["never.py", late])
    assert len(ranker) == 3
    assert {m.path for m in ranker.search("ne", 10)} == {"one.py", "never.py", "nested.py"}
    assert {m.path for m in ranker.search("nes", 10)} == {"nested.py"}


@given(st.text(max_size=20), st.text(max_size=5))
def test_a_mask_never_hides_a_match(path: str, query: str) -> None:
    query = query.lower()
    if query and score(query, path) is not None:
        wanted = mask(query)
        assert mask(path.lower()) & wanted == wanted


@given(st.text(min_size=1, max_size=30), st.data())
def test_characters_in_order_are_always_found(path: str, data: st.DataObject) -> None:
    lower = path.lower()
    places = data.draw(st.sets(st.integers(0, len(lower) - 1), min_size=1, max_size=6))
    assert score("".join(lower[at] for at in sorted(places)), path) is not None


def settled(paths: list[str]) -> Ranker:
    ranker = Ranker()
    ranker.add(paths)
    ranker.settle()
    return ranker


def test_what_was_used_lately_comes_first_where_it_matches() -> None:
    ranker = settled(["src/a_model.py", "src/model.py", "old/the_model.py", "readme.md"])
    recent = ["old/the_model.py", "readme.md"]
    assert [m.path for m in ranker.search("", 3, recent)][:2] == recent
    assert ranker.search("model", 9, recent)[0].path == "old/the_model.py"
    assert ranker.search("model", 9)[0].path == "src/model.py"
    assert len(ranker.search("model", 9, recent)) == 3


def test_in_order_or_not_the_same_is_found() -> None:
    paths = [f"{a}/{b}_{c}.py" for a in ("one", "two") for b in ("ab", "ba") for c in "xyz"]
    loose = Ranker()
    loose.add(paths)
    for query in ("a", "ab", "tab", "ox", "onebx", "zz", "_x.p"):
        assert settled(paths).search(query, 99) == loose.search(query, 99), query


def test_of_very_many_the_best_are_found() -> None:
    """Where only some can be compared: the name that begins with it, the name, the path, the initials."""
    many = [f"parser/parser{n}/deep/parser_of_{n}.txt" for n in range(6000)]
    best = ["zz/zz/parser.py", "zz/zz/zz/my_parser.py", "zz/tests/engine/test_host.py"]
    ranker = settled([*many, *best])
    assert ranker.search("parser", 3)[0].path == "zz/zz/parser.py"
    assert ranker.search("my_p", 3)[0].path == "zz/zz/zz/my_parser.py"
    assert ranker.search("teth", 3)[0].path == "zz/tests/engine/test_host.py"
    assert ranker.search("p", 1)[0].path == "zz/zz/parser.py"


def test_a_line_break_in_a_name_does_no_harm() -> None:
    assert settled(["one\ntwo.py", "three.py"]).search("two", 9)[0].path == "one\ntwo.py"
    assert settled(["one\ntwo.py", "three.py"]).search("three", 9)[0].path == "three.py"


@given(
    st.lists(st.text(alphabet="ab/_.", min_size=1, max_size=8), max_size=12, unique=True),
    st.text(alphabet="ab_", min_size=2, max_size=3),
)
def test_settling_loses_nothing(paths: list[str], query: str) -> None:
    found = {m.path for m in settled(paths).search(query, 99)}
    assert found == {path for path in paths if score(query, path) is not None}
