"""`python -m atlas`: draws one line of the judge's JSON, `{"question": …, "answer": …}`.

    python -m atlas --view orders --format png < line.json > orders.png

The exit status is 1, with one sentence on standard error, when the line cannot be drawn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from atlas.door import BadLine, read_subject
from atlas.picture import Heading, draw


def main(arguments: Sequence[str] | None = None) -> int:
    """Read one line from standard input, write the picture to standard output."""
    options = _parser().parse_args(arguments)
    try:
        line = sys.stdin.buffer.readline().decode("utf-8-sig")
        subject = read_subject(line)
    except UnicodeDecodeError as wrong:
        return _refuse(f"This is not UTF-8 at byte {wrong.start + 1}.")
    except BadLine as wrong:
        return _refuse(str(wrong))
    picture = draw(subject, options.view, Heading(options.title, options.subtitle))
    if options.format == "svg":
        sys.stdout.buffer.write(picture.svg(options.names).encode())
    else:
        sys.stdout.buffer.write(picture.png(options.width))
    return 0


def _refuse(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m atlas",
        description='Draw one line {"question": …, "answer": …} of the judge\'s JSON.',
    )
    parser.add_argument(
        "--view",
        choices=("orders", "board"),
        default="orders",
        help="what was ordered, or the board that followed",
    )
    parser.add_argument("--format", choices=("png", "svg"), default="png")
    parser.add_argument("--width", type=_width, help="of a PNG, in pixels")
    parser.add_argument(
        "--names",
        choices=("code", "full"),
        default="code",
        help="letters or full names of provinces, in SVG",
    )
    parser.add_argument("--title", default="", help="instead of the phase's name")
    parser.add_argument("--subtitle", default="")
    return parser


def _width(text: str) -> int:
    if not text.isdecimal() or not 100 <= int(text) <= 4000:
        raise argparse.ArgumentTypeError("a width is a number of pixels from 100 to 4000")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
