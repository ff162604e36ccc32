"""Variables that say which programs run, or what they do: ``PATH``, ``BASH_ENV``, ``GIT_DIR`` ...

A plain ``PATH=x`` is judged as the assignment it is. Bash gives values in other ways too: loops (``for PATH in x``),
arithmetic (``((PATH=1))`` makes ``ls`` be looked for in the folder ``1``), ``read``, ``printf -v`` and ``printf %n``; and
without any ``PATH`` it takes the current folder.
"""

from __future__ import annotations

import re

_STEERING = re.compile(
    r"PATH|IFS|HOME|CDPATH|PWD|OLDPWD|ENV|SHELL|SHELLOPTS|BASHOPTS|EXECIGNORE|GLOBIGNORE|PS[0-4]|POSIXLY_CORRECT|TMPDIR"
    r"|MAGIC|LOCPATH|NLSPATH|GCONV_PATH|TERMINFO\w*|TERMCAP|\w*(?:PAGER|EDITOR|VISUAL|COMMAND|ASKPASS|BROWSER)"
    r"|(?:BASH|LD|DYLD|GIT|LESS|BC|TAR|AWK|JAVA|DOCKER|KUBE|RIPGREP|GREP|XDG|GO|CARGO|RUST)(?:_\w+)?"
    r"|(?:PYTHON|PERL|RUBY|NODE|NPM|npm|MAKE|GEM|BUNDLE|PIP)\w+|\w+_(?:PROXY|proxy)",
    re.ASCII,
)
_BARE_NAME = re.compile(r"(?<![\w$\{])[A-Za-z_]\w*", re.ASCII)


def steers(name: str) -> bool:
    """Tell whether a variable may change which programs run, or what they do."""
    return _STEERING.fullmatch(name) is not None


def may_be_set(arithmetic: str) -> frozenset[str]:
    """Give the names that a text which is computed may give a value: those without a ``$``."""
    return frozenset(_BARE_NAME.findall(arithmetic))
