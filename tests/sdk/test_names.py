"""Every public name of the Agent SDK, with the same fields, keys and parameters (``tests/data/sdk-names.txt``)."""

from __future__ import annotations

import ast
import dataclasses
import importlib.util
import inspect
import re
import typing
from typing import Any

import pytest

import agent_tui
from agent_tui import sdk
from agent_tui.sdk import types
from tests.house.tree import ROOT

LINES = (ROOT / "tests" / "data" / "sdk-names.txt").read_text("utf-8").splitlines()
PEER = importlib.util.find_spec("claude_agent_sdk") is not None

BY_KIND: dict[str, dict[str, str]] = {}
for line in LINES:
    kind, name, rest = re.fullmatch(r"(\w+) (\w+)(.*)", line).groups()  # pyright: ignore[reportOptionalMemberAccess]
    BY_KIND.setdefault(kind, {})[name] = rest
NAMES = sorted({name for names in BY_KIND.values() for name in names})


def public(name: str) -> Any:
    return getattr(sdk, name)


def listed(rest: str) -> list[str]:
    """Split ``: a, b, c``."""
    return [part.strip() for part in rest.removeprefix(":").split(",") if part.strip()]


def parameters(signature: str) -> list[tuple[str, str, str | None]]:
    """Read ``(a: 'int', *, b: str = 'x')`` as name, kind and default, with their texts normalised."""
    tree = ast.parse(f"def f{_parsable(signature)}: pass").body[0]
    assert isinstance(tree, ast.FunctionDef)
    args = tree.args
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + [ast.unparse(d) for d in args.defaults]
    found = [(a.arg, "plain", d) for a, d in zip(plain, defaults, strict=True)]
    only = [None if d is None else ast.unparse(d) for d in args.kw_defaults]
    return found + [(a.arg, "keyword", d) for a, d in zip(args.kwonlyargs, only, strict=True)]


def _parsable(signature: str) -> str:
    """Leave annotations out: they name modules, and not all are expressions."""
    depth, out, skipping = 0, "", False
    for char in signature:
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        if skipping and ((char in ",=" and depth == 1) or depth == 0):
            skipping = False
        if char == ":" and depth == 1:
            skipping = True
        if not skipping:
            out += char
    return out


def of(function: Any) -> list[tuple[str, str, str | None]]:
    """Give the parameters of a function of ours in the same form."""
    found: list[tuple[str, str, str | None]] = []
    for one in inspect.signature(function).parameters.values():
        default = None if one.default is one.empty else repr(one.default)
        word = "keyword" if one.kind is one.KEYWORD_ONLY else "plain"
        found.append((one.name, word, default))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_there(name: str) -> None:
    assert public(name) is not None
    assert name in sdk.__all__
    assert name in dir(sdk)


def methods(rest: str) -> dict[str, str]:
    """Read ``: connect(self, …); query(self, …)``."""
    found = re.findall(r"(\w+)(\(self.*?\))(?:; |$)", rest)
    return dict(found)


CLASSES = BY_KIND["class"]
DATA = [n for n, rest in CLASSES.items() if "(self" not in rest and rest.strip(": ")]


@pytest.mark.parametrize("name", DATA)
def test_a_class_has_the_same_fields_in_order(name: str) -> None:
    found = dataclasses.fields(public(name))
    assert [field.name for field in found] == listed(CLASSES[name])


@pytest.mark.parametrize("name", [n for n, rest in CLASSES.items() if "(self" in rest])
def test_a_class_has_the_same_methods(name: str) -> None:
    for method, signature in methods(CLASSES[name]).items():
        assert of(getattr(public(name), method)) == parameters(signature), method


@pytest.mark.parametrize("name", BY_KIND["typeddict"])
def test_a_typed_dictionary_has_the_same_keys(name: str) -> None:
    keys: dict[str, Any] = public(name).__annotations__
    assert set(keys) == set(listed(BY_KIND["typeddict"][name]))


@pytest.mark.parametrize("name", BY_KIND["exception"])
def test_an_exception_has_the_same_root(name: str) -> None:
    root = BY_KIND["exception"][name].strip("()")
    assert public(name).__bases__[0].__name__ == root


LITERALS = [n for n, rest in BY_KIND["def"].items() if rest == "(*args, **kwargs)"]


@pytest.mark.parametrize("name", LITERALS)
def test_a_literal_is_one(name: str) -> None:
    assert all(isinstance(value, str) for value in typing.get_args(public(name)))


@pytest.mark.parametrize("name", [n for n in BY_KIND["def"] if n not in LITERALS])
def test_a_function_takes_the_same(name: str) -> None:
    assert of(public(name)) == parameters(BY_KIND["def"][name])


def test_the_version_is_ours() -> None:
    assert sdk.__version__ == agent_tui.__version__


def test_the_table_names_what_checkers_are_told() -> None:
    source = (ROOT / "agent_tui" / "sdk" / "__init__.py").read_text("utf-8")
    told = {
        (node.module or "").removeprefix("agent_tui.sdk."): {alias.name for alias in node.names}
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
        if (node.module or "").startswith("agent_tui.sdk.")
    }
    homes: dict[str, tuple[str, ...]] = vars(sdk)["_HOMES"]
    assert told == {module: set(names) for module, names in homes.items()}
    homed = [name for names in homes.values() for name in names]
    assert len(homed) == len(set(homed))


def test_no_module_hides_a_name() -> None:
    modules = {path.stem for path in (ROOT / "agent_tui" / "sdk").glob("*.py")}
    assert not modules & set(NAMES)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        public("no_such_name")


def test_types_has_them_too() -> None:
    assert types.TextBlock is sdk.TextBlock
    assert "PermissionRuleValue" in dir(types)


@pytest.mark.skipif(not PEER, reason="needs the extra 'peer'")
@pytest.mark.parametrize("name", LITERALS)
def test_a_literal_has_the_peer_s_values(name: str) -> None:
    import claude_agent_sdk as peer

    assert set(typing.get_args(public(name))) == set(typing.get_args(getattr(peer, name)))


@pytest.mark.skipif(not PEER, reason="needs the extra 'peer'")
@pytest.mark.parametrize("name", DATA)
def test_a_field_has_the_peer_s_default(name: str) -> None:
    import claude_agent_sdk as peer

    assert _defaults(public(name)) == _defaults(getattr(peer, name))


STREAMS = {"debug_stderr"}
"""Standard error as it was when the class was made: another one in each test that captures it."""


def _defaults(kind: Any) -> dict[str, Any]:
    return {
        field.name: field.default_factory() if callable(field.default_factory) else field.default
        for field in dataclasses.fields(kind)
        if field.name not in STREAMS
    }


@pytest.mark.skipif(not PEER, reason="needs the extra 'peer'")
@pytest.mark.parametrize("name", BY_KIND["typeddict"])
def test_the_same_keys_are_required_as_the_peer_s(name: str) -> None:
    import claude_agent_sdk as peer

    assert public(name).__required_keys__ == getattr(peer, name).__required_keys__
