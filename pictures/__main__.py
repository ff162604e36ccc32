"""``python -m pictures [--out FOLDER] [NAME …]``: makes the pictures, all of them or those whose names begin so."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pictures.looking import png_of
from pictures.sheet import PARTS
from pictures.states import PICTURES
from pictures.taking import save

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
KNOWN = (*PICTURES, PARTS)
"""All that can be made."""


def main() -> int:
    """Make pictures; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m pictures", description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the files go")
    parser.add_argument("names", nargs="*", help="beginnings of names; all when none is given")
    parser.add_argument("--png", action="store_true", help="make PNG files, too, for looking")
    options = parser.parse_args()
    chosen = [p for p in KNOWN if not options.names or p.name.startswith(tuple(options.names))]
    if not chosen:
        print(f"there are {', '.join(p.name for p in KNOWN)}", file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for picture in chosen:
        try:
            path = save(picture, options.out)
        except (AssertionError, ValueError) as error:
            failed += 1
            print(f"{picture.name}: {error}", file=sys.stderr)
            continue
        print(png_of(path) if options.png else path, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
