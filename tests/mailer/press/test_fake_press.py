"""Fake press: its readers cannot tell it from a true letter; only the GM learns who wrote it."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Player, Press
from games.queries.access.audience import Audience as Readers
from games.queries.access.audience import press_shown
from games.queries.audit.log_faults import faults
from games.queries.reports.log_text import entries
from games.services.moderation.staff import gm_appoint
from games.services.seating.observers import observe
from games.services.setup.games import game_create
from mailer.commands.lines.press_heading import read_heading
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, POWERS, Cast, address_of, make_cast
from tests.mailer.correspondence import answer_to, flat, on_the_wire, tell_all, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

NAMES = {power: name for name, power in POWERS.items()}
AS_TURKEY = "PRESS TO Germany FAKE FROM Turkey\nI march on Vienna."


@pytest.fixture
def masks(db: None) -> Cast:
    return make_cast(fake_press=True)


def say(cast: Cast, text: str, *, power: str = "France", to: str = "") -> OutboundMail:
    """Let a power write this, by default to its reply address; return the receipt."""
    seat = to_seat(cast, power)
    return answer_to(write(NAMES[power], text, to=to or seat))


def told() -> dict[str, OutboundMail]:
    """Tell what is untold; return the newest press mail of each recipient."""
    tell_all()
    mails = OutboundMail.objects.filter(kind="press_sent").order_by("pk")
    return {mail.recipient: mail for mail in mails}


def same_for_all(mail: OutboundMail) -> str:
    """The mail as it goes over the wire, without what is drawn for every mail."""
    wire = on_the_wire(mail).replace("=\r\n", "")
    wire = re.sub(r"\+[a-z2-7]{27}@|%2B[a-z2-7]{27}%40", "+SECRET@", wire)
    wire = re.sub(r"(?<=<)[^<>\s]+(?=@game\.test>)", "ID", wire)
    return re.sub(r"=_[0-9a-f]{32}", "BOUNDARY", wire)


@each_row(
    ("true", "fake"),
    [
        ("PRESS TO Germany", "PRESS TO Germany FAKE FROM Turkey"),
        ("PRESS TO Germany", "PRESS FAKE FROM Turkey TO Germany"),
        ("PRESS TO Germany", "PRESS TO Germany FAKE AS T"),
        ("PRESS TO Germany", "PRESS TO Germany FROM Turkey"),
        ("PRESS TO Germany, Italy", "PRESS TO Germany FAKE FROM Turkey TO Germany, Italy"),
        ("PRESS TO Germany, France", "PRESS TO Germany FAKE FROM Turkey TO FG"),
        ("PRESS TO Germany, GM", "PRESS TO Germany, GM FAKE FROM Turkey"),
        ("BROADCAST", "PRESS TO Germany FAKE FROM Turkey BROADCAST"),
        ("BROADCAST", "BROADCAST FAKE FROM Turkey"),
        ("BROADCAST", "BROADCAST AS Turkey"),
    ],
)
def test_no_header_and_no_word_differs_from_a_true_letter(
    masks: Cast, true: str, fake: str
) -> None:
    say(masks, f"{true}\nI march on Vienna.", power="Turkey")
    honest = same_for_all(told()[address_of("Dmitri")])
    OutboundMail.objects.filter(kind="press_sent").delete()
    Press.objects.all().delete()
    receipt = say(masks, f"{fake}\nI march on Vienna.")
    assert "as fake press. It says that Turkey wrote it" in flat(receipt.body)
    forged = told()[address_of("Dmitri")]
    assert same_for_all(forged) == honest
    assert forged.cc == "" or forged.cc != forged.reply_to
    assert "another power may have written this" in flat(forged.body)


def test_a_true_letter_of_the_game_looks_as_a_fake_one_would(masks: Cast) -> None:
    say(masks, "PRESS TO Germany\nHello.")
    assert "another power may have written this" in flat(told()[address_of("Dmitri")].body)


def test_an_answer_goes_where_it_would_if_the_letter_were_true(masks: Cast) -> None:
    say(masks, "PRESS TO Germany FAKE FROM Turkey TO Germany, Italy\nShall we?")
    mail = told()[address_of("Dmitri")]
    receipt = say(masks, "Yes!", power="Germany", to=mail.reply_to)
    assert "Passed on to Turkey" in flat(receipt.body)
    receipt = say(masks, "Yes, all!", power="Germany", to=f"{mail.reply_to}, {mail.cc}")
    assert "Passed on to Italy and Turkey" in flat(receipt.body)
    assert "France" not in flat(receipt.body)
    assert address_of("Carla") not in told()


def test_an_answer_to_all_of_a_fake_broadcast_reaches_its_true_writer_too(masks: Cast) -> None:
    say(masks, "BROADCAST FAKE FROM Turkey\nPeace!")
    mail = told()[address_of("Dmitri")]
    say(masks, "Peace it is.", power="Germany", to=f"{mail.reply_to}, {mail.cc}")
    everybody = {address_of(name) for name in POWERS} - {address_of("Dmitri")}
    assert {who for who, one in told().items() if "Peace it is." in one.body} >= everybody


def test_the_power_that_is_named_gets_nothing_of_a_letter_to_another(masks: Cast) -> None:
    say(masks, AS_TURKEY)
    assert set(told()) == {address_of("Dmitri")}


def test_readers_can_be_fake_and_the_writer_true(masks: Cast) -> None:
    receipt = say(masks, "PRESS TO Germany FAKE BROADCAST\nPeace!")
    assert "It says that France wrote it to everybody" in flat(receipt.body)
    assert set(told()) == {address_of("Dmitri")}
    body = flat(told()[address_of("Dmitri")].body)
    assert "France writes to everybody in the game marne: Peace!" in body


NOBODY = [
    "PRESS TO Germany FAKE FROM Turkey",
    "PRESS FAKE FROM Turkey TO Germany",
    "PRESS TO Germany FROM Turkey",
    "PRESS TO Germany AS Turkey",
    "PRESS TO Germany FAKE BROADCAST",
    "PRESS TO Germany FAKE PRESS TO Italy, Germany",
    "PRESS TO Germany FAKE",
    "BROADCAST FAKE FROM Turkey",
    "BROADCAST FROM Turkey",
    "BROADCAST FAKE",
]


@each_row("line", NOBODY)
def test_where_press_is_never_fake_nobody_gets_it_under_any_name(marne: Cast, line: str) -> None:
    receipt = say(marne, f"{line}\nI march on Vienna.\nA Paris - Burgundy")
    assert "In the game marne press is never fake" in flat(receipt.body)
    assert line in flat(receipt.body)
    assert receipt.subject.startswith("[marne] NOT SENT")
    assert not Press.objects.exists()
    assert not marne.phase.order_sets.exists()


@each_row(
    ("line", "said"),
    [
        ("PRESS TO Germany FAKE FROM France", "You are France yourself"),
        ("PRESS TO Germany FAKE FROM Germany", "would get a letter that Germany never wrote"),
        ("PRESS TO Germany FAKE FROM Trukey", "Did you mean Turkey?"),
        ("PRESS TO Germany FAKE FROM GM", "is not one power"),
        ("PRESS TO Germany FAKE FROM the judge", "is not one power"),
        ("PRESS TO Germany FAKE FROM Italy, Turkey", "is not one power"),
        ("PRESS TO Germany FAKE", "Say what the press is to pretend"),
        ("PRESS TO GM FAKE FROM Turkey", "has to know who writes to them"),
        ("PRESS GREY TO Germany FAKE FROM Turkey", "Write one word or the other"),
        ("PRESS TO Germany FAKE TO Germany, GM", "pretend that the GM got it, too"),
        ("PRESS FAKE FROM Turkey", "Please write to whom"),
    ],
)
def test_a_fake_that_gives_itself_away_is_refused_with_its_line(
    masks: Cast, line: str, said: str
) -> None:
    receipt = say(masks, f"{line}\nI march on Vienna.")
    assert said in flat(receipt.body)
    assert line in flat(receipt.body)
    assert not Press.objects.exists()


def test_nobody_writes_as_a_power_that_nobody_plays(masks: Cast) -> None:
    masks.game.powers.get(name="Turkey").seats.update(until=NOW)
    assert "nobody would believe it" in flat(say(masks, AS_TURKEY).body)


def test_an_observer_writes_no_press_fake_or_not(masks: Cast) -> None:
    observe(game=masks.game, player=masks.player("Hugo"), now=NOW)
    address = Player.objects.get(name="Hugo").record
    assert address is not None
    to = addresses.player_address(address=address, now=NOW)
    receipt = answer_to(write("Hugo", f"{AS_TURKEY}\nHello.", to=to))
    assert "You observe the game marne: you cannot order, vote or write" in flat(receipt.body)
    assert not Press.objects.exists()


def test_who_is_muted_is_muted_under_every_name(masks: Cast) -> None:
    Player.objects.filter(name="Carla").update(muted_until=NOW.replace(year=2027))
    assert "muted you" in flat(say(masks, AS_TURKEY).body)


def test_fake_press_counts_among_the_days_letters_of_its_writer(masks: Cast) -> None:
    say(masks, AS_TURKEY)
    assert Press.objects.get().seat == masks.seat("France")


@pytest.mark.parametrize("over", [False, True])
def test_no_page_log_or_list_tells_who_wrote_it(masks: Cast, over: bool) -> None:
    say(masks, "BROADCAST FAKE FROM Turkey\nI march on Vienna.")
    say(masks, "PRESS TO Germany FAKE FROM Turkey\nDo not tell.")
    if over:
        Game.objects.update(status=Game.Status.FINISHED)
    [shown] = press_shown(masks.game, Readers.EVERYBODY)
    assert shown.writer == "Turkey"
    page = Client().get(reverse("press", args=["marne"])).content.decode()
    assert "Turkey" in page
    assert "France" not in page
    assert "it may be fake" in page
    said = [one.sentence for one in entries(masks.game)]
    assert said[-2:] == ["A power wrote to everybody.", "A power wrote to others."]
    for name in ("Dmitri", "Greta"):
        for line in ("LOG", "HISTORY", "STATUS", "LIST"):
            body = answer_to(write(name, f"{line} marne", to=own(name))).body
            assert "France wrote" not in body


def own(name: str) -> str:
    record = Player.objects.get(name=name).record
    assert record is not None
    return addresses.player_address(address=record, now=NOW)


def test_a_proof_of_a_fake_has_the_facts_of_a_true_letter(masks: Cast) -> None:
    say(masks, "BROADCAST\nHello.", power="Turkey")
    say(masks, "BROADCAST FAKE FROM Turkey\nHello.")
    true, fake = masks.game.events.filter(kind="press_sent").order_by("number")
    assert true.payload.keys() == fake.payload.keys()
    assert true.payload["by"] == fake.payload["by"] == "A power"
    assert list(faults(masks.game)) == []


def test_who_wrote_to_everybody_is_logged_where_press_is_never_fake(marne: Cast) -> None:
    say(marne, "BROADCAST\nHello.")
    assert [*entries(marne.game)][-1].sentence == "France wrote to everybody."


def test_an_observer_reads_a_fake_broadcast_as_a_true_one(masks: Cast) -> None:
    observe(game=masks.game, player=masks.player("Hugo"), now=NOW)
    say(masks, "BROADCAST FAKE FROM Turkey\nI march on Vienna.")
    body = told()[address_of("Hugo")].body
    assert "Turkey writes to everybody" in body
    assert "France" not in body


def test_the_gm_is_told_who_wrote_it_and_answers_the_true_writer(masks: Cast) -> None:
    say(masks, "PRESS TO Germany, GM FAKE FROM Turkey TO Germany, Italy\nI march on Vienna.")
    mail = told()["gm@players.test"]
    assert "This press is fake: France wrote it. It went to Germany and the GM." in flat(mail.body)
    assert "To answer France" in flat(mail.body)


def test_a_gm_who_plays_is_told_no_more_than_the_others(masks: Cast) -> None:
    masks.gm.email = address_of("Dmitri")
    masks.gm.save()
    say(masks, "BROADCAST FAKE FROM Turkey\nI march on Vienna.")
    told()
    mails = OutboundMail.objects.filter(recipient=address_of("Dmitri"), kind="press_sent")
    assert mails.count() == 2
    for mail in mails:
        assert "France" not in mail.body
        receipt = answer_to(write("Dmitri", "Really?", to=mail.reply_to))
        assert "France" not in receipt.body


def test_the_admin_names_the_writer_to_the_gm_and_hides_the_game_from_a_gm_who_plays(
    masks: Cast,
) -> None:
    say(masks, "BROADCAST FAKE FROM Turkey\nI march on Vienna.")
    gm_appoint(user=masks.gm)
    client = Client()
    client.force_login(masks.gm)
    url = reverse("admin:games_press_change", args=[Press.objects.get().pk])
    assert "France, as if from Turkey" in client.get(url).content.decode()
    masks.gm.email = address_of("Dmitri")
    masks.gm.save()
    assert "I march on Vienna." not in client.get(url, follow=True).content.decode()


def test_everybody_is_warned_when_the_game_starts(masks: Cast) -> None:
    told()
    mails = OutboundMail.objects.filter(kind="game_started", player__isnull=False)
    assert mails.count() == len(POWERS)
    for mail in mails:
        assert "Press may be fake in this game" in flat(mail.body)


def test_rules_status_and_list_say_that_press_may_be_fake(masks: Cast) -> None:
    assert "Press may be fake in this game" in flat(say(masks, "RULES").body)
    assert "it may be fake" in flat(say(masks, "STATUS").body)
    game_create(name="verdun", fake_press=True, grey_press=True, now=NOW)
    assert "it may be grey or fake" in flat(say(masks, "LIST").body)


def test_a_slip_in_a_readers_name_keeps_the_fake(masks: Cast) -> None:
    receipt = say(masks, "PRESS TO Germny FAKE FROM Turkey\nI march on Vienna.")
    assert not Press.objects.exists()
    write("Carla", "YES", to=receipt.reply_to)
    assert Press.objects.get().writer == "Turkey"


@each_row(
    ("written", "to", "writer", "shown"),
    [
        ("TO Germany", "Germany", "", ""),
        ("TO: Germany", "Germany", "", ""),
        ("TO Italy and to Turkey", "Italy and to Turkey", "", ""),
        ("TO Germany FAKE FROM Turkey TO ALL BUT Italy", "Germany", "Turkey", "ALL BUT Italy"),
        ("TO G FAKE PRESS TO GI", "G", "", "GI"),
        ("TO G FAKE BROADCAST: text, from me to you", "G", "", "all"),
        ("FAKE TO Germany FROM Turkey", "Germany", "Turkey", ""),
    ],
)
def test_how_a_heading_is_read(written: str, to: str, writer: str, shown: str) -> None:
    said = read_heading(written)
    assert (said.to, said.writer, said.shown) == (to, writer, shown)


def test_the_text_after_a_heading_keeps_its_colons() -> None:
    assert read_heading("TO Germany: then we both go to: Paris").text == "then we both go to: Paris"
