from __future__ import annotations

import pytest

from agent_tui.permissions.shell.shells import read_shell, told_file
from tests.permissions.shell.reading import words


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("bash -c 'rm x'", "rm x"),
        ("bash -ec 'rm x' a", "rm x"),
        ("bash -c -e 'rm x'", "rm x"),
        ("bash -c -- 'rm x'", "rm x"),
        ("bash +x -c 'rm x'", "rm x"),
        ("bash -oc pipefail 'rm x'", "rm x"),
        ("bash -o pipefail -O extglob -c 'rm x'", "rm x"),
        ("bash +O extglob -c 'rm x'", "rm x"),
        ("bash --rcfile y --norc -c 'rm x'", "rm x"),
    ],
)
def test_the_text_is_found_wherever_options_put_it(line: str, text: str) -> None:
    call = read_shell(words(line))
    assert call.text is not None
    assert call.text.value == text


@pytest.mark.parametrize(
    "line", ["bash --odd", "bash -q x", "bash $x", "bash -$x y", "bash -c", "bash +c x"]
)
def test_odd_options_make_it_unclear(line: str) -> None:
    assert not read_shell(words(line)).clear


def test_a_file_or_the_input_is_run_otherwise() -> None:
    assert read_shell(words("bash -x run.sh a")).file == words("x run.sh")[1]
    for line in ("bash", "bash -s a", "bash -i", "bash -"):
        call = read_shell(words(line))
        assert call.clear
        assert (call.text, call.file, call.tells) == (None, None, False), line
    assert read_shell(words("bash --version")).tells
    assert read_shell(words("bash -n x.sh")).tells


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (". x", True),
        (". ~/x", True),
        (". $HOME/x", True),
        (". $x", False),
        (". $x/y", False),
        (". <(x)", False),
        (". /dev/stdin", False),
        (". /proc/self/fd/0", False),
        (". $HOME/$x", False),
    ],
)
def test_a_script_is_told_by_name_or_not(line: str, told: bool) -> None:
    assert told_file(words(line)[1]) == told
