from __future__ import annotations

import pytest

from agent_tui.tui.dropped import Dropped, dropped, is_picture, mention


@pytest.mark.parametrize(
    ("text", "paths", "plain"),
    [
        ("'/home/me/my file.txt'", ("/home/me/my file.txt",), False),
        ('"/home/me/a.txt"', ("/home/me/a.txt",), False),
        (r"/home/me/my\ file.txt", ("/home/me/my file.txt",), False),
        ("/home/me/a.txt ", ("/home/me/a.txt",), False),
        ("/home/me/a.txt", ("/home/me/a.txt",), True),
        ("'/a/b.txt' '/a/c d.txt'", ("/a/b.txt", "/a/c d.txt"), False),
        ("/a/b.txt\n/a/c.txt", ("/a/b.txt", "/a/c.txt"), True),
        ("file:///home/me/my%20file.txt", ("/home/me/my file.txt",), False),
        ("file://localhost/a/b", ("/a/b",), False),
        ("~/a.txt", ("/home/me/a.txt",), True),
    ],
)
def test_what_may_be_dropped(text: str, paths: tuple[str, ...], plain: bool) -> None:
    assert dropped(text, "/home/me") == Dropped(paths, plain)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "look at /etc/hosts",
        "/etc/hosts is wrong",
        "'/unclosed",
        "file://server/share/x",
        "https://example.com/a.png",
        "src/a.py",
        "/" + "x" * 9000,
    ],
)
def test_what_is_a_text(text: str) -> None:
    assert dropped(text, "/home/me") is None


def test_mentions_are_written_from_the_folder_of_the_session() -> None:
    assert mention("/p/src/a.py", "/p") == "@src/a.py"
    assert mention("/p/my file.py", "/p") == '@"my file.py"'
    assert mention("/other/a.py", "/p") == "@/other/a.py"


def test_pictures_are_told_by_their_names() -> None:
    assert is_picture("/a/B.PNG")
    assert not is_picture("/a/png")
