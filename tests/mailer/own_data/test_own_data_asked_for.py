"""Who may ask for a player's data: they by mail, or the staff; it goes to the player alone."""

from __future__ import annotations

import datetime as dt
import email
import json
import random
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Address, DataRequest, Game, Player, StaffEntry
from games.services.accounts.own_data import PAUSE, own_data_ask
from games.services.moderation.conduct import player_note
from mailer.models import AttachedFile, InboundMail, OutboundMail
from mailer.outbound import outbox
from mailer.outbound.compose import compose
from mailer.privacy import data_requests, own_data, retention
from tests.cast import DAY, HOUR, NOW, Cast
from tests.games.acts.acting import Acting
from tests.mailer.correspondence import answer_to, eml, flat, receive, write
from tests.mailer.own_data.exports import ANA, LATER, ask, sent, unpacked
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def attached(mail: OutboundMail) -> dict[str, str]:
    """The files in the ZIP file that a mail carries over the wire."""
    [part] = [
        part
        for part in email.message_from_bytes(compose(mail)).walk()
        if part.get_content_type() == "application/zip"
    ]
    assert part.get_filename() == "your-data.zip"
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    return unpacked(data)


@each_row("word", ["EXPORT", "export", "My Data", "EXPORT MY DATA", "EXPORT DATA"])
def test_a_player_asks_for_it_by_mail(cast: Cast, word: str) -> None:
    receipt = answer_to(ask(word))
    assert f"comes to {ANA} within a minute" in flat(receipt.body)
    mail = sent()
    assert (mail.recipient, mail.player) == (ANA, cast.player("Ana"))
    assert json.loads(attached(mail)["data.json"])["player"][0]["name"] == "Ana"


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("I would like a copy of my data", "EXPORT"),
        ("I want you to delete my account and everything", "ERASE"),
    ],
)
def test_who_asks_in_their_own_words_is_told_the_word(cast: Cast, line: str, word: str) -> None:
    receipt = answer_to(ask(line))
    assert f"write {word} on a line of its own" in flat(receipt.body)
    assert not DataRequest.objects.exists()
    assert not cast.player("Ana").conduct.exists()


def test_it_goes_to_the_address_of_record_whatever_it_was_asked_from(cast: Cast) -> None:
    ana = cast.player("Ana")
    Address.objects.create(player=ana, email="a@work.test", created_at=NOW, confirmed_at=NOW)
    ask(sender="a@work.test")
    assert sent().recipient == ANA


def test_the_file_of_a_mail_that_nobody_took_is_not_kept_for_ever(cast: Cast) -> None:
    ask()
    OutboundMail.objects.filter(pk=sent().pk).update(state=OutboundMail.State.FAILED)
    retention.empty_old(LATER + 6 * DAY)
    assert AttachedFile.objects.exists(), "an operator may send it again"
    retention.empty_old(LATER + 8 * DAY)
    assert not AttachedFile.objects.exists()
    mail = sent()
    assert not mail.body
    assert outbox.send_again(mail_ids=[mail.pk], now=LATER + 8 * DAY) == 0


@pytest.mark.parametrize("days", [2, 8])
def test_a_mail_sent_again_while_old_ones_are_emptied_keeps_its_words_and_its_file(
    cast: Cast, settings, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    """After two days only its words would go, after eight its file as well."""
    settings.MAIL_DAYS = 1
    ask()
    OutboundMail.objects.filter(pk=sent().pk).update(state=OutboundMail.State.FAILED)
    empty_outbound = retention.empty_outbound

    def sent_again_first(mails: QuerySet[OutboundMail], now: dt.datetime) -> int:
        outbox.send_again(mail_ids=list(mails.values_list("pk", flat=True)), now=now)
        return empty_outbound(mails, now)

    monkeypatch.setattr(retention, "empty_outbound", sent_again_first)
    retention.empty_old(LATER + days * DAY)
    assert sent().state == "queued"
    assert sent().body
    assert AttachedFile.objects.filter(mail=sent()).exists()


def test_nobody_gets_it_by_forging_a_line(cast: Cast) -> None:
    mail = write("Ana", "EXPORT")
    assert mail.state == "held"
    assert not DataRequest.objects.exists()


def test_a_stranger_is_told_that_nothing_is_kept(cast: Cast) -> None:
    mail = receive(eml("EXPORT", sender="x@y.test"))
    assert "Nobody is registered under the address" in flat(answer_to(mail).body)
    assert not DataRequest.objects.exists()


def test_it_is_sent_once_a_day(cast: Cast) -> None:
    ask()
    again = answer_to(ask(at=LATER + HOUR))
    assert "You asked for your data less than a day ago" in flat(again.body)
    assert "You can ask again from Tue 3 Mar 2026, 13:00 UTC" in flat(again.body)
    assert DataRequest.objects.count() == 1
    ask(at=LATER + PAUSE)
    assert DataRequest.objects.count() == 2


def test_somebody_elses_asking_is_not_counted(cast: Cast) -> None:
    own_data_ask(player=cast.player("Ben"), now=NOW)
    Acting(cast.player("Ana"), "send_data").confirm()
    ask()
    assert DataRequest.objects.filter(player=cast.player("Ana"), by="").exists()


def test_it_comes_even_while_mail_is_paused(cast: Cast) -> None:
    Player.objects.filter(name="Ana").update(mail_paused_at=NOW)
    ask()
    assert sent().state == "queued"


def test_the_file_is_deleted_a_day_after_it_was_sent(cast: Cast) -> None:
    ask()
    mail = sent()
    whole = compose(mail)
    assert compose(mail) == whole, "the same bytes at every attempt"
    retention.empty_old(LATER + 9 * DAY)
    assert AttachedFile.objects.exists(), "it waits to be sent"
    OutboundMail.objects.filter(pk=mail.pk).update(state="sent", sent_at=LATER)
    retention.empty_old(LATER + DAY)
    assert AttachedFile.objects.exists()
    retention.empty_old(LATER + DAY + HOUR)
    assert not AttachedFile.objects.exists()


def test_one_export_is_not_in_the_next(cast: Cast) -> None:
    before = len(own_data.export(cast.player("Ana"), notes=False, now=NOW).data)
    ask()
    assert len(bytes(sent().file.data)) > before
    assert len(own_data.export(cast.player("Ana"), notes=False, now=NOW).data) < 1.5 * before


def test_the_mail_is_small_enough_for_every_server(cast: Cast) -> None:
    """10 MB with all that base64 adds, though the mails would fill more."""
    InboundMail.objects.update(raw=random.Random(1).randbytes(4_000_000))
    ask()
    mail = sent()
    assert 5_000_000 < len(compose(mail)) < 10_000_000
    assert "There was no room for 1 mail" in flat(mail.body)


# --- asked for by a moderator -----------------------------------------------------------------


def test_a_moderator_has_it_sent_and_sees_nothing_of_it(cast: Cast) -> None:
    act = Acting(cast.player("Ana"), "send_data")
    said = act.foresee()
    assert f"One mail goes to {ANA}" in said
    assert "The moderators’ notes about them stay out" in said
    assert act.confirm() == "All that we keep about Ana is on its way to them."
    mail = sent()
    assert mail.recipient == ANA
    assert "mo has asked us to send you everything" in flat(mail.body)
    entry = StaffEntry.objects.get()
    assert (entry.what, entry.by, entry.about) == ("given", "mo", f"account {mail.player_id}")


def test_a_moderator_sends_the_notes_who_has_read_them(cast: Cast) -> None:
    player_note(player=cast.player("Ana"), text="Friendly.", by="mo", now=NOW)
    act = Acting(cast.player("Ana"), "send_data")
    assert "notes about them are in it, too" in act.foresee(notes="with")
    act.confirm(notes="with")
    assert "Friendly." in attached(sent())["data.json"]
    assert StaffEntry.objects.get().about.endswith("with the moderators’ notes")


def test_a_moderator_sends_it_once(cast: Cast) -> None:
    act = Acting(cast.player("Ana"), "send_data")
    act.foresee()
    act.confirm()
    assert "Somebody else has dealt with this player" in act.confirm()
    assert "already being sent their data" in act.foresee()
    assert DataRequest.objects.count() == 1


def test_who_has_no_confirmed_address_is_sent_nothing(cast: Cast) -> None:
    Address.objects.filter(player__name="Ana").update(confirmed_at=None, of_record=False)
    said = Acting(cast.player("Ana"), "send_data").foresee()
    assert said == "Ana has no confirmed address to write to."


def test_the_operator_has_it_sent_from_a_shell(cast: Cast) -> None:
    call_command("export_player", ANA)
    data_requests.carry_out(timezone.now())
    assert OutboundMail.objects.get(kind="own_data").recipient == ANA


def test_nobody_is_exported_under_an_address_that_is_nobodys(cast: Cast) -> None:
    with pytest.raises(CommandError, match="No player has the address"):
        call_command("export_player", "x@y.test")


def test_a_file_for_the_operator_is_a_look_that_players_are_told_of(
    cast: Cast, tmp_path: Path
) -> None:
    file = tmp_path / "ana.zip"
    with pytest.raises(CommandError, match="Say why you write it: --why"):
        call_command("export_player", ANA, "--file", str(file))
    assert not file.exists()
    call_command("export_player", ANA, "--file", str(file), "--why", "Her mailbox is full.")
    assert "Meet me in Trieste." in unpacked(file.read_bytes())["data.json"]
    assert file.stat().st_mode & 0o077 == 0
    [event] = cast.events("orders_looked_at")
    assert (event.payload["powers"], event.payload["why"]) == (["Austria"], "Her mailbox is full.")
    kinds = StaffEntry.objects.order_by("pk").values_list("what", flat=True)
    assert list(kinds) == ["orders", "press", "mail", "taken"]
    with pytest.raises(CommandError, match="is already there"):
        call_command("export_player", ANA, "--file", str(file), "--why", "Again.")


def test_where_the_file_cannot_be_written_nobody_is_told_of_a_look(
    cast: Cast, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match="cannot be written, so nobody is told"):
        call_command("export_player", ANA, "--file", str(tmp_path / "no" / "x"), "--why", "-")
    assert cast.events("orders_looked_at") == []


def test_of_a_game_that_is_over_nobody_is_told(cast: Cast, tmp_path: Path) -> None:
    Game.objects.update(status=Game.Status.FINISHED)
    call_command("export_player", ANA, "--file", str(tmp_path / "a.zip"), "--why", "Full.")
    assert not cast.events("orders_looked_at")
