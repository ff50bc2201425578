"""A player gets all that is kept about them: whole, to their own address, and nothing of others."""

from __future__ import annotations

import datetime as dt
import email
import io
import json
import random
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Address, DataRequest, Game, Player, StaffEntry
from games.services.accounts.merging import players_merge
from games.services.accounts.own_data import PAUSE, own_data_ask
from games.services.accounts.players import address_confirm
from games.services.accounts.profile import address_of_record_set, address_remove
from games.services.moderation.conduct import moderators_ask, player_answer, player_note
from games.services.seating.invitations import players_invite
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer.models import AttachedFile, InboundMail, OutboundMail
from mailer.outbound import outbox
from mailer.outbound.compose import compose
from mailer.privacy import data_requests, own_data, own_data_words, retention
from tests.cast import DAY, HOUR, NOW, Cast, address_of
from tests.games.acts.acting import Acting
from tests.made import made_once
from tests.mailer.correspondence import (
    JUDGE,
    answer_to,
    eml,
    flat,
    home,
    receive,
    to_seat,
    told_cast,
    write,
)
from tests.rows import each_row

pytestmark = pytest.mark.django_db
LATER = NOW + HOUR
ANA, BEN = address_of("Ana"), address_of("Ben")
ORDERS = {
    "Austria": "A Vie - Gal\nA Bud - Ser\nF Tri - Alb",
    "Italy": "A Ven - Tyr\nA Rom - Ven\nF Nap - Ion",
}
PLAYERS = {"Austria": "Ana", "Italy": "Emma"}


@pytest.fixture
def cast(db: None) -> Cast:
    """Marne, told; Ana and Emma have ordered, and written to each other and to others."""
    made_once("the cast that has ordered and written", _ordered_and_written)
    return Cast(Game.objects.get(name="marne"), User.objects.get(username="gm"))


def _ordered_and_written() -> None:
    cast = told_cast()
    from_seat(cast, "Austria", ORDERS["Austria"])
    from_seat(cast, "Italy", ORDERS["Italy"])
    from_seat(cast, "Austria", "PRESS TO Italy\nMeet me in Trieste.\nEND PRESS")
    from_seat(cast, "Italy", "PRESS TO Turkey\nAustria trusts me. Poor soul.\nEND PRESS")


def from_seat(cast: Cast, power: str, text: str) -> InboundMail:
    """A mail that the power's player writes to the power's reply address."""
    to = to_seat(cast, power)
    mail = write(PLAYERS.get(power, "Ben"), text, to=to)
    assert mail.state == "done"
    return mail


def unpacked(data: bytes) -> dict[str, str]:
    """The files by their names, as text."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {one.filename: packed.read(one).decode() for one in packed.filelist}


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


def given_to(player: Player, **how: Any) -> tuple[Mapping[str, Any], str]:
    """What the player is given: the document, and all files as one text."""
    files = unpacked(own_data.export(player, **{"notes": False, "now": NOW, **how}).data)
    return json.loads(files["data.json"]), "\n".join([*files, *files.values()])


# --- what is in it ----------------------------------------------------------------------------


def test_it_has_all_that_there_is_about_them(cast: Cast) -> None:
    document, everything = given_to(cast.player("Ana"))
    assert document["player"][0]["name"] == "Ana"
    assert document["addresses"][0]["email"] == ANA
    assert document["orders"][0]["lines"] == ORDERS["Austria"].splitlines()
    assert document["press written"][0]["text"] == "Meet me in Trieste."
    assert {mail["recipient"] for mail in document["mails to you"]} == {ANA}
    assert len(document["mails from you"]) == 2
    assert f"From: Ana <{ANA}>" in everything


def test_it_has_the_mails_to_an_address_that_they_gave_up(cast: Cast) -> None:
    theirs = OutboundMail.objects.filter(player=cast.player("Ana"))
    number = theirs.update(recipient="ana@earlier.test")
    assert len(given_to(cast.player("Ana"))[0]["mails to you"]) == number > 0


def test_nothing_in_it_counts_what_others_did(cast: Cast) -> None:
    """A key of a row tells how many there were before: how many mails, letters, orders of others
    since one's own."""
    document, everything = given_to(cast.player("Ana"))
    before = {name for name in document if not name.startswith("mails ")}
    assert not [name for name in before for row in document[name] if "id" in row]
    for way in ("mails from you", "mails to you"):
        numbers = [one["id"] for one in document[way]]
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
    came = {one["id"] for one in document["mails from you"]}
    assert {one["answers"] for one in document["mails to you"]} - {None} <= came
    assert not re.search(r"#\d", everything)


def test_it_has_the_games_that_they_wait_to_be_let_into(cast: Cast) -> None:
    game = game_create(name="yser", gm=cast.gm, entry="approval", now=NOW)
    game_join(game=game, player=cast.player("Ana"), preferences="Italy", now=NOW)
    players_invite(game=game, emails=["ben@players.test"], by="gm", now=NOW)
    document, everything = given_to(cast.player("Ana"))
    [wish] = document["wishes to join"]
    assert (wish["game"], wish["preferences"]) == ("yser", "Italy")
    assert "ben@" not in everything
    assert given_to(cast.player("Ben"))[0]["wishes to join"] == []


def test_what_was_kept_under_an_account_that_was_merged_is_theirs_too(cast: Cast) -> None:
    hugo, ana = cast.player("Hugo"), cast.player("Ana")
    players_merge(kept=hugo, other=ana, why="She wrote so.", by="mo", now=NOW)
    files = unpacked(own_data.export(hugo, notes=False, now=NOW).data)
    document, merged = json.loads(files["data.json"]), "merged account 1"
    assert document["player"][0]["name"] == "Hugo"
    assert document[merged]["player"][0]["name"] == "Ana"
    assert merged.upper() in files["about-you.txt"]
    assert "Meet me in Trieste." in files["about-you.txt"]


def test_a_page_of_it_is_for_people_who_read_no_programs_files(cast: Cast) -> None:
    ana = cast.player("Ana")
    Player.objects.filter(pk=ana.pk).update(timezone="Europe/Berlin")
    ana.refresh_from_db()
    files = unpacked(own_data.export(ana, notes=False, now=NOW).data)
    page = files["about-you.txt"]
    for said in ("What you have ordered", "    A Bud - Ser", "text: Meet me in Trieste.", "CET"):
        assert said in page, said
    named = [name for name in files if name.startswith(("from-you/", "to-you/"))]
    assert named
    assert not [name for name in named if f"({name})" not in page]
    above = page.partition("Your mails")[0]
    assert not [sign for sign in ("{", "null", "_", "T12:") if sign in above]


def test_every_subject_of_it_has_a_heading(cast: Cast) -> None:
    document, _ = given_to(cast.player("Ana"))
    assert set(document) == set(own_data_words.HEADINGS)


def test_the_page_says_which_mails_had_no_room(cast: Cast) -> None:
    small = own_data.export(cast.player("Ana"), notes=False, now=NOW, largest=1)
    page = unpacked(small.data)["about-you.txt"]
    assert page.count("(its words had no room)") == small.left_out > 0


def test_where_the_server_keeps_its_mail_is_not_in_it(cast: Cast) -> None:
    document, _ = given_to(cast.player("Ana"))
    assert not {"mailbox", "uid", "leased_by"} & set(document["mails from you"][0])


def test_what_others_ordered_and_wrote_is_not_in_it(cast: Cast) -> None:
    _, everything = given_to(cast.player("Ana"))
    for secret in ("Tyr", "Poor soul", address_of("Emma"), BEN):
        assert secret not in everything, secret


def test_who_reads_press_has_it_among_their_mails_and_nobody_else(cast: Cast) -> None:
    privacy_of = {name: given_to(cast.player(name))[1] for name in ("Ben", "Carla", "Felix")}
    assert not [name for name, text in privacy_of.items() if "Meet me in Trieste" in text]


def test_no_reply_address_stands_in_it(cast: Cast) -> None:
    """Whoever finds the file could order with it."""
    to = to_seat(cast, "Austria")
    token = to.partition("+")[2].partition("@")[0]
    assert any(token in bytes(mail.raw).decode() for mail in InboundMail.objects.all())
    assert token not in given_to(cast.player("Ana"))[1]
    assert home("Ana").partition("+")[2].partition("@")[0] not in given_to(cast.player("Ana"))[1]


def test_what_moderators_noted_waits_for_one_to_read_it(cast: Cast) -> None:
    ana = cast.player("Ana")
    player_note(player=ana, text="Emma says that Ana is rude.", by="mo", now=NOW)
    asked = moderators_ask(player=ana, text="May I change my name?", now=NOW)
    player_answer(entry=asked, text="Gladly.", by="mo", now=NOW)
    document, everything = given_to(ana)
    assert [one["why"] for one in document["file of the moderators"]] == [
        "May I change my name?",
        "Gladly.",
    ]
    assert "Emma says" not in everything
    assert "noted something about you (1 note)" in flat(everything)
    assert "Emma says that Ana is rude." in given_to(ana, notes=True)[1]


def test_notes_about_others_are_never_in_it(cast: Cast) -> None:
    player_note(player=cast.player("Emma"), text="Friend of Ana.", by="mo", now=NOW)
    assert "Friend of" not in given_to(cast.player("Ana"), notes=True)[1]


def test_an_address_that_a_player_only_claimed_gives_them_nothing(cast: Cast) -> None:
    """Anybody can name the GM's address as their own; nobody gets the GM's mails by it."""
    told = OutboundMail.objects.filter(recipient=cast.gm.email)
    assert told.exists()
    Address.objects.create(player=cast.player("Ana"), email=cast.gm.email, created_at=NOW)
    document, _ = given_to(cast.player("Ana"))
    assert {mail["recipient"] for mail in document["mails to you"]} == {ANA}


def who_has_anas_address_next(cast: Cast) -> Player:
    """Ana writes from elsewhere and gives the address up; whoever has it then registers."""
    ana, days_later = cast.player("Ana"), NOW + 3 * DAY
    Address.objects.create(
        player=ana, email="ana@work.test", created_at=NOW, confirmed_at=days_later
    )
    address_of_record_set(player=ana, email="ana@work.test", now=NOW)
    address_remove(player=ana, email=ANA, now=days_later)
    later = {"received_at": days_later}
    receive(eml("LIST", sender=ANA), **later)
    receive(eml("REGISTER Zoe", sender=ANA, message_id="<zoe@players.test>"), **later)
    address = Address.objects.get(email=ANA)
    return address_confirm(address=address, now=days_later)


def test_whoever_has_an_address_next_gets_no_mail_of_who_had_it_before(cast: Cast) -> None:
    """Firms and families give addresses to the next one: the last one's orders and press stay."""
    write("Ana", "A Vie - Boh\nA Bud - Rum", to=JUDGE)  # held: it proves nothing
    zoe = who_has_anas_address_next(cast)
    document, everything = given_to(zoe)
    assert not {"Trieste", "Gal", "Boh"} & set(re.findall(r"\w+", everything))
    assert len(document["mails from you"]) == 2
    assert "REGISTER Zoe" in everything
    assert {mail["recipient"] for mail in document["mails to you"]} == {ANA}
    assert "Meet me in Trieste" in given_to(cast.player("Ana"))[1]


def test_a_mail_that_somebody_else_sent_to_their_reply_address_is_not_theirs(cast: Cast) -> None:
    to = to_seat(cast, "Austria")
    mail = write("Ben", "PRESS TO France\nLet us attack Austria.\nEND PRESS", to=to)
    assert (mail.state, mail.player) == ("held", cast.player("Ana"))
    assert "attack Austria" not in given_to(cast.player("Ana"))[1]


def test_what_cannot_be_read_as_text_is_in_it_as_it_came(cast: Cast) -> None:
    raw = eml("STATUS", sender=ANA, to=home("Ana")) + b"\r\n\xff\xfe Gr\xfc\xdfe"
    mail = receive(raw)
    with zipfile.ZipFile(
        io.BytesIO(own_data.export(cast.player("Ana"), notes=False, now=NOW).data)
    ) as one:
        number = InboundMail.objects.filter(player=mail.player).count()
        assert b"\xff\xfe Gr\xfc\xdfe" in one.read(f"from-you/2026-03-02-{number}.eml")


def test_who_unpacks_it_can_read_it_and_nobody_else(cast: Cast) -> None:
    data = own_data.export(cast.player("Ana"), notes=False, now=NOW).data
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert {one.external_attr >> 16 for one in packed.filelist} == {0o600}
        assert {one.date_time for one in packed.filelist} == {(2026, 3, 2, 12, 0, 0)}


def test_what_has_no_room_is_counted_and_the_newest_stay(cast: Cast) -> None:
    ana = cast.player("Ana")
    whole = own_data.export(ana, notes=False, now=NOW)
    assert whole.left_out == 0
    small = own_data.export(ana, notes=False, now=NOW, largest=len(whole.data) - 1)
    assert len(small.data) < len(whole.data)
    assert small.left_out > 0
    files = unpacked(small.data)
    assert f"{small.left_out} mail" in flat(files["README.txt"])
    assert "data.json" in files


def add_mails(player: Player, numbers: range) -> None:
    """Add a mail from the player for each number, and an answer to it."""
    came = InboundMail.objects.filter(player=player).values().earliest("pk")
    went = OutboundMail.objects.filter(player=player).exclude(event=None).values().earliest("pk")
    for at in numbers:
        new = {"id": None, "message_id": f"<{at}@players.test>"}
        mail = InboundMail.objects.create(**came | new | {"uid": 1000 + at, "sha256": f"{at:064}"})
        OutboundMail.objects.create(**went | new | {"key": f"answer {at}", "answers_id": mail.pk})


def test_many_mails_are_read_in_few_statements(cast: Cast) -> None:
    ana = cast.player("Ana")
    counts = []
    for numbers in (range(5), range(5, 35)):
        add_mails(ana, numbers)
        with CaptureQueriesContext(connection) as sent:
            data = own_data.export(ana, notes=False, now=NOW).data
        counts.append(len(sent))
    assert counts[1] <= counts[0] + 2 * 30 / own_data.READ_AT_ONCE + 2
    assert len([name for name in unpacked(data) if name.startswith("from-you/")]) > 35


def test_nothing_more_is_read_when_the_file_is_full(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = cast.player("Ana")
    add_mails(ana, range(20))
    monkeypatch.setattr(own_data, "READ_AT_ONCE", 4)
    read: list[int] = []
    words = own_data._words
    monkeypatch.setattr(
        own_data, "_words", lambda mails, of: read.append(len(mails)) or words(mails, of)
    )
    full = own_data.export(ana, notes=False, now=NOW, largest=1)
    assert read == [4]
    assert full.left_out == len(own_data._mails(ana)) > 40


# --- asked for by mail ------------------------------------------------------------------------


def ask(text: str = "EXPORT", at: Any = LATER, **how: Any) -> InboundMail:
    return write("Ana", text, to=home("Ana"), received_at=at, **how)


def sent() -> OutboundMail:
    """The mail with the file, once the job was done."""
    data_requests.carry_out(LATER)
    return OutboundMail.objects.get(kind="own_data")


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
    assert "notes about them go along" in act.foresee(notes="with")
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


# --- erased by mail ---------------------------------------------------------------------------


@each_row("word", ["ERASE", "Erase me", "FORGET ME", "Delete my account", "please delete my data."])
def test_a_player_who_wants_to_be_erased_waits_in_the_moderators_queue(
    cast: Cast, word: str
) -> None:
    receipt = flat(answer_to(ask(word)).body)
    assert "Nothing is erased yet" in receipt
    assert "You still play Austria in marne. Once you are erased, that seat is offered" in receipt
    entry = cast.player("Ana").conduct.get()
    assert (entry.kind, entry.settled_at) == ("asked", None)
    assert "erase" in entry.why
    assert cast.player("Ana").erased_at is None


def test_asking_twice_makes_one_case(cast: Cast) -> None:
    ask("ERASE")
    receipt = answer_to(ask("ERASE", at=LATER + HOUR))
    assert "already have your request" in flat(receipt.body)
    assert cast.player("Ana").conduct.count() == 1


def test_whoever_has_asked_for_their_data_is_not_told_to_ask_again(cast: Cast) -> None:
    assert "about you first, write EXPORT" in flat(answer_to(ask("ERASE")).body)
    ask("EXPORT")
    said = flat(answer_to(ask("ERASE", at=LATER + HOUR)).body)
    assert "All that we keep about you is on its way" in said
    assert "EXPORT" not in said


def test_who_changes_their_mind_takes_the_wish_back(cast: Cast) -> None:
    assert "write ERASE OFF" in flat(answer_to(ask("ERASE")).body)
    assert "nothing is erased" in flat(answer_to(ask("Erase off", at=LATER + HOUR)).body)
    assert cast.player("Ana").conduct.get().settled_at is not None
    again = flat(answer_to(ask("ERASE OFF", at=LATER + 2 * HOUR)).body)
    assert "You have not asked to be erased" in again
    ask("ERASE", at=LATER + 3 * HOUR)
    assert cast.player("Ana").conduct.filter(settled_at=None).count() == 1


def test_nobody_else_can_ask_for_it(cast: Cast) -> None:
    assert write("Ana", "ERASE").state == "held"
    assert not cast.player("Ana").conduct.exists()


@each_row("line", ["Delete A Paris", "Forget it", "Delete", "Export A Paris"])
def test_a_line_that_only_begins_so_is_no_such_wish(cast: Cast, line: str) -> None:
    ask(line)
    assert not cast.player("Ana").conduct.exists()
    assert not DataRequest.objects.exists()
