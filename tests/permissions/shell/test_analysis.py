from __future__ import annotations

from agent_tui.permissions.shell.analysis import analyse


def test_texts_handed_to_shells_are_read_too_and_know_their_part() -> None:
    found = analyse("ls; bash -c 'a; eval b' && c")
    seen = {part.command.source: (part.inside, part.visible) for part in found.parts}
    assert seen["ls"] == (None, True)
    assert seen["a"] == (1, False)
    assert seen["b"][0] is not None
    assert seen["c"] == (None, True)


def test_backquotes_are_parts_of_the_line_itself() -> None:
    found = analyse("a `b`")
    assert [(p.command.source, p.inside, p.visible) for p in found.parts] == [
        ("a `b`", None, True),
        ("b", None, False),
    ]


def test_a_text_that_isn_t_understood_makes_the_line_so() -> None:
    assert analyse("bash -c 'a <> b'").problem
    assert analyse("a `b <> c`").problem


def test_depth_and_number_are_limited() -> None:
    text = "a"
    for _ in range(10):
        text = "eval " + text
    assert len(analyse(text).parts) <= 12
    assert analyse(text).problem
    assert analyse("`a`" + "; a" * 250).problem


def test_values_are_known_over_all_texts() -> None:
    found = analyse("x=1; for y in a b; do z=$y; done; read w; export v")
    assert [word.raw for word in found.variables["y"] or ()] == ["a", "b"]
    assert [word.raw for word in found.variables["x"] or ()] == ["1"]
    assert found.variables["w"] is None
    assert found.repeats
    assert not analyse("x=1; a").repeats


def test_computing_with_texts_is_opaque_wherever_it_is() -> None:
    assert analyse("x='a[$(b)]'; bash -c 'echo $((x))'").opaque
    assert not analyse("x=3; bash -c 'echo $((x))'").opaque
