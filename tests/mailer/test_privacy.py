"""A player's own data: given to them, erased for them, not kept longer than the settings say."""

from __future__ import annotations

import datetime as dt
import json
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from games.models import Game, Player, Press
from games.models.press import NO_LONGER_KEPT
from games.queries.log_faults import faults
from mailer import retention
from mailer.models import InboundMail, OutboundMail, ReplyToken
from mailer.outbound import addresses
from mailer.privacy import NOBODY
from tests.cast import DAY, NOW, Cast, address_of
from tests.mailer.correspondence import eml, receive, told_cast

pytestmark = pytest.mark.django_db
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
    return addresses.seat_address(seat=cast.seat("Austria"), phase=cast.phase, now=NOW)


def over(cast: Cast) -> None:
    Game.objects.filter(pk=cast.game.pk).update(
        status=Game.Status.FINISHED, finished_at=NOW, ending=Game.Ending.GM
    )


def command(name: str, *arguments: str) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out)
    return out.getvalue()


def everything() -> str:
    """All that our tables hold, as one text."""
    said: list[str] = []
    for room in ("games", "mailer", "admin"):
        for model in apps.get_app_config(room).get_models(include_auto_created=True):
            for row in model._default_manager.values():
                said += [
                    bytes(value).decode("utf-8", "replace")
                    if isinstance(value, (bytes, memoryview))
                    else str(value)
                    for value in row.values()
                ]
    return "\n".join(said)


# --- given ------------------------------------------------------------------------------------


def test_a_player_is_given_all_that_there_is_about_them(cast: Cast) -> None:
    document = json.loads(command("export_player", ANA))
    assert document["player"][0]["name"] == "Ana"
    assert document["addresses"][0]["email"] == ANA
    assert document["orders"][0]["lines"] == ORDERS.splitlines()
    assert document["press written"][0]["text"] == "Meet me in Trieste."
    assert any("Meet me in Trieste" in mail["raw"] for mail in document["mails from you"])
    assert {mail["recipient"] for mail in document["mails to you"]} == {ANA}


def test_what_is_given_to_one_player_says_nothing_that_others_wrote_or_are(cast: Cast) -> None:
    said = command("export_player", address_of("Ben"))
    assert "Meet me in Trieste" not in said
    assert "Gal" not in said
    assert ANA not in said


def test_nobody_is_exported_under_an_address_that_is_nobodys(cast: Cast) -> None:
    with pytest.raises(CommandError, match="No player has the address"):
        command("export_player", "x@y.test")


# --- erased -----------------------------------------------------------------------------------


def test_an_erased_player_is_nowhere_and_their_games_stay_whole(cast: Cast) -> None:
    over(cast)
    lines = list(cast.seat("Austria").order_sets.values_list("lines", flat=True))
    said = command("erase_player", ANA.upper(), "--yes")
    assert "Former player" in said
    assert ANA not in everything()
    assert "@ana>" not in everything()
    assert not Player.objects.filter(name="Ana").exists()
    seat = cast.seat("Austria")
    assert seat.player.name == f"Former player {seat.player.pk}"
    assert list(seat.order_sets.values_list("lines", flat=True)) == lines
    assert Press.objects.get().text == "Meet me in Trieste."
    assert list(faults(cast.game)) == []


def test_no_mail_goes_to_an_erased_player_and_no_reply_address_of_theirs_works(
    cast: Cast,
) -> None:
    over(cast)
    to, seat = home_of_ana(cast), cast.seat("Austria")
    command("erase_player", ANA, "--yes")
    assert not OutboundMail.objects.filter(player=seat.player, state="queued").exists()
    assert {one.recipient for one in OutboundMail.objects.filter(player=seat.player)} == {NOBODY}
    assert not ReplyToken.objects.filter(seat=seat).exists()
    mail = receive(eml("STATUS", sender=ANA, to=to))
    assert mail.player is None


def test_nothing_is_erased_of_others(cast: Cast) -> None:
    over(cast)
    before = OutboundMail.objects.filter(recipient=address_of("Ben")).count()
    command("erase_player", ANA, "--yes")
    bens = OutboundMail.objects.filter(recipient=address_of("Ben"))
    assert bens.count() == before
    assert all(mail.body for mail in bens)


def test_whoever_plays_is_not_erased_before_the_seat_is_given_up(cast: Cast) -> None:
    with pytest.raises(CommandError, match="Ana still has a seat or a place in marne"):
        command("erase_player", ANA, "--yes")
    assert Player.objects.filter(name="Ana").exists()
    assert InboundMail.objects.filter(sender=ANA).exists()


def test_nobody_is_erased_without_a_yes(cast: Cast) -> None:
    over(cast)
    assert "add --yes" in command("erase_player", ANA)
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
