"""Who is told what: the person concerned always, nobody else a secret."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest

from games import log
from games.events import PhaseStuck
from games.models import Event, Game, Phase
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.clock.deadlines import deadline_move, phase_hold
from games.services.clock.pauses import game_pause, game_resume
from games.services.clock.reminders import players_remind
from games.services.seating.joining import game_join, game_leave, seat_give
from games.services.setup.games import game_create
from mailer import notices
from mailer.models import OutboundMail
from mailer.outbound import addresses
from mailer.text import MARKER
from tests.cast import (
    DAY,
    HOUR,
    NOW,
    OPENINGS,
    POWERS,
    Cast,
    address_of,
    make_cast,
    make_gm,
    make_player,
    seat_fill,
    submit,
)
from tests.made import made_once
from tests.mailer.correspondence import flat, tell_all

pytestmark = pytest.mark.django_db

EVERYBODY = {address_of(name) for name in POWERS}
PLAYER_OF = {power: address_of(name) for name, power in POWERS.items()}
GM = "gm@players.test"
LATER = NOW + 3 * DAY


def order(cast: Cast, power: str, *lines: str, at: dt.datetime = NOW) -> None:
    submit(cast, power, lines, at)


def order_openings(cast: Cast, *but: str) -> None:
    for power, lines in OPENINGS.items():
        if power not in but:
            order(cast, power, *lines)


def process(cast: Cast, now: dt.datetime = LATER) -> dict[str, OutboundMail]:
    """Process the open phase and tell it; the mails by recipient."""
    tell_all(now)
    assert phase_process_now(game_id=cast.game.pk, now=now)
    mails = [mail for mail in tell_all(now) if mail.kind == "phase_processed"]
    assert len({mail.recipient for mail in mails}) == len(mails), "one mail each"
    return {mail.recipient: mail for mail in mails}


def set_position(cast: Cast, name: str, **changes: Any) -> Phase:
    """Put the open phase of the game somewhere else on the calendar and the board."""
    phase = cast.phase
    phase.name = name
    state: Any = {**phase.position, "phase": name, **changes}
    phase.position = state
    phase.save()
    return phase


# --- Joining and starting ------------------------------------------------------------------


def test_the_gm_hears_of_every_player_who_joins_and_nobody_else_does(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    game_join(game=game, player=make_player("Ana"), preferences="", now=NOW)
    [mail] = tell_all()
    assert mail.recipient == GM
    assert mail.subject == "[yser] Ana has joined"
    assert "6 seats are still free" in mail.body


def test_the_gm_hears_in_one_mail_of_those_who_joined_meanwhile(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    for name in ("Ana", "Ben", "Carla"):
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    [mail] = tell_all()
    assert mail.subject == "[yser] 3 players have joined"
    assert "Ana, Ben and Carla have joined your game yser." in flat(mail.body)
    assert "4 seats are still free" in mail.body
    game_join(game=game, player=make_player("Dmitri"), preferences="", now=NOW)
    assert tell_all()[-1].subject == "[yser] Dmitri has joined"


def test_who_joined_is_told_once_whichever_event_is_told_first(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    for name in ("Ana", "Ben"):
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    for event in game.events.filter(kind="player_joined").order_by("-number"):
        notices.tell_event(event, now=NOW)
    [mail] = OutboundMail.objects.filter(kind="player_joined")
    assert "Ana and Ben have joined your game yser." in flat(mail.body)


def test_when_the_last_who_joins_starts_the_game_the_gm_hears_it_in_one_mail(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    for number in range(7):
        game_join(game=game, player=make_player(f"Player{number}"), preferences="", now=NOW)
    to_gm = [mail.subject for mail in tell_all() if mail.recipient == GM]
    assert to_gm == ["[yser] The game starts"]


def test_who_joins_again_is_counted_once(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    ana = make_player("Ana")
    game_join(game=game, player=ana, preferences="", now=NOW)
    game_leave(game=game, player=ana, now=NOW)
    game_join(game=game, player=ana, preferences="", now=NOW)
    [mail] = tell_all()
    assert mail.subject == "[yser] Ana has joined"
    assert "Ana has joined your game yser." in flat(mail.body)


def test_who_has_left_again_before_the_mail_is_not_said_to_have_joined(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    ana, ben = make_player("Ana"), make_player("Ben")
    for player in (ana, ben):
        game_join(game=game, player=player, preferences="", now=NOW)
    game_leave(game=game, player=ana, now=NOW)
    [mail] = tell_all()
    assert mail.subject == "[yser] Ben has joined"
    assert "6 seats are still free" in mail.body
    assert "Ana" not in mail.body


def test_when_all_who_joined_have_left_again_the_gm_hears_nothing(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    ana = make_player("Ana")
    game_join(game=game, player=ana, preferences="", now=NOW)
    game_leave(game=game, player=ana, now=NOW)
    assert tell_all() == []


def test_who_took_back_the_wish_to_join_is_not_said_to_ask(db):
    game = game_create(name="yser", gm=make_gm(), entry="approval", now=NOW)
    ana = make_player("Ana")
    game_join(game=game, player=ana, preferences="", now=NOW)
    game_leave(game=game, player=ana, now=NOW)
    assert tell_all() == []


def test_a_seat_that_was_given_back_before_the_mail_is_not_announced(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    ana, power = make_player("Ana"), game.powers.get(name="France")
    seat_give(game=game, power=power, player=ana, why="A friend.", by="the GM", now=NOW)
    game_leave(game=game, player=ana, now=NOW)
    assert tell_all() == []


def test_a_mail_to_the_gm_begins_with_its_news(marne: Cast) -> None:
    log.record(game=marne.game, phase=marne.phase, facts=PhaseStuck(phase="S1901M"), now=NOW)
    mails = [mail for mail in tell_all() if mail.recipient == GM]
    bodies = {mail.kind: flat(mail.body).removeprefix(f"{MARKER} ") for mail in mails}
    stuck = "Spring 1901 movement of your game marne has not been processed:"
    assert bodies["phase_stuck"].startswith(stuck)
    assert bodies["game_started"].startswith("Your game marne starts.")


def test_a_game_without_a_gm_tells_no_gm(db):
    game = game_create(name="yser", now=NOW)
    game_join(game=game, player=make_player("Ana"), preferences="", now=NOW)
    assert tell_all() == []


def test_every_player_gets_one_start_mail_about_their_own_power(marne: Cast):
    mails = [mail for mail in tell_all() if mail.kind == "game_started"]
    assert sorted(mail.recipient for mail in mails) == sorted([*EVERYBODY, GM])
    for power, recipient in PLAYER_OF.items():
        [mail] = [mail for mail in mails if mail.recipient == recipient]
        owes = f"order {4 if power == 'Russia' else 3} units by"
        starts = f"[marne] The game starts and you play {power}"
        assert mail.subject.startswith(f"{starts}; {owes} Thu 5 Mar")
        assert f"you play {power}" in mail.body
        assert mail.body.startswith(MARKER)


def test_a_start_mail_says_what_to_order_by_when_and_in_the_players_own_zone(marne: Cast):
    marne.game.refresh_from_db()
    ana = marne.player("Ana")
    ana.timezone = "Europe/Vienna"
    ana.save()
    body = flat(mail_to("ana@players.test", tell_all()).body)
    assert "you have 3 units to order. Deadline" in body
    assert "Your units (A Budapest, A Vienna, F Trieste)" in body
    assert "Deadline: Thu 5 Mar 2026, 13:00 CET (12:00 UTC), in 3 days." in body


def mail_to(recipient: str, mails: list[OutboundMail]) -> OutboundMail:
    [mail] = [mail for mail in mails if mail.recipient == recipient]
    return mail


def test_a_reply_to_a_start_mail_is_known_to_be_about_this_seat_and_phase(marne: Cast):
    mail = mail_to("carla@players.test", tell_all())
    token = addresses.find([mail.reply_to])
    assert token is not None
    assert (token.seat, token.phase) == (marne.seat("France"), marne.phase)


# --- Results -------------------------------------------------------------------------------


def test_after_a_phase_everybody_gets_one_result_mail_that_begins_a_thread(marne: Cast):
    order_openings(marne)
    mails = process(marne)
    assert set(mails) == EVERYBODY | {GM}
    for recipient in EVERYBODY:
        power = next(power for power, address in PLAYER_OF.items() if address == recipient)
        units = 4 if power == "Russia" else 3
        assert mails[recipient].subject == (
            f"[marne] Spring 1901 movement: results; order {units} units by Sun 8 Mar 12:00 UTC"
        )
        assert (mails[recipient].references, mails[recipient].opens) == ("", marne.phase)


def test_a_result_mail_says_what_every_order_did_and_why(marne: Cast):
    order_openings(marne)
    body = flat(process(marne)["carla@players.test"].body)
    assert "France: A Paris - Burgundy: succeeds." in body
    assert re.search(r"Austria: A Vienna - Galicia: fails\. \w[^:]*Galicia[^:]*\.", body)
    assert "Italy: A Venice Holds: stands." in body


def test_a_result_mail_says_what_to_do_next_and_by_when(marne: Cast):
    order_openings(marne)
    mail = process(marne)["carla@players.test"]
    body = flat(mail.body)
    assert "Fall 1901 movement: you have 3 units to order. Deadline" in body
    assert "Your units (A Burgundy, A Spain, F Mid-Atlantic Ocean)" in body
    assert "Deadline: Sun 8 Mar 2026, 12:00 UTC, in 3 days." in body
    token = addresses.find([mail.reply_to])
    assert token is not None
    assert (token.seat, token.phase) == (marne.seat("France"), marne.phase)
    assert token.phase.name == "F1901M"


def test_missing_orders_are_told_to_the_player_concerned_and_to_the_gm_only(marne: Cast):
    order_openings(marne, "England")
    mails = process(marne)
    told = {recipient for recipient, mail in mails.items() if "missing" in mail.subject}
    assert told == {"ben@players.test", GM}
    assert "No orders came from you in time, so your units held." in mails["ben@players.test"].body
    assert "No orders came from England (Ben)." in mails[GM].body
    for recipient in EVERYBODY - told:
        assert "No orders came" not in mails[recipient].body


def test_whoever_had_time_left_is_not_told_that_they_missed_it(marne: Cast):
    order_openings(marne, "England")
    mails = process(marne, NOW + DAY)
    assert "No orders came from you, so your units held." in mails["ben@players.test"].body


def test_a_line_nobody_could_read_is_shown_to_its_writer_only(marne: Cast):
    order_openings(marne, "France")
    order(marne, "France", "A Paris - Burgundy", "I will stab Greta in 1903")
    mails = process(marne)
    assert {to for to, mail in mails.items() if "stab" in mail.body} == {"carla@players.test"}


def test_an_impossible_order_is_explained_to_its_writer_only(marne: Cast):
    order_openings(marne, "France")
    order(marne, "France", "A Paris - London", "F Brest - English Channel")
    mails = process(marne)
    told = {to for to, mail in mails.items() if "A Paris - London" in flat(mail.body)}
    assert told == {"carla@players.test"}
    assert "A Paris - London: illegal." in flat(mails["carla@players.test"].body)


def test_nothing_of_the_orders_is_in_any_mail_before_the_phase_is_over(marne: Cast):
    order_openings(marne)
    secrets = [line for lines in OPENINGS.values() for line in lines if "-" in line]
    told = tell_all()
    assert {mail.recipient for mail in told} >= set(EVERYBODY)
    for mail in told:
        said = flat(re.sub("Example of .*", "", mail.body))  # all legal, and none of an order
        assert not [secret for secret in secrets if secret in said]


def test_nobody_gets_the_reply_address_or_the_mail_address_of_another(marne: Cast):
    order_openings(marne)
    every = tell_all() + list(process(marne).values())
    assert {mail.kind for mail in every} >= {"game_started", "phase_processed"}
    for mail in every:
        if mail.recipient in EVERYBODY:
            token = addresses.find([mail.reply_to])
            assert token is not None
            assert token.seat is not None
            assert address_of(token.seat.player.name) == mail.recipient
        assert "@" not in mail.body


def test_dislodged_units_are_named_with_their_retreats(marne: Cast):
    set_position(
        marne,
        "S1902M",
        units={"France": ["A Burgundy", "A Ruhr"], "Germany": ["A Munich"]},
    )
    order(marne, "France", "A Burgundy - Munich", "A Ruhr S A Burgundy - Munich")
    order(marne, "Germany", "A Munich Holds")
    mails = process(marne)
    everybody_reads = "Germany: A Munich was dislodged. It may retreat to"
    assert all(everybody_reads in flat(mail.body) for mail in mails.values())
    germany = flat(mails["dmitri@players.test"].body)
    assert "Spring 1902 retreats: you have 1 dislodged unit to retreat or disband." in germany
    assert "must retreat to Berlin, Bohemia, Kiel, Silesia or Tyrolia, or else disband." in germany
    france = flat(mails["carla@players.test"].body)
    assert "France has nothing to decide in Spring 1902 retreats." in france


def test_retreats_that_did_not_come_are_told_as_such(marne: Cast):
    set_position(
        marne,
        "S1902R",
        units={"France": ["A Munich"]},
        dislodged=[{"power": "Germany", "unit": "A Munich", "retreats": ["Berlin", "Kiel"]}],
    )
    body = flat(process(marne)["dmitri@players.test"].body)
    assert "No orders came from you in time, so your dislodged units were disbanded." in body


def test_builds_and_disbands_that_did_not_come_are_told_as_such(marne: Cast):
    centers = {**marne.phase.position["centers"], "Italy": ["Rome"]}
    units = {"Italy": ["A Rome", "A Apulia"], "France": ["A Paris"]}
    set_position(marne, "W1901A", units=units, centers=centers)
    mails = process(marne)
    assert "in time, so nothing was built." in flat(mails["carla@players.test"].body)
    assert "so the rules chose what to disband." in flat(mails["emma@players.test"].body)


def test_captured_centres_and_builds_are_told(marne: Cast):
    set_position(marne, "F1901M", units={"France": ["A Spain", "A Paris"], "Italy": ["A Rome"]})
    order(marne, "France", "A Spain H", "A Paris H")
    order(marne, "Italy", "A Rome H")
    mails = process(marne)
    france = flat(mails["carla@players.test"].body)
    assert "France: 4 centres (+1), may build 2. Gains Spain (it was free)." in france
    assert "Winter 1901 adjustments: you may build 2 units." in france
    assert "Places for new units (Brest, Marseilles)" in france
    assert "Italy: 3 centres, may build 2." in france


def test_a_power_that_must_disband_is_told_how_many(marne: Cast):
    phase = marne.phase
    centers = {**phase.position["centers"], "Italy": ["Rome"]}
    set_position(
        marne, "F1901M", units={"Italy": ["A Rome", "A Apulia"], "France": []}, centers=centers
    )
    order(marne, "Italy", "A Rome H", "A Apulia H")
    mails = process(marne)
    assert "you must disband 1 unit." in mails["emma@players.test"].body
    assert "Italy: 1 centre, must disband 1." in mails["carla@players.test"].body


def test_in_fog_a_power_reads_only_what_it_may_build_itself(marne: Cast):
    marne.game.fog = True
    marne.game.save(update_fields=["fog"])
    set_position(marne, "F1901M", units={"France": ["A Spain", "A Paris"], "Italy": ["A Rome"]})
    order(marne, "France", "A Spain H", "A Paris H")
    order(marne, "Italy", "A Rome H")
    france = flat(process(marne)["carla@players.test"].body)
    assert "France: 4 centres (+1), may build 2." in france
    assert france.count("may build") == 2


def test_a_power_without_unit_and_centre_is_thanked_and_still_gets_the_results(marne: Cast):
    phase = marne.phase
    centers = {**phase.position["centers"], "Italy": []}
    set_position(marne, "S1903M", units={"France": ["A Paris"]}, centers=centers)
    body = flat(process(marne)["emma@players.test"].body)
    assert "Italy is out of the game" in body
    assert "Italy: nothing left" in body


def test_whoever_gave_up_a_seat_hears_no_more_and_their_substitute_does(marne: Cast):
    order_openings(marne)
    hugo = marne.player("Hugo")
    power = marne.seat("France").power
    seat_fill(game=marne.game, power=power, player=hugo, now=NOW + HOUR)
    mails = process(marne)
    assert "hugo@players.test" in mails
    assert "carla@players.test" not in mails
    assert "You play France." in flat(mails["hugo@players.test"].body)


def test_the_last_results_say_how_the_game_ended_and_that_the_story_follows(marne: Cast):
    tell_all()
    everything = [one for owned in marne.phase.position["centers"].values() for one in owned]
    foreign = [one for one in everything if one not in ("Rome", "Brest", "Marseilles", "Paris")]
    mine = ["Brest", "Marseilles", "Paris", *foreign[:14]]
    assert len(mine) == 17
    set_position(
        marne,
        "F1908M",
        units={"France": ["A Spain"], "Italy": ["A Rome"]},
        centers={"France": mine, "Italy": ["Rome"]},
    )
    order(marne, "France", "A Spain Holds")
    mails = process(marne)
    assert set(mails) == EVERYBODY | {GM}
    for mail in mails.values():
        body = flat(mail.body)
        assert "The game is over: France has won with 18 centres" in body
        if mail.recipient != GM:
            assert "Nothing: the game is over, so there is no deadline. A mail" in body
        assert mail.subject.endswith("; the game is over")
        assert (MARKER in body) == (mail.recipient == GM)  # who may still roll the game back
    assert Game.objects.get().status == Game.Status.FINISHED


# --- Deadlines and pauses ------------------------------------------------------------------


def test_a_moved_deadline_is_told_to_all_in_everybodys_own_zone(marne: Cast):
    tell_all()
    ana = marne.player("Ana")
    ana.timezone = "Asia/Tokyo"
    ana.save()
    why = "The server could not be reached at the deadline."
    deadline_move(game=marne.game, to=LATER + HOUR, why=why, by="the server", now=NOW)
    mails = {mail.recipient: mail for mail in tell_all()}
    assert set(mails) == EVERYBODY | {GM}
    moved = "[marne] Spring 1901 movement: the deadline has moved to Thu 5 Mar"
    assert mails[GM].subject == f"{moved} 13:00 UTC"
    assert mails["ana@players.test"].subject == f"{moved} 22:00 JST"
    told = flat(mails["ana@players.test"].body)
    assert "It was: Thu 5 Mar 2026, 21:00 JST (12:00 UTC)" in told
    assert "has moved to Thu 5 Mar 2026, 22:00 JST (13:00 UTC)" in told
    assert f"Why: {why} Who: the server" in told
    assert "you have 3 units to order" in told
    assert "has moved to Thu 5 Mar 2026, 13:00 UTC" in flat(mails[GM].body)
    assert "units to order" not in mails[GM].body


def test_a_game_master_reads_nothing_of_orders_and_time_of_their_own(marne: Cast):
    """What players read of theirs made no sense to somebody who has neither."""
    deadline_move(game=marne.game, to=LATER + DAY, why="A storm.", by="gm", now=NOW)
    game_pause(game=marne.game, until=LATER, why="Holidays.", by="gm", now=NOW)
    game_resume(game=marne.game, by="gm", now=NOW + DAY)
    kinds = ("deadline_moved", "game_paused", "game_resumed")
    mails = [mail for mail in tell_all(NOW + DAY) if mail.kind in kinds]
    assert {mail.kind for mail in mails if mail.recipient == GM} == {*kinds}
    for mail in mails:
        mine = re.findall(r"\byou (?:have sent|said|get back)|You can still", flat(mail.body))
        assert bool(mine) == (mail.recipient != GM), (mail.kind, mine)


def test_the_first_sentence_about_a_deadline_names_it(marne: Cast):
    tell_all()
    deadline_move(game=marne.game, to=LATER + HOUR, why="A storm.", by="gm", now=NOW)
    game_pause(game=marne.game, until=None, why="", by="gm", now=NOW)
    game_resume(game=marne.game, by="gm", now=NOW + HOUR)
    told = {(mail.kind, mail.recipient): mail.body for mail in tell_all(NOW + HOUR)}
    for kind in ("deadline_moved", "game_resumed"):
        for reader in (GM, address_of("Ana")):
            first = told[kind, reader].split("\n\n")[1]
            assert re.search(r"\b5 Mar 2026, \d\d:00 UTC\.$", flat(first)), first


def test_who_has_ordered_all_reads_so_when_the_deadline_moves(marne: Cast):
    order(marne, "France", *OPENINGS["France"])
    order(marne, "Italy", OPENINGS["Italy"][0])
    deadline_move(game=marne.game, to=LATER + DAY, why="A storm.", by="gm", now=NOW)
    bodies = {mail.recipient: flat(mail.body) for mail in tell_all() if "moved" in mail.subject}
    carla = bodies[address_of("Carla")]
    assert "Nothing: your orders for Spring 1901 movement are in." in carla
    assert "If you need no more time, reply with READY on a line of its own" in carla
    assert "Deadline: Fri 6 Mar 2026, 12:00 UTC" in carla
    assert "2 of your 3 units are still without an order" in bodies[address_of("Emma")]
    assert "you have 3 units to order" in bodies[address_of("Ana")]
    for name in ("Emma", "Ana"):
        assert "Nothing: your orders" not in bodies[address_of(name)]


def test_a_pause_and_its_end_are_told_to_all(marne: Cast):
    tell_all()
    game_pause(game=marne.game, until=LATER, why="Holidays.", by="Gerda", now=NOW)
    mails = tell_all()
    assert {mail.recipient for mail in mails} == EVERYBODY | {GM}
    for mail in mails:
        assert mail.subject == "[marne] Spring 1901 movement: the game is paused"
        assert "It goes on: Thu 5 Mar 2026, 12:00 UTC" in mail.body
    game_resume(game=marne.game, by="Gerda", now=NOW + DAY)
    mails = tell_all(NOW + DAY)
    assert {mail.recipient for mail in mails} == EVERYBODY | {GM}
    assert all("due Fri 6 Mar 2026, 12:00 UTC" in flat(mail.body) for mail in mails)


def test_only_those_who_owe_orders_are_reminded_and_learn_what_is_missing(marne: Cast):
    tell_all()
    order_openings(marne, "England", "France")
    order(marne, "France", "A Paris - Burgundy")
    remind_at = marne.phase.remind_at
    assert remind_at is not None
    assert players_remind(phase_id=marne.phase.pk, now=remind_at)
    mails = {mail.recipient: mail for mail in tell_all(remind_at)}
    assert set(mails) == {"ben@players.test", "carla@players.test"}
    assert flat(mails["carla@players.test"].body).count("(A Marseilles, F Brest)") == 1
    assert "No orders for England have reached us yet" in flat(mails["ben@players.test"].body)
    assert mails["ben@players.test"].subject.startswith(
        "[marne] Spring 1901 movement: your orders are missing, "
    )
    assert "movement: some of your orders are missing, " in mails["carla@players.test"].subject


def test_nobody_is_reminded_of_orders_that_came_before_the_reminder_was_written(marne: Cast):
    tell_all()
    remind_at = marne.phase.remind_at
    assert remind_at is not None
    assert players_remind(phase_id=marne.phase.pk, now=remind_at)
    order_openings(marne, "England")
    assert {mail.recipient for mail in tell_all(remind_at)} == {"ben@players.test"}


def test_nobody_is_reminded_after_the_deadline(marne: Cast):
    tell_all()
    remind_at = marne.phase.remind_at
    assert remind_at is not None
    assert players_remind(phase_id=marne.phase.pk, now=remind_at)
    assert tell_all(LATER) == []


@pytest.mark.parametrize(
    ("policy", "then"),
    [("wait", "It goes on as soon as the orders are in."), ("gm", "The game master decides")],
)
def test_a_game_that_waits_tells_the_late_first_and_the_others_for_whom(
    marne: Cast, policy: str, then: str
):
    Game.objects.update(when_missing=policy)
    order_openings(marne, "England", "Italy")
    tell_all()
    assert phase_process(game_id=marne.game.pk, now=LATER)
    mails = tell_all(LATER)
    assert [mail.recipient for mail in mails[:2]] == ["ben@players.test", "emma@players.test"]
    assert {mail.recipient for mail in mails} == EVERYBODY | {GM}
    for mail in mails[:2]:
        assert mail.subject == "[marne] Spring 1901 movement: the game is waiting for your orders"
        assert "please send them now" in flat(mail.body)
        assert "The deadline was Thu 5 Mar 2026, 12:00 UTC." in flat(mail.body)
        assert "3 units to order" in flat(mail.body)
    for mail in mails[2:-1]:
        assert mail.subject == "[marne] Spring 1901 movement: the game is waiting for orders"
        assert "is waiting for orders from England and Italy" in flat(mail.body)
        assert then in flat(mail.body)
        if mail is not mails[-1]:
            assert "any that came after the deadline included" in flat(mail.body)
        assert "WHAT YOU MUST DO" not in mail.body
    assert "England (Ben) and Italy (Emma)" in flat(mails[-1].body)


# --- What broke ----------------------------------------------------------------------------


def test_a_stuck_phase_is_told_to_gm_and_operators_without_what_broke(marne: Cast, settings):
    settings.OPERATOR_ADDRESSES = ["root@game.test", "night@game.test"]
    tell_all()
    log.record(
        game=marne.game,
        phase=marne.phase,
        facts=PhaseStuck(phase="S1901M"),
        now=NOW,
    )
    mails = tell_all()
    assert {mail.recipient for mail in mails} == {GM, "root@game.test", "night@game.test"}
    for mail in mails:
        assert mail.subject == (
            "[marne] Spring 1901 movement: not processed, the game stands still"
        )
        assert "Burgundy" not in mail.body


# --- Every notice --------------------------------------------------------------------------


@pytest.fixture
def every_mail(db: None) -> list[OutboundMail]:
    """Every kind of start and result mail, with names and orders that invite mistakes."""
    made_once("every kind of mail", tell_of_everything)
    return list(OutboundMail.objects.all())


def tell_of_everything() -> None:
    marne = make_cast()
    carla = marne.player("Carla")
    carla.name = "O'Carla & <Söhne>"
    carla.save()
    order_openings(marne, "England")
    process(marne)
    set_position(
        marne,
        "F1901M",
        units={
            "France": ["A Burgundy", "A Ruhr", "A Spain"],
            "Germany": ["A Munich", "A Denmark", "F Holland"],
            "Austria": ["A Serbia"],
            "Italy": ["A Tunis"],
            "Russia": ["F Rumania", "A Galicia"],
            "England": ["F Norway"],
        },
    )
    order(marne, "France", "A Bur - Mun", "A Ruh S A Bur - Mun", "Stab & <run>", at=LATER)
    order(marne, "Germany", "F Holland C A Ruhr - London", at=LATER)
    deadline_move(game=marne.game, to=LATER + 4 * DAY, why="A storm.", by="Gerda", now=LATER)
    game_pause(game=marne.game, until=LATER + HOUR, why="A feast.", by="Gerda", now=LATER)
    game_resume(game=marne.game, by="Gerda", now=LATER)
    phase_hold(game=marne.game, since=LATER, now=LATER)
    remind_at = marne.phase.remind_at
    assert remind_at is not None
    assert players_remind(phase_id=marne.phase.pk, now=remind_at)
    tell_all(remind_at)
    now = LATER
    for phase in ("F1901R", "W1901A", "S1902M"):
        now += 3 * DAY
        process(marne, now)
        assert marne.phase.name == phase


def test_telling_an_event_again_adds_nothing(every_mail: list[OutboundMail]):
    Event.objects.update(told_at=None)
    assert tell_all(LATER + 9 * DAY) == []
    assert not Event.objects.filter(told_at=None).exists()


def test_mails_are_72_columns_wide_and_plain(every_mail: list[OutboundMail]):
    for mail in every_mail:
        assert max(len(line) for line in mail.body.splitlines()) <= 72
        assert "\n\n\n" not in mail.body
        assert not re.search(r"&\w+;|{[{%]|None|\(\)", mail.body)


def test_no_unit_is_broken_over_two_lines(every_mail: list[OutboundMail]):
    for mail in every_mail:
        assert not re.search(r"(?<![a-z] )\b[AF]\n", mail.body), mail.body
        assert mail.body.count("(") == mail.body.count(")")
        for line in mail.body.splitlines():
            assert line.count("(") == line.count(")") or "unit" not in line, line


def test_names_are_shown_as_they_are_written(every_mail: list[OutboundMail]):
    assert any("O'Carla & <Söhne>" in mail.body for mail in every_mail)
    assert any("Stab & <run>" in flat(mail.body) for mail in every_mail)


def test_results_go_before_notices_and_every_mail_can_be_answered(
    every_mail: list[OutboundMail],
):
    for mail in every_mail:
        to_player = mail.recipient in EVERYBODY
        expected = OutboundMail.Priority.RESULT if to_player else OutboundMail.Priority.NOTICE
        assert mail.priority == expected
        assert mail.reply_to


def test_a_player_without_a_confirmed_address_stops_nobody(marne: Cast):
    marne.player("Ana").addresses.update(confirmed_at=None)
    recipients = {mail.recipient for mail in tell_all()}
    assert recipients == (EVERYBODY | {GM}) - {"ana@players.test"}
