"""What each kind of event says in the log: a sentence that everybody in the game may read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from games import log
from games.events import facts_of, is_readable
from games.models import Event, Game
from games.queries import board
from games.queries.access.audience import untold_facts
from games.queries.access.staff_names import without_address
from games.queries.reports.wording import opening

SOMEBODY = "somebody"
UNTOLD = {"missing": "told when the game is over"}
"""What we say in place of a hidden fact, if there may be nobody at all."""
SHOWN = 12
"""How many digits of a digest we show to people: enough to compare by eye."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log: its number, time (ISO, UTC), sentence, and the digest's first digits."""

    number: int
    at: str
    sentence: str
    digest: str


def entries(game: Game) -> Iterator[Entry]:
    """Yield the game's log as its players may read it, oldest first."""
    for event in log.events_of(game):
        said = sentence(event, untold=untold_facts(event))
        yield Entry(event.number, at_text(event.created_at), said, event.digest[:SHOWN])


def at_text(moment: dt.datetime) -> str:
    """Write a moment for readers in many zones: "2026-03-02 12:00 UTC"."""
    return f"{moment.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"


def sentence(event: Event, *, untold: Collection[str] = ()) -> str:
    """Say what happened, in the event's own words, without the facts that are `untold`."""
    if not is_readable(event):
        return "What this entry said can no longer be read."
    facts = facts_of(event)
    told = (
        (name, UNTOLD.get(name, SOMEBODY) if name in untold else value)
        for name, value in facts.said()
    )
    said = {name: _value_text(value) for name, value in _in_words(told)}
    if "by" in said:
        said["by"] = without_address(said["by"])
    if why := said.get("why"):
        said["why"] = _sentence(why)
    title = board.phase_title(event.phase.name) if event.phase else ""
    template = facts.template(by=bool(said.get("by")))
    text = template.format_map({**said, "title": title}).strip()
    by = said.get("by", "")
    begins = opening(by) if by and text.startswith(by) else text[:1].upper()
    return f"{begins}{text[len(begins) :]}"


def _sentence(why: str) -> str:
    """Make a reason a whole sentence: people write half of one."""
    return f"{why[:1].upper()}{why[1:]}{'' if why.endswith(('.', '!', '?', '…')) else '.'}"


def _in_words(facts: Iterable[tuple[str, object]]) -> Iterator[tuple[str, object]]:
    """Write phases as people call them; a row that was tampered with may name none. Which orders
    count again after a rollback is part of its sentence; so are a pause's end, a deadline, who sent
    no orders, and how many seats are free."""
    for name, value in facts:
        if name == "undone" and isinstance(value, tuple):
            value = tuple(board.phase_title(one) if board.is_phase(one) else one for one in value)
        if name == "orders_kept":
            value = ", with the orders that stood" if value else ""
        if name == "until":
            value = f" until {at_text(value)}" if isinstance(value, dt.datetime) else ""
        if name == "missing":
            yield "without_orders", f" Without orders: {_value_text(value)}." if value else ""
        if name == "free":
            yield "seats_free", _seats_free(value)
        if name == "due_at":
            yield "due", f", due {at_text(value)}" if isinstance(value, dt.datetime) else ""
        yield name, value


def _seats_free(number: object) -> str:
    if number == 0:
        return "All seats are taken"
    return "One seat is still free" if number == 1 else f"{number} seats are still free"


def _value_text(value: object) -> str:
    if isinstance(value, dt.datetime):
        return at_text(value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nobody"
    return "nothing" if value is None else str(value)
