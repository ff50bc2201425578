"""Who is banned, or leaves the server, and plays both under their name and in an anonymous game.

If both seats opened at once and for the same reason, everybody would know who had the second.
"""

from __future__ import annotations

import pytest

from games.acts.players.erase import ASKED
from games.errors import NotAllowed
from games.models import Event, Game, OrderSet, Player
from games.queries.access.staff_names import Actor
from games.queries.audit.log_faults import faults
from games.queries.reports.log_text import entries
from games.services.accounts.erasing import player_erase
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.moderation.conduct import player_ban, player_lift, require_not_banned
from games.services.seating.standby import standby_join
from games.services.setup.games import game_create
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, HOUR, NOW, Cast, address_of, make_cast, seat_fill, submit
from tests.games.acts.acting import Acting
from tests.mailer.correspondence import answer_to, flat, write

pytestmark = pytest.mark.django_db
LATER = NOW + HOUR
OVER = NOW + 4 * DAY


@pytest.fixture
def masked(db: None) -> Cast:
    """Marne is anonymous; in somme, where all are named, Ana plays Austria, too."""
    cast = make_cast(anonymous=True)
    somme = game_create(name="somme", gm=cast.gm, early_delay=None, now=NOW)
    somme.powers.exclude(name="Austria").delete()
    ana = cast.player("Ana")
    seat_fill(game=somme, power=somme.powers.get(), player=ana, now=NOW)
    phase = cast.phase
    phase.pk, phase.game = None, somme
    phase.save(force_insert=True)
    type(somme).objects.filter(pk=somme.pk).update(status="active", started_at=NOW)
    jobs.tell(NOW)
    return cast


def ban(player: Player) -> None:
    player_ban(player=player, why="Two accounts.", by="mo", now=LATER)


def erase(player: Player) -> None:
    player_erase(player=player, why="They asked for it.", by=Actor("mo"), now=LATER)


GOING = {"banned": ban, "erased": erase}


@pytest.mark.parametrize("how", GOING)
def test_their_seat_in_the_anonymous_game_opens_when_the_phase_is_over(
    masked: Cast, how: str
) -> None:
    before = Event.objects.filter(game=masked.game).count()
    GOING[how](masked.player("Ana"))
    assert Event.objects.filter(game__name="somme", kind="seat_vacated").exists()
    assert Event.objects.filter(game=masked.game).count() == before
    assert masked.seat("Austria").power.open_since is None

    standby_join(player=masked.player("Hugo"), now=LATER)
    phase_process(game_id=masked.game.pk, now=OVER)
    austria = masked.game.powers.get(name="Austria")
    assert austria.open_since == OVER
    assert not austria.seats.filter(until=None).exists()
    assert austria.offers.filter(end="").count() == 1
    assert masked.phase.name == "F1901M"
    assert list(faults(masked.game)) == []


def test_their_seat_in_a_second_anonymous_game_opens_with_a_phase_of_its_own(masked: Cast) -> None:
    Game.objects.filter(name="somme").update(anonymous=True)
    ban(masked.player("Ana"))
    phase_process(game_id=masked.game.pk, now=OVER)
    assert [one.game for one in Event.objects.filter(kind="seat_vacated")] == [masked.game]


def test_who_has_the_power_of_somebody_banned_keeps_it(masked: Cast) -> None:
    austria, hugo = masked.seat("Austria").power, masked.player("Hugo")
    seat_fill(game=masked.game, power=austria, player=hugo, now=NOW)
    for name in ("Ana", "Ben"):
        ban(masked.player(name))
    phase_process(game_id=masked.game.pk, now=OVER)
    assert [event.payload["power"] for event in masked.events("seat_vacated")] == ["England"]
    assert austria.seats.get(until=None).player == hugo


@pytest.mark.parametrize("how", GOING)
def test_nobody_in_the_anonymous_game_reads_why_or_who_decided_it(masked: Cast, how: str) -> None:
    GOING[how](masked.player("Ana"))
    phase_process(game_id=masked.game.pk, now=OVER)
    said = [
        one.sentence for one in entries(masked.game) if "Austria from its player" in one.sentence
    ]
    assert said == [
        "Fall 1901 movement: the moderators took Austria from its player. Its player does not "
        "play on."
    ]
    jobs.tell(OVER)
    told = OutboundMail.objects.filter(kind="seat_vacated", event__game=masked.game)
    assert told.filter(recipient=address_of("Ben")).exists()
    for mail in told.exclude(recipient="gm@players.test"):
        assert "The moderators say why: Its player does not play on." in flat(mail.body)
        assert not {"mo", "Ana", "Former"} & set(mail.body.split())


def test_a_rollback_tells_no_more_of_it(masked: Cast) -> None:
    phase_process_now(game_id=masked.game.pk, now=LATER)
    ban(masked.player("Ana"))
    game_rollback(game=masked.game, phase="S1901M", why="A slip.", by="gm", now=LATER)
    (event,) = masked.events("seat_vacated")
    assert (event.payload["why"], event.payload["by"]) == (
        "Its player does not play on.",
        "the moderators",
    )


def test_until_then_who_is_banned_can_neither_order_nor_write(masked: Cast) -> None:
    submit(masked, "Austria", ["A Vienna - Galicia"])
    to = addresses.seat_address(seat=masked.seat("Austria"), phase=masked.phase, now=NOW)
    ban(masked.player("Ana"))
    mail = write("Ana", "A Vie - Boh\nPRESS TO Italy\nDamn you all.\nEND", to=to, received_at=LATER)
    assert "You may no longer play on this server." in flat(answer_to(mail).body)
    assert OrderSet.objects.get().lines == ["A Vienna - Galicia"]
    assert not masked.game.press.exists()
    with pytest.raises(NotAllowed, match="may no longer play"):
        require_not_banned(masked.player("Ana"))


def test_who_is_banned_is_not_reminded_of_orders(masked: Cast) -> None:
    ban(masked.player("Ana"))
    due_at = masked.phase.due_at
    assert due_at
    jobs.remind(due_at - HOUR)
    jobs.tell(due_at - HOUR)
    reminded = OutboundMail.objects.filter(kind="orders_missing", event__game=masked.game)
    assert reminded.filter(recipient=address_of("Ben")).exists()
    assert not reminded.filter(recipient=address_of("Ana")).exists()


def test_a_ban_that_is_lifted_in_time_costs_no_seat_there(masked: Cast) -> None:
    ban(masked.player("Ana"))
    player_lift(player=masked.player("Ana"), why="A mistake.", by="mo", now=LATER)
    phase_process(game_id=masked.game.pk, now=OVER)
    assert masked.seat("Austria").player.name == "Ana"
    assert masked.seat("Austria").power.open_since is None


@pytest.mark.parametrize(
    ("act", "given"), [("ban", {"why": "Two accounts."}), ("erase", {"because": ASKED})]
)
def test_the_moderator_reads_when_each_seat_opens(
    masked: Cast, act: str, given: dict[str, str]
) -> None:
    said = Acting(masked.player("Ana"), act).foresee(**given)
    assert "These seats open, and we offer them to those who stand by: Austria in somme." in said
    assert "These open when their phase is over, and nobody there is told why" in said
    assert "Austria in marne." in said
