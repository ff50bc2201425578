"""`python -m atlas.build countries-50m.json`: draw the standard board anew."""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

from atlas.build.standard import draw

_EXPECTED = "04342cdc1e3016bcd7db1630de95684d67b79fe3c8c460321e87aef469502394"
"""SHA-256 of countries-50m.json in world-atlas 2.0.2."""
_BOARD = Path(__file__).parent.parent / "boards" / "standard.json"


def main() -> int:
    """Write atlas/boards/standard.json; return 1 when the source is another file than expected."""
    parser = argparse.ArgumentParser(prog="python -m atlas.build", description=__doc__)
    parser.add_argument("countries", type=Path, help="countries-50m.json of world-atlas 2.0.2")
    source: Path = parser.parse_args().countries
    if hashlib.sha256(source.read_bytes()).hexdigest() != _EXPECTED:
        print(f"{source} is not countries-50m.json of world-atlas 2.0.2.", file=sys.stderr)
        return 1
    text = draw(source)
    _BOARD.write_text(text, encoding="utf-8")
    print(f"{_BOARD}: {len(text.encode()) // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
