"""Mails read per second, and the slowest of them: the corpus of the tests, and its mutations.

    python -m benchmarks.reading --rounds 20

Reading is all that happens before the database is asked: the bytes as a letter, and its commands.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")
django.setup()

from mailer.commands.player import WORDS  # noqa: E402
from mailer.commands.script import read_script  # noqa: E402
from mailer.letter import read_letter  # noqa: E402

CORPUS = Path(__file__).parent.parent / "tests" / "mailer" / "letters"
SEED = 1901


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=20)
    rounds = options.parse_args().rounds
    corpus = {path.name: path.read_bytes() for path in sorted(CORPUS.glob("**/*.eml"))}
    dice = random.Random(SEED)
    changed = {
        f"{name}, changed ({turn})": mutated(raw, dice)
        for turn in range(rounds)
        for name, raw in corpus.items()
    }
    show("as they are", corpus, rounds)
    show("with changed bytes", changed, 1)


def show(title: str, mails: dict[str, bytes], rounds: int) -> None:
    """Print how many mails, how fast, and which was the slowest (the best of its rounds)."""
    best: dict[str, float] = {}
    begun = time.perf_counter()
    for _ in range(rounds):
        for name, seconds in timed(mails):
            best[name] = min(seconds, best.get(name, seconds))
    took = time.perf_counter() - begun
    slowest = max(best, key=lambda name: best[name])
    rate = rounds * len(mails) / took
    print(
        f"{len(mails)} mails {title}: {rate:.0f} mails/s, "
        f"slowest {1000 * best[slowest]:.1f} ms ({slowest})"
    )


def timed(mails: dict[str, bytes]) -> Iterator[tuple[str, float]]:
    for name, raw in mails.items():
        begun = time.perf_counter()
        read_script(read_letter(raw), WORDS)
        yield name, time.perf_counter() - begun


def mutated(raw: bytes, dice: random.Random) -> bytes:
    """Return the mail with a few bytes changed, a piece left out and another one doubled."""
    text = bytearray(raw)
    for _ in range(dice.randint(1, 20)):
        text[dice.randrange(len(text))] = dice.randrange(256)
    start, length = dice.randrange(len(text)), dice.randint(1, 200)
    piece = bytes(text[start : start + length])
    if dice.random() < 0.5:
        return bytes(text[:start] + text[start + length :])
    return bytes(text[:start]) + piece + bytes(text[start:])


if __name__ == "__main__":
    main()
