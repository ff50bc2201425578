"""List-Unsubscribe: on mails that one can do without, and on no other; what a click ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from urllib.parse import unquote

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from games.models import Event, Observer, OrderSet, Player, Seat, Standby
from games.queries.access.staff_names import Actor
from games.services.accounts.erasing import player_erase
from games.services.accounts.merging import players_merge
from games.services.adjudication.phases import phase_process_now
from games.services.clock.reminders import missing_remind, players_remind
from games.services.seating.observers import observe
from games.services.seating.seats import seat_resign
from games.services.seating.standby import standby_join
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import ended_by_link
from mailer.outbound.compose import compose
from mailer.privacy.own_data import _document
from tests.cast import DAY, HOUR, NOW, Cast, make_cast, make_player
from tests.made import made_once
from tests.mailer.correspondence import answer_to, flat, write

pytestmark = pytest.mark.django_db

HTTPS = "https://games.example.org"
CLICKED = NOW + 4 * DAY


@pytest.fixture
def secure(settings: Settings) -> Iterator[None]:
    settings.SITE_URL = HTTPS
    with time_machine.travel(CLICKED, tick=False):
        yield


@pytest.fixture
def mails(db: None, secure: None) -> dict[str, OutboundMail]:
    """A mail of each sort: to an observer, a reminder, an offer, and what is one's own."""
    made_once("mails that one can do without", _told)
    every = OutboundMail.objects
    return {
        "own": every.get(kind="game_started", player__name="Carla"),
        "result": every.get(kind="phase_processed", player__name="Carla"),
        "reminder": every.get(kind="orders_missing", player__name="Carla"),
        "observer": every.get(kind="phase_processed", player__name="Hugo"),
        "offer": every.get(kind="seat_offered", player__name="Hugo"),
    }


def _told() -> None:
    cast = make_cast()
    hugo = cast.player("Hugo")
    observe(game=cast.game, player=hugo, now=NOW)
    jobs.tell(NOW)
    assert players_remind(phase_id=cast.phase.pk, now=NOW + 3 * DAY - 2 * HOUR)
    jobs.tell(NOW + 3 * DAY - 2 * HOUR)
    phase_process_now(game_id=cast.game.pk, now=NOW + 3 * DAY)
    jobs.tell(NOW + 3 * DAY)
    standby_join(player=hugo, now=NOW + 3 * DAY)
    seat_resign(seat=cast.seat("Turkey"), now=NOW + 3 * DAY)
    jobs.tell(NOW + 3 * DAY)


def test_what_the_gm_sends_the_missing_promises_no_end(marne: Cast, secure: None) -> None:
    """Who is reminded by the GM is so whatever their own reminders are: no link says otherwise."""
    missing_remind(game=marne.game, by="gm", now=NOW)
    jobs.tell(NOW)
    mail = OutboundMail.objects.filter(kind="orders_missing").latest("pk")
    assert header(mail) == ""


def header(mail: OutboundMail, name: str = "List-Unsubscribe") -> str:
    return str(message_from_bytes(compose(mail)).get(name, "")).replace("\n", "").replace("\r", "")


def link(mail: OutboundMail) -> str:
    (found,) = re.findall(rf"<{HTTPS}(/unsubscribe/[^>]+)>", header(mail))
    return str(found)


def test_only_mails_that_one_can_do_without_have_it(mails: dict[str, OutboundMail]) -> None:
    with_it = {name for name, mail in mails.items() if header(mail)}
    assert with_it == {"reminder", "observer", "offer"}
    assert all(
        header(mails[name], "List-Unsubscribe-Post") == "List-Unsubscribe=One-Click"
        for name in with_it
    )


def test_without_https_only_the_mail_way_is_offered(
    mails: dict[str, OutboundMail], settings: Settings
) -> None:
    settings.SITE_URL = "http://127.0.0.1:8000"
    assert "http" not in header(mails["observer"])
    assert header(mails["observer"], "List-Unsubscribe-Post") == ""


@pytest.mark.parametrize("name", ["observer", "reminder", "offer"])
def test_the_mail_that_a_program_writes_ends_it(mails: dict[str, OutboundMail], name: str) -> None:
    mail = mails[name]
    ((to, line),) = re.findall(r"<mailto:([^?]+)\?body=([^>]+)>", header(mail))
    write(mail.player.name, unquote(line), to=to, received_at=NOW + 4 * DAY)
    assert has_ended(name)


@pytest.mark.parametrize("name", ["observer", "reminder", "offer"])
def test_one_click_ends_it_and_the_second_finds_it_ended(
    mails: dict[str, OutboundMail], name: str
) -> None:
    seats = list(Seat.objects.filter(until=None).values_list("pk", flat=True))
    client = Client(enforce_csrf_checks=True)
    pages = [
        client.post(link(mails[name]), {"List-Unsubscribe": "One-Click"}),
        client.post(link(mails[name]), {"List-Unsubscribe": "One-Click"}),
        client.get(link(mails[name])),
    ]
    off = ("Already off", "We have already stopped sending you")
    expected = (("Done", "We no longer send you"), off, off)
    for answer, (heading, said) in zip(pages, expected, strict=True):
        assert answer.status_code == 200
        page = answer.content.decode()
        assert f"<h1>{heading}</h1>" in page
        assert said in page
        assert "<button" not in page
        assert 'write this line to <a href="mailto:judge@game.test?subject=' in page
    assert has_ended(name)
    assert list(Seat.objects.filter(until=None).values_list("pk", flat=True)) == seats
    assert OutboundMail.objects.filter(kind=ended_by_link.KIND).count() == 1


@pytest.mark.parametrize("name", ["observer", "reminder", "offer"])
def test_the_player_is_told_what_a_link_ended_and_mail_on_brings_it_back(
    mails: dict[str, OutboundMail], name: str
) -> None:
    """Whoever clicked, perhaps in a mail that was forwarded, cannot click again."""
    who = mails[name].player
    assert who
    Player.objects.filter(pk=who.pk).update(reminders="5h 1h")
    Client().post(link(mails[name]))
    told = OutboundMail.objects.get(kind=ended_by_link.KIND)
    assert (told.player, told.recipient) == (who, who.address)
    assert told.buttons == [["Get all of it again", "MAIL ON"]]
    ended = told.subject.removeprefix("We no longer send you ")
    assert f"So we no longer send you {ended}." in flat(told.body)
    for command in ("STATUS", "SET"):
        said = answer_to(write(who.name, command, to=told.reply_to)).body
        assert f"so you get no {ended}. MAIL ON" in flat(said)
    assert f"was used: no more {ended}." in who.conduct.get().why
    [used] = _document(who, {}, notes=False)[0]["links used"]
    assert (used["bulk"], used["at"], used["reminders"]) == (name, CLICKED, "5h 1h")
    answer = answer_to(write(who.name, "MAIL ON", to=told.reply_to))
    assert f"You get {ended} again." in flat(answer.body)
    assert not has_ended(name)
    assert Player.objects.get(pk=who.pk).reminders == "5h 1h"
    again = Client().post(link(mails[name]))
    assert again.status_code == 410
    assert "This link was used before" in again.content.decode()
    assert not has_ended(name)
    assert "used on" not in flat(answer_to(write(who.name, "STATUS")).body)


def test_a_link_works_for_ninety_days_and_then_says_what_to_write(
    mails: dict[str, OutboundMail],
) -> None:
    mail = mails["reminder"]
    for days, status in ((91, 410), (89, 200)):
        with time_machine.travel(mail.created_at + days * DAY, tick=False):
            answer = Client().post(link(mail))
        assert (answer.status_code, has_ended("reminder")) == (status, status == 200)
        assert ("<pre>STOP</pre>" in answer.content.decode()) == (status == 410)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("offer", ("STANDBY", "STANDBY OFF")),
        ("reminder", ("SET REMINDERS 4h", "SET REMINDERS OFF")),
        ("reminder", ("SET REMINDERS OFF",)),
        ("reminder", ("STOP",)),
    ],
)
def test_what_its_player_ended_after_a_link_did_stays_ended(
    mails: dict[str, OutboundMail], name: str, lines: tuple[str, ...]
) -> None:
    who = mails[name].player
    assert who
    Client().post(link(mails[name]))
    to = OutboundMail.objects.get(kind=ended_by_link.KIND).reply_to
    for line in lines:
        write(who.name, line, to=to, received_at=CLICKED + HOUR)
    assert ended_by_link.what_links_ended(who) == {}
    assert "is not paused" in answer_to(write(who.name, "MAIL ON", to=to)).body
    assert has_ended(name)


def test_a_click_spends_the_link_also_while_nobody_can_be_told(
    mails: dict[str, OutboundMail],
) -> None:
    """STATUS says what ended as soon as its player has an address again."""
    hugo = mails["offer"].player
    assert hugo
    hugo.addresses.update(of_record=False, confirmed_at=None)
    assert Client().post(link(mails["offer"])).status_code == 200
    assert not OutboundMail.objects.filter(kind=ended_by_link.KIND).exists()
    hugo.addresses.update(of_record=True, confirmed_at=NOW)
    said = answer_to(write("Hugo", "STATUS"))
    assert "so you get no offers of open seats" in flat(said.body)
    write("Hugo", "MAIL ON", to=said.reply_to, received_at=CLICKED + HOUR)
    assert Client().post(link(mails["offer"])).status_code == 410
    assert not has_ended("offer")


def has_ended(name: str) -> bool:
    return {
        "observer": not Observer.objects.filter(until=None).exists(),
        "reminder": Player.objects.get(name="Carla").reminders == "off",
        "offer": not Standby.objects.filter(until=None).exists(),
    }[name]


@pytest.mark.parametrize("name", ["observer", "reminder", "offer"])
def test_a_click_ends_it_for_the_account_of_which_that_of_the_mail_is_a_part(
    mails: dict[str, OutboundMail], name: str
) -> None:
    whole, part = make_player("Ida"), mails[name].player
    assert part
    players_merge(kept=whole, other=part, why="One person.", by="mo", now=NOW)
    Client().post(link(mails[name]), {"List-Unsubscribe": "One-Click"})
    whole.refresh_from_db()
    ended = {
        "observer": not whole.observes.filter(until=None).exists(),
        "reminder": whole.reminders == "off",
        "offer": not whole.standby.filter(until=None).exists(),
    }
    assert ended[name]


@pytest.mark.parametrize("name", ["observer", "reminder", "offer"])
def test_what_a_link_ended_stays_so_when_the_account_becomes_part_of_another(
    mails: dict[str, OutboundMail], name: str
) -> None:
    """The link is spent, and MAIL ON still knows what it ended; reminders are the other's own."""
    whole, part = make_player("Ida"), mails[name].player
    assert part
    Client().post(link(mails[name]))
    players_merge(kept=whole, other=part, why="One person.", by="mo", now=CLICKED + HOUR)
    assert bool(ended_by_link.what_links_ended(whole)) == (name != "reminder")
    ended_by_link.bring_back(player=whole, now=CLICKED + HOUR)
    assert Client().post(link(mails[name])).status_code == 410


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_link_of_somebody_erased_is_no_page(mails: dict[str, OutboundMail], method: str) -> None:
    hugo = mails["offer"].player
    assert hugo
    player_erase(player=hugo, why="They asked for it.", by=Actor("mo"), now=CLICKED)
    assert getattr(Client(), method)(link(mails["offer"])).status_code == 404


def test_to_open_the_link_ends_nothing(mails: dict[str, OutboundMail]) -> None:
    """Programs that look for viruses open every link of a mail."""
    page = Client().get(link(mails["observer"])).content.decode()
    assert "No more mails about the game marne" in page
    assert not has_ended("observer")


def test_nobody_can_make_a_link(mails: dict[str, OutboundMail]) -> None:
    address = link(mails["observer"])
    other = address.replace(f"/{mails['observer'].pk}:", f"/{mails['own'].pk}:")
    for wrong in (other, "/unsubscribe/12/", "/unsubscribe/nonsense/"):
        assert Client().post(wrong).status_code == 404
    assert Event.objects.exists()
    assert not OrderSet.objects.exists()
