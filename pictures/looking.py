"""PNG files beside the SVG ones, for looking at them, where a program that makes them is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

CONVERTERS: dict[str, tuple[str, ...]] = {
    "rsvg-convert": ("{svg}", "-o", "{png}"),
    "resvg": ("{svg}", "{png}"),
    "cairosvg": ("{svg}", "-o", "{png}"),
    "inkscape": ("{svg}", "-o", "{png}"),
}
"""Programs and their arguments, the best first."""


def converter(path: str | None = None) -> str | None:
    """Find the first of the programs; None where there is none.

    Args:
        path: where to look instead of ``PATH``.
    """
    return next((name for name in CONVERTERS if shutil.which(name, path=path)), None)


def png_of(svg: Path, path: str | None = None) -> Path:
    """Make a PNG file beside an SVG one; give it.

    Raises:
        FileNotFoundError: no program for it is installed.
        subprocess.CalledProcessError: it failed.
    """
    name = converter(path)
    if name is None:
        raise FileNotFoundError(f"none of {', '.join(CONVERTERS)} is installed")
    png = svg.with_suffix(".png")
    words = (word.format(svg=svg, png=png) for word in CONVERTERS[name])
    subprocess.run([shutil.which(name, path=path) or name, *words], check=True)
    return png
