"""How a scripted player reads a mail of the judge: as a person does, by its words.

Nothing comes from the database. A player knows of the game only what was mailed to them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email import message_from_bytes, policy

_LIST = r"\(([A-Z](?:[^()]|\([^()]*\))*)\)"
_UNITS = re.compile(rf"(?:Your units|Without an order) {_LIST}((?: and {_LIST})*)")
_RETREAT = re.compile(r"Your ([AF] [^.]+?) must retreat to ([^.]+?),? or (?:else )?disband\.")
_LOST = re.compile(r"Your ([AF] [^.]+?) has nowhere to go and must disband\.")
_BUILD = re.compile(r"you may build (\d+) units?\.")
_SITES = re.compile(rf"Places for new units {_LIST}((?: and {_LIST})*)")
_DISBAND = re.compile(r"you must disband (\d+) units?\.")
_PHASE = re.compile(r"(\w+ \d+ (?:movement|retreats|adjustments)): ")
_NAME = r"(?:[A-Z][a-z]+ )?\w+"
"""A power's name, which may have two words, as St Petersburg in Chaos."""
_POWER = re.compile(rf"[Yy]ou play ({_NAME})\.")
_HAS = re.compile(
    rf"(?:({_NAME}): (?:no centre(?: in sight)?, )?|, )"
    rf"(?:\d+ (centre|unit)s?(?: in sight)?|and) {_LIST}"
)
_FORGOTTEN = re.compile(r"\d+ of \d+: ([AF] [^.:]+?) has no order yet, so it would hold\.")
_STANDS_FOR = re.compile(rf"These orders stand now for ({_NAME}) in ([^:]+):")
_GAME = re.compile(r"^(?:Re: )?\[([\w-]+)\]")
_AND = re.compile(r", | and | or ")


@dataclass(frozen=True)
class Retreat:
    """A unit that was driven out, and where it may go."""

    unit: str
    to: tuple[str, ...]


@dataclass(frozen=True)
class Situation:
    """What a player has to decide, and on which board, all as written in the mail."""

    game: str
    phase: str
    power: str
    to_order: tuple[str, ...] = ()
    retreats: tuple[Retreat, ...] = ()
    builds: int = 0
    build_sites: tuple[str, ...] = ()
    disbands: int = 0
    units: dict[str, tuple[str, ...]] = field(default_factory=dict)
    centres: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def decisions(self) -> int:
        """How many decisions there are."""
        return len(self.to_order) + len(self.retreats) + self.builds + self.disbands


@dataclass(frozen=True)
class Mail:
    """A mail in a player's mailbox."""

    subject: str
    text: str
    message_id: str
    references: str
    reply_to: str

    @property
    def game(self) -> str:
        """The game's name in the subject, "" without one."""
        match = _GAME.match(self.subject)
        return match[1] if match else ""

    @property
    def flowing(self) -> str:
        """The text as one line."""
        return " ".join(self.text.split())


def read_mail(raw: bytes) -> Mail:
    """Read a mail as a mail program shows it."""
    message = message_from_bytes(raw, policy=policy.default)
    body = message.get_body(("plain",))
    return Mail(
        subject=str(message["Subject"] or ""),
        text=body.get_content() if body else "",
        message_id=str(message["Message-ID"] or ""),
        references=str(message["References"] or ""),
        reply_to=str(message["Reply-To"] or message["From"] or ""),
    )


def read_situation(mail: Mail, *, plays: str = "") -> Situation | None:
    """Return what a start or result mail asks for, None if it asks for nothing.

    `plays` is the power that the reader remembers, for mails that do not name it again.
    """
    text = mail.flowing
    said = _POWER.search(text)
    power = said[1] if said else plays
    if not power:
        return None
    phase = _PHASE.search(text)
    centres, units = read_board(text)
    situation = Situation(
        game=mail.game,
        phase=phase[1] if phase else "",
        power=power,
        to_order=_names_after(_UNITS, text),
        retreats=_retreats(text),
        builds=int(_first(_BUILD, text) or 0),
        build_sites=_names_after(_SITES, text),
        disbands=int(_first(_DISBAND, text) or 0),
        units=units,
        centres=centres,
    )
    return situation if situation.decisions else None


def read_forgotten(mail: Mail) -> Situation | None:
    """Return the units that have no order yet, as a receipt names them; None without any."""
    units = tuple(_FORGOTTEN.findall(mail.flowing))
    stands = _STANDS_FOR.search(mail.flowing)
    if not units or not stands:
        return None
    return Situation(game=mail.game, phase=stands[2], power=stands[1], to_order=units)


def asks_for_yes(mail: Mail) -> bool:
    """Say whether the judge had to guess what an order means, and waits for a yes."""
    return "We had to guess at a name" in mail.flowing


def _retreats(text: str) -> tuple[Retreat, ...]:
    free = [Retreat(unit, _names(places)) for unit, places in _RETREAT.findall(text)]
    return (*free, *(Retreat(unit, ()) for unit in _LOST.findall(text)))


def read_board(text: str) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Return the centres and the units of every power, from a text without line breaks."""
    found: dict[str, dict[str, tuple[str, ...]]] = {"centre": {}, "unit": {}}
    power = thing = ""
    for match in _HAS.finditer(text):
        power, thing = match[1] or power, match[2] or thing
        if thing:
            found[thing][power] = (*found[thing].get(power, ()), *_names(match[3]))
    return found["centre"], found["unit"]


def _names_after(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    """Return the names in the brackets that follow this phrase of the mail."""
    match = pattern.search(text)
    if not match:
        return ()
    more = re.findall(_LIST, match[2])
    return tuple(name for names in (match[1], *more) for name in _names(names))


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match else ""


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in _AND.split(text) if name)
