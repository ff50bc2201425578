"""OBSERVE by mail: results and what is for everybody, and nothing else."""

from __future__ import annotations

import pytest

from games.models import Game, Observer, OrderSet
from games.services.adjudication.phases import phase_process_now
from games.services.setup.games import game_create
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, Cast, address_of, make_cast, seat_fill
from tests.mailer.beside import beside
from tests.mailer.correspondence import answer_to, flat, home, tell_all, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

HUGO = address_of("Hugo")


def hugo(text: str, *, to: str = "") -> str:
    """What Hugo, who plays nowhere, is answered."""
    mail = write("Hugo", text, to=to or home("Hugo"))
    return flat(answer_to(mail).body)


def told_to_hugo() -> list[OutboundMail]:
    tell_all()
    mails = OutboundMail.objects.filter(recipient=HUGO, event__isnull=False)
    return list(mails.order_by("pk"))


def play(cast: Cast) -> None:
    assert phase_process_now(game_id=cast.game.pk, now=NOW + DAY)


def test_an_observer_gets_the_results(marne: Cast) -> None:
    assert "You now observe the game marne" in hugo("OBSERVE marne")
    play(marne)
    (result,) = [mail for mail in told_to_hugo() if mail.kind == "phase_processed"]
    assert result.subject == ("[marne] Spring 1901 movement: results; next due Fri 6 Mar 12:00 UTC")
    assert "The next phase is Fall 1901 movement." in flat(result.body)
    assert "OBSERVE marne OFF" in flat(result.body)
    assert "WHAT YOU MUST DO" not in result.body
    assert max(map(len, result.body.splitlines())) <= 72


def test_who_observes_no_more_gets_nothing_more(marne: Cast) -> None:
    hugo("WATCH marne")
    assert "no longer observe" in hugo("OBSERVE marne OFF")
    play(marne)
    assert told_to_hugo() == []
    assert "You do not observe the game marne" in hugo("OBSERVE OFF marne")


def test_an_observer_can_end_it_by_a_reply_to_what_they_get(marne: Cast) -> None:
    hugo("OBSERVE marne")
    play(marne)
    hugo("OBSERVE marne OFF", to=told_to_hugo()[0].reply_to)
    assert not Observer.objects.filter(until=None).exists()


def test_an_observer_reads_what_is_for_everybody_and_no_other_press(marne: Cast) -> None:
    hugo("OBSERVE marne")
    write("Carla", "PRESS TO Germany\nThe secret.", to=to_seat(marne, "France"))
    write("Carla", "PRESS TO ALL BUT Italy\nHalf a secret.", to=to_seat(marne, "France"))
    write("Carla", "PRESS TO GM\nFor you alone.", to=to_seat(marne, "France"))
    write("Carla", "BROADCAST\nHello, Europe.", to=to_seat(marne, "France"))
    bodies = [mail.body for mail in told_to_hugo() if mail.kind == "press_sent"]
    assert len(bodies) == 1
    assert "Hello, Europe." in bodies[0]
    assert "You observe this game, so you cannot answer." in flat(bodies[0])


def test_an_observer_can_neither_order_nor_say_ready_nor_write(marne: Cast) -> None:
    hugo("OBSERVE marne")
    play(marne)
    to = told_to_hugo()[0].reply_to
    for text in ("A Paris - Burgundy", "READY", "BROADCAST\nHello.", "VOTE DRAW"):
        hugo(text, to=to)
    assert not marne.phase.order_sets.exists()
    assert not marne.phase.readiness.exists()
    assert not marne.game.press.exists()


@each_row("text", ["HISTORY marne", "MAP marne", "STATUS marne", "LOG marne"])
def test_an_observer_can_look_things_up(marne: Cast, text: str) -> None:
    play(marne)
    if not text.startswith("STATUS"):
        assert "To follow it, write OBSERVE marne" in hugo(text)
    hugo("OBSERVE marne")
    body = hugo(text)
    assert "You have not played" not in body
    assert "marne" in body


def test_nobody_is_sent_to_observe_a_game_that_cannot_be_observed(marne: Cast) -> None:
    Game.objects.update(observers=False)
    assert "for its players only" in hugo("HISTORY marne")
    assert "write OBSERVE" not in hugo("MAP marne")
    Game.objects.update(status=Game.Status.FINISHED)
    assert "/games/marne/" in hugo("LOG marne")


def test_an_observer_sees_no_order_of_the_open_phase(marne: Cast) -> None:
    hugo("OBSERVE marne")
    write("Carla", "A Paris - Burgundy", to=to_seat(marne, "France"))
    for text in ("HISTORY marne", "MAP marne", "STATUS marne", "LOG marne"):
        assert "Burgundy" not in hugo(text)


def test_a_game_may_be_for_its_players_only(db: None) -> None:
    make_cast(observers=False)
    assert "cannot be observed" in hugo("OBSERVE marne")
    assert not Observer.objects.exists()


def test_who_plays_does_not_observe(marne: Cast) -> None:
    mail = write("Carla", "OBSERVE marne", to=to_seat(marne, "France"))
    assert "You play in the game marne" in flat(answer_to(mail).body)


def test_an_observer_who_takes_a_seat_is_told_as_a_player_only(marne: Cast) -> None:
    hugo("OBSERVE marne")
    seat_fill(
        game=marne.game,
        power=marne.game.powers.get(name="Italy"),
        player=marne.player("Hugo"),
        now=NOW,
    )
    play(marne)
    results = [mail for mail in told_to_hugo() if mail.kind == "phase_processed"]
    assert [("You play Italy" in flat(mail.body)) for mail in results] == [True]


def test_a_stranger_cannot_observe(marne: Cast) -> None:
    mail = write("Zoe", "OBSERVE marne", sender="zoe@elsewhere.test")
    assert "REGISTER" in answer_to(mail).body
    assert not Observer.objects.exists()


def test_observing_twice_is_observing_once(marne: Cast) -> None:
    hugo("OBSERVE marne")
    hugo("OBSERVE MARNE")
    assert Observer.objects.count() == 1


def test_a_game_can_be_observed_before_it_starts(marne: Cast) -> None:
    game_create(name="somme", now=NOW)
    assert "You now observe the game somme" in hugo("OBSERVE somme")


def test_observe_without_a_name_is_explained(marne: Cast) -> None:
    assert "OBSERVE marne OFF" in hugo("OBSERVE")
    assert "one game" in hugo("OBSERVE marne somme")


# --- orders and words of somebody who only observes -------------------------------------------


@each_row("line", ["A Par - Bur", "READY", "VOTE DRAW", "PRESS TO France\nHi"])
def test_an_observer_is_told_that_they_observe(marne: Cast, line: str) -> None:
    hugo("OBSERVE marne")
    said = hugo(line)
    assert "You observe the game marne: you cannot order, vote or write in it." in said
    assert "You are not playing in any game" not in said


def test_an_observer_s_status_says_what_they_observe(marne: Cast) -> None:
    hugo("OBSERVE marne")
    assert "You observe marne: write STATUS marne." in hugo("STATUS")


def test_a_reply_to_a_game_that_is_observed_orders_nothing_in_the_only_one_that_is_played(
    marne: Cast,
) -> None:
    second = beside(marne, "arras")
    seat_fill(
        game=second.game,
        power=second.seat("France").power,
        player=marne.player("Hugo"),
        now=NOW,
    )
    write("Carla", "OBSERVE arras", to=home("Carla"))
    before = OrderSet.objects.count()
    mail = write("Carla", "A Par - Bur\nREADY", to=home("Carla"), subject="Re: [arras] Results")
    said = flat(answer_to(mail).body)
    assert "You observe the game arras: you cannot order, vote or write" in said
    assert "write its name in brackets in the subject, like [marne]." in said
    assert OrderSet.objects.count() == before
    seen = write("Carla", "STATUS\nMAP", to=home("Carla"), subject="Re: [arras] Results")
    assert "The board in Spring 1901 movement, game arras" in flat(answer_to(seen).body)


def test_a_reply_to_a_game_looking_for_players_orders_nothing_in_another(marne: Cast) -> None:
    game = game_create(name="verdun", gm=marne.gm, now=NOW)
    mail = write("Carla", "A Par - Bur", to=home("Carla"), subject=f"Re: [{game.name}] Joined")
    said = flat(answer_to(mail).body)
    assert "The game verdun has not started yet." in said
    assert "to get a seat, write JOIN verdun." in said
    assert not OrderSet.objects.exists()


def test_a_list_s_name_in_brackets_is_no_game_s(marne: Cast) -> None:
    mail = write("Carla", "A Par - Bur", to=home("Carla"), subject="Re: [diplomacy] Orders")
    assert "A Paris - Burgundy" in flat(answer_to(mail).body)
