"""A held mail that its owner confirms later: all in it counts from when it came, not from then."""

from __future__ import annotations

import datetime as dt

import pytest

from games.acts.let_in import YES, LetIn, waiting
from games.models import Ballot, Game, OrderSet, Readiness
from games.services.adjudication.phases import phase_process_now
from games.services.clock.deadlines import Mover, deadline_move
from games.services.seating.joining import game_join, game_leave
from games.services.setup.games import game_create
from mailer.models import InboundMail
from mailer.outbound import addresses
from mailer.privacy import retention
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, address_of, make_cast, submit
from tests.games.acts.acting import staff
from tests.mailer.correspondence import answer_to, flat, to_seat, told_cast, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
ORDERS = "A Par - Bur\nA Mar - Spa\nF Bre - MAO"


@pytest.fixture
def marne(db: None) -> Cast:
    return told_cast()


def by_reply(cast: Cast, text: str, at: dt.datetime) -> None:
    to = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=at)
    write("Carla", text, to=to, received_at=at)


def confirm(held: InboundMail, at: dt.datetime) -> str:
    assert held.state == InboundMail.State.HELD
    said = answer_to(write("Carla", "YES", to=answer_to(held).reply_to, received_at=at))
    return f"{said.subject} {flat(said.body)}"


def word(cast: Cast) -> str:
    return Readiness.objects.get(power__name="France", phase=cast.phase).word


# --- READY and WAIT -------------------------------------------------------------------------


@pytest.mark.parametrize(("older", "newer"), [("READY", "WAIT"), ("WAIT", "READY")])
def test_a_word_that_is_confirmed_later_does_not_undo_a_newer_one(
    marne: Cast, older: str, newer: str
) -> None:
    held = write("Carla", older)
    by_reply(marne, newer, NOW + HOUR)
    said = confirm(held, NOW + 2 * HOUR)
    assert word(marne) == newer.lower()
    assert f"NOT done: {older}" in said
    assert f"You have said {newer} since this mail came, and that stands." in said


def test_a_word_that_is_confirmed_undoes_an_older_one(marne: Cast) -> None:
    by_reply(marne, "WAIT", NOW)
    held = write("Carla", "READY", received_at=NOW + HOUR)
    assert "READY is noted" in confirm(held, NOW + 2 * HOUR)
    assert word(marne) == "ready"


def test_a_word_from_before_the_deadline_moved_has_to_be_said_again(marne: Cast) -> None:
    held = write("Carla", "READY")
    deadline_move(game=marne.game, to=NOW + 9 * DAY, why="-", by=Mover("gm"), now=NOW + HOUR)
    said = confirm(held, NOW + 2 * HOUR)
    assert "NOT done: READY" in said
    assert "The deadline has moved since this mail came, so please say READY again." in said
    assert not Readiness.objects.exists()


@pytest.fixture
def all_but_france(db: None) -> Cast:
    """Everybody has ordered but France, and nothing puts the phase's end off."""
    cast = make_cast(early_delay=None)
    for power, lines in OPENINGS.items():
        if power != "France":
            submit(cast, power, lines)
    return cast


def test_ready_from_before_a_misspelt_order_is_no_yes_to_it(all_but_france: Cast) -> None:
    cast = all_but_france
    held = write("Carla", "READY")
    by_reply(cast, f"{ORDERS}\nA Pariss - Burgundy".removeprefix("A Par - Bur\n"), NOW + HOUR)
    confirm(held, NOW + 2 * HOUR)
    assert cast.phase.all_in_at is None


def test_ready_is_no_yes_to_a_misspelt_order_of_which_they_had_not_heard(
    all_but_france: Cast,
) -> None:
    cast = all_but_france
    held = write("Carla", "A Pariss - Burgundy\nA Mar - Spa\nF Bre - MAO")
    by_reply(cast, "READY", NOW + HOUR)
    confirm(held, NOW + 2 * HOUR)
    assert cast.phase.all_in_at is None


# --- a phase that is over -------------------------------------------------------------------


def test_what_was_for_a_phase_that_is_over_is_late_and_never_for_the_next(marne: Cast) -> None:
    held = write("Carla", f"{ORDERS}\nREADY")
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 3 * DAY)
    said = confirm(held, NOW + 3 * DAY + HOUR)
    assert "too late" in said
    kept = OrderSet.objects.get(power__name="France")
    assert (kept.phase.name, kept.late, kept.counts) == ("S1901M", True, False)
    assert not Readiness.objects.exists()


# --- votes ----------------------------------------------------------------------------------


def test_a_vote_that_is_confirmed_later_does_not_undo_a_newer_one(marne: Cast) -> None:
    ana = to_seat(marne, "Austria")
    write("Ana", "VOTE DRAW", to=ana)
    held = write("Carla", "VOTE YES")
    by_reply(marne, "VOTE NO", NOW + HOUR)
    said = confirm(held, NOW + 2 * HOUR)
    assert "You have voted no on proposal 1" in said
    assert "since this mail came, and that stands." in said
    assert [one.yes for one in Ballot.objects.filter(seat__power__name="France")] == [False]


def test_a_yes_from_before_a_proposal_is_none_to_it(marne: Cast) -> None:
    held = write("Carla", "VOTE YES")
    ana = addresses.seat_address(seat=marne.seat("Austria"), phase=marne.phase, now=NOW + HOUR)
    write("Ana", "VOTE CONCEDE TO Turkey", to=ana, received_at=NOW + HOUR)
    assert "Please write the number of the proposal" in confirm(held, NOW + 2 * HOUR)
    assert not Ballot.objects.filter(seat__power__name="France").exists()


# --- JOIN -----------------------------------------------------------------------------------


def test_a_list_that_is_confirmed_later_does_not_replace_a_newer_one(marne: Cast) -> None:
    game = game_create(name="ypres", now=NOW)
    held, hugo = write("Hugo", "JOIN ypres Turkey"), marne.player("Hugo")
    newer = NOW + HOUR
    game_join(game=game, player=hugo, preferences="Italy", now=newer, received_at=newer)
    at = NOW + 2 * HOUR
    said = answer_to(write("Hugo", "YES", to=answer_to(held).reply_to, received_at=at))
    assert game.applications.get().preferences == "Italy"
    assert "joined ypres since this mail came, and that list stands: Italy." in flat(said.body)


def test_a_list_that_is_confirmed_replaces_an_older_one(marne: Cast) -> None:
    game = game_create(name="ypres", now=NOW)
    hugo = marne.player("Hugo")
    game_join(game=game, player=hugo, preferences="Italy", now=NOW, received_at=NOW)
    held = write("Hugo", "JOIN ypres Turkey", received_at=NOW + HOUR)
    at = NOW + 2 * HOUR
    write("Hugo", "YES", to=answer_to(held).reply_to, received_at=at)
    assert game.applications.get().preferences == "Turkey"


def yes(held: InboundMail, at: dt.datetime) -> str:
    return flat(answer_to(write("Hugo", "YES", to=answer_to(held).reply_to, received_at=at)).body)


def test_a_yes_to_a_mail_that_was_emptied_meanwhile_does_nothing_and_says_so(
    marne: Cast, settings
) -> None:
    settings.MAIL_DAYS = 30
    game, late = game_create(name="ypres", now=NOW), NOW + 40 * DAY
    held = write("Hugo", "JOIN ypres Turkey")
    retention.empty_old(late)
    assert "We no longer have that mail, so we have done nothing." in yes(held, late)
    held.refresh_from_db()
    assert held.state == InboundMail.State.IGNORED
    assert not game.applications.exists()


@each_row(
    ("kept_out", "why"),
    [
        ("Ben", "Your place in ypres has ended since this mail came. "),
        ("Hugo", "The GM of ypres does not let you join it."),
    ],
)
def test_a_join_that_is_confirmed_after_a_newer_leave_does_not_join_again(
    marne: Cast, kept_out: str, why: str
) -> None:
    game, hugo = game_create(name="ypres", now=NOW), marne.player("Hugo")
    game_join(game=game, player=hugo, preferences="", now=NOW - HOUR, received_at=NOW - HOUR)
    held = write("Hugo", "JOIN ypres Turkey")
    game_leave(game=game, player=hugo, now=NOW + 2 * HOUR, received_at=NOW + HOUR)
    game.invitations.create(email=address_of(kept_out), kind="denied", at=NOW)
    said = yes(held, NOW + 3 * HOUR)
    assert game.applications.get().withdrawn_at is not None
    assert why in said
    assert ("write JOIN ypres" in said) is (kept_out != "Hugo")


def test_a_join_that_came_after_a_leave_which_was_read_later_still_joins(marne: Cast) -> None:
    game, hugo = game_create(name="ypres", now=NOW), marne.player("Hugo")
    game_join(game=game, player=hugo, preferences="", now=NOW - HOUR, received_at=NOW - HOUR)
    held = write("Hugo", "JOIN ypres Turkey", received_at=NOW + HOUR)
    game_leave(game=game, player=hugo, now=NOW + 2 * HOUR, received_at=NOW)
    yes(held, NOW + 3 * HOUR)
    assert game.applications.get().withdrawn_at is None


def test_a_leave_that_is_confirmed_after_a_newer_join_does_not_give_the_seat_back(
    marne: Cast,
) -> None:
    game, hugo = game_create(name="ypres", now=NOW), marne.player("Hugo")
    held = write("Hugo", "LEAVE ypres")
    game_join(game=game, player=hugo, preferences="Italy", now=NOW + HOUR)
    said = yes(held, NOW + 2 * HOUR)
    assert game.applications.get().withdrawn_at is None
    assert "joined ypres since this mail came, and that list stands: Italy." in said


# --- where the GM lets players in -----------------------------------------------------------


@pytest.fixture
def choosy(marne: Cast) -> Game:
    """A game whose GM lets players in."""
    game = game_create(name="ypres", gm=marne.gm, now=NOW)
    Game.objects.filter(pk=game.pk).update(entry=Game.Entry.APPROVAL, code="k7m2p9ab")
    return game


def wish(cast: Cast, game: Game, preferences: str, at: dt.datetime) -> None:
    hugo = cast.player("Hugo")
    game_join(game=game, player=hugo, preferences=preferences, now=at, received_at=at)


@pytest.mark.parametrize("word", ["JOIN ypres Turkey", "LEAVE ypres"])
def test_a_mail_that_is_confirmed_later_does_not_undo_a_newer_wish_to_join(
    marne: Cast, choosy: Game, word: str
) -> None:
    held = write("Hugo", word)
    wish(marne, choosy, "Italy", NOW + HOUR)
    said = yes(held, NOW + 2 * HOUR)
    assert choosy.invitations.get().preferences == "Italy"
    assert "You have asked to join ypres since this mail came" in said
    assert "that list stands: Italy." in said


def test_a_wish_that_is_renewed_counts_from_when_it_was_renewed(marne: Cast, choosy: Game) -> None:
    wish(marne, choosy, "Turkey", NOW - HOUR)
    held = write("Hugo", "JOIN ypres France")
    wish(marne, choosy, "Italy", NOW + HOUR)
    yes(held, NOW + 2 * HOUR)
    assert choosy.invitations.get().preferences == "Italy"


def test_the_list_of_whom_the_gm_lets_in_counts_from_when_it_came(
    marne: Cast, choosy: Game
) -> None:
    wish(marne, choosy, "Italy", NOW)
    held = write("Hugo", "JOIN ypres Turkey", received_at=NOW + HOUR)
    let_in(choosy, NOW + 2 * HOUR)
    yes(held, NOW + 3 * HOUR)
    assert choosy.applications.get().preferences == "Turkey"


def test_a_wish_ends_with_a_seat_so_that_the_gms_yes_replaces_no_newer_list(
    marne: Cast, choosy: Game
) -> None:
    wish(marne, choosy, "Turkey", NOW)
    wish(marne, choosy, "k7m2p9ab Italy", NOW + HOUR)
    assert not choosy.invitations.exists()
    assert choosy.applications.get().preferences == "Italy"


def let_in(game: Game, at: dt.datetime) -> None:
    (key,) = waiting(game)
    LetIn().perform(game, LetIn.parameters(who=key, answer=YES), by=staff("gm"), now=at)
