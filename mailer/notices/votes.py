"""What the notices about votes share: the same news for all, and to each how he votes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.board import phase_title
from games.events import OnProposal
from games.models import Event
from games.queries import lookup
from games.queries.votes import stands_until, vote_of, voters
from mailer.notices import layout
from mailer.notices.notice import Notice, to_gm, to_seat
from mailer.text import MARKER


def to_voters(event: Event, template: str, news: str, now: dt.datetime) -> Iterator[Notice]:
    """templates/mail/<template>.txt for every player and the GM.

    The template gets what the event says; for a player who has a say `asked`, and `mine`, how he
    votes so far on the proposal.
    """
    game = event.game
    facts = OnProposal.of(event)
    said = {
        **dict(facts.said()),
        "game": game.name,
        "secret": game.secret_votes,
        "until": stands_until(facts.phase) if facts.phase else "",
    }
    phase = lookup.open_phase(game)
    title = phase_title(phase.name) if phase else "Votes"
    subject = f"{title}: {news}"
    proposal = game.proposals.get(number=facts.number)
    entitled = {seat.pk for seat in voters(game).values()} if phase else set()
    for seat in lookup.seats_of(game):
        vote = vote_of(proposal, seat)
        body = layout.render(
            template,
            marker=MARKER,
            asked=seat.pk in entitled,
            mine={None: "", True: "yes", False: "no"}[vote],
            **said,
        )
        yield from to_seat(event, seat, subject=subject, body=body, phase=phase, now=now)
    yield from to_gm(event, subject=subject, body=layout.render(template, **said))
