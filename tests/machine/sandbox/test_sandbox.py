"""Commands in the real sandbox: what they can reach, how they end, and that none ever runs without it."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import anyio
import pytest

from agent_tui.machine.sandbox.bounds import Network
from agent_tui.machine.sandbox.bubblewrap import Bubblewrap
from agent_tui.machine.sandbox.sandbox import Choice, CommandSandbox
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import Captured
from tests.machine.alive import NAP, gone, running
from tests.machine.sandbox.yard import PATH, Yard, bubblewrap, yard_in

pytestmark = pytest.mark.anyio


# What it can write ----------------------------------------------------------------------------------------------------


async def test_the_project_can_be_written_and_nothing_else(yard: Yard) -> None:
    line = "echo a > mine; mkdir -p sub && echo b > sub/f; echo x > ../beside; echo y > ~/there; touch /usr/x /etc/x"
    result = await yard.run(line)
    assert result.exit_code == 1
    assert (yard.project / "mine").read_text() == "a\n"
    assert (yard.project / "sub/f").read_text() == "b\n"
    assert not (yard.home / "beside").exists() and not (yard.home / "there").exists()
    assert result.output.head.count("Read-only file system") >= 2
    assert "dangerouslyDisableSandbox: true" in result.notes[0]


async def test_further_folders_and_chosen_places_can_be_written(yard: Yard) -> None:
    (yard.home / "more").mkdir()
    (yard.home / "cache").mkdir()
    yard.write("dist/a")
    yard.bounds = replace(
        yard.bounds,
        allow_write=(str(yard.home / "cache"), str(yard.home / "missing")),
        deny_write=(str(yard.project / "dist"),),
    )
    shell = yard.shell()
    result = await yard.run(
        "echo 1 > ~/more/f; echo 2 > ~/cache/f; echo 3 > dist/f",
        shell,
        dirs=(str(yard.project), str(yard.home / "more")),
    )
    assert (yard.home / "more/f").read_text() == "1\n"
    assert (yard.home / "cache/f").read_text() == "2\n"
    assert not (yard.project / "dist/f").exists()
    assert result.exit_code == 1


async def test_temporary_files_are_its_own_and_last_for_the_session(yard: Yard) -> None:
    shell = yard.shell()
    name = f"made-{os.getpid()}"
    await yard.run(
        f"echo kept > /tmp/{name}; echo $TMPDIR > $TMPDIR/where; touch /var/tmp/{name}", shell
    )
    result = await yard.run(f"cat /tmp/{name} /tmp/where; mktemp; touch /dev/shm/a", shell)
    assert result.output.head.startswith("kept\n/tmp\n/tmp/tmp.")
    assert result.exit_code == 0
    assert not Path("/tmp", name).exists() and not Path("/var/tmp", name).exists()


PROTECTED = (
    ".git/hooks/pre-commit .git/config .claude/settings.json .vscode/tasks.json .mcp.json .envrc"
)


@pytest.mark.parametrize("path", PROTECTED.split())
async def test_protected_places_stay_as_they_are(yard: Yard, path: str) -> None:
    yard.write(".git/HEAD", "ref: refs/heads/main\n")
    yard.write(path, "before")
    name = path.partition("/")[0]
    line = f"echo after > {path}; rm -rf {path}; mv {name} other; rm -rf {name}; mkdir {name}; ln -s /etc {path}"
    await yard.run(line)
    assert (yard.project / path).read_text() == "before"
    assert not (yard.project / "other").exists()


async def test_protected_places_are_found_below_too(yard: Yard) -> None:
    yard.write("packages/a/.vscode/tasks.json", "before")
    yard.write("packages/a/.git/HEAD", "x")
    yard.write("packages/a/.git/config", "before")
    await yard.run(
        "echo after | tee packages/a/.vscode/tasks.json packages/a/.git/config packages/a/.git/x"
    )
    assert (yard.project / "packages/a/.vscode/tasks.json").read_text() == "before"
    assert (yard.project / "packages/a/.git/config").read_text() == "before"
    assert (yard.project / "packages/a/.git/x").read_text() == "after\n"


async def test_folders_that_are_not_there_yet_can_not_be_made(yard: Yard) -> None:
    names = (
        ".git",
        ".claude",
        ".agent-tui",
        ".vscode",
        ".idea",
        ".devcontainer",
        ".husky",
        ".cargo",
    )
    line = "; ".join(f"mkdir {n}; echo x > {n}/x; rm -rf {n}; mv {n} y" for n in names)
    await yard.run(line)
    assert list(yard.project.iterdir()) == []


async def test_files_that_are_not_there_yet_are_moved_out_afterwards(yard: Yard) -> None:
    result = await yard.run(
        "echo bad > .mcp.json; mkdir .yarn; ln -s /etc/passwd .npmrc; echo good > file"
    )
    assert sorted(path.name for path in yard.project.iterdir()) == ["file"]
    assert (yard.home / "spill/sandbox-1-mcp.json").read_text() == "bad\n"
    assert (yard.home / "spill/sandbox-1-npmrc").is_symlink()
    assert len([note for note in result.notes if "which the sandbox protects" in note]) == 3


async def test_a_repository_can_be_worked_in_but_not_turned(yard: Yard) -> None:
    identity = "-c user.name=T -c user.email=t@localhost"
    shell = yard.shell()
    outside = await yard.run(
        "git() { command git -c safe.directory='*' \"$@\"; }; git init -q . && git config core.pager cat",
        shell,
        leaves=True,
    )
    assert outside.exit_code == 0 and outside.left_sandbox
    before = (yard.project / ".git/config").read_text()
    result = await yard.run(
        f"echo a > a && git add a && git {identity} commit -qm one && git log --oneline", shell
    )
    assert result.exit_code == 0, result.output.head
    assert result.output.head.endswith("one\n")
    turned = await yard.run(
        "git config core.fsmonitor /bin/evil; echo x > .git/hooks/post-commit; echo /proj/evil > .git/commondir; "
        "mv .git .old; mkdir .git",
        shell,
    )
    assert turned.exit_code != 0
    assert (yard.project / ".git/config").read_text() == before
    assert not (yard.project / ".git/hooks/post-commit").exists()
    assert not (yard.project / ".git/commondir").exists()


async def test_a_folder_of_no_repository_inside_one_doesnt_hide_it(yard: Yard) -> None:
    shell = yard.shell()
    await yard.run("git -c safe.directory='*' init -q .", shell, leaves=True)
    (yard.project / "sub").mkdir()
    where = str(yard.project / "sub")
    result = await yard.run("git status -sb", shell, dirs=(where,), cwd=where)
    assert result.output.head.startswith("## No commits yet")


async def test_commands_beside_one_another_protect_the_same(yard: Yard) -> None:
    shell = yard.shell()
    async with anyio.create_task_group() as tasks:
        for number in range(4):
            line = f"sleep 0.{number}; mkdir -p .vscode; echo {number} > .vscode/x; echo {number} > f{number}"
            tasks.start_soon(yard.run, line, shell)
    assert sorted(path.name for path in yard.project.iterdir()) == ["f0", "f1", "f2", "f3"]


async def test_beside_a_lasting_command_nothing_is_moved(yard: Yard, open_room: Path) -> None:
    result = await yard.run("echo mine > .npmrc", output_file=str(open_room / "out.txt"))
    assert (yard.project / ".npmrc").read_text() == "mine\n"
    assert [note for note in result.notes if ".npmrc" in note and "not there when" in note]


# What it can read -----------------------------------------------------------------------------------------------------


async def test_credentials_can_not_be_read(yard: Yard) -> None:
    said = await yard.says(
        "cat ~/notes.txt ~/.netrc ~/.ssh/id_test; ls ~/.ssh; cp ~/.ssh/id_test stolen; cat /etc/shadow"
    )
    assert said.startswith("note\n")
    assert "KEY" not in said and "LOGIN" not in said and "root:" not in said
    assert "Permission denied" in said
    assert not (yard.project / "stolen").exists()


async def test_what_is_closed_and_opened_again_goes_by_the_nearer(yard: Yard) -> None:
    (yard.home / ".ssh/known_hosts").write_text("hosts\n")
    (yard.home / "data/open").mkdir(parents=True)
    (yard.home / "data/secret").write_text("SECRET")
    (yard.home / "data/open/f").write_text("open\n")
    home = yard.home
    yard.bounds = replace(
        yard.bounds,
        deny_read=(str(home / "data"),),
        allow_read=(str(home), str(home / "data/open"), str(home / ".ssh/known_hosts")),
    )
    said = await yard.says(
        "cat ~/data/open/f ~/.ssh/known_hosts; cat ~/data/secret ~/.ssh/id_test; echo x > ~/data/open/f"
    )
    assert said.startswith("open\nhosts\n")
    assert "SECRET" not in said and "KEY" not in said
    assert (home / "data/open/f").read_text() == "open\n"


def not_env(path: str) -> bool:
    return not path.endswith("/.env")


async def test_files_that_rules_forbid_to_read_are_closed(yard: Yard) -> None:
    yard.write("deep/down/.env", "TOKEN")
    yard.write(".env", "TOKEN")
    yard.write("plain", "fine\n")
    yard.bounds = replace(yard.bounds, may_read=not_env)
    said = await yard.says(
        "cat plain; python3 -c 'print(open(\".env\").read())'; cat deep/down/.env; cp .env copy"
    )
    assert said.startswith("fine\n")
    assert "TOKEN" not in said
    assert (yard.project / ".env").read_text() == "TOKEN"


async def test_its_variables_hold_no_keys_and_no_ways_out(yard: Yard) -> None:
    variables = {
        **yard.env.variables,
        "ANTHROPIC_API_KEY": "sk-1",
        "GITHUB_TOKEN": "gh-1",
        "SSH_AUTH_SOCK": "/run/agent",
        "PLAIN": "1",
    }
    yard.bounds = replace(yard.bounds, variables=("GITHUB_TOKEN",))
    shell = yard.shell()
    shell._env = replace(yard.env, variables=variables)  # pyright: ignore[reportPrivateUsage]
    said = (await yard.run("env; tr '\\0' '\\n' < /proc/1/environ", shell)).output.head
    assert "PLAIN=1\n" in said and "AGENT_TUI_SANDBOX=bubblewrap\n" in said
    assert not [name for name in ("sk-1", "gh-1", "SSH_AUTH_SOCK") if name in said]


# Processes ------------------------------------------------------------------------------------------------------------


async def test_it_sees_and_signals_its_own_processes_only(yard: Yard) -> None:
    said = await yard.says(
        f"ps -eo pid= | wc -l; kill -0 {os.getpid()} || echo nobody; readlink /proc/{os.getpid()}/root"
    )
    assert int(said.split()[0]) < 10
    assert "nobody" in said


async def test_it_has_no_powers_and_gets_none(yard: Yard) -> None:
    said = await yard.says(
        "grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; mount -t tmpfs none /tmp; unshare -Ur id; umount .git"
    )
    assert "CapEff:\t0000000000000000" in said and "CapBnd:\t0000000000000000" in said
    assert "NoNewPrivs:\t1" in said
    assert "uid=" not in said
    assert not os.path.ismount(yard.project / ".git")


async def test_at_the_time_limit_all_of_it_ends_and_may_clean_up(yard: Yard) -> None:
    line = f"trap 'echo cleaned > note; exit' TERM; (setsid env -i {NAP}91 &) ; {NAP}92 & wait"
    with anyio.fail_after(15):
        result = await yard.run(line, timeout_ms=700)
    assert result.stopped == "timeout"
    assert (yard.project / "note").read_text() == "cleaned\n"
    assert await gone(f"{NAP}91")
    assert await gone(f"{NAP}92")
    assert list(yard.project.glob(".*")) == []


async def test_when_cancelled_all_of_it_ends(yard: Yard) -> None:
    shell = yard.shell()
    heard = anyio.Event()

    async def tell(output: Captured) -> None:
        if "begun" in output.head:
            heard.set()

    yard.own()
    async with anyio.create_task_group() as tasks:

        async def work() -> None:
            line = f"setsid {NAP}93 & echo begun; {NAP}94"
            await shell.run(yard.command(line), tell)

        tasks.start_soon(work)
        with anyio.fail_after(10):
            await heard.wait()
        tasks.cancel_scope.cancel()
    assert await gone(f"{NAP}93")
    assert await gone(f"{NAP}94")
    assert list(yard.project.iterdir()) == []


async def test_what_it_leaves_running_is_told_and_ends_with_the_session(yard: Yard) -> None:
    shell = yard.shell()
    result = await yard.run(f"setsid {NAP}95 >/dev/null & {NAP}96 & sleep 0.1", shell)
    assert sorted(one.command for one in result.left_running) == [f"{NAP}95", f"{NAP}96"]
    assert running(f"{NAP}95") and running(f"{NAP}96")
    await shell.aclose()
    assert await gone(f"{NAP}95")
    assert await gone(f"{NAP}96")


async def test_what_it_leaves_running_stays_bounded(yard: Yard) -> None:
    shell = yard.shell()
    line = "(until [ -e go ]; do sleep 0.02; done; mkdir .vscode; echo x > .vscode/x; echo > done) >/dev/null 2>&1 &"
    await yard.run(line, shell)
    yard.write("go")
    with anyio.fail_after(10):
        while not (yard.project / "done").exists():
            await anyio.sleep(0.02)
    assert not (yard.project / ".vscode/x").exists()
    await shell.aclose()
    assert sorted(path.name for path in yard.project.iterdir()) == ["done", "go"]


async def test_in_the_background_it_is_bounded_as_well(yard: Yard, open_room: Path) -> None:
    file = open_room / "out.txt"
    result = await yard.run("echo hi; echo x > ../out; cat ~/.ssh/id_test", output_file=str(file))
    assert result.exit_code == 1
    assert file.read_text().startswith("hi\n") and "KEY" not in file.read_text()
    assert not (yard.home / "out").exists()


async def test_the_folder_is_carried_and_the_exit_code_is_its_own(yard: Yard) -> None:
    (yard.project / "sub").mkdir()
    shell = yard.shell()
    assert (await yard.run("cd sub; exit 7", shell)).exit_code == 7
    assert shell.cwd == str(yard.project / "sub")
    assert (await yard.run("pwd", shell)).output.head == f"{yard.project}/sub\n"
    result = await yard.run("cd ..; exec true", shell)
    assert result.notes == () and shell.cwd == str(yard.project / "sub")
    gone_now = await yard.run("cd ../sub; rmdir ../sub", shell)
    assert "is gone" in gone_now.notes[0] and shell.cwd == str(yard.project)


# The network ----------------------------------------------------------------------------------------------------------


class Hello(BaseHTTPRequestHandler):
    """Says hello."""

    def do_GET(self) -> None:
        body = b"hello " + self.path.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def system_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the way to the proxy opened by an interpreter that every user may run."""
    found = shutil.which("python3", path=PATH)
    assert found is not None
    monkeypatch.setattr(sys, "executable", found)
    for name in ("prefix", "base_prefix"):
        monkeypatch.setattr(sys, name, "/usr")


@pytest.fixture
def server() -> Iterator[int]:
    """A server on this machine; gives its port."""
    httpd = HTTPServer(("127.0.0.1", 0), Hello)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield httpd.server_port
    httpd.shutdown()
    thread.join()
    httpd.server_close()


FETCH = "python3 -c \"import urllib.request as u; print(u.urlopen('http://{host}:{port}/{path}', timeout=5).read().decode())\""


async def test_there_is_no_network(yard: Yard, server: int) -> None:
    result = await yard.run(
        f"echo > /dev/tcp/127.0.0.1/{server}; echo > /dev/tcp/192.0.2.1/80; getent hosts example.org"
    )
    assert "Connection refused" in result.output.head and "unreachable" in result.output.head
    assert "can't reach the network" in result.notes[0]


async def test_it_has_a_loopback_of_its_own(yard: Yard) -> None:
    line = (
        "python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 & server=$!; "
        "for n in 1 2 3 4 5 6 7 8 9; do sleep 0.1; (echo > /dev/tcp/127.0.0.1/8123) 2>/dev/null && echo up && break; done; "
        "kill $server"
    )
    assert await yard.says(line) == "up\n"


@pytest.mark.usefixtures("system_python")
async def test_named_hosts_are_reached_through_the_proxy_and_no_others(
    yard: Yard, server: int
) -> None:
    yard.bounds = replace(yard.bounds, network=Network(("127.0.0.1",)))
    fetch = FETCH.replace("import urllib", "import os; os.environ['no_proxy']=''; import urllib")
    good = await yard.run(fetch.format(host="127.0.0.1", port=server, path="it"))
    assert good.output.head == "hello /it\n", good.output.head
    assert good.notes == () and good.left_running == ()
    bad = await yard.run(fetch.format(host="other.example", port=server, path="it"))
    assert bad.exit_code == 1 and "403" in bad.output.head
    assert bad.notes[0].startswith("The sandbox refused the network to: other.example.")
    raw = await yard.run(f"echo > /dev/tcp/127.0.0.1/{server}")
    assert raw.exit_code == 1


@pytest.mark.usefixtures("system_python")
async def test_a_name_that_leads_here_opens_nothing(yard: Yard, server: int) -> None:
    yard.bounds = replace(yard.bounds, network=Network(("*",)))
    fetch = FETCH.replace("import urllib", "import os; os.environ['no_proxy']=''; import urllib")
    result = await yard.run(fetch.format(host="127.0.0.1", port=server, path="it"))
    assert result.exit_code == 1 and "hello" not in result.output.head
    assert "refused the network to: 127.0.0.1" in result.notes[0]


async def test_sockets_of_other_programs_are_out_of_reach(yard: Yard, stranger: str) -> None:
    line = f"python3 -c \"import socket as s; c=s.socket(s.AF_UNIX); c.connect('{stranger}'); print('through')\""
    assert "through" not in await yard.says(line)
    yard.bounds = replace(yard.bounds, network=Network(sockets=(stranger,)))
    assert await yard.says(line) == "through\n"


# Never without --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo 'bwrap: No permissions to create new namespace' >&2; exit 1", "user namespaces"),
        ("exit 1", "said nothing"),
        (
            'echo "bwrap: Can\'t mount proc on /newroot/proc: not permitted" >&2; exit 1',
            "enableWeakerNestedSandbox",
        ),
    ],
)
async def test_a_sandbox_that_fails_never_lets_the_command_run(
    open_room: Path, script: str, told: str
) -> None:
    broken = open_room / "bwrap"
    broken.write_text(f"#!/bin/sh\n{script}\n")
    broken.chmod(0o755)
    yard = yard_in(open_room, Bubblewrap(str(broken)))
    shell = yard.shell()
    with pytest.raises(
        PortError, match=f"could not be set up, so the command was not run(.|\n)*{told}"
    ):
        await yard.run("echo ran > ran", shell)
    assert list(yard.project.iterdir()) == []
    await shell.aclose()


async def test_what_vanishes_while_it_is_set_up_is_no_failure(yard: Yard, open_room: Path) -> None:
    real = bubblewrap()
    once = open_room / "bwrap"
    flag = open_room / "tried"
    text = f"[ -e {flag} ] && exec {real.program} \"$@\"; : > {flag}; echo 'bwrap: gone by now' >&2; exit 1"
    once.write_text(f"#!/bin/sh\n{text}\n")
    once.chmod(0o755)
    yard.fence = Bubblewrap(str(once))
    result = await yard.run("echo hi")
    assert (result.exit_code, result.output.head) == (0, "hi\n")
    assert list(yard.project.iterdir()) == []


async def test_a_program_that_is_gone_is_an_error(open_room: Path) -> None:
    yard = yard_in(open_room, Bubblewrap(str(open_room / "missing")))
    shell = yard.shell()
    with pytest.raises(PortError, match="could not be started"):
        await yard.run("echo ran > ran", shell)
    assert list(yard.project.iterdir()) == []
    await shell.aclose()


async def test_the_whole_machine_can_not_be_a_working_folder(yard: Yard) -> None:
    with pytest.raises(PortError, match="can't bound a command that works in /"):
        await yard.run("true", dirs=("/",))


# Which lines run inside -----------------------------------------------------------------------------------------------


def test_which_lines_run_inside(open_room: Path) -> None:
    yard = yard_in(open_room, Bubblewrap("/usr/bin/bwrap"))
    free = CommandSandbox(
        yard.fence, lambda: yard.bounds, Choice(excluded=lambda line: "docker" in line)
    )
    assert free.unasked and free.holds("ls", leaves=False)
    assert not free.holds("ls", leaves=True) and not free.holds("docker ps", leaves=False)
    strict = CommandSandbox(yard.fence, lambda: yard.bounds, Choice(unasked=False, may_leave=False))
    assert not strict.unasked and strict.holds("ls", leaves=True)
    assert free.inside("/x/y.start") == "/run/agent-tui/y.start"


async def test_what_leaves_runs_outside_and_says_so(yard: Yard) -> None:
    result = await yard.run("echo $AGENT_TUI_SANDBOX; cat ~/.ssh/id_test", leaves=True)
    assert result.output.head == "\nKEY" and result.left_sandbox
    assert not (await yard.run("true")).left_sandbox


async def test_expected_violations_are_not_told(yard: Yard) -> None:
    yard.choice = Choice(
        may_leave=False, ignored={"touch": ("Read-only file system", "Permission denied")}
    )
    assert (await yard.run("touch /usr/x")).notes == ()
    told = (await yard.run("mkdir /usr/x")).notes
    assert "Nothing runs outside of it in this session" in told[0]
