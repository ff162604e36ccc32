"""Files of ours are their owner's alone, no program gets our key, and no path is one that others can take first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.tree import name_of, sources

MAKERS = {"write_text", "write_bytes", "mkdir", "makedirs", "touch", "mkfifo", "FileHandler"}
"""Calls that make a file or a folder with whatever mode the process happens to make them."""
WRITES = re.compile(r"[wax+]")
UNGUARDED = {
    "agent_tui/machine/files.py": "what tools write belongs to the project and gets the mode its owner's umask says",
    "agent_tui/__main__.py": "the empty device",
    "agent_tui/machine/sandbox/bubblewrap.py": "empty files that a sandbox lays over what it hides",
}
LAUNCHERS = {"open_process", "run_process", "Popen", "create_subprocess_exec", "run", "call"}
OWN_ENVIRONMENT = {
    "agent_tui/tui/own_editor.py": "the person's own editor, in the environment they gave it themselves",
}


def _keywords(call: ast.Call) -> dict[str, ast.expr]:
    return {word.arg: word.value for word in call.keywords if word.arg}


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _is_private(mode: ast.expr | None) -> bool:
    """``0o600``, ``0o700``, ``OWNER_FILE``; a folder that anybody may look into but not change is named so."""
    if isinstance(mode, ast.Name):
        return mode.id in ("OWNER_FILE", "OWNER_FOLDER")
    return isinstance(mode, ast.Constant) and mode.value in (0o600, 0o700, 0o755)


def unguarded(tree: ast.AST) -> Iterator[ast.Call]:
    """Find the calls that make a file or folder without saying that it is private."""
    for call in _calls(tree):
        name, words = name_of(call.func), _keywords(call)
        if name in MAKERS:
            at = {"mkdir": 0, "touch": 0, "makedirs": 1}.get(name, 9)
            method = isinstance(call.func, ast.Attribute)
            given = call.args[at] if method and len(call.args) > at else None
            if name == "touch" and not (call.args or words):
                continue  # also the name of methods that make nothing; those that do have a mode or a test below
            if not _is_private(words.get("mode", given)):
                yield call
        elif name == "open" and isinstance(call.func, ast.Name):
            mode = _text(words.get("mode")) or (_text(call.args[1]) if len(call.args) > 1 else "r")
            is_handle = (
                bool(call.args)
                and isinstance(call.args[0], ast.Name)
                and call.args[0].id == "handle"
            )
            if WRITES.search(mode) and "opener" not in words and not is_handle:
                yield call
        elif name == "open" and isinstance(call.func, ast.Attribute):
            made = "O_CREAT" in ast.unparse(call) and not _is_private(call.args[-1])
            mode = _text(call.args[0]) if call.args else ""
            if made or (len(mode) <= 3 and WRITES.match(mode)):
                yield call


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("p.write_text('x')", 1),
        ("p.mkdir(parents=True)", 1),
        ("p.mkdir(mode=OWNER_FOLDER)", 0),
        ("p.mkdir(mode=0o700)", 0),
        ("open(p, 'w')", 1),
        ("open(p, 'a', opener=private_opener)", 0),
        ("open(p)", 0),
        ("open(handle, 'wb')", 0),
        ("os.open(p, os.O_CREAT)", 1),
        ("os.open(p, os.O_CREAT, 0o666)", 1),
        ("os.open(p, os.O_CREAT, 0o600)", 0),
        ("os.open(p, os.O_RDONLY)", 0),
        ("p.open('rb')", 0),
        ("p.open('w')", 1),
        ("logging.FileHandler(p)", 1),
        ("tempfile.mkdtemp()", 0),
    ],
)
def test_the_check_itself(code: str, found: int) -> None:
    assert len(list(unguarded(ast.parse(code)))) == found


def test_every_file_and_folder_we_make_says_that_it_is_its_owners() -> None:
    found = [
        source.at(call)
        for source in sources()
        if source.where not in UNGUARDED
        for call in unguarded(source.tree)
        # the flags and the mode of a journal stand in one function that always gives them
        if not (source.where == "agent_tui/journal/file.py" and "_open(" in ast.unparse(call))
    ]
    assert not found


def _starts(tree: ast.AST) -> Iterator[ast.Call]:
    for call in _calls(tree):
        name = name_of(call.func)
        if name in ("run", "call") and not ast.unparse(call.func).startswith("subprocess."):
            continue
        if name in LAUNCHERS:
            yield call


def test_a17_no_program_gets_an_environment_by_default() -> None:
    """The default is our own environment, with the key in it."""
    found = [
        source.at(call)
        for source in sources()
        if source.where not in OWN_ENVIRONMENT
        for call in _starts(source.tree)
        if "env" not in _keywords(call)
    ]
    assert not found
    assert len([call for source in sources() for call in _starts(source.tree)]) >= 6


TEMPORARY = re.compile(r"^(?:/var)?/tmp(?:/|$)")
NAMED_ONLY = {
    "agent_tui/machine/sandbox/bounds.py": "folders that a sandbox hides",
}


def test_no_path_of_ours_is_a_fixed_one_in_a_folder_of_everybodys() -> None:
    found = [
        source.at(node)
        for source in sources()
        if source.where not in NAMED_ONLY
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant) and TEMPORARY.match(str(node.value))
    ]
    assert not found


def test_no_env_file_is_ever_loaded() -> None:
    """What stands in ``.env`` is the project's; loading it would hand it to every command."""
    imported = {
        name
        for source in sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (*(alias.name for alias in node.names), str(node.__dict__.get("module")))
    }
    assert not {name for name in imported if "dotenv" in name}
    opened = [
        source.at(call)
        for source in sources()
        for call in _calls(source.tree)
        for word in ast.walk(call)
        if name_of(call.func) in ("open", "read_text", "read_plain", "read_bytes")
        and _text(word if isinstance(word, ast.expr) else None).endswith(".env")
    ]
    assert not opened
