"""A deadline for people who could not know of it: the relay takes none of the mails with which the
phase began, or takes them too late."""

from __future__ import annotations

import datetime as dt

import pytest

from games.acts import GAME_ACTS
from games.board_json import DislodgedJson
from games.events import OrdersMissing, OrdersOverdue
from games.models import Event, Game, Phase, Power, Seat
from games.queries import lookup
from games.queries.phases.musters import silent_players
from games.queries.phases.phase_now import PhaseNow
from games.queries.players.attendance import NOT_TOLD, misses_in_a_row
from games.services.adjudication import due_games
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.deadlines import outage_over
from games.services.clock.pauses import game_pause, game_resume
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer import jobs, notices
from mailer.inbound import store
from mailer.models import OutboundMail
from mailer.outbound import pace, sending
from mailer.outbound.untold import Delivery, how_phase_was_told, unaware
from tests.cast import (
    DAY,
    HOUR,
    NOW,
    OPENINGS,
    POWERS,
    Cast,
    address_of,
    make_gm,
    make_player,
    submit,
)
from tests.mailer.correspondence import flat, told_cast
from tests.mailer.sink import running_sink
from tests.servers.process import free_ports

DUE = NOW + 3 * DAY
BOX = "imap://judge:secret@127.0.0.1:1/INBOX"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_one]


@pytest.fixture
def game(transactional_db: None, settings) -> Cast:
    """Marne in S1901M, with a start mail to everybody in the queue, and nobody at the relay."""
    settings.IMAP_URLS = [BOX]
    settings.EMAIL_URL = f"smtp://127.0.0.1:{free_ports(1)[0]}"
    pace.forget()
    return told_cast()


def due(at: dt.datetime) -> int:
    """Look for due phases, with all mail read; return how many were decided."""
    mailbox = store.mailbox_for(BOX)
    mailbox.last_ok_poll = at
    mailbox.save()
    return jobs.deadlines(at)


def sent_now_and_then(first: dt.datetime, last: dt.datetime) -> None:
    """The outbox is looked at a few times, at last at the end."""
    for sixth in range(7):
        sending.drain(now=first + (last - first) * sixth / 6)


def moves() -> list[str]:
    return [one.payload["why"] for one in Event.objects.filter(kind="deadline_moved")]


def test_a_phase_that_nobody_knows_of_waits_and_its_players_get_their_time_again(
    game: Cast, settings
):
    sent_now_and_then(NOW, DUE)
    assert due(DUE + HOUR) == 0
    assert game.phase.due_at == DUE
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=DUE + 2 * HOUR)
        assert len(relay.taken) >= 7
        assert due(DUE + 2 * HOUR) == 0
        assert game.phase.due_at == DUE + 2 * HOUR + 3 * DAY
        assert moves() == ["The mails with which this phase began could not be sent in time."]
        news = OutboundMail.objects.filter(kind="deadline_moved", player__isnull=False)
        assert news.count() == 7
        assert due(DUE + 2 * HOUR + 3 * DAY + HOUR) == 1


def test_mails_that_go_out_in_the_last_tenth_of_a_phase_are_too_late(game: Cast, settings):
    late = DUE - 7 * HOUR
    sent_now_and_then(NOW, late - HOUR)
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=late)
    assert due(DUE + HOUR) == 0
    assert game.phase.due_at == DUE + HOUR + 3 * DAY


def test_mails_that_go_out_a_day_before_the_deadline_move_nothing(game: Cast, settings):
    sent_now_and_then(NOW, DUE - DAY - HOUR)
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=DUE - DAY)
    assert due(DUE + HOUR) == 1
    assert moves() == []


def test_one_full_mailbox_keeps_nobody_waiting_and_its_owner_is_not_blamed(game: Cast, settings):
    first = game.phase
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        relay.full.add(address_of("Carla"))
        for hours in range(0, 72, 8):
            sending.drain(now=NOW + hours * HOUR)
        assert OutboundMail.objects.get(state="queued").recipient == address_of("Carla")
    assert due(DUE + HOUR) == 1
    excused = first.attendance.filter(came="missed", excused_at__isnull=False)
    assert [(one.seat.power.name, one.excused_why) for one in excused] == [("France", NOT_TOLD)]
    results = OutboundMail.objects.filter(kind="phase_processed")
    told = {one.recipient: flat(one.body) for one in results}
    said = "Our mail about the phase did not reach you in time"
    assert [to for to, body in told.items() if said in body] == [address_of("Carla")]
    for_gm = "about the phase did not reach France (Carla) in time, so that is excused."
    assert [to for to, body in told.items() if for_gm in body] == [game.gm.email]


def test_whoever_is_known_to_be_out_of_reach_is_not_excused_for_ever(game: Cast):
    france = game.seat("France").player
    assert france.pk in unaware(game.phase, {france.pk})
    france.addresses.update(failing_since=game.phase.opened_at - HOUR)
    assert unaware(game.phase, {france.pk}) == set()


LOST = {"bounced_at": NOW + HOUR}
PUT_OFF = {"state": "queued", "sent_at": None, "last_error": "451 try later", "attempts": 9}


@pytest.mark.parametrize("days", [30, 120])
@pytest.mark.parametrize("then", [LOST, PUT_OFF])
@pytest.mark.parametrize("now", [LOST, PUT_OFF])
def test_what_their_own_server_does_to_our_mail_excuses_nobody_twice_in_a_season(
    game: Cast, days: int, then: dict[str, object], now: dict[str, object]
):
    """Players can have their mails sent back or put off, or forge a report about them."""
    first, france = game.phase, game.seat("France").player
    opens = OutboundMail.objects.filter(opens=first)
    opens.update(state="sent", sent_at=NOW)
    opens.filter(player=france).update(**then)
    assert due(DUE + HOUR) == 1
    assert first.attendance.get(excused_why=NOT_TOLD).seat.player == france
    opens.filter(player=france).update(state="sent", sent_at=DUE + DAY, last_error="")
    second = lookup.open_phase(game.game)
    assert second
    opens = OutboundMail.objects.filter(opens=second)
    opens.update(state="sent", sent_at=second.opened_at)
    opens.filter(player=france).update(**now)
    Phase.objects.filter(pk=second.pk).update(opened_at=second.opened_at + days * DAY)
    second.refresh_from_db()
    assert unaware(second, {france.pk}) == ({france.pk} if days > 90 else set())


def test_mails_that_our_relay_kept_from_most_excuse_again_and_use_up_nothing(game: Cast):
    sent_now_and_then(NOW, NOW + HOUR)
    phase_process_now(game_id=game.game.pk, now=DUE + HOUR, by="Max")
    jobs.tell(DUE + HOUR)
    second, france = lookup.open_phase(game.game), game.seat("France").player
    assert second
    opens = OutboundMail.objects.filter(opens=second)
    assert unaware(second, {france.pk}) == {france.pk}, "most wait again"
    opens.exclude(player=france).update(state="sent", sent_at=second.opened_at)
    assert unaware(second, {france.pk}) == {france.pk}, "what was ours is not held against them"


@pytest.mark.parametrize("copy", [NOW + HOUR, DUE - HOUR])
def test_a_mail_that_was_refused_tells_whoever_has_it_at_another_address_in_time(
    game: Cast, copy: dt.datetime
):
    france = game.seat("France").player
    mail = OutboundMail.objects.get(opens=game.phase, player=france)
    first = OutboundMail.objects.filter(pk=mail.pk)
    first.update(state="sent", sent_at=NOW)
    assert unaware(game.phase, {france.pk}) == set()
    first.update(bounced_at=NOW + HOUR)
    assert unaware(game.phase, {france.pk}) == {france.pk}, "it came back"
    first.update(state="failed", sent_at=None, bounced_at=None)
    assert unaware(game.phase, {france.pk}) == {france.pk}
    mail.pk, mail.opens, mail.key, mail.message_id = None, None, "again/1/1", "again"
    mail.state, mail.sent_at = "sent", copy
    mail.save()
    assert unaware(game.phase, {france.pk}) == (set() if copy < DUE - DAY else {france.pk})
    OutboundMail.objects.filter(pk=mail.pk).update(bounced_at=copy)
    assert unaware(game.phase, {france.pk}) == {france.pk}, "and so did the copy"


def test_nobody_else_may_take_the_seat_of_a_player_who_could_not_know(game: Cast):
    Game.objects.update(when_missing=Game.WhenMissing.WAIT)
    told = OutboundMail.objects.filter(opens=game.phase).exclude(recipient=address_of("Carla"))
    told.update(state="sent", sent_at=NOW)
    assert due(DUE + HOUR) == 0
    assert [one.name for one in Power.objects.filter(open_since=None)] == ["France"]
    mails = {
        one.recipient: flat(one.body)
        for one in OutboundMail.objects.filter(event__kind=OrdersOverdue.kind)
    }
    assert "Your seat is not open to others yet." in mails[address_of("Carla")]
    assert "But your seat is open now" in mails[address_of("Ben")]
    assert "the seats of Austria (Ana), England (Ben), Germany (Dmitri)," in mails[game.gm.email]


def test_a_game_master_who_does_not_wait_for_the_mails_blames_nobody(game: Cast):
    sent_now_and_then(NOW, NOW + HOUR)
    assert due(DUE + HOUR) == 0
    first = game.phase
    phase_process_now(game_id=game.game.pk, now=DUE + HOUR, by="Max")
    assert not first.attendance.filter(excused_at=None).exists()


@pytest.mark.parametrize("waits_for", [Game.WhenMissing.WAIT, Game.WhenMissing.GM])
def test_a_game_master_who_ends_the_wait_for_orders_blames_only_who_could_know(
    game: Cast, waits_for: str
):
    Game.objects.update(when_missing=waits_for)
    first = game.phase
    Phase.objects.update(retry_at=DUE + HOUR / 2)  # it waited for its mails before
    told = OutboundMail.objects.filter(opens=first).exclude(recipient=address_of("Carla"))
    told.update(state="sent", sent_at=NOW)
    assert due(DUE + HOUR) == 0
    process_now = GAME_ACTS["process_now"]
    said = process_now.forecast(game.game, process_now.parameters(), DUE + DAY)
    assert not any("had not been sent our mails" in one for one in said)
    phase_process_now(game_id=game.game.pk, now=DUE + DAY, by="Max")
    assert [one.seat.power.name for one in first.attendance.exclude(excused_at=None)] == ["France"]


def test_whoever_was_told_too_late_is_not_blamed_for_late_orders(game: Cast):
    Game.objects.update(when_missing=Game.WhenMissing.WAIT)
    first, france = game.phase, game.seat("France")
    carlas = OutboundMail.objects.filter(opens=first, recipient=address_of("Carla"))
    OutboundMail.objects.exclude(pk__in=carlas).update(state="sent", sent_at=NOW)
    assert due(DUE + HOUR) == 0
    carlas.update(state="sent", sent_at=DUE + 2 * HOUR)
    for power, lines in OPENINGS.items():
        submit(game, power, lines, at=DUE + 3 * HOUR)
    assert due(DUE + 4 * HOUR) == 1
    late = first.attendance.filter(came="late")
    assert (late.count(), late.exclude(excused_at=None).get().seat) == (7, france)
    first.attendance.update(came="missed")  # no run of misses goes on past orders that came
    late.filter(seat=france).update(came="late")
    assert misses_in_a_row([france]) == {france.pk: 0}


@pytest.mark.parametrize(("taken", "excused"), [(DUE - DAY, False), (DUE - HOUR, True)])
def test_a_mailbox_that_takes_our_reminder_knows_of_the_phase(
    game: Cast, taken: dt.datetime, excused: bool
):
    france = game.seat("France").player
    assert unaware(game.phase, {france.pk}) == {france.pk}
    jobs.remind(DUE - DAY)
    jobs.tell(DUE - DAY)
    reminder = OutboundMail.objects.filter(event__kind=OrdersMissing.kind, player=france)
    assert reminder.update(state="sent", sent_at=taken) == 1
    assert unaware(game.phase, {france.pk}) == ({france.pk} if excused else set())


def test_only_those_who_have_to_retreat_must_know_of_retreats(game: Cast):
    phase = game.phase
    driven_out = DislodgedJson(power="France", unit="A Burgundy", retreats=["Gascony"])
    position = {**phase.position, "phase": "S1901R", "dislodged": [driven_out]}
    Phase.objects.update(name="S1901R", position=position)
    mails = OutboundMail.objects.filter(opens=phase)
    mails.filter(recipient=address_of("Carla")).update(state="sent", sent_at=NOW)
    assert how_phase_was_told(PhaseNow.with_players(game.phase)) is Delivery.IN_TIME
    mails.update(state="sent", sent_at=NOW)
    mails.filter(recipient=address_of("Carla")).update(state="queued", sent_at=None)
    assert how_phase_was_told(PhaseNow.with_players(game.phase)) is Delivery.NOT_YET


def test_orders_of_everybody_need_no_mail_of_ours(game: Cast):
    sent_now_and_then(NOW, NOW + HOUR)
    for power, lines in OPENINGS.items():
        submit(game, power, lines, at=NOW + HOUR)
    assert due(NOW + 5 * HOUR) == 1


def test_a_deadline_moves_once_for_mails_that_could_not_be_sent(game: Cast, settings):
    sent_now_and_then(NOW, DUE)
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=DUE + HOUR)
    due(DUE + HOUR)
    moved = game.phase.due_at
    assert moved
    OutboundMail.objects.filter(opens=game.phase).update(sent_at=moved)
    assert due(moved + HOUR) == 1


def test_results_that_could_not_be_sent_keep_the_next_phase_waiting(game: Cast, settings):
    """The start was told; the relay goes down with the first results."""
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=NOW)
    assert due(DUE + HOUR) == 1
    fall = Phase.objects.get(status=Phase.Status.OPEN)
    assert fall.due_at
    settings.EMAIL_URL = f"smtp://127.0.0.1:{free_ports(1)[0]}"
    sent_now_and_then(DUE + HOUR, fall.due_at)
    assert due(fall.due_at + HOUR) == 0
    assert game.phase.name == fall.name


def sent_at(at: dt.datetime, settings) -> None:
    """Have the relay take what is queued."""
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=at)
        assert relay.taken


def test_a_relay_that_is_back_after_a_weekend_may_put_mails_off_once_more(game: Cast, settings):
    sent_now_and_then(NOW, DUE)
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        relay.full.add(address_of("Carla"))
        sending.drain(now=DUE + HOUR)
        assert OutboundMail.objects.get(recipient=address_of("Carla")).state == "queued"
        relay.full.clear()
        sending.drain(now=DUE + 2 * HOUR)
    assert OutboundMail.objects.get(recipient=address_of("Carla")).state == "sent"


def test_a_pause_is_not_added_to_the_time_that_people_get_again(game: Cast, settings):
    game_pause(game=game.game, until=None, why="No relay.", by="Max", now=NOW + DAY)
    game_resume(game=game.game, by="Max", now=NOW + 21 * DAY)
    due_at = game.phase.due_at
    assert due_at == NOW + 23 * DAY
    sent_now_and_then(NOW, NOW + DAY)
    sent_at(due_at - 5 * HOUR, settings)
    assert due(due_at + HOUR) == 0
    assert game.phase.due_at == due_at + HOUR + 3 * DAY


def test_two_days_after_a_long_pause_are_enough(game: Cast, settings):
    game_pause(game=game.game, until=None, why="No relay.", by="Max", now=NOW + DAY)
    game_resume(game=game.game, by="Max", now=NOW + 21 * DAY)
    sent_now_and_then(NOW, NOW + DAY)
    sent_at(NOW + 21 * DAY, settings)
    assert due(NOW + 23 * DAY + HOUR) == 1


def test_a_deadline_that_an_unread_mailbox_moved_still_moves_for_mails_that_were_not_sent(
    game: Cast, settings
):
    sent_now_and_then(NOW, DUE)
    outage_over(game=game.game, down_since=DUE - HOUR, now=DUE + HOUR)
    moved = game.phase.due_at
    assert moved
    sent_now_and_then(DUE + HOUR, moved + HOUR)
    sent_at(moved + 2 * HOUR, settings)
    assert due(moved + 2 * HOUR) == 0
    assert game.phase.due_at == moved + 2 * HOUR + 3 * DAY
    assert len(moves()) == 2


def test_mails_that_wait_behind_one_that_was_put_off_have_told_nobody(game: Cast):
    """In a phase of minutes they wait for it so long, and nobody tries them themselves."""
    for mail in OutboundMail.objects.filter(opens=game.phase):
        OutboundMail.objects.filter(pk=mail.pk).update(opens=None)
        mail.pk, mail.key, mail.message_id = None, f"later/{mail.key}", f"later-{mail.message_id}"
        mail.save()
    sending.drain(now=NOW)
    errors = OutboundMail.objects.filter(opens=game.phase).values_list("last_error", flat=True)
    assert list(errors).count("") > 3
    assert due(DUE + HOUR) == 0


def test_mails_that_nobody_has_tried_have_told_nobody(game: Cast):
    """Every worker is dead, and only the clock goes on."""
    assert not OutboundMail.objects.exclude(attempts=0).exists()
    assert due(DUE + HOUR) == 0


def test_mails_that_wait_for_a_turn_of_their_domain_have_told_nobody(game: Cast):
    OutboundMail.objects.update(not_before=DUE + DAY)
    assert due(DUE + HOUR) == 0


def test_results_whose_mails_could_not_be_written_have_told_nobody(
    game: Cast, settings, monkeypatch
):
    sent_at(NOW, settings)

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(notices, "tell_event", broken)
        assert due(DUE + HOUR) == 1
    fall = game.game.phases.get(status=Phase.Status.OPEN)
    assert fall.due_at
    assert not OutboundMail.objects.filter(opens=fall).exists()
    assert due(fall.due_at + HOUR) == 0
    jobs.tell(fall.due_at + 2 * HOUR)
    OutboundMail.objects.filter(opens=fall).update(state="sent", sent_at=fall.due_at + 2 * HOUR)
    assert due(fall.due_at + 2 * HOUR) == 0
    assert moves() == ["The mails with which this phase began could not be sent in time."]


def test_a_phase_that_is_played_again_waits_for_its_own_mails(game: Cast, settings):
    sent_at(NOW, settings)
    settings.EMAIL_URL = f"smtp://127.0.0.1:{free_ports(1)[0]}"
    game_rollback(game=game.game, phase="S1901M", why="A slip.", by="Max", now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    again = game.game.phases.get(status=Phase.Status.OPEN)
    assert again.due_at
    assert OutboundMail.objects.filter(opens=again).count() >= 7
    sent_now_and_then(NOW + HOUR, again.due_at)
    assert due(again.due_at + HOUR) == 0


def test_a_phase_that_waits_for_its_mails_is_not_in_the_way_of_others(game: Cast):
    """We look only at the first of very many that are due."""
    sent_now_and_then(NOW, DUE)
    at = DUE + HOUR
    assert due(at) == 0
    assert due_games.phases_due(now=at) == []
    assert due_games.phases_due(now=at + dt.timedelta(minutes=1)) == [game.game.pk]


def test_players_who_come_at_the_end_of_a_phase_have_the_time_of_substitutes(game: Cast, settings):
    sent_at(NOW, settings)
    late = Seat.objects.filter(power__game=game.game, until=None).order_by("pk")[:4]
    Seat.objects.filter(pk__in=[one.pk for one in late]).update(since=DUE - HOUR)
    mails = OutboundMail.objects.filter(player__in=[one.player_id for one in late])
    mails.update(sent_at=DUE - HOUR)
    assert due(DUE + HOUR) == 1


def test_settings_that_cannot_be_read_stop_no_other_game(game: Cast):
    OutboundMail.objects.update(state="sent", sent_at=NOW)
    Game.objects.update(movement_clock="nonsense")
    assert due(DUE + HOUR) == 0
    assert game.phase.attempts == 1


# --- Musters -------------------------------------------------------------------------------


@pytest.fixture
def muster(transactional_db: None, settings) -> Game:
    """Marne asks its players whether they are here, and nobody is at the relay."""
    settings.IMAP_URLS = [BOX]
    settings.EMAIL_URL = f"smtp://127.0.0.1:{free_ports(1)[0]}"
    pace.forget()
    game = game_create(name="marne", gm=make_gm(), muster=2 * DAY, now=NOW)
    for name, power in POWERS.items():
        game_join(game=game, player=make_player(name), preferences=power, now=NOW)
    jobs.tell(NOW)
    return game


def test_nobody_loses_a_place_who_could_not_be_asked_for_it(muster: Game, settings):
    end = NOW + 2 * DAY
    sent_now_and_then(NOW, end)
    due(end + HOUR)
    muster.refresh_from_db()
    assert (muster.status, muster.muster_until) == (Game.Status.MUSTER, end)
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        sending.drain(now=end + 2 * HOUR)
        due(end + 2 * HOUR)
        muster.refresh_from_db()
        assert muster.muster_until == end + 2 * HOUR + 2 * DAY
        due(end + 2 * HOUR)
        sending.drain(now=end + 2 * HOUR)
        got = {to: str(mail.get_body(("plain",))) for to, mail in relay.taken}
        for player in silent_players(muster):
            assert "in 2 days" in flat(got[address_of(player.name)])
            assert "We could not send you this question in time" in flat(
                got[address_of(player.name)]
            )
        assert muster.gm
        assert "have the whole time once more. 6 players have until" in flat(got[muster.gm.email])
        due(end + 2 * HOUR + 2 * DAY + HOUR)
    muster.refresh_from_db()
    assert muster.status == Game.Status.FORMING


def test_a_muster_whose_questions_went_out_ends_in_time_for_those_who_got_them(
    muster: Game, settings
):
    with running_sink() as relay:
        settings.EMAIL_URL = relay.url
        relay.full.add(address_of("Carla"))
        sending.drain(now=NOW)
    due(NOW + 2 * DAY + HOUR)
    muster.refresh_from_db()
    assert muster.status == Game.Status.FORMING
    stay = muster.applications.filter(withdrawn_at=None).values_list("player__name", flat=True)
    assert sorted(stay) == ["Carla", "Greta"]
