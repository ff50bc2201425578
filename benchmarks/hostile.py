"""What it costs to read mails made to keep us busy: processor time and memory, each in its own
process.

    python -m benchmarks.hostile
    python -m benchmarks.hostile "nested parts" "wide table"

Four of the worst together must delay nobody's receipt by more than a few seconds.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable
from multiprocessing.queues import SimpleQueue

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")
django.setup()

from mailer.letter import read_letter  # noqa: E402

PATIENCE = 60.0
MB = 1024 * 1024
FROM = b"From: ana@players.test\n"
HTML = FROM + b"Content-Type: text/html\n\n"
MIXED = FROM + b"Content-Type: multipart/mixed; boundary=z\n\n"
UTF_8 = FROM + b"Content-Type: text/plain; charset=utf-8%s\n\n"

Row = tuple[str, int, float, float, str]


def nested(depth: int, word: bytes, filling: bytes) -> bytes:
    """Write multiparts in multiparts, and blank lines in the innermost."""
    head = b'Content-Type: multipart/mixed; %s="b%d"\n\n--b%d\n'
    return FROM + b"".join(head % (word, at, at) for at in range(depth)) + b"\n" + filling


def marks(header: bytes, pairs: int) -> bytes:
    """Write one letter under very many accents of two kinds, which the reader has to put in
    order."""
    return UTF_8 % header + b"a" + "\u0301\u0323".encode() * pairs


HOSTILE: dict[str, Callable[[], bytes]] = {
    "nested parts": lambda: nested(190, b"boundary", b"\n" * (MB // 4)),
    "nested parts, 1 MB": lambda: nested(190, b"boundary", b"\n" * MB),
    "nested parts, BOUNDARY": lambda: nested(450, b"BOUNDARY", b"\n" * (MB // 4)),
    "nested parts, 'boundary ='": lambda: nested(450, b"boundary ", b"\n" * (MB // 4)),
    "nested parts, 1066": lambda: nested(1066, b"BOUNDARY", b""),
    "mails in mails": lambda: FROM + b"Content-Type: message/rfc822\n\n" * 4000 + b"x",
    "empty parts, 10 MB": lambda: MIXED + b"--z\n\n" * (2 * MB),
    "marks": lambda: marks(b"", 30_000),
    "marks, flowed": lambda: marks(b"; format=flowed", 60_000),
    "parameter": lambda: FROM + b'Content-Type: text/plain; x="' + b";" * 60_000 + b"\n\nhi\n",
    "parameter of a part": lambda: (
        MIXED + b'--z\nContent-Type: text/plain; x="' + b";" * 250_000 + b"\n\nhi\n--z--\n"
    ),
    "header of a part": lambda: MIXED + b"--z\n" + b"A:b\n" * 60_000 + b"\nhi",
    "delivery report": lambda: (
        FROM
        + b"Content-Type: multipart/report; boundary=z\n\n--z\n"
        + b"Content-Type: message/delivery-status\n\n"
        + b"Action: failed\n\n" * 16_000
    ),
    "plain text, 9 MB": lambda: FROM + b"\n" + b"some words here\n" * (9 * MB // 16),
    "wide table": lambda: HTML + b"<table><tr><td>" + b"x" * 100_000 + b"<tr><td>y" * 15_000,
    "tables in tables": lambda: HTML + b"<table><tr><td>" * 60 + b"x " * 100_000,
    "rows": lambda: HTML + b"<table>" + b"<tr><td>x<td>y" * 15_000,
    "lists in lists": lambda: HTML + b"<ul>" * 190 + b"<li>x" * 40_000,
    "quotes in quotes": lambda: HTML + b"<blockquote>x" * 190 + b"x<br>" * 40_000,
}


def main() -> None:
    names = sys.argv[1:] or list(HOSTILE)
    print(f"{'mail':28} {'size':>8} {'time':>9} {'memory':>9}   read")
    for name in names:
        found = measured(name)
        if found is None:
            print(f"{name:28} {'':8} more than {PATIENCE:.0f} s", flush=True)
            continue
        _, size, seconds, memory, said = found
        print(
            f"{name:28} {size / MB:5.2f} MB {seconds:7.2f} s {memory:6.0f} MB   {said}", flush=True
        )


def measured(name: str) -> Row | None:
    """Read one mail in a process of its own; return None if it took too long."""
    context = multiprocessing.get_context("fork")
    results: SimpleQueue[Row] = context.SimpleQueue()
    process = context.Process(target=read, args=(name, results))
    process.start()
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()
        return None
    return results.get()


def read(name: str, results: SimpleQueue[Row]) -> None:
    raw = HOSTILE[name]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    try:
        letter = read_letter(raw)
        said = f"{len(letter.lines)} lines, {len(letter.left_out)} things left out"
    except Exception as error:  # as happened before there were bounds
        said = type(error).__name__
    took = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    results.put((name, len(raw), took, peak / 1024, said))


if __name__ == "__main__":
    main()
