"""Numbers as the screen writes them: counts of tokens, money, times."""

from __future__ import annotations


def tokens(count: int) -> str:
    """Give ``812``, ``8.1k``, ``118k``, ``1.2M``."""
    if count < 1000:
        return str(count)
    if count < 99_950:
        return f"{count / 1000:.1f}k"
    if count < 999_500:
        return f"{count / 1000:.0f}k"
    return f"{count / 1_000_000:.1f}M"


def window(count: int) -> str:
    """Give a round count: ``200k``, ``1M``."""
    if count >= 1_000_000:
        return f"{count / 1_000_000:g}M"
    return f"{count / 1000:g}k" if count >= 1000 else str(count)


def money(usd: float | None, *, digits: int = 4) -> str:
    """Give a cost, ``digits`` behind the point below a dollar, two above; ``$?`` when unknown."""
    if usd is None:
        return "$?"
    if usd == 0:
        return "$0"
    return f"${usd:.{digits}f}" if usd < 1 else f"${usd:.2f}"


def limit(usd: float) -> str:
    """Give a budget: ``$5``, ``$2.50``, ``$0.0020``."""
    if 0 < usd < 0.01:
        return f"${usd:.4f}"
    return f"${usd:g}" if usd == int(usd) else f"${usd:.2f}"


def clock(seconds: float) -> str:
    """Give a running time: ``0:42``, ``1:07``, ``1:02:03``."""
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return f"{hours}:{minutes:02}:{whole % 60:02}"
    return f"{minutes}:{whole % 60:02}"


def age(seconds: float) -> str:
    """Give how long ago, in one unit: ``now``, ``5 min``, ``2 h``, ``1 d``, ``3 wk``, ``2 mo``, ``1 y``."""
    for size, unit in (
        (365 * 86400, "y"),
        (30 * 86400, "mo"),
        (7 * 86400, "wk"),
        (86400, "d"),
        (3600, "h"),
        (60, "min"),
    ):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now"


def size(count: int) -> str:
    """Give bytes: ``812 B``, ``34 kB``, ``1.9 MB``."""
    if count < 1000:
        return f"{count} B"
    if count < 1_000_000:
        return f"{count / 1000:.0f} kB"
    return f"{count / 1_000_000:.1f} MB"
