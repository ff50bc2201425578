"""The seven scripted people: who they are and how they write."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

DOMAIN = "players.example"
SAMPLE = "sample"
YOURS = "yours"
# The words of `manage.py create_game`. The sample game waits for its deadlines even if all orders
# are in, so that you can watch them pass.
PACES = {
    SAMPLE: ("--movement", "20s", "--retreat", "10s", "--adjustment", "10s", "--no-early"),
    YOURS: (
        *("--movement", "30m", "--retreat", "10m", "--adjustment", "10m"),
        *("--early-delay", "5s"),
    ),
}


@dataclass(frozen=True)
class Person:
    """A scripted player. `style` is how they write orders: in full, short, or short in a hurry."""

    name: str
    preferences: str
    signature: str
    style: Literal["long", "short", "hasty"] = "long"
    encoding: Literal["8bit", "quoted-printable", "base64"] = "8bit"
    sends_html: bool = False
    games: tuple[str, ...] = (SAMPLE, YOURS)

    @property
    def address(self) -> str:
        """Where their mail goes: the first name, without accents, at the players' domain."""
        letters = unicodedata.normalize("NFKD", self.name.split()[0].lower())
        return f"{letters.encode('ascii', 'ignore').decode()}@{DOMAIN}"


CAST = (
    Person("Ana Silva", "Austria; Italy; Turkey", "-- \nAna Silva, Porto"),
    Person("Ben Carter", "England; [France, Germany]; Italy", "-- \nBen", "short"),
    Person("Chloé Martin", "France; England", "-- \nChloé", encoding="quoted-printable"),
    Person("Dmitri Orlov", "Russia; Turkey; Austria", "Sent from my phone", "hasty", "base64"),
    Person("Emma Braun", "Germany; Russia", "-- \nEmma Braun\nHamburg", sends_html=True),
    Person("Fabio Conti", "Italy; Austria; France", "-- \nCiao, Fabio", "short"),
    Person(
        "Gül Demir",
        "Turkey; Russia; [Italy or England]",
        "-- \nGül",
        encoding="quoted-printable",
        games=(SAMPLE,),
    ),
)

# The game master of the demo's games: the user `admin` in the admin.
ORGANISER = Person("Gamesmaster Max", "", "-- \nThe games master", games=())
