"""Options by which programs run other programs, and programs whose words hold programs to run.

Two questions are answered with this. An allow rule for a prefix (``Bash(tar *)``) means the program's own work, not
what ``--to-command`` would run: a command with such an option, or with a word that may turn into one, needs a rule for
exactly that command. And a rule that denies a program holds where its name stands in a text handed to such an option.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agent_tui.permissions.shell.awk import AWKS, awk_is_plain, awk_program, awk_runs
from agent_tui.permissions.shell.find import may_act
from agent_tui.permissions.shell.git import git_runs
from agent_tui.permissions.shell.looker import plain_test
from agent_tui.permissions.shell.options import Options, sort_words
from agent_tui.permissions.shell.sed import SedScript, sed_effects, sed_scripts
from agent_tui.permissions.shell.words import Word, word_of
from agent_tui.permissions.tables import names


@dataclass(frozen=True, slots=True)
class RunsBy:
    """How a program is made to run another: letters, long names (cut short ones too), words by their beginning.

    ``ends``: ``--`` ends its own options, and what follows belongs to somebody else.
    """

    letters: str
    long: tuple[str, ...]
    starts: tuple[str, ...]
    holds: tuple[str, ...]
    ends: bool = False


def _by(text: str, *, ends: bool = False) -> RunsBy:
    """Read ``-x`` letters, ``--long`` names, ``~text`` to be found anywhere in a word, and beginnings of words."""
    parts = text.split()
    return RunsBy(
        "".join(part[1] for part in parts if re.fullmatch(r"-\w", part)),
        tuple(part for part in parts if part.startswith("--")),
        tuple(p for p in parts if not re.fullmatch(r"-\w", p) and p[:2] != "--" and p[0] != "~"),
        tuple(part[1:] for part in parts if part[0] == "~"),
        ends,
    )


_MAKE: Final = _by("-E -f --eval --file --makefile SHELL= .SHELLFLAGS= MAKE= MAKEFLAGS=")
_NPM: Final = _by(
    "--script-shell --node-options --shell --userconfig --globalconfig --prefix --init-module --git --editor --viewer "
    "--call -c --onload-script",
    ends=True,
)
_CC: Final = _by("-wrapper -fplugin -specs --specs -B @ --plugin")
_VI: Final = _by("+ -c -S -s -u -i -W -w -l --cmd")
_PAGER: Final = _by(
    "+ -k -o -O -T -t --lesskey-file --lesskey-src --lesskey-content --log-file --LOG-FILE --tag-file"
)
_SSH_COPY: Final = _by("-o -F -S -D")
_LIBRARIES: Final = _by("--plugin")
_TO_CLIENT: Final = _by("-e -c --exec --sh-exec --lua-exec")

RUNS_BY: Final[dict[str, RunsBy]] = {
    "tar": _by(
        "-F -I -T --info-script --new-volume-script --use-compress-program --to-command --checkpoint-action --rsh-command "
        "--rmt-command --files-from"
    ),
    "bsdtar": _by("-T --use-compress-program --files-from"),
    "cpio": _by("--rsh-command"),
    "zip": _by("-TT --unzip-command"),
    "rg": _by("--pre --hostname-bin"),
    "sort": _by("--compress-program"),
    "split": _by("--filter"),
    "man": _by("-P -H -C -X -T -Z --pager --html --config-file --gxditview --troff-device"),
    "less": _PAGER,
    "more": _PAGER,
    "bat": _by("--pager"),
    "batcat": _by("--pager"),
    "ssh": _by("-o -F -I"),
    "scp": _SSH_COPY,
    "sftp": _SSH_COPY,
    "rsync": _by("-e -M --rsh --rsync-path --remote-option"),
    "curl": _by("-K --config --engine"),
    "wget": _by("-e --execute --use-askpass --config"),
    "make": _MAKE,
    "gmake": _MAKE,
    "cmake": _by("-P -E -C"),
    "npm": _NPM,
    "pnpm": _NPM,
    "yarn": _NPM,
    "go": _by(
        "-toolexec -exec -vettool -overlay -modfile --toolexec --exec --vettool --overlay --modfile ~-extld"
    ),
    "cargo": _by("--config", ends=True),
    **dict.fromkeys(("gcc", "g++", "cc", "c++", "clang", "clang++"), _CC),
    "gdb": _by("-ex -iex -x -ix --ex --iex --command --eval-command --init-eval-command"),
    **dict.fromkeys(("vi", "vim", "view", "nvim", "ex", "vimdiff", "rvim"), _VI),
    "emacs": _by("-l -f -eval -execute -load -funcall -script --eval --execute --load --funcall"),
    "nano": _by("-s -f --speller --rcfile"),
    "sqlite3": _by("-cmd -init --cmd --init ~.shell ~.system ~.load ~load_extension( ~edit("),
    "psql": _by(r"-f --file ~\! ~PROGRAM ~program ~\o ~\g ~\copy"),
    "mysql": _by(r"--pager ~system ~\!"),
    "mariadb": _by(r"--pager ~system ~\!"),
    "apt": _by("-o -c --option --config-file"),
    "apt-get": _by("-o -c --option --config-file"),
    "dpkg": _by("--pre-invoke --post-invoke --admindir --instdir --root"),
    "rpm": _by("-E -D --eval --define --pipe --macros --rcfile"),
    "tcpdump": _by("-z --postrotate-command"),
    "openssl": _by("-engine -provider -provider-path -config"),
    "hg": _by("--config --debugger --cwd -R --repository"),
    "svn": _by("--config-option --editor-cmd --diff-cmd --diff3-cmd --config-dir"),
    "fzf": _by("--preview --bind"),
    "fd": _by("-x -X --exec --exec-batch"),
    "fdfind": _by("-x -X --exec --exec-batch"),
    "ag": _by("--pager"),
    "ack": _by("--pager --ackrc"),
    "exiftool": _by("-if -config -api -execute -@"),
    "pandoc": _by("-F -L --filter --lua-filter --pdf-engine"),
    **dict.fromkeys(("nm", "size", "ar", "objdump", "strip", "ranlib"), _LIBRARIES),
    "ctags": _by("--options --optlib-dir"),
    "dc": _by("~!"),
    "diff3": _by("--diff-program"),
    "sdiff": _by("--diff-program"),
    "install": _by("--strip-program"),
    "lftp": _by("-c -e ~!"),
    **dict.fromkeys(("nc", "ncat", "netcat"), _TO_CLIENT),
    "socat": _by("~EXEC ~exec ~SYSTEM ~system ~SHELL ~shell"),
}

CARRIERS: Final = names(
    "parallel ssh-agent rlwrap proxychains proxychains4 nsenter setpriv runcon pkexec systemd-run dbus-run-session fakeroot "
    "setarch linux32 linux64 i386 x86_64 numactl prlimit cpulimit valgrind hyperfine entr unbuffer logsave chpst softlimit "
    "setuidgid envdir start-stop-daemon choom uclampset cgexec faketime bwrap sandbox-exec gosu su-exec tini dumb-init "
    "eatmydata torify torsocks npx bunx pnpx uvx pipx dotenvx retry strace ltrace chroot unshare firejail xvfb-run "
    "caffeinate capsh chronic ifne perf sg execlineb s6-setuidgid s6-softlimit catchsegv rr stap bpftrace openvt proot sem ts "
    "dotenv systemd-inhibit systemd-nspawn daemonize schroot watchexec nodemon concurrently sshpass xdotool"
)
"""Programs that run what stands in their words, whatever options come before."""

CARRYING: Final = {
    **dict.fromkeys(
        ("docker", "podman", "nerdctl", "docker-compose", "kubectl"), names("exec run")
    ),
    **dict.fromkeys(
        ("uv", "poetry", "pipenv", "hatch", "pdm", "rye", "conda", "mamba"), names("run")
    ),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), names("exec x dlx")),
    **dict.fromkeys(("rustup", "heroku", "buildah", "toolbox"), names("run")),
    **dict.fromkeys(("opam", "stack", "cabal", "lerna", "lxc", "crictl"), names("exec")),
    **dict.fromkeys(("guix", "distrobox"), names("shell enter environment")),
    **dict.fromkeys(("mise", "asdf", "direnv", "rbenv", "pyenv", "nodenv"), names("exec x")),
    "nix": names("run shell develop"),
    "nix-shell": names("--run --command"),
    "flatpak": names("run"),
    "ip": names("exec"),
    "bundle": names("exec"),
    "devbox": names("run"),
    "vagrant": names("ssh"),
    "adb": names("shell"),
    "machinectl": names("shell"),
    **dict.fromkeys(("ssh", "autossh", "mosh", "pdsh", "pssh", "ansible"), frozenset[str]()),
    "tmux": frozenset[str](),
    "screen": frozenset[str](),
    "xterm": frozenset[str](),
}
"""Programs that do so after one of these words, or at any."""

_STARTING: Final = {
    **dict.fromkeys(("unshare", "nsenter", "fakeroot", "firejail"), 1),
    **dict.fromkeys(("chroot", "setarch"), 2),
    **dict.fromkeys(("linux32", "linux64", "i386", "x86_64"), 1),
}
"""How many words that are no options stand before these programs stop starting a shell."""

_INTERPRETER = re.compile(
    r"python[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|luajit|Rscript|R|osascript"
    r"|tclsh|expect|groovy|julia|elixir|guile|racket|m4|gnuplot|octave|ipython[\d.]*|ts-node|tsx|erl|sbcl|clojure|ghc|ocaml"
    r"|swift|sage|lldb"
)
_INLINE = re.compile(r"-\w*[ceEoprRBx]|--(?:eval|print|run|command)(?:=.*)?|-?eval")
_RUNS_ITS_INPUT: Final = names("at batch")
_SED: Final = Options(
    "nErsuz",
    "el",
    names(
        "quiet silent regexp-extended separate null-data expression posix sandbox debug line-length"
    ),
    names("expression line-length"),
    exact=True,
)


def carries(name: str, words: Sequence[Word]) -> bool:
    """Tell whether a command's words hold programs that it runs."""
    if name in CARRIERS or re.match(r"ld-(?:linux|musl).*|ld\.so", name):
        return True
    wanted = CARRYING.get(name)
    return wanted is not None and (not wanted or any(word.value in wanted for word in words[1:]))


def interprets(name: str, words: Sequence[Word]) -> bool:
    """Tell whether a program in another language stands in the words, or is read from the input."""
    if name == "ed":
        return True
    if not _INTERPRETER.fullmatch(name):
        return False
    inline = any(_INLINE.fullmatch(word.start) for word in words[1:])
    return inline or all(word.start.startswith("-") for word in words[1:])


def runs_its_input(name: str, words: Sequence[Word]) -> bool:
    """Tell whether a command runs lines it reads: ``at``, a new crontab."""
    return name in _RUNS_ITS_INPUT or (
        name == "crontab" and not any(w.is_text("-l") for w in words)
    )


def starts_shell(name: str, words: Sequence[Word]) -> bool:
    """Tell whether a program that is given nothing to run starts a shell, which runs what it reads."""
    wanted = _STARTING.get(name)
    given = [word for word in words[1:] if not word.start.startswith("-")]
    return wanted is not None and len(given) < wanted


def hidden_run(
    name: str, words: Sequence[Word], turns: Callable[[Word], bool] | None = None
) -> str:
    """Say by which word a program would run another one, "" when by none.

    Args:
        name: the program.
        words: its words, the name first.
        turns: tells of words that aren't known whether they may turn into an option; None: they don't.
    """
    if name == "git":
        return git_runs(words, turns)
    if name in ("test", "["):
        return "" if turns is None or plain_test(words[1:]) else "a word that isn't known"
    if name == "find":
        return may_act(words, turns) if turns is not None else ""
    if name == "sed" or name in AWKS:
        return _by_script(name, _settled(words, turns))
    known = RUNS_BY.get(name)
    if known is None:
        return ""
    for word in _own(words[1:], known):
        if _hits(known, word) or (turns is not None and turns(word)):
            return word.raw
    if name in ("tar", "bsdtar") and len(words) > 1 and not words[1].start.startswith("-"):
        first = words[1]
        return first.raw if set(first.start) & set(known.letters) and "/" not in first.start else ""
    if name in ("make", "gmake"):
        return next((w.raw for w in words[1:] if re.search(r"=.*[^\w.,:+=-]", w.start)), "")
    return ""


def handed(name: str, words: Sequence[Word], by: str) -> Sequence[Word]:
    """Give the words in which stands what ``by``, found by ``hidden_run``, makes a program run."""
    if name in AWKS:
        text = awk_program(words)
        return words[1:] if text is None or awk_runs(text) else ()
    if name == "sed":
        effects = sed_does(words)
        return words[1:] if effects is not None and effects.runs else ()
    at = next((index for index, word in enumerate(words) if word.raw == by), len(words))
    return words[at : at + 2]


def _own(words: Sequence[Word], known: RunsBy) -> Iterator[Word]:
    for word in words:
        if known.ends and word.is_text("--"):
            return
        yield word


def _hits(known: RunsBy, word: Word) -> bool:
    start = word.start
    if any(text in start for text in known.holds) or start.startswith(known.starts):
        return True
    if start.startswith("--"):
        name = start.partition("=")[0]
        open_end = not word.literal and "=" not in start
        return (len(name) > 3 and any(long.startswith(name) for long in known.long)) or open_end
    if start.startswith("-"):
        return bool(set(start[1:]) & set(known.letters)) or (
            bool(known.letters) and not word.literal and len(start) < 2
        )
    return False


_IN_PLACE = re.compile(r"-[nErsuz]*i|--in-place")


def sed_does(words: Sequence[Word]) -> SedScript | None:
    """Say what the scripts of a ``sed`` do beside their input; None when that can't be told."""
    found = sort_words([w for w in words[1:] if not _IN_PLACE.match(w.start)], _SED)
    if found is None:
        return None
    scripts = sed_scripts(found)
    if not found.values and found.rest[:1] and found.rest[0].is_text(""):
        scripts = found.rest[:2]  # ``sed -i ''``, as BSD wants it
    return sed_effects(scripts)


def _by_script(name: str, words: Sequence[Word]) -> str:
    if name == "sed":
        effects = sed_does(words)
        return "its script" if effects is None or effects.runs else ""
    text = awk_program(words)
    return "" if text is not None and awk_is_plain(text) else "its program"


def _settled(words: Sequence[Word], turns: Callable[[Word], bool] | None) -> list[Word]:
    """Write something in place of words that aren't known, but can't be options."""

    def known(word: Word) -> bool:
        return bool(word.start) or word.literal or (turns is not None and turns(word))

    return [word if known(word) else word_of("unknown") for word in words]
