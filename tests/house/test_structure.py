"""Laws of the code that a syntax tree can tell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.tree import Source, name_of, own_nodes, sources

SCOPES = {
    "create_task_group",
    "CancelScope",
    "move_on_after",
    "move_on_at",
    "fail_after",
    "fail_at",
    "open_nursery",
    "TaskGroup",
}
BOUNDARIES = {
    "agent_tui/hooks/callbacks.py": "turns what went wrong in a program's hook into the hook's failure",
    "agent_tui/mcp/wire.py": "turns what went wrong in a server, or in its package, into its state",
    "agent_tui/loop/background.py": "turns what went wrong in work in the background into its end",
    "agent_tui/loop/session.py": "turns what went wrong in a run into a result",
    "agent_tui/loop/tool_call.py": "turns what went wrong in a tool into its result",
    "agent_tui/sdk/approver.py": "turns what went wrong in a program's callback into a denial",
    "agent_tui/sdk/connection.py": "carries what broke a session from its own task to the program",
    "agent_tui/sdk/mcp_tools.py": "turns what went wrong in a program's tool into its result",
    "agent_tui/sdk/store_calls.py": "makes an error of ours of whatever a program's store raises",
}
PRINTERS = {"agent_tui/headless": "its output is standard output"}


def opens_scope(node: ast.expr, names: set[str]) -> bool:
    """Whether an expression is a task group or a cancel scope."""
    if isinstance(node, ast.Call):
        return name_of(node.func) in SCOPES
    return isinstance(node, ast.Name) and node.id in names


def enters_scope(node: ast.Call, names: set[str]) -> bool:
    """Whether a call hands a task group or a cancel scope to an exit stack."""
    return name_of(node.func).startswith("enter_") and any(opens_scope(a, names) for a in node.args)


def scopes_over_a_yield(tree: ast.AST) -> Iterator[ast.AST]:
    """Find the places where a task group or a cancel scope is open while a generator yields."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        inside = list(own_nodes(function))
        if not any(isinstance(node, ast.Yield | ast.YieldFrom) for node in inside):
            continue
        names = {
            target.id
            for node in inside
            if isinstance(node, ast.Assign) and opens_scope(node.value, set())
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in inside:
            if isinstance(node, ast.With | ast.AsyncWith):
                opened = any(opens_scope(item.context_expr, names) for item in node.items)
                if opened and any(
                    isinstance(n, ast.Yield | ast.YieldFrom) for n in own_nodes(node)
                ):
                    yield node
            elif isinstance(node, ast.Call) and enters_scope(node, names):
                yield node


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("async def f():\n async with create_task_group() as tg:\n  yield 1", 1),
        ("async def f():\n async with a, anyio.create_task_group():\n  for x in y:\n   yield x", 1),
        ("async def f():\n s = anyio.CancelScope()\n with s:\n  yield 1", 1),
        ("async def f():\n await e.enter_async_context(create_task_group())\n yield 1", 1),
        ("async def f():\n with move_on_after(1):\n  await g()\n yield 1", 0),
        ("async def f():\n async with create_task_group():\n  def g():\n   yield 1", 0),
        ("async def f():\n async with stream:\n  yield 1", 0),
    ],
)
def test_the_check_itself(code: str, found: int) -> None:
    assert len(list(scopes_over_a_yield(ast.parse(code)))) == found


def test_no_task_group_or_cancel_scope_is_open_across_a_yield() -> None:
    files = (*sources(), *sources("bench"))
    found = [source.at(node) for source in files for node in scopes_over_a_yield(source.tree)]
    assert not found, "\n".join(found)


def calls(*names: str) -> Iterator[tuple[Source, ast.Call]]:
    """Find calls of these names."""
    for source in sources():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Call) and name_of(node.func) in names:
                yield source, node


SPAWNS = ("create_task", "ensure_future", "run_coroutine_threadsafe", "spawn_system_task")
DETACHED = {
    "agent_tui/sdk/detached.py": "a program opens, reads and drops a session in different tasks"
}


def test_nothing_is_spawned_outside_a_task_group() -> None:
    found = {(s.where, s.at(c)) for s, c in calls(*SPAWNS)}
    assert [place for where, place in sorted(found) if where not in DETACHED] == []
    assert {where for where, _ in found} == DETACHED.keys()


def test_only_front_ends_print() -> None:
    found = [s.at(c) for s, c in calls("print") if isinstance(c.func, ast.Name)]
    assert [place for place in found if not place.startswith(tuple(PRINTERS))] == []


def test_no_attribute_is_got_by_a_literal_name() -> None:
    found = [
        source.at(call)
        for source, call in calls("getattr", "setattr", "delattr")
        if len(call.args) > 1 and isinstance(call.args[1], ast.Constant)
    ]
    assert not found, "\n".join(["write the attribute; a checker can follow that", *found])


def catches_all(handler: ast.ExceptHandler) -> bool:
    """Whether a handler takes whatever comes."""
    kind = handler.type
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(one is None or name_of(one) in ("Exception", "BaseException") for one in kinds)


def raises_again(handler: ast.ExceptHandler) -> bool:
    """Whether a handler only cleans up: whatever came goes on."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_everything_is_caught_at_the_two_boundaries_only() -> None:
    found = [
        source.at(node)
        for source in sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ExceptHandler) and catches_all(node) and not raises_again(node)
        if source.where not in BOUNDARIES
    ]
    suppressed = [
        source.at(call)
        for source, call in calls("suppress")
        if any(name_of(arg) in ("Exception", "BaseException") for arg in call.args)
    ]
    assert not found + suppressed, "\n".join(found + suppressed)


def test_no_handler_is_bare() -> None:
    found = [
        source.at(node)
        for source in sources()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ExceptHandler) and node.type is None
    ]
    assert not found, "\n".join(found)


def test_a_checker_is_told_to_look_away_by_rule_only() -> None:
    loose = re.compile(
        r"#\s*(?:type:\s*ignore(?!\[)|pyright:\s*ignore(?!\[)|noqa(?!:)|ruff:\s*noqa(?!:))"
    )
    found = [
        f"{source.where}:{number}"
        for folder in ("agent_tui", "tests", "bench")
        for source in sources(folder)
        if source.where != "tests/house/test_structure.py"
        for number, line in enumerate(source.text.splitlines(), 1)
        if loose.search(line)
    ]
    assert not found, "\n".join(found)


def is_door(source: Source, function: ast.FunctionDef | ast.AsyncFunctionDef, line: int) -> bool:
    """Whether a late import is declared a door, by the function's docstring or beside the import."""
    if re.search(r"\bdoor\b", ast.get_docstring(function) or "", re.IGNORECASE):
        return True
    lines = source.text.splitlines()
    return any("# door" in text for text in lines[max(0, line - 2) : line])


def test_imports_inside_functions_say_which_door_they_are() -> None:
    found = [
        source.at(node)
        for source in sources()
        for function in ast.walk(source.tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in own_nodes(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
        if not is_door(source, function, node.lineno)
    ]
    hint = "late imports are doors: add `# door: reason`, or move them up"
    assert not found, "\n".join([hint, *found])
