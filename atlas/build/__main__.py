"""`python -m atlas.build countries-50m.json modern`: redraw a board."""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

from atlas.build.board import draw

_EXPECTED = "04342cdc1e3016bcd7db1630de95684d67b79fe3c8c460321e87aef469502394"
"""SHA-256 of countries-50m.json in world-atlas 2.0.2."""
_BOARDS = Path(__file__).parent.parent / "boards"


def main() -> int:
    """Write boards into atlas/boards, or compare them; return 1 if the source or a file differs."""
    parser = argparse.ArgumentParser(prog="python -m atlas.build", description=__doc__)
    parser.add_argument("countries", type=Path, help="countries-50m.json of world-atlas 2.0.2")
    plans = sorted(path.stem for path in Path(__file__).parent.glob("*.toml"))
    parser.add_argument("boards", nargs="*", default=plans, help="all of them if none is named")
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; say whether the files are such",
    )
    options = parser.parse_args()
    source: Path = options.countries
    if hashlib.sha256(source.read_bytes()).hexdigest() != _EXPECTED:
        print(f"{source} is not countries-50m.json of world-atlas 2.0.2.", file=sys.stderr)
        return 1
    differ = False
    for name in options.boards:
        text = draw(name, source)
        board = _BOARDS / f"{name}.json"
        if options.check:
            same = text == board.read_text(encoding="utf-8")
            differ = differ or not same
            print(f"{board} is {'what' if same else 'not what'} its plan makes")
        else:
            board.write_text(text, encoding="utf-8")
            print(f"{board}: {len(text.encode()) // 1000} kB")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
