"""Diaries: notes for oneself, that nobody else reads before the end."""

from __future__ import annotations

import pytest
from django.test import Client

from games.game_file import document
from games.models import DiaryEntry, Game, Player
from games.services.seating.seats import seat_replace
from games.services.setup.transfer import game_import
from mailer import jobs
from mailer.admin.visibility import sight
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, NOW, POWERS, Cast, make_cast
from tests.mailer.correspondence import answer_to, flat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

NAMES = {power: name for name, power in POWERS.items()}
SECRET = "Turkey trusts me. More fool Turkey."


@pytest.fixture
def kept(db: None) -> Cast:
    return make_cast(diaries="private")


@pytest.fixture
def revealed(db: None) -> Cast:
    return make_cast(diaries="revealed")


def say(name: str, text: str) -> str:
    record = Player.objects.get(name=name).record
    assert record is not None
    to = addresses.player_address(address=record, now=NOW)
    return flat(answer_to(write(name, text, to=to)).body)


def test_a_note_is_kept_and_read_back(kept: Cast) -> None:
    said = say("Carla", f"DIARY RECORD\n{SECRET}\n\nVienna next.\nEND DIARY\nA Par - Bur")
    assert "Note 1 is kept. Nobody else can read it, not even after the end." in said
    assert kept.phase.order_sets.get().counts
    note = DiaryEntry.objects.get()
    assert (note.text, note.phase_name) == (f"{SECRET}\n\nVienna next.", "S1901M")
    assert f"1. France, Spring 1901 movement: > {SECRET}" in say("Carla", "DIARY LIST")


@each_row("line", ["DIARY", "DIARY LIST", "DIARY READ", "DIARY READ 1", "diary 1"])
def test_looking_into_it_swallows_no_order_below(kept: Cast, line: str) -> None:
    say("Carla", f"DIARY RECORD\n{SECRET}")
    said = say("Carla", f"{line}\n\n{'END DIARY' if line == 'DIARY' else 'A Par - Bur'}")
    assert SECRET in said
    assert kept.phase.order_sets.exists() == (line != "DIARY")


def test_a_note_can_be_deleted(kept: Cast) -> None:
    say("Carla", f"DIARY RECORD\n{SECRET}")
    assert "Note 1 is deleted for good." in say("Carla", "DIARY DELETE 1")
    assert not DiaryEntry.objects.exists()
    assert "There is no note 1 in your diary" in say("Carla", "DIARY DELETE 1")
    assert "Please name the note by its number" in say("Carla", "DIARY DELETE")
    for digit in ("፩", "𐩀"):  # of Ethiopia, and of Kharoshthi: they are no numbers to Python
        assert "Please name the note by its number" in say("Carla", f"DIARY DELETE {digit}")
        assert f"no game “{digit}”" in say("Carla", f"DIARY READ {digit}")
    assert "There is no note" in say("Carla", f"DIARY READ {10**30}")
    for command in ("READ", "DELETE"):
        assert "Please name the note by its number" in say("Carla", f"DIARY {command} {'9' * 5000}")


def test_nobody_is_told_and_no_log_says_it(kept: Cast) -> None:
    jobs.tell(NOW)
    mails, events = OutboundMail.objects.count(), kept.game.events.count()
    say("Carla", f"DIARY RECORD\n{SECRET}")
    jobs.tell(NOW)
    assert OutboundMail.objects.count() == mails + 1
    assert kept.game.events.count() == events


@each_row("over", [False, True])
@each_row("mode", Game.Diaries.values)
def test_another_reads_it_only_where_it_is_revealed_and_the_game_is_over(
    db: None, mode: str, over: bool
) -> None:
    cast = make_cast(diaries="private")
    say("Carla", f"DIARY RECORD\n{SECRET}")
    Game.objects.update(diaries=mode)
    if over:
        Game.objects.update(status=Game.Status.FINISHED)
    said = say("Greta", "DIARY marne France")
    assert (SECRET in said) == (over and mode == "revealed")
    assert SECRET not in say("Greta", "DIARY LIST") + say("Greta", "DIARY READ 1")
    assert SECRET not in Client().get(f"/games/{cast.game.name}/").content.decode()


def test_a_successor_does_not_read_it(kept: Cast) -> None:
    say("Carla", f"DIARY RECORD\n{SECRET}")
    seat_replace(
        game=kept.game,
        power=kept.game.powers.get(name="France"),
        player=kept.player("Hugo"),
        why="Ill.",
        by="the GM",
        now=NOW,
    )
    assert SECRET not in say("Hugo", "DIARY LIST")
    assert SECRET in say("Carla", "DIARY marne")


def test_the_end_mail_says_that_diaries_are_open(revealed: Cast) -> None:
    jobs.tell(NOW)
    say("Carla", f"DIARY RECORD\n{SECRET}")
    for name in POWERS:
        say(name, "VOTE DRAW" if name == "Ana" else "VOTE YES")
    jobs.tell(NOW + DAY)
    ends = OutboundMail.objects.filter(kind="game_finished")
    said = {mail.recipient: "a line like DIARY marne France." in flat(mail.body) for mail in ends}
    # A game master's commands have no DIARY.
    assert said.pop(revealed.gm.email) is False
    assert len(said) == len(POWERS)
    assert all(said.values())


def test_no_look_shows_the_mail_of_a_note_in_passing(kept: Cast) -> None:
    kept.gm.is_superuser = True
    kept.gm.save()
    say("Carla", f"DIARY RECORD\n{SECRET}")
    receipt = OutboundMail.objects.get(body__contains="Note 1 is kept")
    assert not sight(kept.gm, receipt).may_read


def test_a_game_without_diaries_keeps_nothing_and_says_so(marne: Cast) -> None:
    said = say("Carla", f"DIARY RECORD\n{SECRET}\nA Par - Bur")
    assert "The game marne has no diaries, so nothing was kept." in said
    assert "DIARY RECORD" in said
    assert not DiaryEntry.objects.exists()


@pytest.mark.parametrize(
    ("mode", "words"), [("private", "but you, ever"), ("revealed", "game is over")]
)
def test_the_start_mail_says_what_becomes_of_diaries(db: None, mode: str, words: str) -> None:
    make_cast(diaries=mode)
    jobs.tell(NOW)
    mail = OutboundMail.objects.filter(kind="game_started", player__isnull=False)[0]
    assert words in flat(mail.body)
    assert "DIARY RECORD" in flat(mail.body)


def test_a_line_that_only_begins_like_it_is_no_note(kept: Cast) -> None:
    say("Carla", "Diary of a madman, I would say\nA Par - Bur")
    assert kept.phase.order_sets.get().counts
    assert not DiaryEntry.objects.exists()


def test_an_order_below_a_note_that_was_never_closed_is_named_to_its_writer(kept: Cast) -> None:
    receipt = say("Carla", f"DIARY RECORD\n{SECRET}\n\nA Paris - Burgundy")
    assert "You wrote “A Paris - Burgundy” at its end. That was kept, too, and is no" in receipt


def test_it_goes_along_to_another_server(kept: Cast) -> None:
    say("Carla", f"DIARY RECORD\n{SECRET}")
    whole = document(kept.game)
    whole["game"]["name"] = "moved"
    moved = game_import(document=whole)
    assert DiaryEntry.objects.get(seat__power__game=moved).text == SECRET
