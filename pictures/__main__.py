"""``python -m pictures [--out FOLDER] [NAME …]``: makes the pictures, all of them or those whose names begin so."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pictures.states import PICTURES
from pictures.taking import save

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"


def main() -> int:
    """Make pictures; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m pictures", description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the files go")
    parser.add_argument("names", nargs="*", help="beginnings of names; all when none is given")
    options = parser.parse_args()
    chosen = [p for p in PICTURES if not options.names or p.name.startswith(tuple(options.names))]
    if not chosen:
        print(f"there are {', '.join(p.name for p in PICTURES)}", file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    for picture in chosen:
        print(save(picture, options.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
