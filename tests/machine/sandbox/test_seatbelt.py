"""The fence on macOS, as far as text shows it."""

from __future__ import annotations

from pathlib import Path

from agent_tui.machine.sandbox.bounds import Bounds, Layout, Network, Spot
from agent_tui.machine.sandbox.seatbelt import Seatbelt, profile, quoted
from agent_tui.protocol.ports import Start

SPOTS = (
    Spot("/p", "write", is_dir=True),
    Spot("/home/.ssh", "closed", is_dir=True),
    Spot("/p/.npmrc", "read", is_dir=False),
    Spot("/home/.netrc", "empty", is_dir=False),
)


def test_a_profile_denies_first_and_the_nearer_place_decides() -> None:
    lines = profile(Layout(SPOTS, ("/p/.vscode",)), Bounds("/home")).splitlines()
    assert lines[:2] == ["(version 1)", "(deny default)"]
    rules = [line for line in lines if "/p" in line or "/home" in line]
    assert rules == [
        '(allow file-read* (subpath "/p"))',
        '(allow file-write* (subpath "/p"))',
        '(deny file-read* (subpath "/home/.ssh"))',
        '(deny file-write* (subpath "/home/.ssh"))',
        '(allow file-read* (literal "/p/.npmrc"))',
        '(deny file-write* (literal "/p/.npmrc"))',
        '(deny file-read* (literal "/home/.netrc"))',
        '(deny file-write* (literal "/home/.netrc"))',
        '(deny file-write* (subpath "/p/.vscode"))',
    ]
    assert not [line for line in lines if "network" in line]


def test_what_the_settings_open() -> None:
    network = Network(
        ("example.com",),
        sockets=("/run/x",),
        all_sockets=True,
        local_binding=True,
        mach_names=("com.a", "com.b.*"),
    )
    text = profile(Layout(), Bounds("/home", files=False, network=network))
    assert "(allow file-write*)\n" in text
    assert '(allow network-outbound (remote ip "localhost:*"))' in text
    assert '(subpath "/run/x")' in text and "(remote unix-socket))" in text
    assert '(global-name "com.a")' in text and '(global-name-prefix "com.b.")' in text
    assert '"*:*"' not in text


def test_a_name_can_not_break_out_of_its_quotes() -> None:
    assert quoted('a"b\\c') == '"a\\"b\\\\c"'
    evil = '/p") (allow default) ("'
    text = profile(Layout((Spot(evil, "write", is_dir=True),)), Bounds("/home"))
    assert '(subpath "/p\\") (allow default) (\\"")' in text


def test_a_command_gets_a_folder_for_temporary_files(tmp_path: Path) -> None:
    fence = Seatbelt("/x/sandbox-exec")
    own = str(tmp_path)
    start = Start(("/bin/sh",), {"A": "1"}, "/p", ("/p",), own, writes=(f"{own}/m.cwd",))
    given = fence.fence(start, Layout(), Bounds("/home"), 3)
    assert given.argv[:2] == ("/x/sandbox-exec", "-p") and given.argv[3:] == ("/bin/sh",)
    assert given.env == {"A": "1", **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), f"{own}/sandbox-tmp")}
    assert f'(allow file-write* (subpath "{tmp_path.resolve()}/m.cwd"))' in given.argv[2]
    assert fence.inside("/a/b") == "/a/b"
    assert (fence.name, fence.reports, fence.proxies) == ("seatbelt", False, False)
