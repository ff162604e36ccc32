"""The attack lines of ``tests/data/attack-lines.txt``, and the rules they are tried against."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from tests.permissions.ground import Project
from tests.permissions.shell.corpus import DATA

Kind: TypeAlias = Literal["allowed", "writes", "denied", "looks"]

_HEAD = re.compile(r"\[(?P<family>.+)\] (?P<kind>allowed|writes|denied|looks)")
_NAMED = re.compile(r"<U\+([0-9A-F]{4})>")
_PICTURE = re.compile("[\u2400-\u241f]")

_PREFIXES = (
    "git log,git diff,git show,git status,git grep,git,ls,echo,cat,find,sed,awk,gawk,mawk,sort,uniq,tar,rg,man,less,zip,"
    "split,ssh,scp,rsync,curl,wget,make,make test,npm run,npm run test,go,go test,gcc,vim,emacs,sqlite3,psql,fzf,fd,hg,"
    "svn,apt-get,rpm,tcpdump,exiftool,pandoc,nc,cmake,cargo,timeout,nice,nohup,time,env,xargs,sudo,bash,sh,grep,printf,"
    "read,declare,unset,test,[,[[,export,local,true,cd,set,let,mapfile,x,f,exec,trap,eval,coproc,command,"
    "builtin,wait,typeset,readonly,flock,setsid,watch,ionice,python3 -m pytest,docker ps,{,(,!,>"
)
PREFIXES = [f"Bash({text} *)" for text in _PREFIXES.split(",")]
"""Prefix rules as people and the "always" answer make them, and sillier ones."""

FORBIDDEN = ["Bash(rm *)", "Bash(curl *)", "Bash(git push *)"]


@dataclass(frozen=True)
class Attack:
    """One line, and the family it is of."""

    family: str
    kind: Kind
    line: str

    def __str__(self) -> str:
        return self.line


def attacks(*kinds: Kind) -> list[Attack]:
    """Read the lines of some kinds."""
    out: list[Attack] = []
    family, kind = "", ""
    for text in (DATA / "attack-lines.txt").read_text("utf-8").split("\n"):
        if found := _HEAD.fullmatch(text):
            family, kind = found["family"], found["kind"]
        elif text and not text.startswith("# "):
            out.append(Attack(family, cast("Kind", kind), _spelled(text)))
    return [attack for attack in out if not kinds or attack.kind in kinds]


def _spelled(text: str) -> str:
    text = _NAMED.sub(lambda found: chr(int(found[1], 16)), text.replace("\u23ce", "\n"))
    return _PICTURE.sub(lambda found: chr(ord(found[0]) - 0x2400), text)


def laid_out(project: Project) -> Project:
    """Put what the lines speak of into a project: links that lead out, repositories that came with it."""
    (project.folder / "evil" / ".git").mkdir(parents=True)
    (project.folder / "bare" / "objects").mkdir(parents=True)
    (project.folder / "bare" / "HEAD").touch()
    (project.folder / "link").symlink_to("/etc")
    for name in ("x", "y", "notes", "list", "args"):
        (project.folder / name).touch()
    return project
