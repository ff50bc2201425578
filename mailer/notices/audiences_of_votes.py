"""The audiences of proposals and votes: everybody with a say in them, and the GM."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.events import OnProposal, VoteCast, VoteClosed, VoteProposed
from games.models import Event, Game, Proposal, Seat
from games.queries import lookup
from games.queries.board import phase_title
from games.queries.endings.votes import concedes_to, stands_until, voters, votes_by_seat
from games.queries.phases.aftermath import is_of_undone_phase
from mailer.notices.news import News
from mailer.notices.notice import Notice, SeatMail, to_gm, to_seats
from mailer.text import MARKER


def everybody_with_a_say(event: Event, news: News, now: dt.datetime) -> Iterator[Notice]:
    """Tell all players and the GM something about a proposal.

    The template also gets `until` ("" for a closed proposal) and `secret`. For a player with a vote
    it gets `asked` (unless the proposal is closed), `mine`, how they have voted so far, and `wins`,
    whether the others would concede them the victory. `silenced` is for a power in civil disorder,
    which has no vote until its player is back, `left_out` for one without a share in a draw among
    some.

    The player who did it has our answer to their mail. With open votes they get no other mail. With
    secret votes they do: if it were missing, any list of mails would give them away. `own` is for
    their proposal.
    """
    game, facts = event.game, OnProposal.of(event)
    phase, proposal = lookup.open_phase(game), game.proposals.get(number=facts.number)
    is_open = proposal.state == Proposal.State.OPEN
    title = phase_title(phase.name) if phase else "Votes"
    said = {
        "title": title,
        "secret": game.secret_votes,
        "until": stands_until(facts.phase) if facts.phase and is_open else "",
    }
    subject = news.subject(event, title=title, kind=f"a {proposal.kind}")
    entitled = {seat.pk for seat in voters(game).values() if is_open}
    votes, letters = votes_by_seat(proposal), []
    actor = "" if game.secret_votes else _who_did(facts, proposal)
    for seat in lookup.seats_of(game):
        if seat.power.name == actor and seat.since <= event.created_at:
            continue
        own = {
            "asked": seat.pk in entitled,
            "mine": {None: "", True: "yes", False: "no"}[votes.get(seat.pk)],
            "silenced": seat.power.name if phase and seat.power.disorder_since else "",
            **_stake(seat, proposal),
        }
        body = news.body(event, seat.player.timezone, marker=MARKER, **said, **own)
        letters.append(SeatMail(seat, subject, body))
    yield from to_seats(event, letters, phase=phase)
    yield from to_gm(event, subject=subject, body=news.body(event, game.timezone, **said))


def _stake(seat: Seat, proposal: Proposal) -> dict[str, object]:
    """What the proposal means for a seat, for the template."""
    is_draw = proposal.kind == Proposal.Kind.DRAW
    is_left_out = is_draw and seat.power.name not in proposal.winners
    return {
        "own": seat.pk == proposal.seat_id,
        "wins": concedes_to(proposal, seat.power),
        "left_out": seat.power.name if is_left_out else "",
    }


def _who_did(facts: OnProposal, proposal: Proposal) -> str:
    """The power that proposed, voted or withdrew, "" if there is no such power; everybody may know
    it."""
    match facts:
        case VoteProposed(by=power) | VoteCast(power=power):
            return power
        case VoteClosed() if proposal.state == Proposal.State.WITHDRAWN:
            return proposal.seat.power.name
    return ""


def everybody_with_a_say_still(event: Event, news: News, now: dt.datetime) -> Iterator[Notice]:
    """Tell everybody with a say of a proposal, or of a vote that settled nothing.

    The mail about a refusal names who refused, and the end mail what was proposed and how everybody
    voted.
    """
    refused = event.kind == VoteCast.kind and VoteCast.of(event).vote != "yes"
    if not refused and event.game.status != Game.Status.FINISHED:
        yield from everybody_with_a_say(event, news, now)


def everybody_unless_results_say_so(event: Event, news: News, now: dt.datetime) -> Iterator[Notice]:
    """Tell everybody with a say of a proposal that was closed.

    If it expired, the results of its phase tell them, unless that mail is not sent because the
    phase was undone.
    """
    if not VoteClosed.of(event).is_expired or is_of_undone_phase(event):
        yield from everybody_with_a_say(event, news, now)
