"""Newcomers read before they join what game it is, in a person's words, wherever they look."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.models import Game
from games.queries.players.places import with_places
from games.queries.players.seats import open_seats
from games.queries.reports.invitation import invitation
from games.queries.reports.timetable import pace
from games.queries.reports.what_game import particulars, who_may_join
from games.services.seating.invitations import players_invite
from games.services.setup.games import game_create
from games.services.setup.making import NewGame, game_make
from mailer import jobs
from mailer.models import OutboundMail
from tests.cast import NOW, Cast, make_player
from tests.mailer.correspondence import answer_to, flat, home, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
CHOSEN = (
    "It takes 24 centres to win, not 18.",
    "Units are built in home centres only, not in any free centre that their power owns.",
)


@pytest.fixture
def big(marne: Cast) -> Game:
    """A game of Chaos that is looking for players and has chosen otherwise than Chaos."""
    choices = "victory=24 builds=home"
    return game_create(name="big", variant="chaos", variant_options=choices, gm=marne.gm, now=NOW)


def answer(line: str) -> str:
    return flat(answer_to(write("Hugo", line, to=home("Hugo"))).body)


def invited(game: Game) -> str:
    players_invite(game=game, emails=["hugo@players.test"], by="greta m", now=NOW)
    jobs.tell(NOW)
    return flat(OutboundMail.objects.get(kind="players_invited").body)


def page(address: str) -> str:
    """The words of a page; the address of its map may say more."""
    return unescape(flat(strip_tags(Client().get(address).content.decode())))


@each_row("place", ["LIST", "STATUS big", "RULES big", "/", "/games/big/"])
def test_whoever_looks_for_a_game_reads_what_its_variant_was_made_with(
    big: Game, place: str
) -> None:
    said = page(place) if place.startswith("/") else answer(place)
    assert all(sentence in said for sentence in CHOSEN)
    assert "victory=24" not in said


def test_whoever_is_invited_reads_what_the_variant_was_made_with(big: Game) -> None:
    copied = flat(invitation(with_places(Game.objects.filter(pk=big.pk)).get()))
    for said in (copied, invited(big)):
        assert "The map is Chaos." in said
        assert all(sentence in said for sentence in CHOSEN)


def test_whoever_may_take_a_seat_reads_what_the_variant_was_made_with(marne: Cast) -> None:
    Game.objects.filter(pk=marne.game.pk).update(variant="standard+victory=20")
    marne.game.powers.filter(name="Italy").update(open_since=NOW)
    [seat] = open_seats(Game.objects.get(pk=marne.game.pk))
    assert seat.about == ("The map is Standard.", "It takes 20 centres to win, not 18.")
    assert " ".join(seat.about) in answer("LIST")
    assert " ".join(seat.about) in page("/")


def test_a_game_like_most_has_nothing_particular(marne: Cast) -> None:
    assert particulars(marne.game) == ()
    assert who_may_join(marne.game) == ()


def test_what_is_particular_of_a_game_is_said_in_sentences(marne: Cast) -> None:
    game = game_create(
        name="odd",
        variant="colonial",
        variant_options="land_bridges=hawes start=winter",
        rules={"preset": "1971", "4.A.4": "Brannan"},
        fog=True,
        observers=False,
        anonymous=True,
        press_mode="none",
        last_year=1900,
        scoring="c-diplo-100",
        entry="approval",
        min_reliability=80,
        gm=marne.gm,
        now=NOW,
    )
    assert particulars(game) == (
        "The land bridges of Sakhalin: from Vladivostok, as its designer meant it.",
        "The game begins with builds in Winter 1869: each power chooses its units.",
        "By the rules of 1971.",
        "The rules: a convoyed attack comes from the last convoying fleet (4.A.4).",
        "In fog of war: each power sees only its own units and centres and what borders on them.",
        "Anonymous: no player learns who plays what before the game is over.",
        "No press: the powers cannot write to each other.",
        "Scoring: C-Diplo 100.",
        "It ends after 1900 at the latest, as a draw among all who own a centre.",
    )
    assert who_may_join(game) == (
        "The game master lets people in.",
        "For newcomers, and for players who are 80% reliable or more.",
    )
    assert flat(invited(game)).count("fog of war") == 1


def test_a_game_without_scores_is_not_scored_by_something(marne: Cast) -> None:
    game_create(name="fun", scoring="unranked", now=NOW)
    listed = answer("LIST")
    assert "It is not scored." in listed
    assert "Unranked" not in listed


@each_row(
    ("preset", "said"),
    [
        (
            "weekly",
            "Movement is due on Sundays at 20:00, retreats and builds every day at 20:00 "
            "(times in Europe/Berlin).",
        ),
        (
            "daily",
            "Movement, retreats and builds are due on Mondays to Fridays at 20:00 "
            "(times in Europe/Berlin).",
        ),
        ("gunboat", "Movement is due after 1 day, retreats and builds after 12 hours."),
    ],
)
def test_the_pace_is_one_short_sentence(marne: Cast, preset: str, said: str) -> None:
    hugo = marne.player("Hugo")
    hugo.timezone = "Europe/Berlin"
    hugo.save()
    assert pace(game_make(player=hugo, wanted=NewGame("somme", preset), now=NOW)) == said


def test_a_game_master_without_a_name_is_not_named_in_the_list(marne: Cast) -> None:
    game_create(name="somme", gm=marne.gm, now=NOW)
    assert "Game master: ." not in answer("LIST")


def test_a_stranger_is_told_to_register_before_they_join(marne: Cast) -> None:
    game_create(name="somme", now=NOW)
    said = flat(answer_to(write("Zoe", "LIST")).body)
    told = "To join one, write two lines: REGISTER and your name, and below it JOIN, its name and"
    assert told in said
    assert "REGISTER" not in answer("LIST")


def test_an_empty_list_says_how_to_make_a_game(db: None) -> None:
    make_player("Hugo")
    assert "To make one yourself, write HELP CREATE." in answer("LIST")
