"""A game in fog of war, and what its mails may not say."""

from __future__ import annotations

import re
from typing import Any

from games.queries.access import sight
from games.services.adjudication.phases import phase_process_now
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, OPENINGS, POWERS, Cast, address_of, submit
from tests.mailer.correspondence import answer_to, flat, on_the_wire, tell_all, to_seat, write


def say(cast: Cast, text: str, *, name: str = "Carla") -> str:
    mail = write(name, text, to=to_seat(cast, POWERS[name]))
    return flat(answer_to(mail).body)


def go_on(cast: Cast) -> None:
    """Adjudicate the open phase and tell everybody."""
    assert phase_process_now(game_id=cast.game.pk, now=NOW + DAY)
    cast.game.refresh_from_db()
    tell_all()


def openings(cast: Cast) -> None:
    for power, lines in OPENINGS.items():
        submit(cast, power, lines)


def units_in(place: dict[str, Any]) -> set[str]:
    units = {unit for has in place["units"].values() for unit in has}
    return units | {one["unit"] for one in place["dislodged"]}


def hidden_from(cast: Cast, power: str) -> set[str]:
    """Every unit there ever was, but those that the power once saw or owned."""
    places = [
        place
        for phase in cast.game.phases.all()
        for place in (phase.position, *([phase.outcome["next"]] if phase.outcome else []))
    ]
    seen = {
        unit
        for place in places
        for unit in units_in(sight.state_seen(cast.game.variant, place, power))
    }
    return {unit for place in places for unit in units_in(place)} - seen


def names_hidden(text: str, hidden: set[str]) -> set[str]:
    said = f" {flat(text)} "
    return {unit for unit in hidden if re.search(rf"\b{re.escape(unit)}(?![\w(])", said)}


def words(mail: OutboundMail) -> str:
    """All that a mail says: its headers, its text, its HTML."""
    mail.pictured = None  # what is drawn is looked at elsewhere
    return re.sub(r"<[^>]+>", "", on_the_wire(mail))


def mails_to(name: str) -> list[OutboundMail]:
    return list(OutboundMail.objects.filter(recipient=address_of(name)).order_by("pk"))
