"""Auto mode in the real program: in a terminal, and where nobody is there."""

from __future__ import annotations

import json

from tests.fakes.api_server import Reply, model_is, reply, tool
from tests.journeys.program import Program, records

SMALL = "claude-haiku-5-5"
MAKE = "python3 -c \"open('{}', 'w')\""


def makes(name: str) -> Reply:
    return reply(tool("Bash", command=MAKE.format(name)))


def looks(program: Program, decision: str, reason: str, before: float = 0.0) -> None:
    """Let the small model answer so, once."""
    verdict = tool("verdict", reason=reason, decision=decision)
    program.api.add_rule(model_is(SMALL), reply(verdict, before=before), times=1)


def test_the_screen_says_that_it_looks_why_it_allows_and_asks_about_the_rest(
    program: Program,
) -> None:
    program.api.enqueue(makes("one"), makes("two"))
    looks(program, "allow", "only makes an empty file", before=2.0)
    looks(program, "block", "nobody asked for this one")
    with program.screen("--permission-mode", "auto") as terminal:
        terminal.wait_for("›", "a small model lets calls run")
        assert "auto" in terminal.text.splitlines()[-1]
        terminal.type("make one file")
        terminal.key("enter")
        terminal.wait_for("Checking", "esc stop")
        terminal.wait_for("Run this command?", "auto: blocked, nobody")
        assert "auto: allowed, only makes an empty file · $0.0" in terminal.text
        assert (program.project / "one").exists()
        assert not (program.project / "two").exists()
        terminal.pump(1.0)
        terminal.key("esc")
        terminal.wait_until_gone("Run this command?")
        terminal.key("ctrl+d")
        terminal.wait_exit()
    assert not (program.project / "two").exists()
    program.api.check()


def test_shift_tab_comes_to_it_only_where_the_settings_offer_it(program: Program) -> None:
    cycle = ("acceptEdits", "plan", "default")
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        for mode in cycle:
            terminal.key("shift+tab")
            terminal.wait_for(mode)
    path = program.home / ".agent-tui" / "settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"permissions": {"offerAutoMode": True}}))
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        for mode in (*cycle[:2], "a small model lets calls run"):
            terminal.key("shift+tab")
            terminal.wait_for(mode)


def test_without_a_person_what_is_not_allowed_is_denied_and_listed(program: Program) -> None:
    program.api.enqueue(makes("one"), makes("two"), "All done.")
    looks(program, "allow", "only makes an empty file")
    looks(program, "block", "nobody asked for this one")
    done = program.print(
        "make one file", "--permission-mode", "auto", "--output-format", "stream-json", "--verbose"
    )
    assert done.returncode == 0, done.stderr
    lines = records(done.stdout)
    assert lines[0]["permissionMode"] == "auto"
    assert (program.project / "one").exists()
    assert not (program.project / "two").exists()
    result = lines[-1]
    assert [one["tool_input"]["command"] for one in result["permission_denials"]] == [
        MAKE.format("two")
    ]
    [denied] = [line for line in lines if line.get("subtype") == "permission_denied"]
    assert denied["decision_reason_type"] == "classifier"
    assert "nobody asked for this one" in denied["decision_reason"]
    assert result["modelUsage"][SMALL]["costUSD"] > 0
    assert result["total_cost_usd"] > result["modelUsage"][SMALL]["costUSD"]
    program.api.check()
