from __future__ import annotations

from agent_tui.tui.highlight import Code, code_of

PYTHON = '''class Session:
    """A token
    and more."""

    async def refresh(self) -> Token:
        if self._token is None or EARLY > 30:  # old
            return self._fetch("x")
'''.splitlines()


def joined(code: Code) -> list[str]:
    return ["".join(text for text, _ in code.line(at)) for at in range(len(code))]


def test_roles_of_python() -> None:
    code = code_of(PYTHON, language="python")
    pieces = {text.strip(): role for at in range(len(code)) for text, role in code.line(at)}
    assert pieces["class"] == pieces["is None or"] == pieces["async def"] == "code.keyword"
    assert pieces["Session"] == pieces["Token"] == pieces["EARLY"] == "code.type"
    assert pieces["refresh"] == pieces["_fetch"] == "code.function"
    assert pieces["30"] == "code.number"
    assert pieces['"x"'] == pieces['and more."""'] == "code.string"
    assert pieces["# old"] == "code.comment"
    assert joined(code) == PYTHON


def test_a_language_is_known_by_name_or_file_or_not_at_all() -> None:
    assert code_of(["let x = 1"], language="JS").line(0)[0] == ("let ", "code.keyword")
    assert code_of(["def f(): pass"], path="/a/b.py").line(0)[0] == ("def ", "code.keyword")
    assert code_of(["def f(): pass"], language="no-such").line(0) == [("def f(): pass", "text")]


def test_lines_added_later_go_on_where_a_long_string_or_comment_began() -> None:
    code = code_of(['x = """'], language="python")
    code.line(0)
    for at in range(1, 60):
        code.extend([f"if {at}"])
        assert code.line(at) == [(f"if {at}", "code.string")]
    script = code_of(["/* a comment"], language="typescript")
    assert script.line(0) == [("/* a comment", "code.comment")]
    for at in range(1, 60):
        script.extend([f"let {at}"])
        assert script.line(at) == [(f"let {at}", "code.comment")]
    script.extend(["end */ let x"])
    assert script.line(60)[0] == ("end */ ", "code.comment")
    assert ("let ", "code.keyword") in script.line(60)


def test_the_last_line_may_change() -> None:
    code = code_of(["de"], language="python")
    assert code.line(0) == [("de", "text")]
    code.replace_last("def f")
    assert code.line(0)[0] == ("def ", "code.keyword")


def test_only_what_is_asked_for_is_made_and_long_lines_stay_plain() -> None:
    lines = [f"x{n} = {n}" for n in range(5000)] + ["y = 1 " * 400]
    code = code_of(lines, language="python")
    assert code.line(4000)[-1] == ("4000", "code.number")
    assert len(code._done) == 1  # pyright: ignore[reportPrivateUsage]
    assert code.line(5000) == [(lines[5000], "text")]
