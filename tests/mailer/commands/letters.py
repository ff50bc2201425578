"""Letters of one text, as the commands read them."""

from __future__ import annotations

from mailer.letter import Letter, read_letter


def letter(text: str) -> Letter:
    return read_letter(f"From: ana@players.test\n\n{text}".encode())
