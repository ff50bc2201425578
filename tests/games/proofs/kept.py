"""A game that a player kept everything of: the key, receipts, result mails, the proof file."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_django import Settings

from games.models import Game
from games.proofs.keys import make_key
from games.queries.audit.proofs import keys_text, proof_file
from games.services.adjudication.phases import phase_process_now
from mailer.models import OutboundMail
from mailer.notices import tell_event
from mailer.outbound import addresses
from tests.cast import DAY, NOW, OPENINGS, Cast, submit
from tests.mailer.correspondence import write

FALL = ["A Burgundy - Belgium", "A Spain Holds", "F Mid-Atlantic Ocean - Portugal"]
KEYS, PROOF = "keys.txt", "marne-proof.json"


@dataclass(frozen=True)
class Kept:
    """What lies in a player's folder, by the names of files."""

    folder: Path
    game: Game

    def file(self, name: str) -> str:
        """The path of a file."""
        return str(self.folder / name)

    def change(self, name: str, old: str, new: str) -> str:
        """Change a text file; the path of the changed one."""
        text = (self.folder / name).read_text()
        assert old in text, f"{name} has no “{old}”"
        return self.put(f"changed-{name}", text.replace(old, new))

    def put(self, name: str, text: str) -> str:
        """Write a file; its path."""
        (self.folder / name).write_text(text)
        return self.file(name)

    def document(self) -> Any:
        """The proof file, to be forged."""
        return json.loads((self.folder / PROOF).read_text())

    def forged(self, document: Any) -> str:
        """Write a forged proof file; its path."""
        return self.put("forged.json", json.dumps(document))


def with_key(settings: Settings, folder: Path) -> None:
    """Give the server a key to sign with."""
    settings.RECEIPT_KEY_FILE = folder / "receipts.key"
    make_key(settings.RECEIPT_KEY_FILE, now=NOW)


def kept(cast: Cast, folder: Path) -> Kept:
    """Play two phases as France, by mail, and keep what comes. The server has a key.

    `spring.txt` is the receipt of Spring 1901, `spring-first.txt` that of orders which other ones
    replaced, `fall.txt` that of the next phase, `results.txt` the result mail of Spring."""
    mine = Kept(folder, cast.game)
    submit(cast, "Austria", OPENINGS["Austria"])
    mine.put("spring-first.txt", receipt(cast, ["A Paris - Picardy"], 1))
    mine.put("spring.txt", receipt(cast, ["A Paris - nonsense", *OPENINGS["France"]], 2))
    mine.put("results.txt", processed(cast, 1))
    mine.put("fall.txt", receipt(cast, FALL, 3))
    mine.put("results-fall.txt", processed(cast, 2))
    mine.put(KEYS, keys_text())
    mine.put(PROOF, json.dumps(proof_file(Game.objects.get(pk=cast.game.pk))))
    return replace(mine, game=Game.objects.get(pk=cast.game.pk))


def receipt(cast: Cast, orders: list[str], minute: int) -> str:
    """What France is answered to these orders."""
    phase = cast.phase
    at = phase.opened_at + DAY / 24 / 60 * minute
    to = addresses.seat_address(seat=cast.seat("France"), phase=phase, now=at)
    mail = write("Carla", "\n".join(orders), to=to, received_at=at)
    return mail.answers.get(kind="reply").body


def processed(cast: Cast, days: int) -> str:
    """The result mail to France."""
    now = NOW + 3 * days * DAY + DAY / 2
    event = phase_process_now(game_id=cast.game.pk, now=now)
    assert event
    tell_event(event, now=now)
    return OutboundMail.objects.get(event=event, player__name="Carla").body
