"""What the services refuse, each with a sentence that says what is wrong."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import NamedTuple

import pytest

from games.errors import BadInput, GameError, NotAllowed, NotFound, WrongState
from games.models import DiaryEntry, Observer, Player
from games.queries.access.staff_names import Actor
from games.services.accounts import profile
from games.services.accounts.own_data import own_data_send
from games.services.accounts.players import address_confirm, player_register
from games.services.clock.reminders import missing_remind
from games.services.endings import proposals
from games.services.endings.ending import game_end
from games.services.messages import diaries
from games.services.moderation import conduct
from games.services.seating import invitations, observers
from games.services.seating.joining import game_join
from games.services.seating.observers import observe
from games.services.setup import co_gms, unstarted
from games.services.setup.games import game_create
from games.services.setup.making import NewGame, game_make
from tests.cast import DAY, NOW, OPENINGS, Cast, make_cast, submit

pytestmark = pytest.mark.django_db


class Refused(NamedTuple):
    """Something that is refused: how it is asked for, how it is refused, in which words."""

    ask: Callable[[Cast], object]
    error: type[GameError]
    words: str
    game: dict[str, object] = {}


def unconfirmed() -> Player:
    """Somebody who has registered, and not yet answered the question."""
    return player_register(name="Ida", email="ida@players.test", now=NOW).player


def note(cast: Cast, text: str) -> object:
    return diaries.diary_write(seat=cast.seat("France"), text=text, now=NOW)


def many_notes(cast: Cast) -> object:
    seat = cast.seat("France")
    DiaryEntry.objects.bulk_create(
        DiaryEntry(seat=seat, number=number, phase_name="S1901M", text="Hm.", created_at=NOW)
        for number in range(1, diaries.MOST)
    )
    note(cast, "The last.")
    return note(cast, "One more.")


def many_co_gms(cast: Cast) -> object:
    for number in range(co_gms.MOST + 1):
        email = f"helper{number}@staff.test"
        co_gms.co_gm_add(game=cast.game, email=email, until=None, by="gm", now=NOW)
    return None


def twice_a_co_gm(cast: Cast, until: dt.datetime | None = None) -> object:
    for by in ("gm", "co"):
        co_gms.co_gm_add(game=cast.game, email="di@staff.test", until=until, by=by, now=NOW)
    return None


def many_observed(cast: Cast) -> object:
    hugo = cast.player("Hugo")
    for number in range(observers.MOST_GAMES):
        game = game_create(name=f"verdun-{number}", now=NOW)
        Observer.objects.create(game=game, player=hugo, since=NOW)
    return observe(game=cast.game, player=hugo, now=NOW)


def many_addresses(cast: Cast) -> object:
    ana = cast.player("Ana")
    for number in range(profile.MOST_ADDRESSES):
        address = profile.address_add(player=ana, email=f"ana{number}@players.test", now=NOW)
        address_confirm(address=address, now=NOW)
    return None


def many_letters(cast: Cast) -> object:
    for number in range(conduct.MOST_A_DAY):
        conduct.moderators_ask(player=cast.player("Ana"), text=f"Hello {number}", now=NOW)
    return conduct.moderators_ask(player=cast.player("Ana"), text="Hello?", now=NOW)


def many_proposals(cast: Cast) -> object:
    france = cast.seat("France")
    for _ in range(proposals.MOST_A_DAY):
        proposals.draw_propose(seat=france, winners=(), now=NOW)
        proposals.proposal_withdraw(seat=france, number=None, now=NOW)
    return proposals.draw_propose(seat=france, winners=(), now=NOW)


def many_invited(cast: Cast) -> object:
    forming = game_create(name="verdun", now=NOW)
    emails = [f"p{number}@players.test" for number in range(invitations.MOST + 1)]
    return invitations.players_invite(game=forming, emails=emails, by="gm", now=NOW)


def renamed(cast: Cast) -> object:
    forming = game_create(name="verdun", now=NOW)
    return unstarted.game_rename(game=forming, to=" verdun ", by="gm", now=NOW)


def refused_unasked(cast: Cast) -> object:
    forming = game_create(name="verdun", now=NOW)
    return invitations.join_refuse(game=forming, player=cast.player("Hugo"), by="gm", now=NOW)


def denied_inside(cast: Cast) -> object:
    forming = game_create(name="verdun", now=NOW)
    game_join(game=forming, player=cast.player("Hugo"), preferences="", now=NOW)
    emails = ["hugo@players.test"]
    return invitations.players_deny(game=forming, emails=emails, by="gm", now=NOW)


def invited_nobody(cast: Cast) -> object:
    forming = game_create(name="verdun", now=NOW)
    return invitations.players_invite(game=forming, emails=[], by="gm", now=NOW)


def reminded_when_all_is_in(cast: Cast) -> object:
    for power, lines in OPENINGS.items():
        submit(cast, power, lines)
    return missing_remind(game=cast.game, by="gm", now=NOW)


def observed_when_over(cast: Cast) -> object:
    game_end(game=cast.game, winners=["France"], why="All agree.", by="gm", now=NOW)
    return observe(game=cast.game, player=cast.player("Hugo"), now=NOW)


DIARIES = {"diaries": "private"}
REFUSED = {
    "the GM is no co-GM": Refused(
        lambda cast: co_gms.co_gm_add(
            game=cast.game, email="gm@players.test", until=None, by="gm", now=NOW
        ),
        BadInput,
        "That is the GM of the game.",
    ),
    "a co-GM for good is not told so again": Refused(
        twice_a_co_gm, BadInput, "They already run marne for good."
    ),
    "nor is a deputy until the same day": Refused(
        lambda cast: twice_a_co_gm(cast, NOW + DAY),
        BadInput,
        "They already run marne until then.",
    ),
    "who plays in fog may not see it all": Refused(
        lambda cast: co_gms.co_gm_add(
            game=cast.game, email="ana@players.test", until=None, by="gm", now=NOW
        ),
        BadInput,
        "They play in this game, which is in fog of war",
        {"fog": True},
    ),
    "a letter too many to the moderators": Refused(
        many_letters, NotAllowed, "You have written to the moderators 20 times within a day."
    ),
    "a proposal too many": Refused(
        many_proposals, NotAllowed, "You have made 20 proposals within a day"
    ),
    "a co-GM too many": Refused(many_co_gms, BadInput, "A game can have 5 co-GMs."),
    "a co-GM who is none": Refused(
        lambda cast: co_gms.co_gm_remove(game=cast.game, key="77", by="gm", now=NOW),
        NotFound,
        "There is no such co-GM of marne.",
    ),
    "a note without words": Refused(
        lambda cast: note(cast, " \n"), BadInput, "There is no text to keep.", DIARIES
    ),
    "a note too long": Refused(
        lambda cast: note(cast, "x" * (diaries.LONGEST + 1)), BadInput, "at most.", DIARIES
    ),
    "a note too many": Refused(many_notes, NotAllowed, "Delete one first: DIARY DELETE 1", DIARIES),
    "an invitation of nobody": Refused(
        invited_nobody, BadInput, "Please write at least one address."
    ),
    "too many invitations": Refused(many_invited, BadInput, "A game can invite and keep out"),
    "to refuse who has not asked": Refused(
        refused_unasked, WrongState, "Hugo does not wait for an answer."
    ),
    "to keep out who is in": Refused(
        denied_inside, WrongState, "Hugo already has a place in verdun"
    ),
    "the name it has": Refused(renamed, WrongState, "The game is already called verdun."),
    "an address too many": Refused(many_addresses, BadInput, "please remove one first"),
    "a game too many to watch": Refused(
        many_observed, NotAllowed, " games. Please leave one of them first."
    ),
    "to watch what is over": Refused(
        observed_when_over, WrongState, "there is nothing left to observe"
    ),
    "to mute until yesterday": Refused(
        lambda cast: conduct.player_mute(
            player=cast.player("Ana"), until=NOW - DAY, why="Insults.", by="mo", now=NOW
        ),
        BadInput,
        "It has to end in the future.",
    ),
    "to unmute who may write": Refused(
        lambda cast: conduct.player_unmute(
            player=cast.player("Ana"), why="Enough.", by="mo", now=NOW
        ),
        WrongState,
        "Ana is not muted.",
    ),
    "to remind nobody": Refused(
        reminded_when_all_is_in, WrongState, "Nobody who plays owes orders in Spring 1901 movement."
    ),
    "a game of who has not answered": Refused(
        lambda cast: game_make(player=unconfirmed(), wanted=NewGame("verdun", "weekly"), now=NOW),
        NotAllowed,
        "Please confirm your address first",
    ),
    "data of who has not answered": Refused(
        lambda cast: own_data_send(player=unconfirmed(), notes=False, by=Actor("mo"), now=NOW),
        WrongState,
        "Ida has no confirmed address to send anything to.",
    ),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_is_refused_in_a_sentence(db: None, case: Refused) -> None:
    cast = make_cast(**case.game)
    with pytest.raises(case.error) as refused:
        case.ask(cast)
    assert case.words in str(refused.value)
