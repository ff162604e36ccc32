from __future__ import annotations

import pytest

from agent_tui.permissions.shell.risk import dangers
from tests.permissions.shell.reading import part


def marked(line: str) -> list[str]:
    return [line[span.start : span.end] for span in dangers(part(line))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rm -rf x", ["rm -rf"]),
        ("rm --force x", ["rm --force"]),
        ("rm x", []),
        ("sudo make", ["sudo"]),
        ("git push --force origin", ["--force"]),
        ("git push origin", []),
        ("git reset --hard", ["--hard"]),
        ("find . -delete", ["-delete"]),
        ("chmod 777 x", ["chmod 777"]),
        ("dd if=a of=b", ["dd"]),
        ("bash -c 'x'", ["bash -c"]),
        ("bash", ["bash"]),
        ("eval x", ["eval"]),
        ("timeout 5 rm -r x", ["rm -r"]),
        ("ls -la", []),
        ("echo a\u202eb", ["\u202e"]),
    ],
)
def test_what_deserves_a_look_is_marked(line: str, expected: list[str]) -> None:
    assert marked(line) == expected


def test_a_mark_says_why() -> None:
    (span,) = dangers(part("rm -rf x"))
    assert "without asking" in span.why
