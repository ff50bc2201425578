"""A player who wants no mail for a while: what still comes, what is kept, what they read later."""

from __future__ import annotations

import datetime as dt

import pytest
from pytest_django import Settings

from games.acts import PLAYER_ACTS
from games.acts.players import merge
from games.errors import WrongState
from games.models import Conduct, Player
from games.services.adjudication.phases import phase_process
from games.services.moderation.conduct import mail_pause, mail_resume
from mailer import jobs
from mailer.commands.player.account.mail import PAUSED
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import leases, outbox
from mailer.privacy.retention import empty_old
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, address_of, submit
from tests.games.acts.acting import staff
from tests.mailer.correspondence import home, said, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

State = OutboundMail.State


def from_home(name: str, text: str) -> InboundMail:
    return write(name, text, to=home(name))


def pause(cast: Cast, name: str = "Carla", at: dt.datetime = NOW) -> Player:
    player = cast.player(name)
    mail_pause(player=player, why="On holiday.", by=name, now=at)
    return player


def resume(player: Player, at: dt.datetime) -> OutboundMail:
    mail_resume(player=player, why="Back.", by=player.name, now=at)
    jobs.tell(at)
    return OutboundMail.objects.get(kind="resumed")


def mails_to(name: str, state: str) -> list[OutboundMail]:
    mails = OutboundMail.objects.filter(recipient=address_of(name), state=state)
    return list(mails.order_by("pk"))


def play_spring(cast: Cast, at: dt.datetime) -> None:
    for power, lines in OPENINGS.items():
        submit(cast, power, lines, at)
    phase_process(game_id=cast.game.pk, now=at, ready=lambda _: True)
    jobs.tell(at)


def test_results_are_kept_back_from_her_alone(told: Cast) -> None:
    pause(told)
    before = len(mails_to("Dmitri", State.QUEUED))
    play_spring(told, NOW + HOUR)
    (kept,) = mails_to("Carla", State.KEPT)
    assert kept.kind == "phase_processed"
    assert len(mails_to("Dmitri", State.QUEUED)) > before
    assert not mails_to("Dmitri", State.KEPT)


def test_nothing_that_is_kept_back_is_sent_or_waited_for(told: Cast) -> None:
    OutboundMail.objects.all().delete()
    pause(told)
    play_spring(told, NOW + HOUR)
    taken = set()
    while batch := leases.Due().lease(now=NOW + HOUR, limit=50):
        taken |= {mail.recipient for mail in batch}
    assert taken
    assert address_of("Carla") not in taken


@each_row(
    ("off", "on"),
    [("MAIL OFF", "MAIL ON"), ("Pause mail", "Resume mail."), ("mail no", "mail yes")],
)
def test_they_say_so_by_mail_and_every_answer_reminds_them(told: Cast, off: str, on: str) -> None:
    paused = said(from_home("Carla", off))
    assert "we hold back all our mails to you" in paused
    assert "You still play France in marne, and" in paused
    assert "write MAIL ON" in " ".join(paused.split())
    assert told.player("Carla").mail_paused_at

    answer = from_home("Carla", "STATUS")
    assert PAUSED[:40] in " ".join(said(answer).split())
    assert "Mail to you is already paused" in said(from_home("Carla", off))

    assert "You get all our mails again" in said(from_home("Carla", on))
    assert told.player("Carla").mail_paused_at is None
    assert "is paused:" not in said(from_home("Carla", "STATUS"))
    assert "Mail to you is not paused" in said(from_home("Carla", on))


def test_a_forged_from_pauses_nothing(told: Cast) -> None:
    write("Carla", "MAIL OFF")
    assert told.player("Carla").mail_paused_at is None


def test_one_mail_says_what_happened_and_the_newest_result_follows(told: Cast) -> None:
    carla = pause(told)
    play_spring(told, NOW + HOUR)
    mail = resume(carla, NOW + DAY)
    text = " ".join(mail.body.split())
    assert mail.state == State.QUEUED
    assert mail.subject == "While you were away"
    assert "You play France. The phase is Fall 1901 movement." in text
    assert "Since then: 1 phase decided." in text
    result = OutboundMail.objects.get(recipient=address_of("Carla"), kind="phase_processed")
    assert (result.state, result.not_before) == (State.QUEUED, NOW + DAY)
    assert not mails_to("Carla", State.KEPT)


def test_press_to_them_is_not_lost(told: Cast) -> None:
    carla = pause(told)
    from_home("Dmitri", "PRESS TO France\nShall we?\nEND")
    jobs.tell(NOW + HOUR)
    (kept,) = mails_to("Carla", State.KEPT)
    assert "Shall we?" in kept.body
    mail = resume(carla, NOW + DAY)
    assert "1 letter" in mail.body
    kept.refresh_from_db()
    assert kept.state == State.QUEUED


def test_of_two_accounts_that_become_one_the_mail_that_was_paused_comes_to_the_other(
    told: Cast,
) -> None:
    pause(told)
    play_spring(told, NOW + HOUR)
    carla, hugo = told.player("Carla"), told.player("Hugo")
    act = PLAYER_ACTS["merge"]
    given = merge.Parameters(other=address_of("Carla"), why="One person.")
    foreseen = act.foresee(hugo, given, by=staff("mo"), now=NOW + DAY)
    at = f"It goes to {address_of('Hugo')} from then on, and one mail sums up what they missed."
    assert f"Mail to Carla is paused. {at}" in foreseen
    act.perform(hugo, given, by=staff("mo"), now=NOW + DAY)
    jobs.tell(NOW + DAY)
    carla.refresh_from_db()
    assert carla.mail_paused_at is None
    assert "1 phase decided" in OutboundMail.objects.get(kind="resumed").body
    (result,) = OutboundMail.objects.filter(
        recipient=address_of("Hugo"), kind="phase_processed", state=State.QUEUED
    )
    assert "France" in result.body


def test_what_is_paused_for_the_account_that_stays_is_paused_for_both(told: Cast) -> None:
    carla, hugo = told.player("Carla"), pause(told, "Hugo")
    given = merge.Parameters(other=address_of("Carla"), why="One person.")
    foreseen = PLAYER_ACTS["merge"].foresee(hugo, given, by=staff("mo"), now=NOW)
    said = "Mail to Hugo is paused, and so is what would come for the other account."
    assert said in foreseen
    PLAYER_ACTS["merge"].perform(hugo, given, by=staff("mo"), now=NOW)
    play_spring(told, NOW + HOUR)
    assert not OutboundMail.objects.filter(kind="phase_processed", player=hugo, state="queued")
    carla.refresh_from_db()
    assert carla.merged_into == hugo


def test_what_follows_goes_to_the_address_that_they_use_now(told: Cast) -> None:
    """Their mail may have been paused because the one from before takes none any more."""
    carla = pause(told)
    play_spring(told, NOW + HOUR)
    carla.addresses.update(email="new@work.test")
    resume(told.player("Carla"), NOW + DAY)
    result = OutboundMail.objects.get(kind="phase_processed", player=carla)
    assert (result.recipient, result.state) == ("new@work.test", State.QUEUED)


def test_what_was_summed_up_once_is_not_summed_up_again(told: Cast) -> None:
    carla = pause(told)
    outbox.enqueue(**letter(carla, "one"))
    first = resume(carla, NOW + HOUR)
    assert "about one" in first.body
    first.delete()
    pause(told, at=NOW + DAY)
    again = resume(told.player("Carla"), NOW + 2 * DAY)
    assert "about one" not in again.body


def letter(player: Player, what: str) -> outbox.Mail:
    return {
        "key": f"test/{what}",
        "kind": "note",
        "recipient": player.address,
        "subject": f"about {what}",
        "body": "x",
        "now": NOW,
        "priority": OutboundMail.Priority.NOTICE,
        "player": player,
    }


def test_who_resumes_while_a_mail_is_written_misses_nothing(told: Cast) -> None:
    """The writer knew them as paused; by the time the mail is a row they are not."""
    stale = pause(told)
    mail_resume(player=told.player("Carla"), why="Back.", by="Carla", now=NOW + HOUR)
    assert stale.mail_paused_at
    mail = outbox.enqueue(**letter(stale, "two"))
    mail.refresh_from_db()
    assert mail.state == State.QUEUED


def test_the_same_mail_written_again_stays_kept_back(told: Cast) -> None:
    carla = pause(told)
    outbox.enqueue(**letter(carla, "three"))
    mail_resume(player=told.player("Carla"), why="Back.", by="Carla", now=NOW + HOUR)
    again = outbox.enqueue(**letter(carla, "three"))
    assert again.state == State.KEPT


def test_a_pause_stands_in_the_file_and_the_player_is_not_told(told: Cast) -> None:
    carla = pause(told)
    entry = Conduct.objects.get(player=carla)
    assert (entry.kind, entry.told_at) == ("stilled", NOW)
    jobs.tell(NOW)
    assert not OutboundMail.objects.filter(kind="conduct").exists()
    with pytest.raises(WrongState, match="already paused"):
        pause(told)


def test_what_is_kept_back_keeps_its_words_until_they_read_it(
    told: Cast, settings: Settings
) -> None:
    settings.MAIL_DAYS = 30
    OutboundMail.objects.update(state=State.SENT)
    carla = pause(told)
    mail = outbox.enqueue(**letter(carla, "four"))
    empty_old(NOW + 60 * DAY)
    mail.refresh_from_db()
    assert mail.body == "x"
    mail_resume(player=carla, why="Back.", by="Carla", now=NOW + 60 * DAY)
    empty_old(NOW + 60 * DAY)
    mail.refresh_from_db()
    assert mail.body == "x", "nobody was told of it yet"
    jobs.tell(NOW + 60 * DAY)
    empty_old(NOW + 61 * DAY)
    mail.refresh_from_db()
    assert mail.body == ""
