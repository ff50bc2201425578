"""The start mail: what to do, how orders are written, to whom to write, what is unusual here."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import User

from games.board_json import StateJson
from games.models import Event, Game, Player, Power, Seat
from games.queries import board
from games.queries.endings.ending import rules_of_end
from games.queries.orders.example_orders import example_orders
from games.queries.phases.centers import Possessions
from games.queries.phases.next_phase import NextPhase
from games.queries.reports.start_report import StartReport, start_report
from games.queries.reports.timetable import timetable
from games.services.seating.joining import game_join, seat_give
from games.services.setup.games import game_create
from games.settings import what_differs
from mailer import jobs
from mailer.models import OutboundMail
from mailer.notices.parts.how_to_write import how_to_write
from mailer.notices.parts.sections import in_one_paragraph
from mailer.notices.start.game_started import start_body
from mailer.outbound import layout
from tests.cast import HOUR, NOW, Cast, make_cast
from tests.mailer.correspondence import answer_to, flat, home, write
from tests.rows import each_row

FRIENDS = [f"Margarete Ehrlich {number}" for number in range(40)]


def body(game: Game, *, substitute: bool = False) -> str:
    """The start mail of the first power of a game that stands at its beginning."""
    position = board.position_of(game.variant, board.first_state(game.variant))
    powers = list(position.variant.powers)
    mine = powers[0]
    step = position.phase.step
    report = StartReport(
        game=game.name,
        power=mine,
        player=FRIENDS[0],
        variant=position.variant.title,
        rules="DATC",
        victory_centers=position.variant.victory_centers,
        possessions=tuple(
            Possessions(
                power, name, position.centers_of(power), tuple(map(str, position.units_of(power)))
            )
            for power, name in zip(powers, FRIENDS, strict=False)
        ),
        process_early=True,
        timetable=timetable(game),
        differs=what_differs(game),
        ends=rules_of_end(game),
        next=NextPhase(
            name=str(position.phase),
            title=position.phase.long_name,
            step=step,
            due_at=NOW + dt.timedelta(days=3),
            second_thoughts="30 minutes",
            paused=False,
            duty=board.duty_of(position, mine),
            out=False,
        ),
        examples=example_orders(game.variant, position, mine),
    )
    seat = Seat(power=Power(game=game, name=mine), player=Player(name=FRIENDS[0]))
    return start_body(Event(game=game), seat, report, NOW, substitute=substitute)


def examples(units: dict[str, list[str]], power: str, phase: str = "S1901M") -> dict[str, str]:
    state = {**board.first_state("standard"), "phase": phase, "units": units}
    return dict(example_orders("standard", board.position_of("standard", state), power))


@each_row("variant", board.variant_names())
@each_row("press", Game.PressMode.values)
def test_a_start_mail_says_the_duty_early_and_is_short_enough_to_be_read(
    variant: str, press: str
) -> None:
    game = Game(name="marne", variant=variant, press_mode=press, grey_press=True, anonymous=True)
    lines = body(game).splitlines()
    assert max(map(len, lines)) <= 72
    [duty] = [at for at, line in enumerate(lines) if line.startswith("Deadline: ")]
    assert duty < 12


@pytest.mark.parametrize("anonymous", [True, False])
def test_a_start_mail_to_one_of_thirty_four_players_has_under_sixty_lines(anonymous: bool) -> None:
    game = Game(
        name="x" * 40, variant="chaos", grey_press=True, anonymous=anonymous, started_at=NOW
    )
    assert len(body(game).splitlines()) < 60


@pytest.mark.parametrize(("observers", "told"), [(True, True), (False, False)])
def test_a_start_mail_names_the_game_s_page_if_everybody_may_see_it(
    observers: bool, told: bool
) -> None:
    game = Game(name="marne", variant="standard", started_at=NOW, observers=observers)
    assert ("page: http://127.0.0.1:8000/games/marne/" in flat(body(game))) == told


@pytest.mark.django_db
def test_who_may_join_is_no_news_to_somebody_who_has_a_seat(marne: Cast) -> None:
    Game.objects.filter(pk=marne.game.pk).update(entry="approval", observers=False)
    joins, *others = what_differs(Game.objects.get(pk=marne.game.pk))
    assert joins.startswith("Who may join")
    assert others == ["Only those who play in it are told what happens."]
    assert start_report(marne.seat("France")).differs == tuple(others)


def test_those_who_play_learn_from_status_who_plays_what_and_nobody_else(marne: Cast) -> None:
    said = flat(answer_to(write("Carla", "STATUS", to=home("Carla"))).body)
    assert "Who plays: Austria: Ana; England: Ben; France: Carla; Germany: Dmitri;" in said
    assert "page: http://127.0.0.1:8000/games/marne/" in said
    assert "Who plays" not in answer_to(write("Hugo", "STATUS marne", to=home("Hugo"))).body
    Game.objects.update(anonymous=True)
    assert "Who plays" not in answer_to(write("Carla", "STATUS", to=home("Carla"))).body


def test_status_names_the_game_master_as_far_as_players_may_know_them(marne: Cast) -> None:
    assert "game master is" not in answer_to(write("Carla", "STATUS", to=home("Carla"))).body
    User.objects.filter(pk=marne.gm.pk).update(first_name="Gina")
    said = flat(answer_to(write("Carla", "STATUS", to=home("Carla"))).body)
    assert "Its game master is Gina." in said


def test_who_plays_has_its_blanks_where_it_fits_on_one_line_too() -> None:
    pairs = [f"{power}: {FRIENDS[3]}" for power in ("Austria", "England")]
    assert layout.laid_out(in_one_paragraph(pairs)).strip() == "; ".join(pairs)


def test_what_the_mail_of_a_large_game_leaves_out_leaves_no_blanks_behind() -> None:
    said = body(Game(name="marne", variant="chaos")).replace(" \n", " ")
    assert "supply centres wins. " in said
    assert "wins.  " not in said


def test_a_substitute_in_a_large_game_gets_the_board() -> None:
    game = Game(name="marne", variant="chaos")
    assert "THE BOARD" not in body(game)
    assert "THE BOARD" in body(game, substitute=True)


def test_the_board_begins_with_ones_own_power() -> None:
    assert "THE BOARD\n\nAustria: " in body(Game(name="marne"))


def test_the_examples_are_orders_of_ones_own_units_that_are_legal_now() -> None:
    assert examples(board.first_state("standard")["units"], "France") == {
        "a move": "A Marseilles - Burgundy",
        "a move in short": "A Mar-Bur",
        "a hold": "F Brest Holds",
        "a support to move": "A Paris Supports A Marseilles - Burgundy",
        "a support to hold": "A Paris Supports F Brest",
    }


@each_row("variant", board.variant_names())
def test_every_example_is_followed_as_it_stands(variant: str) -> None:
    position = board.position_of(variant, board.first_state(variant))
    rules = board.rulebook_of("DATC")
    for power in position.variant.powers:
        for _, order in example_orders(variant, position, power):
            [reading] = board.read_orders(position, power, [order], rules)
            assert reading.problem is None, order


def test_a_fleet_at_sea_shows_how_a_convoy_of_an_own_army_is_written() -> None:
    shown = examples({"England": ["F North Sea", "A London"], "France": ["A Brest"]}, "England")
    assert shown["a convoy"].startswith("F North Sea Convoys A London - ")


def test_a_lone_unit_shows_no_support_that_it_cannot_give() -> None:
    assert set(examples({"England": ["A Liverpool"]}, "England")) == {
        "a move",
        "a move in short",
        "a hold",
    }


def test_in_winter_the_examples_are_builds_or_disbands() -> None:
    state: StateJson = {**board.first_state("standard"), "phase": "W1901A"}
    first = {"France": ["A Paris"]}
    builds = board.position_of("standard", {**state, "units": first})
    assert dict(example_orders("standard", builds, "France")) == {
        "a new army": "Build A Brest",
        "a new fleet": "Build F Brest",
        "a build that you do not want": "Waive",
    }
    many = {"France": ["A Paris", "A Picardy", "A Burgundy", "A Gascony"]}
    disbands = board.position_of("standard", {**state, "units": many})
    assert dict(example_orders("standard", disbands, "France")) == {"a disband": "Disband A Paris"}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"press_mode": "none"}, "No press: nobody can write to the other powers."),
        ({"press_mode": "public"}, "Begin with BROADCAST on a line"),
        (
            {"press_mode": "private"},
            "never to everybody. To write to Germany, put PRESS TO Germany",
        ),
        ({"press_mode": "both"}, "To write to everybody, begin with BROADCAST on a line"),
        ({"press_mode": "both", "grey_press": True}, "begin with PRESS GREY TO Germany"),
        ({"press_mode": "public", "grey_press": True}, "begin with BROADCAST GREY"),
        ({"press_mode": "both", "anonymous": True}, "Do not sign it with your name"),
    ],
)
def test_a_player_learns_which_press_there_is_and_how_it_is_written(
    settings: dict[str, object], said: str
) -> None:
    assert said in " ".join(how_to_write(Game(name="marne", **settings), "France", ["Germany"]))


@pytest.mark.parametrize("settings", [{"grey_press": True}, {"anonymous": True}])
def test_in_a_game_without_press_nothing_is_said_of_how_to_write_it(
    settings: dict[str, object],
) -> None:
    said = how_to_write(Game(name="marne", press_mode="none", **settings), "France", ["Germany"])
    assert said == ["No press: nobody can write to the other powers."]


@pytest.mark.django_db
def test_rules_that_were_chosen_otherwise_are_told_to_everybody() -> None:
    make_cast(rules={"preset": "DATC", "4.A.4": "Brannan"}, gm_sees="orders")
    jobs.tell(NOW)
    mails = OutboundMail.objects.filter(kind="game_started")
    assert mails.count() == 8
    for mail in mails:
        said = flat(mail.body)
        assert "comes from the last convoying fleet (4.A.4)" in said
        assert "What the game master may see while a phase is open: orders and press" in said


@pytest.mark.django_db
def test_a_player_who_chose_no_zone_learns_how_and_others_do_not(marne: Cast) -> None:
    Player.objects.filter(name="Ana").update(timezone="Europe/Vienna")
    jobs.tell(NOW)
    starts = OutboundMail.objects.filter(kind="game_started", player__isnull=False)
    assert len(starts) == 7
    for mail in starts:
        told = "to see them in your own zone, write for example SET TIMEZONE Europe/Berlin" in flat(
            mail.body
        )
        assert told == (mail.player.name != "Ana")


@pytest.mark.django_db
def test_list_and_status_say_which_press_a_game_has(marne: Cast) -> None:
    game_create(name="verdun", press_mode="none", now=NOW)
    said = flat(answer_to(write("Hugo", "STATUS marne", to=home("Hugo"))).body)
    assert "The powers can write press to everybody or to chosen powers." in said
    listed = flat(answer_to(write("Hugo", "LIST", to=home("Hugo"))).body)
    assert "No press: the powers cannot write to each other." in listed


@pytest.mark.parametrize(
    "settings", [{}, {"anonymous": True}, {"fake_press": True, "diaries": "private"}]
)
def test_every_heading_of_a_start_mail_has_air_around_it(settings: dict[str, object]) -> None:
    lines = body(Game(name="marne", variant="standard", **settings)).splitlines()
    headings = [at for at, line in enumerate(lines) if line.isupper() and at]
    assert len(headings) >= 5
    for at in headings:
        assert (lines[at - 1], lines[at + 1]) == ("", ""), lines[at]


# --- a wish that was not met ------------------------------------------------------------------


def start_mails(cast: Cast, wishes: dict[str, str], *, seated: str = "") -> dict[str, str]:
    """The start mails of a game with these players and lists, by the player; the GM may have
    `seated` the first in a power."""
    game = game_create(name="verdun", gm=cast.gm, variant="france_austria", now=NOW)
    players = {name: cast.player(name) for name in wishes}
    if seated:
        power = game.powers.get(name=seated)
        first = players[next(iter(wishes))]
        seat_give(game=game, power=power, player=first, why="-", by="gm", now=NOW)
    for name, wish in list(wishes.items())[bool(seated) :]:
        game_join(game=game, player=players[name], preferences=wish, now=NOW + HOUR)
    jobs.tell(NOW)
    mails = OutboundMail.objects.filter(kind="game_started", event__game=game)
    return {mail.player.name: flat(mail.body) for mail in mails if mail.player}


def test_whoever_has_not_got_the_power_they_wished_for_reads_why(marne: Cast) -> None:
    told = start_mails(marne, {"Ana": "France", "Ben": "France; Austria"})
    why = (
        "You liked France better, but another player has it: when several players could have a "
        "power, we draw lots."
    )
    assert ["you play Austria. " + why in body for body in told.values()].count(True) == 1
    assert sum("we draw lots" in body for body in told.values()) == 1


@each_row("wish", ["", "random", "[France, Austria]"])
def test_whoever_liked_no_power_better_reads_nothing_of_it(marne: Cast, wish: str) -> None:
    told = start_mails(marne, {"Ana": "France", "Ben": wish})
    assert not [body for body in told.values() if "draw lots" in body and "Ben" in body[:80]]


def test_whoever_the_gm_seated_reads_nothing_of_the_lot(marne: Cast) -> None:
    told = start_mails(marne, {"Ana": "", "Ben": "Austria"}, seated="France")
    assert not [body for body in told.values() if "draw lots" in body]
