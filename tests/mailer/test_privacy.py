"""Mails of players: emptied when they are erased, and kept no longer than the settings say."""

from __future__ import annotations

import datetime as dt
from io import StringIO

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from games.models import Address, DataRequest, Game, Player, Press
from games.models.press import NO_LONGER_KEPT
from games.queries.access.staff_names import Actor
from games.queries.audit.log_faults import faults
from games.services.accounts.erasing import player_erase
from games.services.accounts.own_data import own_data_ask
from mailer import jobs
from mailer.inbound import poller
from mailer.models import InboundMail, OutboundMail, ReplyToken
from mailer.outbound import outbox
from mailer.privacy import data_requests, retention
from mailer.privacy.data_requests import NOBODY
from tests.cast import DAY, HOUR, NOW, Cast, address_of
from tests.conftest import JudgeMailbox
from tests.mailer.correspondence import eml, home, receive, stored, to_seat, told_cast

pytestmark = pytest.mark.django_db
LATER = NOW + HOUR
MOMENT = dt.timedelta(seconds=1)
ANA = address_of("Ana")
ORDERS = "A Vie - Gal\nA Bud - Ser\nF Tri - Alb"
State = InboundMail.State


@pytest.fixture
def cast(db: None) -> Cast:
    """Marne, told; Ana has ordered and written press."""
    cast = told_cast()
    for number, text in enumerate([ORDERS, "PRESS TO Italy\nMeet me in Trieste.\nEND PRESS"]):
        raw = eml(text, sender=f"Ana <{ANA}>", to=home_of_ana(cast), message_id=f"<a{number}@ana>")
        assert receive(raw).state == State.DONE
    return cast


def home_of_ana(cast: Cast) -> str:
    return to_seat(cast, "Austria")


def over(cast: Cast) -> None:
    Game.objects.filter(pk=cast.game.pk).update(
        status=Game.Status.FINISHED, finished_at=NOW, ending=Game.Ending.GM
    )


def command(name: str, *arguments: str) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out)
    return out.getvalue()


def everything(*more: str) -> str:
    """All that our tables hold, and those of these apps, as one text."""
    said: list[str] = []
    for room in ("games", "mailer", "admin", *more):
        for model in apps.get_app_config(room).get_models(include_auto_created=True):
            for row in model._default_manager.values():
                said += [
                    bytes(value).decode("utf-8", "replace")
                    if isinstance(value, (bytes, memoryview))
                    else str(value)
                    for value in row.values()
                ]
    return "\n".join(said)


# --- erased -----------------------------------------------------------------------------------


def test_an_erased_player_is_nowhere_and_their_games_stay_whole(cast: Cast) -> None:
    over(cast)
    lines = list(cast.seat("Austria").order_sets.values_list("lines", flat=True))
    said = command("erase_player", ANA.upper(), "--yes")
    assert "Former player" in said
    the_last_mail_leaves()
    assert ANA not in everything()
    assert "@ana>" not in everything()
    assert not Player.objects.filter(name="Ana").exists()
    seat = cast.seat("Austria")
    assert seat.player.name == f"Former player {seat.player.pk}"
    assert list(seat.order_sets.values_list("lines", flat=True)) == lines
    assert Press.objects.get().text == "Meet me in Trieste."
    assert list(faults(cast.game)) == []


def the_last_mail_leaves() -> None:
    """The server has taken the goodbye, and soon that is seen."""
    OutboundMail.objects.filter(kind="erased").update(state="sent", sent_at=timezone.now())
    assert data_requests.carry_out(timezone.now() + HOUR) == 1
    assert not DataRequest.objects.filter(done_at=None).exists()


def test_one_last_mail_says_that_it_is_done_and_is_forgotten_too(cast: Cast) -> None:
    over(cast)
    command("erase_player", ANA, "--yes")
    last = OutboundMail.objects.get(kind="erased")
    assert (last.recipient, last.state) == (ANA, "queued")
    assert "This is our last mail" in last.body
    assert "Ana" not in last.body
    assert data_requests.carry_out(timezone.now() + 2 * data_requests.LOOK_AGAIN) == 1
    assert OutboundMail.objects.get(kind="erased").recipient == ANA, "it has not left yet"
    the_last_mail_leaves()
    last.refresh_from_db()
    assert (last.recipient, last.body) == (NOBODY, "")


def test_a_last_mail_that_nobody_takes_is_given_up(cast: Cast) -> None:
    over(cast)
    command("erase_player", ANA, "--yes")
    data_requests.carry_out(timezone.now() + 3 * DAY)
    assert OutboundMail.objects.get(kind="erased").recipient == NOBODY
    assert not OutboundMail.objects.filter(state="queued", kind="erased").exists()
    assert DataRequest.objects.get().emails == []


def test_what_they_sent_goes_from_the_mailbox_too_and_nothing_of_others(
    cast: Cast, judge_mailbox: JudgeMailbox
) -> None:
    """Nothing either that comes from them later, or whose sender's address ends like theirs."""

    def comes(text: str, sender: str) -> None:
        raw = eml(text, sender=sender, to=judge_mailbox.address)
        judge_mailbox.deliver(raw, sender=sender)
        for _ in range(2):  # fetched, and moved away when it is done
            poller.poll_mailbox(url=judge_mailbox.imap_url, now=timezone.now())
            jobs.process(timezone.now())

    comes("STATUS", ANA)
    comes("LIST", "ben@players.test")
    comes("HELP", f"jo{ANA}")
    request = player_erase(
        player=cast.player("Ana"), why="They asked for it.", by=Actor("mo"), now=timezone.now()
    )
    comes("REGISTER Ana", ANA)
    data_requests.carry_out(request.at)
    left = b"".join(judge_mailbox.mails("Processed"))
    assert [text in left for text in (b"STATUS", b"LIST", b"HELP", b"REGISTER")] == [
        *(False, True, True, True)
    ]


def test_what_lay_in_the_inbox_still_goes_from_the_mailbox_the_next_time(
    cast: Cast, judge_mailbox: JudgeMailbox
) -> None:
    raw = eml("STATUS", sender=ANA, to=judge_mailbox.address)
    judge_mailbox.deliver(raw, sender=ANA)
    poller.poll_mailbox(url=judge_mailbox.imap_url, now=timezone.now())
    request = player_erase(
        player=cast.player("Ana"), why="They asked for it.", by=Actor("mo"), now=timezone.now()
    )
    data_requests.carry_out(request.at)
    poller.poll_mailbox(url=judge_mailbox.imap_url, now=timezone.now())
    assert len(judge_mailbox.mails("Processed")) == 1
    data_requests.carry_out(request.at + data_requests.LOOK_AGAIN)
    assert judge_mailbox.mails("Processed") == judge_mailbox.mails() == []


def test_a_mailbox_that_is_away_keeps_nobody_from_being_erased(
    cast: Cast, settings: Settings
) -> None:
    settings.IMAP_URLS = ["imap://judge:secret@127.0.0.1:1/INBOX"]
    over(cast)
    command("erase_player", ANA, "--yes")
    the_last_mail_leaves()
    assert ANA not in everything()


def test_who_has_no_address_any_more_is_sent_nothing_and_erased_all_the_same(cast: Cast) -> None:
    hugo = cast.player("Hugo")
    asked = own_data_ask(player=hugo, now=LATER)
    hugo.addresses.all().delete()
    assert data_requests.carry_out(LATER) == 1
    erased = erase(hugo)
    assert data_requests.carry_out(LATER) == 1
    for request in (asked, erased):
        request.refresh_from_db()
        assert request.done_at == LATER
    assert not OutboundMail.objects.filter(kind__in=["own_data", "erased"]).exists()


def test_no_mail_goes_to_an_erased_player_and_no_reply_address_of_theirs_works(
    cast: Cast,
) -> None:
    over(cast)
    to, seat = home_of_ana(cast), cast.seat("Austria")
    command("erase_player", ANA, "--yes")
    assert not OutboundMail.objects.filter(player=seat.player, state="queued").exists()
    assert {one.recipient for one in OutboundMail.objects.filter(player=seat.player)} == {NOBODY}
    assert not ReplyToken.objects.filter(seat=seat).exists()
    mail = receive(eml("STATUS", sender=ANA, to=to), received_at=timezone.now() + HOUR)
    assert mail.player is None


def test_nothing_is_erased_of_others(cast: Cast) -> None:
    over(cast)
    before = OutboundMail.objects.filter(recipient=address_of("Ben")).count()
    command("erase_player", ANA, "--yes")
    bens = OutboundMail.objects.filter(recipient=address_of("Ben"))
    assert bens.count() == before
    assert all(mail.body for mail in bens)
    assert ReplyToken.objects.filter(seat=cast.seat("England")).exists()


def test_what_we_wrote_there_before_they_were_a_player_is_emptied_too(cast: Cast) -> None:
    over(cast)
    mail = OutboundMail.objects.filter(recipient=ANA).earliest("pk")
    OutboundMail.objects.filter(pk=mail.pk).update(player=None)
    command("erase_player", ANA, "--yes")
    mail.refresh_from_db()
    assert (mail.recipient, mail.body) == (NOBODY, "")


def test_an_address_that_a_player_only_claimed_keeps_its_mails(cast: Cast) -> None:
    """Anybody can name the GM's address as their own; nobody can have its mails emptied so."""
    over(cast)
    Address.objects.create(player=cast.player("Ana"), email=cast.gm.email, created_at=NOW)
    gms = OutboundMail.objects.filter(recipient=cast.gm.email)
    before = [mail.body for mail in gms]
    command("erase_player", ANA, "--yes")
    assert before
    assert [mail.body for mail in gms.all()] == before


def test_our_question_at_an_address_that_they_named_is_emptied_though_nobody_answered(
    cast: Cast,
) -> None:
    """It says who named the address."""
    over(cast)
    receive(eml("SET ADDRESS ana@work.test", sender=ANA, to=home("Ana")))
    assert "Ana" in OutboundMail.objects.get(recipient="ana@work.test").body
    command("erase_player", ANA, "--yes")
    assert "ana@work.test" not in everything()


def test_whoever_has_an_address_next_cannot_have_the_mails_emptied_of_who_had_it_before(
    cast: Cast,
) -> None:
    over(cast)
    ana, zoe = cast.player("Ana"), Player.objects.create(name="Zoe", created_at=NOW)
    mine = {"created_at": NOW, "confirmed_at": NOW}
    Address.objects.filter(player=ana).update(player=zoe)
    Address.objects.create(player=ana, email="ana@work.test", of_record=True, **mine)
    erase(zoe)
    data_requests.carry_out(LATER + HOUR)
    assert [bool(mail.raw) for mail in InboundMail.objects.filter(player=ana)] == [True, True]
    went = OutboundMail.objects.filter(player=ana)
    assert went
    assert all(mail.recipient == ANA and mail.body for mail in went)


def test_the_notes_of_the_admin_forget_the_address_of_an_erased_players_mail(cast: Cast) -> None:
    over(cast)
    mail = InboundMail.objects.filter(sender=ANA)[0]
    LogEntry.objects.log_actions(cast.gm.pk, [mail], 2, "Looked at it: Ana lost a mail.")
    assert ANA in LogEntry.objects.get().object_repr
    command("erase_player", ANA, "--yes")
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.change_message) == ("a mail of an erased player", "")


def test_whoever_comes_back_at_once_keeps_their_new_mails(cast: Cast) -> None:
    over(cast)
    erase(cast.player("Ana"))
    mail = receive(eml("REGISTER Ana", sender=ANA), received_at=LATER + MOMENT)
    data_requests.carry_out(LATER + HOUR)
    mail.refresh_from_db()
    assert (mail.sender, bool(mail.raw)) == (ANA, True)


def test_the_answer_of_a_worker_that_had_their_mail_when_they_were_erased_is_emptied(
    cast: Cast,
) -> None:
    """Its clock was read a moment later, and it was done after the first look at their mails."""
    over(cast)
    ana = cast.player("Ana")
    raw = eml("HELP", sender=ANA, to=home("Ana"))
    data_requests.carry_out(erase(ana).at)
    DataRequest.objects.update(at=LATER - MOMENT)
    for to in (ana, None):  # who wrote was known, or nobody any more
        mail = stored(raw + b" " * bool(to), received_at=LATER - MOMENT)
        outbox.enqueue(
            key=f"answer/{mail.pk}",
            kind="reply",
            recipient=ANA,
            subject="Help",
            body="Dear Ana",
            now=LATER,
            priority=OutboundMail.Priority.RECEIPT,
            player=to,
            answers=mail,
        )
    data_requests.carry_out(LATER + HOUR)
    assert not OutboundMail.objects.filter(recipient=ANA).exclude(kind="erased").exists()


def erase(player: Player) -> DataRequest:
    return player_erase(player=player, why="They asked for it.", by=Actor("mo"), now=LATER)


def test_mails_are_emptied_in_a_turn_of_their_own_and_once(cast: Cast) -> None:
    over(cast)
    request = erase(cast.player("Ana"))
    assert InboundMail.objects.filter(sender=ANA).exists()
    jobs.tell(LATER)
    assert not InboundMail.objects.filter(sender=ANA).exists()
    assert OutboundMail.objects.get(kind="erased").body, "the goodbye is still to be sent"
    assert data_requests.empty_mails(request, LATER) == 0


def test_what_breaks_is_tried_again_and_hinders_nobody_else(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    over(cast)
    erase(cast.player("Ana"))
    own_data_ask(player=cast.player("Ben"), now=LATER)
    with monkeypatch.context() as broken:
        broken.setattr(data_requests, "empty_mails", lambda *_: 1 / 0)
        assert data_requests.carry_out(LATER) == 2
    assert OutboundMail.objects.get(kind="own_data").recipient == address_of("Ben")
    assert DataRequest.objects.get(kind="erase").attempts == 1
    assert data_requests.carry_out(LATER) == 0, "not at once"
    assert data_requests.carry_out(LATER + HOUR) == 1
    assert not InboundMail.objects.filter(sender=ANA).exists()


def test_nobody_is_erased_without_a_yes(cast: Cast) -> None:
    said = command("erase_player", ANA)
    assert "add --yes" in said
    assert "These seats open, and we offer them to those who stand by: Austria in marne." in said
    assert Player.objects.filter(name="Ana").exists()


# --- not kept for ever ------------------------------------------------------------------------


def test_old_mails_lose_their_words_and_younger_ones_do_not(cast: Cast, settings) -> None:
    settings.MAIL_DAYS = 400
    assert retention.empty_old(NOW + 399 * DAY) == 0
    assert retention.empty_old(NOW + 401 * DAY) > 0
    assert not any(bytes(mail.raw) for mail in InboundMail.objects.all())
    assert {mail.sender for mail in InboundMail.objects.all()} == {ANA}
    answered = OutboundMail.objects.filter(answers__isnull=False)
    assert [mail.state for mail in answered] == ["queued"] * 2, "what is still to be sent stays"
    assert all(mail.body for mail in answered)
    OutboundMail.objects.update(state="sent")
    assert retention.empty_old(NOW + 401 * DAY) > 0
    assert not any(mail.body for mail in OutboundMail.objects.all())
    assert retention.empty_old(NOW + 401 * DAY) == 0


def test_by_default_mails_are_kept(cast: Cast) -> None:
    assert retention.empty_old(NOW + 9999 * DAY) == 0


@pytest.mark.parametrize("state", [State.NEW, State.LATER, State.QUARANTINED, State.UNFETCHED])
def test_what_somebody_has_still_to_see_to_is_kept(cast: Cast, settings, state: State) -> None:
    settings.MAIL_DAYS = 1
    InboundMail.objects.update(state=state)
    retention.empty_old(NOW + 9 * DAY)
    assert all(bytes(mail.raw) for mail in InboundMail.objects.all())


def test_a_turn_takes_only_so_many_and_the_oldest_first(
    cast: Cast, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_DAYS = 1
    monkeypatch.setattr(retention, "PER_TURN", 1)
    OutboundMail.objects.update(state="sent")
    assert retention.empty_old(NOW + 9 * DAY) == 2
    assert [bool(bytes(mail.raw)) for mail in InboundMail.objects.order_by("pk")] == [False, True]
    settings.IMAP_URLS = []
    jobs.forget(NOW + 9 * DAY, seconds=60)
    assert not any(bytes(mail.raw) for mail in InboundMail.objects.all()), "a worker has an hour"


def test_a_mail_that_was_emptied_is_known_when_it_comes_again(cast: Cast, settings) -> None:
    settings.MAIL_DAYS = 1
    retention.empty_old(NOW + 9 * DAY)
    again = (
        "X-Hop: 1\r\n"
        + eml(
            "PRESS TO Italy\nMeet me in Trieste.\nEND PRESS",
            sender=f"Ana <{ANA}>",
            to=home_of_ana(cast),
            message_id="<a1@ana>",
        ).decode()
    )
    mail = receive(again.encode(), received_at=NOW + dt.timedelta(days=9))
    assert (mail.state, mail.note) == (State.IGNORED, "The same mail was here before.")
    assert "machine" not in mail.get_state_display()
    assert Press.objects.count() == 1


def test_press_is_kept_for_so_long_after_the_end_of_a_game(cast: Cast, settings) -> None:
    settings.PRESS_DAYS = 30
    retention.empty_old(NOW + 99 * DAY)
    assert Press.objects.get().text == "Meet me in Trieste.", "the game is not over"
    over(cast)
    retention.empty_old(NOW + 29 * DAY)
    assert Press.objects.get().text == "Meet me in Trieste."
    assert retention.empty_old(NOW + 31 * DAY) == 1
    assert Press.objects.get().text == NO_LONGER_KEPT
    assert retention.empty_old(NOW + 31 * DAY) == 0
