"""How each scripted player writes: long or short, tidy or hasty, in this mail program or that."""

from __future__ import annotations

import random
import re
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formataddr, formatdate, make_msgid
from html import escape

from diplomacy_server.demo.cast import DOMAIN, Person
from diplomacy_server.demo.reading import Mail
from judge import load_variant

SLIPS_PER_LINE = 0.04
MIX_UPS_PER_MOVE = 0.03
_WORDS = re.compile(r"\b(Supports|Convoys|Holds)\b")
_LETTERS = re.compile(r"(?<=[a-z])[a-z](?=[a-z])")
_SHORT = {"Supports": "S", "Convoys": "C", "Holds": "H"}


def as_written(orders: list[str], person: Person, chance: random.Random) -> list[str]:
    """Return the orders in the person's own way of writing, now and then with a slip of the pen."""
    meant = (_mix_up(order, chance) for order in orders)
    return [_slip(_in_style_of(order, person), chance) for order in meant]


def _in_style_of(order: str, person: Person) -> str:
    if person.style == "long":
        return order
    short = _WORDS.sub(lambda match: _SHORT[match[1]], order)
    for name, abbreviation in _abbreviations():
        short = short.replace(name, abbreviation)
    return short.replace(" - ", "-").lower() if person.style == "hasty" else short


def _abbreviations() -> list[tuple[str, str]]:
    provinces = load_variant("standard").board.provinces
    pairs = [(province.name, province.id.capitalize()) for province in provinces]
    # Longest first: "North Sea" must not be cut out of a longer name.
    return sorted(pairs, key=lambda pair: -len(pair[0]))


def _mix_up(order: str, chance: random.Random) -> str:
    """Name a province far away, as somebody does who mixes up two names."""
    unit, arrow, _ = order.partition(" - ")
    if not arrow or " Supports " in unit or chance.random() >= MIX_UPS_PER_MOVE:
        return order
    return f"{unit} - {chance.choice(load_variant('standard').board.provinces)}"


def _slip(line: str, chance: random.Random) -> str:
    """Swap two neighbouring letters of a word, as a hurried hand does."""
    pairs = [match.start() for match in _LETTERS.finditer(line)]
    if not pairs or chance.random() >= SLIPS_PER_LINE:
        return line
    at = chance.choice(pairs)
    return line[:at] + line[at + 1] + line[at] + line[at + 2 :]


def new_mail(person: Person, *, to: str, subject: str, text: str) -> EmailMessage:
    """Return a mail that begins a conversation."""
    message = EmailMessage(policy=SMTP)
    message["From"] = formataddr((person.name, person.address))
    message["To"] = to
    message["Subject"] = subject
    message["Date"] = formatdate(usegmt=True)
    message["Message-ID"] = make_msgid(domain=DOMAIN)
    _set_text(message, f"{text}\n\n{person.signature}\n", person)
    return message


def reply(person: Person, mail: Mail, text: str) -> EmailMessage:
    """Return an answer that quotes the mail below, as mail programs do."""
    quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
    whole = f"{text}\n\n{person.signature}\n\nThe judge wrote:\n{quoted}"
    message = new_mail(person, to=mail.reply_to, subject=f"Re: {mail.subject}", text="")
    del message["Content-Type"], message["Content-Transfer-Encoding"], message["MIME-Version"]
    message["In-Reply-To"] = mail.message_id
    message["References"] = f"{mail.references} {mail.message_id}".strip()
    _set_text(message, whole + "\n", person)
    return message


def _set_text(message: EmailMessage, text: str, person: Person) -> None:
    message.set_content(text, cte=person.encoding)
    if person.sends_html:
        lines = "".join(
            f"<div>{line or '<br>'}</div>" for line in escape(text, quote=False).splitlines()
        )
        message.add_alternative(f"<html><body>{lines}</body></html>", subtype="html")
