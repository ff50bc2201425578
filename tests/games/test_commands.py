"""Management commands: plain words, and one line when something is wrong."""

from __future__ import annotations

import logging

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError

from games.models import Game
from games.queries.access import roles
from games.queries.reports.log_text import sentence
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, make_gm, make_player, seat_fill
from tests.games.commands import run

pytestmark = pytest.mark.django_db


def test_a_gm_who_is_not_known_yet_is_made_without_a_password(db: None) -> None:
    run("create_game", "verdun", "--gm", "new@players.test")
    gm = Game.objects.get().gm
    assert gm is not None
    assert (gm.email, gm.has_usable_password(), gm.is_staff) == ("new@players.test", False, True)
    assert [group.name for group in gm.groups.all()] == ["GM"]
    assert not gm.is_superuser


def test_a_moderator_is_made_of_a_new_user_and_of_one_there_is(db: None) -> None:
    known = User.objects.create_user("ada", "ada@players.test", "a password of hers")
    assert run("make_moderator", "ADA@players.test").strip() == "ada is a moderator."
    assert "changepassword new@players.test" in run("make_moderator", "new@players.test")
    for user in (known, User.objects.get(email="new@players.test")):
        user.refresh_from_db()
        assert user.is_staff
        assert roles.is_moderator(user)


def test_an_address_of_two_users_makes_neither_a_moderator(db: None) -> None:
    for name in ("ada", "eve"):
        User.objects.create_user(name, "ada@players.test")
    with pytest.raises(CommandError, match="More than one user"):
        run("make_moderator", "ada@players.test")


def test_a_game_says_what_its_gm_may_see_before_the_deadline(db: None) -> None:
    run("create_game", "verdun")
    run("create_game", "ypres", "--gm-sees", "orders")
    seen = dict(Game.objects.values_list("name", "gm_sees"))
    assert seen == {"verdun": "nothing", "ypres": "orders"}


def test_nobody_is_made_for_a_game_that_cannot_be_made(db: None) -> None:
    with pytest.raises(CommandError, match="time zone"):
        run("create_game", "verdun", "--gm", "new@players.test", "--timezone", "Mars")
    assert not User.objects.exists()


def test_a_game_is_made_with_its_pace_and_its_gm() -> None:
    gm = make_gm()
    said = run(
        *("create_game", "verdun", "--gm", "GM@players.test"),
        *("--movement", "2d", "--retreat", "12h", "--adjustment", "6h"),
        *("--timezone", "Europe/Berlin", "--no-early"),
    )
    assert said == (
        "Made the game verdun: 7 powers, 2 days for movement. Players join it with: JOIN verdun"
        ". Its GM is told by mail.\n"
    )
    game = Game.objects.get()
    assert (game.gm, game.timezone, game.process_early) == (gm, "Europe/Berlin", False)
    lengths = (game.movement_length, game.retreat_length, game.adjustment_length)
    assert lengths == (2 * DAY, 12 * HOUR, 6 * HOUR)
    assert game.created_at == NOW


def test_a_game_is_made_with_deadlines_on_the_wall_clock() -> None:
    run(
        *("create_game", "verdun", "--movement", "24h", "--movement-clock", "Tue Fri 20:00"),
        *("--timezone", "Europe/Berlin", "--days-off", "12-25", "--first-extra", "2d"),
        *("--grace", "5m", "--reminders", "24h 4h", "--early-delay", "1h", "--no-absences"),
    )
    game = Game.objects.get()
    assert (game.movement_clock, game.days_off, game.reminders) == (
        "Tue Fri 20:00",
        "12-25",
        "24h 4h",
    )
    assert (game.first_extra, game.transit_grace, game.early_delay) == (2 * DAY, HOUR / 12, HOUR)
    assert not game.waits_for_absent


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("create_game", "ver dun"), "letters, digits"),
        (("create_game", ""), "^“Name” cannot be empty"),
        (("create_game", "v" * 41), "^“Name” can have at most 40 characters; this has 41"),
        (("create_game", "v", "--reminders", "9" * 61), "^“Reminders” can have at most 60"),
        (
            ("create_game", "v", "--min-reliability", "101"),
            "^“Minimum reliability” can be at most 100",
        ),
        (("create_game", "verdun", "--movement", "soon"), "write it like 72h"),
        (("create_game", "verdun", "--gm", "nobody"), "is not an e-mail address"),
        (("create_game", "verdun", "--variant", "atlantis"), "atlantis"),
        (("start_game", "verdun"), "There is no game “verdun”"),
        (("process_game", "verdun"), "There is no game “verdun”"),
    ],
)
def test_a_mistake_is_answered_in_one_line(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said) as error:
        run(*words)
    assert "\n" not in str(error.value)
    assert not Game.objects.exists()


def test_a_name_that_is_unknown_is_answered_with_games_of_any_state() -> None:
    with pytest.raises(CommandError, match=r"“verdun”\. This server has no games yet"):
        run("export_game", "verdun")
    for name in ("aisne", "ourcq"):
        game_create(name=name, now=NOW)
    Game.objects.filter(name="ourcq").update(status="finished")
    for command in ("process_game", "start_game", "export_game", "verify_log"):
        with pytest.raises(CommandError, match=r"“verdun”\. The games are aisne, ourcq"):
            run(command, "verdun")
    for number in range(9):
        game_create(name=f"lys-{number}", now=NOW)
    with pytest.raises(CommandError, match=r"The newest games are lys-0, .*, ourcq"):
        run("rollback_game", "verdun", "F1901M")


def test_a_game_is_started_with_everybody_named() -> None:
    game = game_create(name="verdun", now=NOW)
    for name, power in POWERS.items():
        seat_fill(game=game, power=game.powers.get(name=power), player=make_player(name), now=NOW)
    said = run("start_game", "VERDUN")
    assert said.startswith("Started verdun with Austria Ana, England Ben, France Carla")
    assert said.endswith("S1901M is due at 2026-03-05 12:00 UTC.\n")


def test_a_game_that_lacks_players_is_not_started() -> None:
    game_create(name="verdun", now=NOW)
    with pytest.raises(CommandError, match="7 of its 7 seats are still free"):
        run("start_game", "verdun")


def test_a_phase_is_processed_whatever_its_deadline(marne: Cast) -> None:
    assert (
        run("process_game", "marne")
        == "Processed Spring 1901 movement of marne. Next is Fall 1901 movement.\n"
    )
    assert marne.phase.name == "F1901M"


def test_the_log_says_why_the_operator_had_a_phase_processed(marne: Cast) -> None:
    run("process_game", "marne", "--why", "The tournament is over tonight.")
    [event] = marne.events("phase_processed")
    assert sentence(event).endswith("The tournament is over tonight.")


def test_a_phase_that_breaks_is_said_in_one_line(
    marne: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    phase = marne.phase
    phase.position["units"]["France"] = ["A Atlantis"]
    phase.save()
    with (
        caplog.at_level(logging.CRITICAL),
        pytest.raises(CommandError, match="Error in judge/") as error,
    ):
        run("process_game", "marne")
    assert "\n" not in str(error.value)
