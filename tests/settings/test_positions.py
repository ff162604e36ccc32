"""Lines of values."""

from __future__ import annotations

import json
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.settings.positions import Steps, Written, place

TEXT = """{
  "a": 1,
  "permissions": {
    "deny": ["Bash(rm *)",
             {"rule": "Read(\\"x\\", [1])",
              "match": [
                "one\\nline",
                "two"]}
    ], "ask":
      true
  },
  "\\u0062": [[], {}, [[3]]]
}
"""


def test_a_value_has_the_line_it_begins_in() -> None:
    written = Written("f.json", TEXT)
    expected: dict[Steps, int] = {
        (): 1,
        ("a",): 2,
        ("permissions",): 3,
        ("permissions", "deny"): 4,
        ("permissions", "deny", 0): 4,
        ("permissions", "deny", 1): 5,
        ("permissions", "deny", 1, "rule"): 5,
        ("permissions", "deny", 1, "match"): 6,
        ("permissions", "deny", 1, "match", 0): 7,
        ("permissions", "deny", 1, "match", 1): 8,
        ("permissions", "ask"): 10,
        ("b", 2, 0, 0): 12,
    }
    assert {steps: written.line(*steps) for steps in expected} == expected
    assert written.at("permissions", "ask") == "f.json:10"


def test_what_is_not_there_has_the_line_of_what_it_would_be_in() -> None:
    written = Written("f.json", TEXT)
    assert written.line("permissions", "deny", 0, "rule") == 4
    assert written.line("permissions", "allow", 9) == 3
    assert written.line("nothing") == 1


def test_without_a_text_no_line_is_known() -> None:
    assert Written("flags").at("permissions", "deny") == "flags"
    assert Written("f", " \n").line() == 0
    assert place("f", 0) == "f"


def test_a_key_that_stands_twice_is_found_in_its_own_object_only() -> None:
    assert Written("f", TEXT).twice is None
    text = '{"a": {"x": 1},\n "b": {"x": 1,\n "\\u0078": 2}, "a": 3}'
    assert Written("f", text).twice == ("x", 3)


def test_a_text_nested_without_end_costs_little() -> None:
    deep = "[\n" * 20_000
    assert Written("f", deep).line(*[0] * 30) == 13
    assert Written("f", "]" * 9 + '{"a":\n1').line("a") == 2


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(values, st.sampled_from([None, 0, 2]))
def test_every_value_of_any_text_is_found_in_order(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    lines = text.splitlines()
    written = Written("f", text)
    last = 1
    for steps, inner in _walk(value, ()):
        if len(steps) > 12:
            continue
        line = written.line(*steps)
        assert line >= last
        last = line
        begin = json.dumps(inner)[:1]
        assert begin in lines[line - 1]
    assert written.twice is None


def _walk(value: Any, steps: Steps) -> list[tuple[Steps, Any]]:
    out: list[tuple[Steps, Any]] = [(steps, value)]
    if isinstance(value, dict):
        for key, inner in cast("dict[str, Any]", value).items():
            out += _walk(inner, (*steps, key))
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[Any]", value)):
            out += _walk(inner, (*steps, index))
    return out
