"""Lines composed from pieces: attempts to run the marker program, and calls of programs that look."""

from __future__ import annotations

from hypothesis import strategies as st

from agent_tui.permissions.shell.looktable import LOOKERS, ONLY_SO
from tests.permissions.shell.scratch import MARKER, PROGRAMS

LOOKING = [
    "git log",
    "git log -1 --oneline",
    "git diff",
    "git status -s",
    "git grep one",
    "ls",
    "ls -la src",
    "echo a",
    'echo "a b"',
    "cat f",
    "find . -name f",
    "sed -n 1p f",
    "awk '{print $1}' f",
    "sort f",
    "printf '%s' a",
    "test -f f",
    "true",
    "grep -n one f",
    "head -1 f",
    "wc -l f",
    "tar tf x.tar",
    "date +%s",
    "x=1",
    "x=f",
    "cd src",
    "[[ -f f ]]",
    "((1))",
    "read -r y",
    "unset y",
    "declare z=1",
]

_NAMES = [
    MARKER,
    f"'{MARKER}'",
    f'"{MARKER}"',
    f"\\{MARKER}",
    "p\\wn",
    "p''wn",
    "$'pwn'",
    "$'\\x70wn'",
    "$'\\160wn'",
    '"p"wn',
    "${x:-pwn}",
    "$x",
    '"$x"',
    "$(echo pwn)",
    "`echo pwn`",
    "p{w,}n",
    "{pwn,a}",
    "?wn",
    "[p]wn",
    "./pwn",
    "$PWD/pwn",
    "../bin/pwn",
    "p$()wn",
    "${y}pwn",
    "pwn$y",
]

_WRAPPED = [
    "{}",
    "timeout 3 {}",
    "nice {}",
    "nohup {}",
    "time {}",
    "time -p {}",
    "command {}",
    "command -p {}",
    "builtin command {}",
    "exec {}",
    "env {}",
    "env - PATH=$PATH {}",
    "env -u A {}",
    "stdbuf -o0 {}",
    "setsid {}",
    "echo a | xargs {}",
    "echo a | xargs -n1 {}",
    "echo a | xargs -I% {} %",
    "eval {}",
    "eval '{}'",
    "trap '{}' EXIT",
    "bash -c '{}'",
    "sh -c '{}'",
    "bash +x -c '{}'",
    "bash <<< '{}'",
    "bash <(echo '{}')",
    ". <(echo '{}')",
    "echo '{}' | bash",
    "echo '{}' | sh -s",
    "find f -exec {} \\;",
    "find f -exec {} +",
    "find f -ok {} \\;",
    "sed '1e {}' f",
    "sed 's/one/{}/e' f",
    "awk 'BEGIN{{system(\"{}\")}}'",
    "awk 'BEGIN{{print | \"{}\"}}'",
    "git -c alias.q='!{}' q",
    "git -c core.pager='{}' -p log",
    "git grep -O'{}' one",
    "git -c core.fsmonitor='{}' status",
    "git submodule foreach '{}'",
    "git bisect run {}",
    "tar cf x.tar f --checkpoint=1 --checkpoint-action=exec='{}'",
    "tar cf x.tar -I '{}' f",
    "sort --compress-program={} -S 1b f",
    "split --filter='{}' f",
    "test -v 'a[$({})]'",
    "[ -v 'a[$({})]' ]",
    "[[ -v a[\\$({})] ]]",
    "x='a[$({})]'; echo $((x))",
    "x='a[$({})]'; [[ $x -eq 1 ]]",
    "[[ 'a[$({})]' -eq 1 ]]",
    "x='$({})'; echo ${{x@P}}",
    "x=(1); unset 'x[$({})]'",
    "declare 'x[$({})]=1'",
    "declare -a 'x=($({}))'",
    "printf -v 'x[$({})]' y",
    "read 'x[$({})]' <<< 1",
    "let 'x[$({})]'",
    "f() {{ {}; }}; f",
    "ls() {{ {}; }}; ls",
    "alias ls='{}'\nls",
    "coproc {}",
    "coproc X {{ {}; }}",
    "mapfile -C '{}' -c 1 z < f",
    "PROMPT_COMMAND='{}' bash -i",
    "GIT_PAGER='{}' git -p log",
    "BASH_ENV=<(echo '{}') bash -c :",
    "x='{}'; $x",
    "x='{}'; eval $x",
    "for x in {}; do $x; done",
    "if {}; then :; fi",
    "while {}; do break; done",
    "case a in a) {};; esac",
    "! {}",
    "{{ {}; }}",
    "( {} )",
    "(({}))",
    "((echo);({}))",
]

_AROUND = [
    "{}",
    "echo $({})",
    'echo "$({})"',
    "echo `{}`",
    'echo "`{}`"',
    "echo '$({})'",
    "cat <({})",
    "cat < <({})",
    "echo > >({})",
    "echo ${{x:-$({})}}",
    "echo ${{x:=`{}`}}",
    "echo ${{x#$({})}}",
    "echo $(( $({}) ))",
    "echo $(($({})+1))",
    "echo ${{x[$({})]}}",
    "x=$({})",
    "x=($({}))",
    "x[$({})]=1",
    "cat <<E\n$({})\nE",
    "cat <<E\n`{}`\nE",
    "cat <<'E'\n$({})\nE",
    "cat <<E\n $({})\nE\n",
    "cat <<E && {}\na\nE",
    "cat <<E\na\nE\n{}",
    "cat <<< $({})",
    "[[ $({}) ]]",
    '[ "$({})" ]',
    "> /dev/null {}",
    "{} > /dev/null 2>&1",
    "2>&1 {} < f",
    "{} <f >/dev/null g",
    "# {}",
    "echo a # \n{}",
    "echo '{}'",
    'echo "{}"',
    "echo \\; {}",
    "echo \\\n{}",
    "echo a \\\n; {}",
    "true && {}",
    "LANG=C {}",
    "x=1 {}",
    "git log {} -1",
    "{} &",
    "for i in $({}); do echo; done",
    "for ((i=$({});i<1;i++)); do :; done",
]

_JOINS = [
    "; ",
    ";",
    " && ",
    "||",
    " | ",
    "|",
    "|&",
    " & ",
    "&",
    "\n",
    "\n\n",
    " \\\n; ",
    " ;;",
    " ",
    "",
]
_NOISE = [
    *"'\"`\\$(){}[];&|<>#!~*?=-,%@^+: \t\n\r\x0b\x0c\u00a0\u200bae1",
    *(
        "$(",
        "${",
        "$((",
        "))",
        "<<E",
        "\nE\n",
        "<<<",
        "<(",
        "$'",
        '$"',
        "&&",
        ";;",
        "\\\n",
        "2>",
        ">&",
        "[[",
        "]]",
    ),
    *("{}", "--"),
]


_SETTING_PATH = [
    "unset PATH",
    "((PATH=1))",
    "for PATH in 1; do :; done",
    "printf 1%n PATH",
    "x[PATH=1]=2",
    "x=([PATH=1]=2)",
    "[[ PATH=1 -eq 1 ]]",
    "echo ${x[PATH=1]}",
    "read PATH < f",
]
_BEFORE = ["", "", "", "x=pwn; ", "x=pwn\n", "y=; ", *(f"{text}; ls; " for text in _SETTING_PATH)]


@st.composite
def payloads(draw: st.DrawFn) -> str:
    """An attempt to run the marker program."""
    text = draw(st.sampled_from(_NAMES)) + draw(st.sampled_from(["", " a", " -x", " $y"]))
    for _ in range(draw(st.integers(0, 2))):
        shape = draw(st.sampled_from(_WRAPPED if draw(st.booleans()) else _AROUND))
        text = shape.format(text)
    return draw(st.sampled_from(_BEFORE)) + text


@st.composite
def attempts(draw: st.DrawFn) -> str:
    """A line of harmless commands and attempts, at times with noise in it."""
    parts = [
        draw(payloads()) if draw(st.booleans()) else draw(st.sampled_from(LOOKING))
        for _ in range(draw(st.integers(1, 3)))
    ]
    line = parts[0]
    for part in parts[1:]:
        line += draw(st.sampled_from(_JOINS)) + part
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 2, 4]))):
        at = draw(st.integers(0, len(line)))
        cut = draw(st.sampled_from([0, 0, 0, 1, 2]))
        noise = draw(st.sampled_from([*_NOISE, MARKER, f" {MARKER} "]))
        line = line[:at] + noise + line[at + cut :]
    return line


_QUOTED = [
    "echo 'a; pwn'",
    'echo "a; pwn"',
    "echo a\\;pwn",
    "echo a\\ \\|pwn",
    "echo $'a\\npwn'",
    "echo $'a\\'; pwn'",
    "echo '$(pwn)'",
    "echo '`pwn`'",
    'echo "\\$(pwn)"',
    'echo "\\`pwn\\`"',
    "echo a # pwn",
    "echo a #\n# pwn\necho b",
    "cat <<'E'\n$(pwn)\n`pwn`\nE\necho b",
    "cat <<E\npwn\n\\$(pwn)\nE",
    "cat <<-'E'\n\tpwn\n\tE\nls",
    "cat <<'E' | grep a\npwn\nE",
    "cat <<< 'a; pwn'",
    "cat <<< '$(pwn)'",
    "[[ a == 'pwn' ]]",
    "[[ a =~ (pwn|b) ]]",
    "[[ ! -f pwn && ( a < b || -n pwn ) ]]",
    "[ a = pwn ]",
    "case a in pwn) echo b;; (a|pwn) ls;; esac",
    "x='pwn'; echo $x",
    "x=pwn y='a; pwn'",
    "x=(a pwn 'b;pwn')",
    "x[1]=pwn",
    "echo ${x:-pwn} ${x#pwn} ${x/pwn/b} ${#x}",
    "echo $((1 + 2)) $((x ? 1 : 2))",
    "for ((i=0; i<2; i++)); do echo pwn; done",
    "for i in pwn a; do echo $i; done",
    "while false; do echo pwn; done",
    "if [ a ]; then echo pwn; elif ls; then cat f; else echo; fi",
    "f() { echo pwn; }; echo a",
    "(echo pwn; ls) | cat",
    "{ echo pwn; ls; } 2>/dev/null",
    "! grep pwn f",
    "awk '/pwn/ {print \"pwn\"}' f",
    "awk -F'|' '{print $1}' f",
    "sed 's/one/pwn/;s|a|b|g' f",
    "sed -e '/pwn/d' -e 's/[/]/x/' f",
    "sed -n '/one/{p;q}' f",
    "sed '/x/a pwn' f",
    "grep -E 'pwn|a' f | sort -k1,1 | uniq -c",
    "find . -name 'pwn*' -o -name \"a;pwn\"",
    "find . \\( -name pwn -o -type d \\) -print",
    "printf '%s\\n' pwn '$(pwn)'",
    "test -f pwn -a -n pwn",
    "declare -r q='pwn'",
    "echo <(echo pwn) > /dev/null",
    "echo pwn 2>&1 >/dev/null <f",
    "git log --format='%h pwn' -1",
    "git grep -n 'pwn' -- src",
    "time echo pwn",
    "echo a \\\n  pwn",
    "echo {pwn,a} [pwn]* ?(pwn)",
    "echo ~pwn ~/pwn",
    "echo a;; pwn",
    "cat f |\n sort",
    'x=$(echo pwn); echo "$x"',
    "echo `echo pwn`",
    'echo "`echo \\"pwn\\"`"',
    "jq '.a | length' j.json",
    "unset pwn; read -r pwn < f",
    "select i in pwn; do echo $i; break; done < /dev/null",
    "until true; do echo pwn; done",
]
"""Lines that speak of the marker program and don't run it: until something is put into them."""


@st.composite
def near_misses(draw: st.DrawFn) -> str:
    """Lines that are a character away from running something."""
    line = draw(st.sampled_from(_QUOTED))
    if draw(st.booleans()):
        line += draw(st.sampled_from(_JOINS)) + draw(st.sampled_from([*_QUOTED, *LOOKING]))
    for _ in range(draw(st.sampled_from([1, 1, 2, 2, 3, 5]))):
        at = draw(st.integers(0, len(line)))
        cut = draw(st.sampled_from([0, 0, 0, 1, 1, 2, 5]))
        noise = draw(st.sampled_from([*_NOISE, "", "", "pwn", ";pwn;", "\npwn\n"]))
        line = line[:at] + noise + line[at + cut :]
    return line


_WORDS = [
    *(
        "f",
        "g",
        "src",
        "j.json",
        "list",
        "nasty",
        ".",
        "-",
        "*",
        "src/*",
        "*.py",
        "x.tar",
        "link",
        "hl",
        "link/secret",
    ),
    *(
        "$OUT/secret",
        "../outside/secret",
        "~",
        "$x",
        '"$x"',
        "'a b'",
        "one",
        "1",
        "2",
        "s/a/b/",
        "'{print}'",
        "'1p'",
        ".a",
    ),
    *(
        "'1e pwn'",
        "'w out'",
        "'s/o/pwn/e'",
        "out",
        "--",
        "pwn",
        "$(cat list)",
        "list/..",
        "src/../../outside/secret",
    ),
    *(
        "'BEGIN{system(\"pwn\")}'",
        "+%s",
        "{}",
        "\\;",
        "{f,g}",
        "HEAD",
        "HEAD:f",
        "-n",
        "<(pwn)",
        "name",
        "=",
        "-f",
    ),
]
_FINDS = [
    *(
        "-name",
        "-delete",
        "-exec",
        "-ok",
        "-print",
        "-fprint",
        "-newer",
        "-type",
        "-o",
        "!",
        "-prune",
        "-L",
        "-follow",
    ),
    *(
        "-files0-from",
        "-ls",
        "-fls",
        "-printf",
        "-size",
        "-maxdepth",
        "-regex",
        "-execdir",
        "-quit",
        "-samefile",
    ),
]
_GITS = [
    *(
        "log",
        "diff",
        "show",
        "status",
        "branch",
        "tag",
        "grep",
        "stash",
        "config",
        "rev-parse",
        "ls-files",
        "blame",
    ),
    *(
        "--output=out",
        "--output",
        "-O",
        "--ext-diff",
        "--pretty",
        "--glob",
        "--stat",
        "-p",
        "-c",
        "core.pager=pwn",
        "-C",
    ),
    *(
        "--no-index",
        "--get",
        "--list",
        "-l",
        "show",
        "list",
        "-1",
        "--oneline",
        "--format=%H",
        "--src-prefix",
        "--all",
    ),
    *(
        "--textconv",
        "--exec-path=.",
        "-d",
        "-D",
        "-m",
        "new",
        "--sort",
        "--contains",
        "-n",
        "-a",
        "--git-dir=.git",
    ),
]
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123"


@st.composite
def options(draw: st.DrawFn, name: str) -> str:
    """An option, most often one that the table knows."""
    looker = LOOKERS.get(name) or ONLY_SO.get(name)
    known = looker.options if looker is not None else None
    long = sorted(known.long | known.long_valued) if known is not None else []
    letters = (known.flags + known.valued) if known is not None else ""
    choice = draw(st.integers(0, 9))
    if choice < 4 and letters:
        return "-" + draw(st.text(st.sampled_from(letters), min_size=1, max_size=2))
    if choice < 7 and long:
        return "--" + draw(st.sampled_from(long)) + draw(st.sampled_from(["", "=f", "=1", "=out"]))
    if choice < 8:
        return "-" + draw(st.text(st.sampled_from(_LETTERS), min_size=1, max_size=2))
    return draw(
        st.sampled_from(["-o", "--output=out", "-i", "-f", "--files0-from=list", "-w", "--pre=pwn"])
    )


@st.composite
def calls(draw: st.DrawFn) -> str:
    """A call of a program that is in the tables, with options that may or may not be."""
    name = draw(st.sampled_from(sorted({*LOOKERS, *ONLY_SO, "find", "git", "tar"} & set(PROGRAMS))))
    words = [name]
    for _ in range(draw(st.integers(0, 5))):
        own = {"find": _FINDS, "git": _GITS}.get(name)
        kind = draw(st.integers(0, 2))
        if own is not None and kind > 0:
            words.append(draw(st.sampled_from(own)))
        elif kind == 0:
            words.append(draw(options(name)))
        else:
            words.append(draw(st.sampled_from(_WORDS)))
    line = " ".join(words)
    around = [
        "{}",
        "{}",
        "{}",
        "echo f | xargs {}",
        "x='-o out'; {}",
        "x=list; {}",
        "x=--files0-from=list; {}",
    ]
    around += [
        "{} < f",
        "{} | cat",
        "cd src && {}",
        "for x in *; do {}; done",
        "LANG=C {}",
        "cat f | {}",
    ]
    around += ["echo '-o out' | xargs {}", "echo() {{ {}; }}; echo {}", "timeout 2 {}", "x=f; {}"]
    return draw(st.sampled_from(around)).replace("{{", "{").replace("}}", "}").replace("{}", line)
