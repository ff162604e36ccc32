from __future__ import annotations

from agent_tui.tui.lexing import by_name, by_path, lex


def test_lexers_are_found_by_language_and_by_file_name() -> None:
    for found in (by_name("python"), by_path("x.py")):
        assert found is not None
        assert found.name == "Python"
    assert by_name("no such language") is None
    assert by_path("no.such-ending") is None


def test_a_line_inside_of_a_string_says_so() -> None:
    lexer = by_name("python")
    assert lexer is not None
    lines, goes_on = lex(lexer, '"""one\ntwo"""\nx = 1')
    assert ["".join(text for text, _ in line) for line in lines] == ['"""one', 'two"""', "x = 1"]
    assert goes_on == {0}


def test_an_open_comment_is_a_comment() -> None:
    lexer = by_name("c")
    assert lexer is not None
    lines, goes_on = lex(lexer, "int x; /* open")
    assert lines[0][-1] == ("/* open", "code.comment")
    assert goes_on == {0}
