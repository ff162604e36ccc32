"""Hiding what looks like a secret in texts that are shown, exported or logged.

Three things are hidden: tokens whose form says whose they are (``sk-ant-…``, ``ghp_…``, a private key), values that are
given to a name like ``password`` or ``API_KEY`` and look random, and the values this program knows to be secret, exactly.
What stays is a head that tells the kind: ``sk-ant…[masked]``. Hashes, UUIDs, pictures in base64 and ordinary code stay.

It is a courtesy to whoever looks over a shoulder or is sent a log, no wall: a secret in a form of its own is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, TypeVar

from agent_tui.protocol.texts import map_texts

MASK: Final = "[masked]"
SHORTEST: Final = 8
"""Known values shorter than this are not looked for: they would be found in ordinary words."""
MAX_HEAD: Final = 6
MAX_WORD: Final = 20_000
"""A text that begins with a longer word is no text: a picture in base64."""

T = TypeVar("T")

PREFIXES: Final = (
    *("sk-ant-", "sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "AIza", "ya29.", "GOCSPX-"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "AKIA", "ASIA"),
    *("xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-", "npm_", "pypi-", "hf_"),
    *("dckr_pat_", "dop_v1_", "gsk_", "xai-", "hvs.", "shpat_", "shpss_", "lin_api_", "tskey-", "SG."),
    *("ATATT3", "AGE-SECRET-KEY-1", "eyJ", "-----BEGIN"),
)  # fmt: skip
"""How tokens begin whose form says whose they are."""

_BEFORE = r"(?<![A-Za-z0-9_-])"
_TOKENS = (
    r"sk-ant-[\w-]{8,}",
    r"sk-(?=[\w-]*\d)(?=[\w-]*[A-Za-z0-9]{16})[\w-]{20,}",
    r"[sr]k_(?:live|test)_\w{10,}",
    r"whsec_[\w+/=]{16,}",
    r"AIza[\w-]{35}(?![\w-])",
    r"ya29\.[\w-]{20,}",
    r"GOCSPX-[\w-]{20,}",
    r"gh[pousr]_[A-Za-z0-9]{20,}",
    r"github_pat_\w{22,}",
    r"gl(?:pat|dt|rt)-[\w-]{18,}",
    r"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])",
    r"xox[abeoprs]-[\w-]{10,}",
    r"xapp-\d-[\w-]{10,}",
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-[\w-]{40,}",
    r"hf_[A-Za-z0-9]{30,}",
    r"dckr_pat_[\w-]{20,}",
    r"dop_v1_[0-9a-f]{40,}",
    r"gsk_[A-Za-z0-9]{40,}",
    r"xai-[A-Za-z0-9]{40,}",
    r"hvs\.[\w-]{20,}",
    r"shp(?:at|ss)_[0-9a-f]{32}",
    r"lin_api_\w{30,}",
    r"tskey-[\w-]{20,}",
    r"SG\.[\w-]{16,}\.[\w-]{16,}",
    r"ATATT3[\w=-]{50,}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{40,}",
    r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}",
)
_LINE_BEGIN = r"(?:\r?\n|\\r|\\n)+[ \t]*(?:\d+[\t:→|-])?[ \t>|]*[+-]?[ \t]*"
_KEY_HEAD = r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
_KEY_FIELD = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\n]*"
_KEY_BLOCK = (
    rf"{_KEY_HEAD}(?:{_LINE_BEGIN}{_KEY_FIELD})*"
    rf"(?:{_LINE_BEGIN}[A-Za-z0-9+/]{{16,}}+={{0,2}}(?=[\s\\\"'`]|\Z))+"
    rf"(?:{_LINE_BEGIN}[A-Za-z0-9+/=]{{1,15}}(?=[\r\n\\\"'`]|\Z))?"
    rf"(?:{_LINE_BEGIN}-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)?"
)
_NAMES = (
    r"(?i:secret|token(?!s|i[sz])|passw(?:or)?d|passphrase|api_?-?key|access_?-?key|private_?-?key|auth_?-?key"
    r"|signing_?-?key|encryption_?-?key|account_?-?key|credential)|[A-Z0-9]_KEY(?![A-Z])"
)
_VALUE = r"[^\s\"'`,;(){}\[\]<>$&|\\]"
_SIGN = r"[\"']?[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}[\"'`]?"
_RANDOM = rf"(?![=:]){_VALUE}{{8,}}+)(?![(\[{{$])"
_GIVEN = rf"(?P<name>(?:{_NAMES})[\w.-]{{0,40}}?){_SIGN}(?P<value>{_RANDOM}"
_OPTION = rf"(?<![\w-])--[\w-]{{0,30}}?(?P<option>(?:{_NAMES})[\w-]{{0,20}})[ \t]{{1,4}}[\"']?(?P<argument>{_RANDOM}"
_BEARER = r"(?i:\b(?:bearer|basic))[ \t]+(?P<bearer>[A-Za-z0-9._~+/=-]{16,})"
_IN_URL = r"://[^\s:/@\"'<>]*:(?P<password>[^\s:/@\"'<>${}]{3,})@"
_USER = r"(?<=\s)(?:-u|--user)[ =][\"']?[^\s:\"']+:(?P<user>[^\s\"'$]{6,})"

_NO_SECRET = re.compile(
    r"(?i:.*[_.-]?(?:file|path|url|uri|name|arn|id|endpoint|type|count|limit|length|size|expiry|expires?|(?:in|at)|ttl"
    r"|header|field|param|prefix|suffix|version|budget|usage|window|hash|label|policy|method|manager|provider|store))"
)
"""Names that speak of a secret but don't hold one: ``token_url``, ``secretName``."""

_WORDS = re.compile(r"[a-z]+\d*(?:[_./:-][a-z]+\d*)*|[A-Z]+\d*(?:_[A-Z]+\d*)*|[\d.,_:-]+")
_PLACEHOLDERS = frozenset({"password", "passwd", "pass", "secret", "token", "pwd", "xxx", "***"})

HINTS: Final = (
    *("sk-", "k_live_", "k_test_", "whsec_", "aiza", "ya29.", "gocspx-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "akia", "asia", "xox", "xapp-"),
    *("github_pat_", "glpat-", "gldt-", "glrt-", "npm_", "pypi-", "hf_", "dckr_", "dop_v1_", "gsk_", "xai-", "hvs.", "shpat_", "shpss_", "lin_api_", "tskey-"),
    *("sg.", "atatt3", "eyj", "-----begin", "secret", "token", "passw", "passphrase", "key", "credential"),
    *("bearer", "basic", "://", "-u", "--user"),
)  # fmt: skip
"""A text in which none of these stands (without regard to case) holds nothing that is hidden by its form."""


_COLOURS = re.compile(r"\x1b\[[0-9;:]*[mK]")


@cache
def _pattern() -> re.Pattern[str]:
    """Make the pattern when something may be there for the first time: it takes long, and most texts hold nothing."""
    tokens = "|".join(_TOKENS)
    return re.compile(
        rf"(?P<key>{_KEY_BLOCK})|{_BEFORE}(?P<token>{tokens})|{_GIVEN}|{_OPTION}|{_BEARER}|{_IN_URL}|{_USER}"
    )


@cache
def open_key() -> re.Pattern[str]:
    """Give the pattern of a private key that has begun and goes to the end of the text."""
    return re.compile(
        rf"{_KEY_HEAD}(?:{_LINE_BEGIN}(?:[A-Za-z0-9+/]*={{0,2}}|{_KEY_FIELD}|-{{1,5}}[A-Z -]{{0,40}}))*"
        r"[\\\r\n]*[ \t\d]*\Z"
    )


@dataclass(frozen=True, slots=True)
class Masker:
    """Hides secrets in texts.

    ``known`` are values that are hidden wherever they stand, whatever they look like; short ones are left out.
    """

    known: tuple[str, ...] = ()

    @classmethod
    def knowing(cls, values: Iterable[str]) -> Masker:
        """Make one that knows values, longest first: one may begin with another."""
        long = {value.strip() for value in values if len(value.strip()) >= SHORTEST}
        return cls(tuple(sorted(long, key=lambda value: (-len(value), value))))

    def mask(self, text: str) -> str:
        """Hide what looks like a secret; the same object when there is nothing. Masking twice changes nothing."""
        if len(text) > MAX_WORD and not any(char.isspace() for char in text[:MAX_WORD]):
            return text
        if "\x1b[" in text:  # colours may stand in the middle of a secret
            plain = _COLOURS.sub("", text)
            masked = self._mask(plain)
            return text if masked == plain else masked
        return self._mask(text)

    def _mask(self, text: str) -> str:
        for value in self.known:
            if value in text:
                text = text.replace(value, f"{head_of(value)}{MASK}")
        low = text.lower()
        if not any(hint in low for hint in HINTS):
            return text
        return _hidden(text)

    def data(self, value: T) -> T:
        """Hide secrets in every text of plain data, and values whose name in a dict says they are secret."""
        return map_texts(value, self.mask, self._named)

    def _named(self, name: str, value: str) -> str:
        masked = self.mask(f"{name}={value}")
        return masked[len(name) + 1 :] if masked.startswith(f"{name}=") else self.mask(value)


def head_of(token: str) -> str:
    """Give what of a token may be seen: how its kind begins, at most six characters; "" when the kind isn't known."""
    prefix = next((prefix for prefix in PREFIXES if token.startswith(prefix)), "")
    return f"{prefix[:MAX_HEAD].rstrip('-_.')}…" if prefix else ""


def _hidden(text: str) -> str:
    pattern = _pattern()
    out: list[str] = []
    done = at = 0
    while (match := pattern.search(text, at)) is not None:
        group = str(match.lastgroup)
        start, end = match.span(group)
        if _is_secret(match, group):
            out += (text[done:start], _mask_of(group, match[group]))
            done = at = end
        else:  # what was taken for a value may begin with a name or a token itself
            at = max(start, match.start() + 1)
    return text if not out else "".join((*out, text[done:]))


def _is_secret(match: re.Match[str], group: str) -> bool:
    value = match[group]
    match group:
        case "value" | "argument":
            name = match["name"] or match["option"]
            return not _NO_SECRET.fullmatch(name) and _looks_random(value)
        case "bearer":
            return _looks_random(value)
        case "password" | "user":
            return value.lower() not in _PLACEHOLDERS and MASK not in value
        case _:
            return True


def _mask_of(group: str, value: str) -> str:
    if group == "key":
        return f"-----{value.split('-----', 2)[1]}-----{MASK}"
    return f"{head_of(value)}{MASK}"


def _looks_random(value: str) -> bool:
    """Tell a random value from a word, a number, a path or an address."""
    value = value.rstrip(".:!?")
    if len(value) < SHORTEST or value.startswith(
        ("/", "./", "../", "~", "http:", "https:", "arn:", "-")
    ):
        return False
    if "://" in value or "…" in value or _WORDS.fullmatch(value):
        return False
    kinds = [_kind(char) for char in value if char.isalnum()]
    changes = sum(a != b for a, b in pairwise(kinds))
    digits = kinds.count("d")
    mixed = {"u", "l", "d"} <= set(kinds)
    return bool(digits) and len(set(value)) >= 6 and (mixed or changes >= 2)


def _kind(char: str) -> str:
    return "d" if char.isdigit() else "u" if char.isupper() else "l"
