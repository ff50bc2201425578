"""`python -m atlas`: draws lines of the judge's JSON, `{"question": …, "answer": …}`.

    python -m atlas --view orders --format png < line.json > orders.png
    python -m atlas --view board --format svg --out boards < lines.json

The exit status is 1, with one sentence on standard error, when a line cannot be drawn.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from atlas.door import BadLine, read_named, read_subject
from atlas.picture import Heading, Subject, draw


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw one line of standard input to standard output, or with `--out` each to a file."""
    options = _parser().parse_args(arguments)
    try:
        if options.out is not None:
            return _draw_each(sys.stdin.buffer, options)
        subject = read_subject(_decode(sys.stdin.buffer.readline()))
        sys.stdout.buffer.write(_draw(subject, options))
        sys.stdout.buffer.flush()
    except BadLine as wrong:
        return _refuse(str(wrong))
    except OSError as error:
        if options.out is None:
            # What is still buffered would raise again when Python closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _refuse(f"The picture cannot be written: {error.strerror}.")
    return 0


def _draw_each(lines: Iterable[bytes], options: argparse.Namespace) -> int:
    """Draw each line to a file named by its question's id. A bad line costs no other its
    picture."""
    status = 0
    names: set[str] = set()
    options.out.mkdir(parents=True, exist_ok=True)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            name, subject = read_named(_decode(line))
            if name in names:
                raise BadLine(f"An earlier line has the id “{name}”, too.")
        except BadLine as wrong:
            status = _refuse(f"Line {number}: {wrong}")
            continue
        names.add(name)
        (options.out / f"{name}.{options.format}").write_bytes(_draw(subject, options))
    return status


def _decode(line: bytes) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise BadLine(f"This is not UTF-8 at byte {wrong.start + 1}.") from None


def _draw(subject: Subject, options: argparse.Namespace) -> bytes:
    picture = draw(subject, options.view, Heading(options.title, options.subtitle))
    if options.format == "svg":
        return picture.svg(options.names).encode()
    return picture.png(options.width)


def _refuse(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m atlas",
        description='Draw a line {"question": …, "answer": …} of the judge\'s JSON.',
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
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="draw any number of lines, each to a file in this folder named by its question's id",
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
