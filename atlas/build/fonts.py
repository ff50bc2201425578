"""`python -m atlas.build.fonts package/files`: make the committed faces from npm's WOFF files."""

from __future__ import annotations

import argparse
from pathlib import Path

from fontTools.ttLib import TTFont

from atlas import fonts

_FACES = ("400-normal", "600-normal", "600-italic")


def main() -> None:
    """Write each face into atlas/fonts as TrueType: the same glyphs in another container."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="files/ of npm's @fontsource/source-sans-3")
    folder: Path = parser.parse_args().folder
    for name in _FACES:
        face = TTFont(folder / f"source-sans-3-latin-{name}.woff")
        face.flavor = None
        face.save(Path(fonts.__file__).with_name(f"SourceSans3-{name}.ttf"))


if __name__ == "__main__":
    main()
