"""A game whose board the judge cannot read: everybody can ask about it, and see to it, all the
same."""

from __future__ import annotations

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.models import Game, Phase
from games.queries.reports.calendars import player_calendar
from games.services.moderation.conduct import player_ban
from mailer import jobs
from mailer.inbound import store
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, HOUR, NOW, OPENINGS, Cast, submit
from tests.mailer.correspondence import answer_to, flat, gm_reads, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
DUE = NOW + 3 * DAY
ACTS = ("process_now", "remind", "replace", "set_orders")


@pytest.fixture
def unreadable(marne: Cast) -> Cast:
    """Marne with orders from France, and then with a unit in a place that is on no map."""
    submit(marne, "France", OPENINGS["France"], NOW + HOUR)
    units = {**marne.phase.position["units"], "France": ["A Atlantis"]}
    Phase.objects.update(position={**marne.phase.position, "units": units})
    return marne


def test_mails_about_it_are_answered(unreadable: Cast) -> None:
    for asks in ("STATUS", "STATUS marne"):
        said = flat(answer_to(write("Carla", asks)).body)
        assert "marne: it is Spring 1901 movement." in said
        assert "We cannot read the board of this game just now. That is our fault" in said
    said = flat(answer_to(write("gm", "GM marne STATUS")).body)
    assert "We cannot read the board" in said
    assert "RESIGN" in answer_to(write("Carla", "RESIGN")).body


def test_a_variant_that_the_server_no_longer_has_is_called_our_fault(marne: Cast) -> None:
    Game.objects.update(variant="nonesuch")
    for asks in ("STATUS", "RULES marne"):
        said = flat(answer_to(write("Carla", asks)).body)
        assert "That is our fault, not yours" in said
        assert "nonesuch" not in said


@pytest.mark.parametrize("asks", ["MAP", "MAP marne"])
def test_the_operators_are_told_which_game_it_is(
    unreadable: Cast, settings: Settings, asks: str
) -> None:
    settings.OPERATOR_ADDRESSES = ["op@game.test"]
    write("Carla", asks, to=to_seat(unreadable, "France"))
    told = OutboundMail.objects.get(kind="board_unreadable")
    assert "Our program cannot read the board of the game marne: PositionError" in flat(told.body)


@each_row(
    ("text", "said"),
    [
        ("STATUS", "Italy: Emma. Russia: Felix."),
        ("MAP", "Nothing was done about MAP: we cannot read the board of marne just now."),
        ("SETORDERS Italy because of rain\nA Ven H", "Nothing was done about SETORDERS: we"),
        ("REMIND", "so we cannot say who owes orders"),
        (
            "PROCESS",
            "could not be adjudicated. The fault is ours, and the server's log describes it",
        ),
        ("EXTEND 24h because of rain", "is now due on Fri 6 Mar 2026"),
    ],
)
def test_its_master_is_told_what_cannot_be_done_and_can_do_the_rest(
    unreadable: Cast, text: str, said: str
) -> None:
    assert said in gm_reads(unreadable, text)


def test_one_command_that_needs_the_board_does_not_undo_the_others(
    unreadable: Cast, settings: Settings
) -> None:
    settings.OPERATOR_ADDRESSES = ["op@game.test"]
    said = gm_reads(unreadable, "EXTEND 24h because of rain\nMAP\nWRITE TO ALL: Sorry!")
    assert "is now due on Fri 6 Mar 2026" in said
    assert "Nothing was done about MAP: we cannot read the board of marne just now." in said
    assert "Your text is on its way" in said
    assert unreadable.events("deadline_moved")
    told = OutboundMail.objects.get(kind="board_unreadable")
    assert "Our program cannot read the board of the game marne" in flat(told.body)


@each_row(
    "text",
    [
        "STATUS",
        "MAP",
        "HISTORY",
        "EXTEND 24h because of rain",
        "VACATE Italy\nbecause of rain",
        "SETORDERS Italy because of rain\nA Ven H",
        "FINISH DRAW because of rain",
        "WRITE TO Italy: Sorry!",
        "what is the deadline",
    ],
)
def test_its_master_is_answered_where_the_server_has_lost_the_variant(
    marne: Cast, text: str
) -> None:
    Game.objects.update(variant="nonesuch")
    to = addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    answer = answer_to(write("gm", text, sender=marne.gm.email, to=to))
    assert "nonesuch" not in flat(answer.body)


def test_its_players_can_be_banned(unreadable: Cast) -> None:
    player_ban(player=unreadable.player("Carla"), why="Spam.", by="mo", now=NOW + HOUR)
    assert unreadable.game.powers.get(name="France").open_since
    assert b"DTEND" not in player_calendar(unreadable.player("Ana"))


def test_every_page_about_it_opens(unreadable: Cast, client: Client) -> None:
    """So does each page of others that shows it, even when it has been late for long."""
    key = unreadable.game.pk
    with time_machine.travel(DUE + DAY, tick=False):
        page = client.get(reverse("game", args=["marne"])).content.decode()
        client.force_login(User.objects.create_superuser("root", "root@staff.test"))
        for name in ("index", "games_game_changelist", "games_player_queue"):
            assert "marne" in client.get(reverse(f"admin:{name}")).content.decode()
        for address in (
            reverse("admin:games_game_change", args=[key]),
            *(reverse("admin:games_game_act", args=[key, act]) for act in ACTS),
        ):
            assert client.get(address).status_code == 200
    assert "We cannot read its board just now." in page


@pytest.mark.usefixtures("caplog")
def test_it_is_tried_three_times_and_then_waits_for_a_human(
    unreadable: Cast, settings: Settings
) -> None:
    mailbox = store.mailbox_for(settings.IMAP_URLS[0])
    mailbox.last_ok_poll = DUE + HOUR
    mailbox.save()
    for hours in (1, 2, 3):
        jobs.deadlines(DUE + hours * HOUR)
    phase = unreadable.phase
    assert (phase.status, phase.error.split()[0]) == (Phase.Status.STUCK, "PositionError")
