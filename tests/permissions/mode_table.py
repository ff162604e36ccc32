"""The table of modes in docs/permissions.md, made from ``decide()``: ``python -m tests.permissions.mode_table`` renews it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agent_tui.permissions.person import needs_a_person
from agent_tui.permissions.policy import Allowed, MustAsk
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.access import (
    Access,
    AskUser,
    CallMcp,
    FetchUrl,
    NoAccess,
    ReadPath,
    RunCommand,
    WritePath,
)
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import PERMISSION_MODES, PermissionMode
from agent_tui.protocol.requests import HookDecision
from tests.permissions.ground import Project, book

DOCUMENT = Path(__file__).parents[2] / "docs" / "permissions.md"
BEGIN, END = "<!-- modes -->", "<!-- end of modes -->"

NO_RULES = RuleBook()


@dataclass(frozen=True)
class Call:
    """A kind of call: how the table names it, and one such call."""

    title: str
    tool: str
    access: Access
    read_only: bool = False
    rules: RuleBook = NO_RULES
    hook: HookDecision | None = None
    given: JsonObject = field(default_factory=dict[str, object])
    made: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Place:
    """A project with files of all kinds, and makers of calls in it."""

    project: Project

    @classmethod
    def below(cls, room: Path) -> Place:
        place = cls(Project.below(room))
        for name in ("src/a", "src/made", ".env"):
            (place.project.folder / name).touch()
        return place

    def path(self, name: str) -> str:
        return name if name.startswith("/") else str(self.project.folder / name)

    def read(self, title: str, name: str, tool: str = "Read", rules: RuleBook = NO_RULES) -> Call:
        return Call(title, tool, ReadPath(self.path(name)), True, rules)

    def write(self, title: str, name: str, rules: RuleBook = NO_RULES) -> Call:
        return Call(title, "Edit", WritePath(self.path(name)), rules=rules)

    def run(
        self,
        title: str,
        line: str,
        rules: RuleBook = NO_RULES,
        hook: HookDecision | None = None,
        made: Iterable[str] = (),
    ) -> Call:
        access = RunCommand(line, str(self.project.folder))
        paths = frozenset(map(self.path, made))
        return Call(title, "Bash", access, False, rules, hook, {"command": line}, paths)

    def calls(self) -> Iterator[tuple[str, tuple[Call, ...]]]:
        """Give the kinds of calls, in groups."""
        yield "Looking", self._looking()
        yield "Changing files", self._changing()
        yield "Running", self._running()
        yield "Elsewhere", self._elsewhere()
        yield "In the sandbox", self._sandboxed()
        yield "With rules and hooks", self._ruled()

    def _looking(self) -> tuple[Call, ...]:
        home = self.project.home
        return (
            self.read("read a file in the working folders", "src/a"),
            self.read("search the working folders (`Grep`, `Glob`)", ".", "Grep"),
            self.read("read a file elsewhere (`/etc/hostname`)", "/etc/hostname"),
            self.read("read a place with secrets (`.env`)", ".env"),
            self.read("read a private place (`~/.config/x`)", f"{home}/.config/x"),
            self.run("a line that only looks (`ls && git status`)", "ls && git status"),
            self.run("the same elsewhere (`cat /etc/hostname`)", "cat /etc/hostname"),
            self.run("the same with secrets (`cat .env`)", "cat .env"),
        )

    def _changing(self) -> tuple[Call, ...]:
        return (
            self.write("edit or write a file in the working folders", "src/a"),
            self.write("edit or write a file elsewhere", "/var/x"),
            self.write("write a place with secrets (`.env`)", ".env"),
            self.write("write a protected path (`.git/hooks/x`)", ".git/hooks/x"),
            self.run("`mkdir`, `touch`, `cp`, `mv` in the working folders", "mkdir b && touch b/c"),
            self.run("`sed -i`, `echo > file` in the working folders", "sed -i s/a/b/ src/a"),
            self.run("`touch` elsewhere", "touch /var/x"),
            self.run("the same on a protected path (`touch .git/x`)", "touch .git/x"),
            self.run("`rm` of a file that the session made", "rm src/made", made=["src/made"]),
            self.run("`rm` of another file", "rm src/a"),
            self.run("`rm` of a critical path (`/`, `~`, the project)", "rm -rf ~"),
        )

    def _running(self) -> tuple[Call, ...]:
        return (
            self.run("any other command (`python3 -c …`, `npm test`)", "python3 -c 'x()'"),
            self.run("a line that can't be understood (`cat <> f`)", "cat <> f"),
        )

    def _elsewhere(self) -> tuple[Call, ...]:
        page = FetchUrl("https://example.com/")
        return (
            Call("fetch a page, search the web", "WebFetch", page, True),
            Call("a tool of an MCP server", "mcp__s__t", CallMcp("s", "t")),
            Call("the same, said to only read", "mcp__s__t", CallMcp("s", "t", True), True),
            Call("the same, said to need the person", "mcp__s__t", AskUser()),
            Call("start a sub-agent, keep the task list", "Agent", NoAccess()),
            Call("a question to you, a plan to approve", "AskUserQuestion", AskUser()),
        )

    def _sandboxed(self) -> tuple[Call, ...]:
        def run(title: str, line: str, rules: RuleBook = NO_RULES, *, leaves: bool = False) -> Call:
            access = RunCommand(line, str(self.project.folder), leaves, not leaves, not leaves)
            return Call(title, "Bash", access, rules=rules, given={"command": line})

        return (
            run("any other command (`python3 -c …`, `npm test`)", "python3 -c 'x()'"),
            run("one that an ask rule covers", "git push", book(ask=[GIT])),
            run("one that reads a place with secrets", "cat .env"),
            run("one that writes a protected path", "touch .git/x"),
            run("one that asks to run outside it", "make", leaves=True),
        )

    def _ruled(self) -> tuple[Call, ...]:
        push = "git push origin main"
        bash, edit = book(allow=["Bash"]), book(allow=["Edit(**)"])
        fetch = book(allow=["WebFetch(domain:example.com)"])
        return (
            self.run("a command that an allow rule covers", push, book(allow=["Bash(git push *)"])),
            self.run("one that an ask rule covers too", push, book(bash_allow(), (), [GIT])),
            self.run("one that a deny rule covers too", push, book(bash_allow(), [GIT])),
            self.run(
                "one that a deny rule may cover (`$x push`)", "$x push", book(bash_allow(), [GIT])
            ),
            self.write("an edit that an allow rule covers", "src/a", edit),
            self.write("the same on a protected path", ".git/hooks/x", edit),
            self.read("secrets that an allow rule names", ".env", rules=book(["Read(.env)"])),
            self.read("a read that a deny rule covers", "src/a", rules=book(deny=["Read(src/**)"])),
            self.run("`rm` of a critical path under an allow rule", "rm -rf ~", bash),
            Call(
                "a page of a host that is allowed",
                "WebFetch",
                FetchUrl("https://example.com/"),
                True,
                fetch,
            ),
            Call(
                "an MCP tool whose server is allowed",
                "mcp__s__t",
                CallMcp("s", "t"),
                rules=book(allow=["mcp__s"]),
            ),
            self.run("a command that a hook allows", push, hook=HookDecision("allow")),
            self.run("one that a hook wants asked", "ls", hook=HookDecision("ask")),
            self.run("one that a hook denies", "ls", hook=HookDecision("deny")),
        )

    def outcome(self, call: Call, mode: PermissionMode) -> str:
        """Say what becomes of a call: with a person, and where that differs, without one."""
        decision = self.project.judge(
            call.access,
            call.tool,
            call.given,
            rules=call.rules,
            mode=mode,
            hook=call.hook,
            read_only=call.read_only,
            made=call.made,
        )
        if isinstance(decision, MustAsk):
            ground = self.project.ground()
            person = needs_a_person(call.access, call.given, decision, ground)
            return "ask / no" if mode != "auto" or person else "model"
        return "run" if isinstance(decision, Allowed) else "no"


GIT = "Bash(git *)"


def bash_allow() -> tuple[str, ...]:
    """Everything is allowed, and still."""
    return ("Bash",)


def table(room: Path) -> str:
    """Make the table; ``room`` is an empty folder for the project it speaks of."""
    place = Place.below(room)
    lines = [
        f"| | {' | '.join(f'`{mode}`' for mode in PERMISSION_MODES)} |",
        f"|---|{'---|' * len(PERMISSION_MODES)}",
    ]
    for group, calls in place.calls():
        lines.append(f"| **{group}** |{' |' * len(PERMISSION_MODES)}")
        for call in calls:
            cells = (place.outcome(call, mode) for mode in PERMISSION_MODES)
            lines.append(f"| {call.title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def renewed(text: str, room: Path) -> str:
    """Give the document with the table as it is now."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{begin}\n{table(room)}\n{end}{after}"


def main() -> None:
    """Renew the table in the document."""
    with tempfile.TemporaryDirectory() as room:
        DOCUMENT.write_text(renewed(DOCUMENT.read_text("utf-8"), Path(room)), "utf-8")


if __name__ == "__main__":
    main()
