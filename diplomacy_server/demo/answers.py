"""What a scripted player writes after reading a mail, if anything."""

from __future__ import annotations

import random
import re
from email.message import EmailMessage

from django.conf import settings

from diplomacy_server.demo.cast import ORGANISER, Person
from diplomacy_server.demo.handwriting import as_written, new_mail, reply
from diplomacy_server.demo.reading import Mail, asks_for_yes, read_forgotten, read_situation
from diplomacy_server.demo.strategy import Strategist

NO_MAPS = "SET MAP OFF"
"""Scripted players look at no pictures, which would only fill your disk."""
AS_READ = "READY"
"""What they answer when the judge had to guess at a name."""

_INVITATION = re.compile(r"^JOIN (\S+)", re.MULTILINE)


def first_letter(person: Person) -> EmailMessage:
    """Return the mail with which a player begins."""
    text = f"REGISTER {person.name}"
    return new_mail(person, to=settings.JUDGE_ADDRESS, subject="I would like to play", text=text)


def letters_after(mail: Mail, person: Person) -> list[EmailMessage]:
    """Return what the person writes after this mail."""
    if ORGANISER.address in mail.reply_to:
        return [_acceptance(person, game) for game in _INVITATION.findall(mail.text)]
    if mail.subject.endswith("was this mail yours?"):
        return [reply(person, mail, "YES")]
    if mail.game:
        return _orders(mail, person)
    if mail.subject.startswith("Please confirm"):
        return [reply(person, mail, "Yes, that is me.")]
    if mail.subject.lower().removeprefix("re: ").startswith("welcome"):
        joins = (f"JOIN {game} {person.preferences}" for game in person.games)
        return [reply(person, mail, "\n".join([NO_MAPS, *joins]))]
    return []


def _acceptance(person: Person, game: str) -> EmailMessage:
    """Somebody followed an invitation in a new mail, so the judge asks whether it was theirs."""
    text = f"JOIN {game} {person.preferences}"
    return new_mail(person, to=settings.JUDGE_ADDRESS, subject=f"Count me in: {game}", text=text)


def _orders(mail: Mail, person: Person) -> list[EmailMessage]:
    # The same mail gets the same answer, however often it is read.
    chance = random.Random(f"{person.name}/{mail.message_id}")
    if situation := read_situation(mail):
        lines = Strategist(situation, chance).orders()
        return [reply(person, mail, "\n".join(as_written(lines, person, chance)))]
    if forgotten := read_forgotten(mail):
        # One of their lines was not understood: they write only that one again, and better.
        lines = ["AMEND", *Strategist(forgotten, chance).orders()]
        return [reply(person, mail, "\n".join(lines))]
    # Whatever the judge guessed, they say yes to it: the others are waiting for them.
    return [reply(person, mail, AS_READ)] if asks_for_yes(mail) else []
