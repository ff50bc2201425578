"""A player gets all that is kept about them: whole, and nothing of others."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Address, Player
from games.services.accounts.merging import players_merge
from games.services.accounts.players import address_confirm
from games.services.accounts.profile import address_of_record_set, address_remove
from games.services.moderation.conduct import moderators_ask, player_answer, player_note
from games.services.seating.invitations import players_invite
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer.models import InboundMail, OutboundMail
from mailer.privacy import own_data, own_data_words
from tests.cast import DAY, NOW, Cast, address_of
from tests.mailer.correspondence import JUDGE, eml, flat, home, receive, to_seat, write
from tests.mailer.own_data.exports import ANA, BEN, ORDERS, unpacked

pytestmark = pytest.mark.django_db


def given_to(player: Player, **how: Any) -> tuple[Mapping[str, Any], str]:
    """What the player is given: the document, and all files as one text."""
    files = unpacked(own_data.export(player, **{"notes": False, "now": NOW, **how}).data)
    return json.loads(files["data.json"]), "\n".join([*files, *files.values()])


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
