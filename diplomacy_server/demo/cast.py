"""The seven scripted people: who they are and how they write."""

from __future__ import annotations

from dataclasses import dataclass

DOMAIN = "players.example"
SAMPLE = "sample"
YOURS = "yours"


@dataclass(frozen=True)
class Person:
    """A scripted player."""

    name: str
    preferences: str
    signature: str
    plays_yours: bool = True

    @property
    def address(self) -> str:
        """Where his mail goes: the first name at the players' domain."""
        return f"{self.name.split()[0].lower()}@{DOMAIN}"

    def games(self) -> tuple[str, ...]:
        """Return the games he joins."""
        return (SAMPLE, YOURS) if self.plays_yours else (SAMPLE,)


CAST = (
    Person("Ana Silva", "Austria; Italy; Turkey", "-- \nAna Silva, Porto"),
    Person("Ben Carter", "England; [France, Germany]; Italy", "-- \nBen\nSent from a train"),
    Person("Chloé Martin", "France; England", "-- \nChloé"),
    Person("Dmitri Orlov", "Russia; Turkey; Austria", "Sent from my phone"),
    Person("Emma Braun", "Germany; Russia", "-- \nEmma Braun\nHamburg"),
    Person("Fabio Conti", "Italy; Austria; France", "-- \nCiao, Fabio"),
    Person("Gül Demir", "Turkey; Russia; [Italy or England]", "-- \nGül", plays_yours=False),
)
