"""The scripted game master: when a game of the demo is over, they make the next and invite to it.

They know only what their mail says, as everybody does. They make games as a GM does at a terminal,
with `manage.py create_game`.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from email.message import EmailMessage

from django.conf import settings

from diplomacy_server.demo.cast import CAST, ORGANISER, PACES, Person
from diplomacy_server.demo.handwriting import new_mail
from diplomacy_server.demo.reading import Mail

logger = logging.getLogger(__name__)


def letters_of_organiser(mail: Mail, person: Person) -> list[EmailMessage]:
    """Return the invitations to the next game when this mail says that one is over."""
    base = mail.game.partition("-")[0]
    if "The game is over" not in mail.subject or base not in PACES:
        return []
    game = next_name(mail.game)
    if not make_game(game):
        return []
    text = f"{mail.game} is over. Who plays again? Write this to the judge:\n\nJOIN {game}"
    invited = [guest for guest in CAST if base in guest.games]
    return [
        new_mail(person, to=guest.address, subject=f"A new game: {game}", text=text)
        for guest in invited
    ]


def next_name(game: str) -> str:
    """`sample` → `sample-2` → `sample-3`."""
    base, _, number = game.partition("-")
    return f"{base}-{int(number or 1) + 1}"


def make_game(name: str) -> bool:
    """Make a game that goes as fast as those before it; say whether it was made now."""
    command = [sys.executable, "manage.py", "create_game", name, "--gm", ORGANISER.address]
    done = subprocess.run(
        [*command, *PACES[name.partition("-")[0]]],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        logger.warning("No new game: %s", done.stderr.strip())
    return done.returncode == 0
