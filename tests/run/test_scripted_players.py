"""The scripted players: they read what they are mailed, and play so that a game moves and ends."""

from __future__ import annotations

import random
from collections import Counter
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import cast

import pytest

from diplomacy_server.demo.answers import first_letter, letters_after
from diplomacy_server.demo.cast import CAST, ORGANISER, Person
from diplomacy_server.demo.handwriting import as_written, reply
from diplomacy_server.demo.mailbox import PlayersMailbox
from diplomacy_server.demo.organiser import next_name
from diplomacy_server.demo.players import Correspondent
from diplomacy_server.demo.reading import (
    Mail,
    Retreat,
    Situation,
    read_board,
    read_forgotten,
    read_mail,
    read_situation,
)
from diplomacy_server.demo.strategy import Strategist
from judge import Position, adjudicate, load_variant, read_orders
from mailer.letter import read_letter
from mailer.notices.parts.sections import guess_sentence

ANA, BEN, CHLOE, DMITRI, EMMA, FABIO, GUL = CAST
START = """\
The game sample starts, and you play Germany.

WHAT YOU MUST DO NOW

Spring 1901 movement: you have 3 units to order.
Deadline: Thu 5 Mar 2026, 12:00 UTC, in 3 days.
Your units (A Berlin, A Munich, F Kiel)

THE BOARD

Russia: 4 centres (Moscow, Sevastopol, St Petersburg, Warsaw)
Russia: 4 units (A Moscow, A Warsaw, F Sevastopol)
Russia: and (F St Petersburg(sc))

Germany: 3 centres (Berlin, Kiel, Munich)
Germany: 3 units (A Berlin, A Munich, F Kiel)
"""


def mail(text: str, subject: str = "[sample] Spring 1901 movement: results") -> Mail:
    return Mail(subject, text, "<1@localhost>", "", "judge+abc@localhost")


def test_a_start_mail_is_read_with_its_board() -> None:
    assert read_situation(mail(START)) == Situation(
        game="sample",
        phase="Spring 1901 movement",
        power="Germany",
        to_order=("A Berlin", "A Munich", "F Kiel"),
        units={
            "Russia": ("A Moscow", "A Warsaw", "F Sevastopol", "F St Petersburg(sc)"),
            "Germany": ("A Berlin", "A Munich", "F Kiel"),
        },
        centres={
            "Russia": ("Moscow", "Sevastopol", "St Petersburg", "Warsaw"),
            "Germany": ("Berlin", "Kiel", "Munich"),
        },
    )


def test_the_units_of_a_power_without_a_centre_are_not_its_neighbours() -> None:
    board = (
        "Russia: 1 centre in sight (Moscow), 1 unit in sight (A Moscow) "
        "Austria: no centre in sight, 1 unit in sight (A Tyrolia) Italy: no centre, 1 unit (A Rome)"
    )
    assert read_board(board) == (
        {"Russia": ("Moscow",)},
        {"Russia": ("A Moscow",), "Austria": ("A Tyrolia",), "Italy": ("A Rome",)},
    )


def test_a_power_of_two_words_is_read() -> None:
    """As in Chaos."""
    text = (
        "You play St Petersburg. Winter 1900 adjustments: you may build 1 unit.\nTHE BOARD NOW "
        "Spain: 1 centre (Spain), no units. St Petersburg: 1 centre (St Petersburg), no units."
    )
    situation = read_situation(mail(text))
    assert situation is not None
    assert situation.power == "St Petersburg"
    assert situation.centres == {"Spain": ("Spain",), "St Petersburg": ("St Petersburg",)}


def test_retreats_are_read_with_and_without_a_way_out() -> None:
    text = (
        "You play Austria. Fall 1901 retreats: you have 2 dislodged units to retreat or disband.\n"
        "Your A Vienna must retreat to Bohemia or\nTyrolia, or else disband. "
        "Your F Trieste has nowhere to go and must disband."
    )
    situation = read_situation(mail(text))
    assert situation is not None
    assert situation.retreats == (
        Retreat("A Vienna", ("Bohemia", "Tyrolia")),
        Retreat("F Trieste", ()),
    )


def test_builds_and_disbands_are_read() -> None:
    text = "You play Russia. Winter 1901 adjustments: you "
    builds = read_situation(
        mail(f"{text}may build 2 units.\nPlaces for new units (Moscow, Warsaw)")
    )
    assert builds is not None
    assert (builds.builds, builds.build_sites) == (2, ("Moscow", "Warsaw"))
    disbands = read_situation(mail(f"{text}must disband 1 unit."))
    assert disbands is not None
    assert disbands.disbands == 1


def test_in_fog_of_war_a_player_reads_what_is_in_sight() -> None:
    board = (
        "You play Russia. Fall 1903 movement: you have 1 unit to order. Your units (A Warsaw) "
        "THE BOARD NOW Russia: 1 centre (Warsaw) Russia: 1 unit (A Warsaw) "
        "Turkey: 2 centres in sight (Bulgaria) Turkey: and (Sevastopol) "
        "Turkey: 2 units in sight (A Greece, A Sevastopol) England: no centre in sight "
        "England: 1 unit in sight (F Norwegian Sea) Italy: nothing in sight"
    )
    situation = read_situation(mail(board))
    assert situation
    assert situation.units == {
        "Russia": ("A Warsaw",),
        "Turkey": ("A Greece", "A Sevastopol"),
        "England": ("F Norwegian Sea",),
    }
    assert situation.centres == {"Russia": ("Warsaw",), "Turkey": ("Bulgaria", "Sevastopol")}


def test_who_remembers_what_they_play_need_not_be_told_again() -> None:
    again = "Spring 1901 movement: you have 1 unit to order. Your units (A Rome)"
    assert read_situation(mail(again)) is None
    situation = read_situation(mail(again), plays="Italy")
    assert situation
    assert (situation.power, situation.to_order) == ("Italy", ("A Rome",))


def test_a_mail_that_asks_for_nothing_gets_no_answer() -> None:
    text = "You play Italy. Nothing: Italy has nothing to decide in Fall 1901 retreats."
    assert letters_after(mail(text), FABIO) == []
    assert letters_after(mail("Your orders came.", "[sample] your orders"), FABIO) == []
    assert letters_after(mail("What games are there", "Games"), FABIO) == []


def test_what_was_not_understood_is_written_again_and_only_that() -> None:
    text = (
        "These orders stand now for Russia in Spring 1902 movement:\n\n"
        "1 of 3: A Denmark - Sweden\n2 of 3: A Silesia has no order yet, so it would hold.\n"
        "3 of 3: A Moscow - Ukraine\n"
    )
    assert read_forgotten(mail(text)) == Situation(
        game="sample", phase="Spring 1902 movement", power="Russia", to_order=("A Silesia",)
    )
    (answer,) = letters_after(mail(text), DMITRI)
    lines = [line.text for line in read_letter(answer.as_bytes()).lines if line.text.strip()]
    assert lines[0] == "AMEND"
    assert len(lines) == 2
    assert "Silesia" in lines[1]


def test_a_guess_of_the_judge_is_confirmed_so_that_the_game_goes_on() -> None:
    text = f"France has an order for every unit.\n\n{guess_sentence(())}\n"
    (answer,) = letters_after(mail(text, "[sample] Re: orders"), CHLOE)
    assert next(one.text for one in read_letter(answer.as_bytes()).lines if one.text) == "READY"


def test_a_player_registers_confirms_and_joins_by_the_words_of_the_mails() -> None:
    assert "REGISTER Ana Silva" in str(first_letter(ANA).get_body(("plain",)))
    (yes,) = letters_after(mail("Is it yours?", "Please confirm your address"), ANA)
    assert yes["To"] == "judge+abc@localhost"
    assert yes["In-Reply-To"] == "<1@localhost>"
    (joins,) = letters_after(mail("You are registered.", "Welcome"), ANA)
    assert joins["To"] == "judge+abc@localhost"
    lines = str(read_letter(joins.as_bytes()).lines)
    assert all(f"JOIN {game} {ANA.preferences}" in lines for game in ANA.games)
    assert len(ANA.games) == 2


def test_a_player_whose_mail_is_held_says_that_it_was_theirs() -> None:
    (yes,) = letters_after(
        mail("Not counted yet", "Your mail does NOT count yet: was this mail yours?"), ANA
    )
    assert yes["To"] == "judge+abc@localhost"
    assert [line.text for line in read_letter(yes.as_bytes()).lines] == ["YES"]


def test_an_invitation_of_the_organiser_is_followed() -> None:
    invitation = Mail("New", "Who plays?\n\nJOIN sample-2", "<2@x>", "", ORGANISER.address)
    (join,) = letters_after(invitation, GUL)
    assert f"JOIN sample-2 {GUL.preferences}" in str(read_letter(join.as_bytes()).lines)


def test_games_are_numbered_on() -> None:
    assert [next_name("sample"), next_name("sample-2"), next_name("yours-9")] == [
        "sample-2",
        "sample-3",
        "yours-10",
    ]


@pytest.mark.parametrize("person", CAST, ids=lambda person: person.name)
def test_everybodys_mail_program_is_understood_by_the_judge(person: Person) -> None:
    letter = reply(person, mail(START), "A Paris - Burgundy\nF Brest Holds")
    read = read_letter(letter.as_bytes())
    assert [line.text.strip() for line in read.lines if line.text.strip()] == [
        "A Paris - Burgundy",
        "F Brest Holds",
    ]
    assert read.mark is None
    shown = message_from_bytes(letter.as_bytes(), policy=policy.default)
    assert isinstance(shown, EmailMessage)
    assert shown["References"] == "<1@localhost>"


def test_a_mail_is_read_as_a_mail_program_shows_it() -> None:
    raw = (
        b"From: judge@localhost\r\nReply-To: judge+x@localhost\r\nMessage-ID: <7@localhost>\r\n"
        b"Subject: =?utf-8?q?=5Bsample=5D_Chlo=C3=A9?=\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\nChlo=C3=A9\r\n"
    )
    read = read_mail(raw)
    assert (read.subject, read.game, read.text.strip()) == ("[sample] Chloé", "sample", "Chloé")
    assert (read.reply_to, read.message_id) == ("judge+x@localhost", "<7@localhost>")


def situation_of(position: Position, power: str) -> Situation:
    powers = position.variant.powers
    adjustment = position.adjustment(power) if str(position.phase).endswith("A") else 0
    moving = str(position.phase).endswith("M")
    return Situation(
        game="sample",
        phase=str(position.phase),
        power=power,
        to_order=tuple(map(str, position.units_of(power))) if moving else (),
        retreats=tuple(
            Retreat(str(one.unit), tuple(map(str, one.retreats)))
            for one in position.dislodged_of(power)
        ),
        builds=max(0, adjustment),
        build_sites=tuple(map(str, position.build_sites(power))) if adjustment > 0 else (),
        disbands=max(0, -adjustment),
        units={one: tuple(map(str, position.units_of(one))) for one in powers},
        centres={one: position.centers_of(one) for one in powers},
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_whole_game_of_scripted_players_has_everything_and_ends(seed: int) -> None:
    variant = load_variant("standard")
    position, steps, words, winner = Position.start(variant), Counter[str](), Counter[str](), None
    while winner is None and str(position.phase)[1:5] < "1960":
        steps[str(position.phase)[-1]] += 1
        chance = random.Random(f"{seed}/{position.phase}")
        orders = {
            power: Strategist(situation_of(position, power), chance).orders()
            for power in position.powers_to_order()
        }
        outcome = adjudicate(position, orders)
        for one in outcome.results:
            words.update(one.result)
        position, winner = outcome.next, outcome.winner
    assert winner is not None
    assert min(steps["M"], steps["R"], steps["A"]) >= 3
    assert words["illegal"] == 0
    assert min(words["given"], words["dislodged"], words["available"], words["cut"]) >= 1


def test_a_slip_of_the_pen_happens_but_not_often() -> None:
    written = as_written(["A Paris Holds"] * 2000, ANA, random.Random(7))
    slips = [line for line in written if line != "A Paris Holds"]
    assert 40 <= len(slips) <= 120
    assert all(sorted(line) == sorted("A Paris Holds") for line in slips)


def test_now_and_then_somebody_mixes_up_two_provinces() -> None:
    position = Position.start(load_variant("standard"))
    written = as_written(["A Paris - Burgundy"] * 2000, ANA, random.Random(7))
    wrong = [line for line in written if not read_orders(position, "France", [line])[0].counts]
    assert 30 <= len(wrong) <= 120


class OneMail:
    """A mailbox with one mail that nobody has put away yet."""

    def __init__(self) -> None:
        self.left = [1]

    def waiting(self) -> list[int]:
        return self.left

    def fetch(self, uid: int) -> bytes:
        return b"Subject: [sample] Gibberish\r\n\r\nxyzzy\r\n"

    def put_away(self, uid: int) -> None:
        self.left = []


def test_who_can_make_nothing_of_a_mail_leaves_it_at_that(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def puzzled(mail: Mail, person: Person) -> list[EmailMessage]:
        raise LookupError("Atlantis")

    mailbox = OneMail()
    correspondent = Correspondent(ANA, puzzled, cast(PlayersMailbox, mailbox), ready={1: 0.0})
    correspondent.look(1.0)
    assert mailbox.left == []
    assert f"{ANA.name} does not understand" in caplog.text


def test_an_army_carries_nobody_though_a_fleet_could_where_it_stands() -> None:
    gibraltar = Situation(
        game="sample",
        phase="Spring 1906 movement",
        power="France",
        to_order=("A Gibraltar", "A Spain"),
        units={"France": ("A Gibraltar", "A Spain")},
    )
    lines = {
        line
        for seed in range(30)
        for line in Strategist(gibraltar, random.Random(seed), "1900").orders()
    }
    assert lines
    assert not [line for line in lines if "Convoys" in line]
