"""Lines to commands: what the grammar leaves out, and a real shell as the judge."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from agent_tui.permissions.shell.analysis import analyse
from agent_tui.permissions.shell.parse import MAX_CHARS, parse_line
from agent_tui.permissions.shell.syntax import Command
from agent_tui.permissions.shell.words import Word

DATA = Path(__file__).parents[2] / "data" / "shell-lines.txt"
REAL_LINES = DATA.read_text("utf-8").splitlines()
BASH = shutil.which("bash")


def commands(line: str) -> list[str]:
    """Give the commands as the shell takes them, with ``*`` for what it fills in."""
    return [shown(part.command) for part in analyse(line).parts]


def shown(command: Command) -> str:
    return " ".join(
        "".join(str(i) if isinstance(i, str) else "*" for i in w.items()) for w in command.words
    )


def written(line: str) -> list[str]:
    return [
        redirect.target.raw
        for part in analyse(line).parts
        for redirect in part.command.redirects
        if redirect.writes and redirect.target is not None
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a b && c d || e; f & g | h |& i\nj", ["a b", "c d", "e", "f", "g", "h", "i", "j"]),
        ("\"git\" 'pu'sh g\\it", ["git push git"]),
        ('a $\'x\\ty\\\'z\' "b \\"c\\" \\d"', ['a x\ty\'z b "c" \\d']),
        ('a $x "$y" ${z} $(b c) `d e`', ["a * * * * *", "b c", "d e"]),
        ("a `b \\`c\\` d`", ["a *", "b * d", "c"]),
        ('a "`b \\"c d\\"`"', ["a *", "b c d"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("for x in $(a) b; do c $x; done", ["a", "c *"]),
        ("while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]),
        ("case $x in a) b;; c) d;; esac", ["b", "d"]),
        ("f() { a; }; function g { b; }", ["a", "b"]),
        ("(a; b); { c; d; }; ! e", ["a", "b", "c", "d", "e"]),
        ("a <(b) >(c) <<< $(d)", ["a * *", "b", "c", "d"]),
        ("x=$(a) y=1 b", ["b", "a"]),
        ("[[ a == $(b) ]] && c", ["[[", "b", "c"]),
        ('[ -f "a b" ]', ["[ -f a b ]"]),
        ("echo $((1 + $(a)))", ["echo *", "a"]),
        ("a ${x:-$(b)}", ["a *", "b"]),
        ("a # b; c", ["a"]),
        ("a \\\n  b", ["a b"]),
    ],
)
def test_a_line_is_its_commands(line: str, expected: list[str]) -> None:
    assert not parse_line(line).problem
    assert commands(line) == expected


def test_words_after_a_redirection_are_arguments() -> None:
    assert commands("rm x > f -rf") == ["rm x -rf"]
    assert commands("a 2>&1 b") == ["a b"]
    assert commands("> f rm x") == ["rm x"]
    assert written("rm x > f -rf") == ["f"]


def test_what_follows_a_here_document_s_mark_is_part_of_the_line() -> None:
    assert commands("cat <<E && rm x\nhi\nE") == ["cat", "rm x"]
    assert commands("cat <<E | sh\nhi\nE\nnext") == ["cat", "sh", "next"]
    assert commands("cat <<'E' > f -n\nhi $(x)\nE") == ["cat -n"]
    assert written("cat <<'E' > f\nhi\nE") == ["f"]


def test_what_runs_in_a_here_document_is_seen() -> None:
    assert commands("cat <<E\nhi $(touch p)\nE") == ["cat", "touch p"]
    for line in ("cat <<E\nhi `touch p`\nE", "cat <<E\n $(touch p)\nE", "cat <<E\nx\\\n$(y)\nE"):
        assert parse_line(line).problem or "touch p" in commands(line), line
    assert commands("cat <<'E'\nhi `touch p` $(q)\nE") == ["cat"]


@pytest.mark.parametrize(
    "char", ["\v", "\f", "\r", "\0", "\x1b", "\x7f", "\x85", "\u2028", "\ud800"]
)
def test_controls_are_not_understood(char: str) -> None:
    assert "control character" in parse_line(f"ls{char}rm x").problem


@pytest.mark.parametrize(
    "line",
    [
        "a <> f",
        "a {fd}>f",
        "cat <<A <<B\nA\nB",
        "cat <<E; rm x\nE",
        "echo ?(a|b)",
        "echo $(rm x",
        "echo 'a",
        "time { a; }",
        "coproc a",
        "} a",
        "[[a ]]",
        "until] c1; do c2; done",
        'a $"b"',
        "ls\\\ntouch x",
        "a $\\\n(b)",
        'a "$\\\n(b)"',
        "a >& 'x y'",
        "a >&-b",
        "cat <<'E'E\nE\nEE",
        "[ a > b ]",
        "[ a\nb ]",
        "a ${x:-'}'}",
        "a ${x:-<(b)}",
    ],
)
def test_what_could_be_taken_otherwise_is_not_understood(line: str) -> None:
    assert parse_line(line).problem


def test_limits_make_a_line_not_understood() -> None:
    assert "longer than" in parse_line("a" * (MAX_CHARS + 1)).problem
    assert "too many" in parse_line("a;" * 300).problem
    assert parse_line("(" * 9_000).problem


def test_positions_are_characters_of_the_line() -> None:
    line = "echo grün 🙂 && rm -rf x"
    second = parse_line(line).commands[1]
    assert line[second.start : second.end] == "rm -rf x"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("x='a[$(rm y)]'; echo $((x))", "computes"),
        ("x='a[$(rm y)]'; [[ x -eq 1 ]]", "computes"),
        ("[[ 'a[$(rm y)]' -eq 1 ]]", "computes"),
        ("echo ${x@P}", "expansion"),
        ("echo ${!x}", "expansion"),
        ("[[ -v a[1] ]]", "variables"),
    ],
)
def test_values_that_are_run_again_make_a_line_opaque(line: str, why: str) -> None:
    assert why in analyse(line).opaque


def test_plain_computing_is_not_opaque() -> None:
    for line in (
        "i=1; echo $((i+1))",
        "for i in 1 2; do echo $((i*2)); done",
        "for ((i=0;i<3;i++)); do a; done",
        "echo $((HOME_COUNT+1))",
    ):
        assert not analyse(line).opaque, line


def test_real_lines_are_read_and_few_are_not_understood() -> None:
    problems = [line for line in REAL_LINES if parse_line(line).problem]
    assert len(REAL_LINES) > 200
    assert len(problems) <= 12, problems


def test_what_real_lines_do_to_files_is_seen() -> None:
    plain = re.compile(
        r"(?:^|[;|&]|\bthen\b|\bdo\b|-exec|xargs)\s+(rm|mv|cp|chmod|tee|sudo|mkdir)\b"
    )
    seen = 0
    for line in REAL_LINES:
        if parse_line(line).problem or "'" in line or '"' in line:
            continue
        for name in plain.findall(f" {line}"):
            names = {v.words[0].value for p in analyse(line).parts for v in p.runs.views if v.words}
            assert name in names, line
            seen += 1
    assert seen > 10


AGAINST_BASH = [
    "c1 'a b' \"c d\" e\\ f",
    "c1 a && c2 b || c3",
    "c1 | c2 ; c3",
    "c1 > f1 -rf",
    "c1 2>&1 b",
    'c1 "$(c2 x)" `c3 y`',
    'c1 "`c2 \\"a\\"`"',
    "c1 `c2 \\`c3 z\\``",
    "c1 <<E && c2 x\nbody\nE",
    "c1 <<'E' | c2\nbody $(c3)\nE\nc4",
    "c1 <<-E\n\tbody\n\tE\nc2",
    "c1 $(cat2 <<'E'\nhi\nE\n) c3",
    "if c1; then c2; else c3; fi > f2",
    'for x in a b; do c1 $x "$x"; done',
    'f() { c1 q "$@"; }; f r',
    "{ c1; c2; } > f3; (c3; c4) 2> f4",
    "! c1",
    "x=1 y=$(c1) c2 $x",
    "c1 $'a\\'b' c $'\\x41\\u0042\\101'",
    "[[ a == b && -f c ]] || c1",
    "[ a = b ] || c1",
    "((x=1+2)); c1 $((x+1))",
    "c1 ${x:-$(c2)} ${x}",
    "c1 {a,b} {1..3} a{b,c}d",
    "c1 # comment\nc2",
    "c1 >| f5; c2 &> f6; c3 >> f7",
    'c1 <<< "x $(c2)"',
    "c1 a\"b\"'c'd$x",
    "time c1 a",
    "> f8 c1 a",
    "c1 a2>f9 2>f10",
    "c1 a#b x=~/y ~",
    "c1 $(( $(c2) + 1 ))",
    'c1 "a $(c2 "b $(c3 \'c\')") d"',
    "case a in a) c1;; b) c2;; esac",
    'c1 $$ "$$" a$',
]
LOGGED = "command_not_found_handle() { local IFS=$'\\2'; printf '%s\\n' \"$*\" >&9; }\nexec 9>log\n"


@pytest.mark.skipif(BASH is None, reason="needs bash")
@pytest.mark.parametrize("line", AGAINST_BASH)
def test_all_that_bash_runs_and_writes_was_seen(line: str, tmp_path: Path) -> None:
    """Programs are looked up in an empty PATH, so bash only tells which it would have run, with which words."""
    subprocess.run(
        [str(BASH), "-c", f'{LOGGED}eval "$1"', "bash", line],
        cwd=tmp_path,
        env={"PATH": "/nonexistent", "HOME": "/home/zz"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
    )
    ran = [tuple(x.split("\2")) for x in (tmp_path / "log").read_text().splitlines()]
    made = {path.name for path in tmp_path.iterdir()} - {"log"}
    views = [view.words for part in analyse(line).parts for view in part.runs.views]
    assert not analyse(line).problem
    assert ran
    for argv in ran:
        assert any(fits(words, argv) for words in views if words), argv
    assert made <= set(written(line))


def fits(words: tuple[Word, ...], argv: tuple[str, ...]) -> bool:
    """Tell whether words, with anything (also blanks) for what is filled in, can have become these arguments."""
    pattern = ""
    for word in words:
        text = "".join(re.escape(i) if isinstance(i, str) else ".*" for i in word.items())
        blank = "\0" if pattern else ""
        pattern += f"(?:{blank}.*)?" if word.splits and text == ".*" else blank + text
    return re.fullmatch(pattern, "\0".join(argv), re.DOTALL) is not None
