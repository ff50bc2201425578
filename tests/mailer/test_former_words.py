"""Those who know njudge or DPjudge: each of their words does what it says, or is answered."""

from __future__ import annotations

import pytest

from games.models import Absence, Application, Proposal
from games.services.games import game_create
from mailer.commands.calls import read_script
from mailer.commands.player import VERBS, WORDS
from mailer.commands.player.legacy_commands import SENTENCES
from mailer.outbound import addresses
from tests.cast import NOW, Cast
from tests.mailer.correspondence import answer_to, flat, write
from tests.mailer.test_script import letter

pytestmark = pytest.mark.django_db


def carla(cast: Cast, text: str) -> str:
    to = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=NOW)
    return flat(answer_to(write("Carla", text, to=to)).body)


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("REGISTER Ana", "register"),
        ("LIST", "list"),
        ("OBSERVE marne", "observe"),
        ("WATCH marne", "observe"),
        ("HISTORY marne", "history"),
        ("MAP marne", "map"),
        ("HELP", "help"),
        ("INFO", "help"),
        ("PHASE F1901M", "phase"),
        ("PHASE Fall 1901", "phase"),
        ("CLEAR", "clear"),
        ("BROADCAST", "broadcast"),
        ("PRESS TO AG", "press"),
        ("PRESS GREY TO ALL", "press"),
        ("RESIGN", "resign"),
        ("WITHDRAW marne", "leave"),
        ("SIGN ON ?marne", "signon"),
        ("SIGNON Fmarne secret", "signon"),
        ("SET WAIT", "set"),
        ("SETNOWAIT", "set"),
        ("SET NO WAIT", "set"),
        ("SET ABSENCE 2026-03-10 TO 2026-03-12", "set"),
        ("WHO IS ana@players.test", "former"),
        ("WHOIS ana@players.test", "former"),
        ("I AM ALSO ana@old.test", "former"),
        ("GET help", "former"),
        ("BECOME MASTER", "former"),
        ("PROCESS", "former"),
        ("PROCESS! S1901M", "former"),
        ("POSTAL PRESS", "former"),
        ("FORCE BEGIN", "former"),
        ("SUMMARY marne", "former"),
    ],
)
def test_the_word_is_known(line: str, verb: str) -> None:
    assert read_script(letter(line), WORDS)[0].verb == verb


@pytest.mark.parametrize("line", ["SIGN OFF", "SIGNOFF", "Sign off.", "QUIT"])
def test_nothing_below_it_is_read(marne: Cast, line: str) -> None:
    carla(marne, f"A Par - Bur\n{line}\nA Mar - Bur")
    assert marne.phase.order_sets.get().lines == ["A Par - Bur"]


@pytest.mark.parametrize(
    ("line", "word"),
    [("SET WAIT", "wait"), ("SETWAIT", "wait"), ("SET NO WAIT", "ready"), ("SETNOWAIT", "ready")],
)
def test_waiting_is_set_as_njudge_sets_it(marne: Cast, line: str, word: str) -> None:
    carla(marne, line)
    assert marne.phase.readiness.get().word == word


def test_votes_are_set_as_njudge_sets_them(marne: Cast) -> None:
    assert "You vote yes on proposal 1" in carla(marne, "SET DRAW")
    assert "You vote no on proposal 1" in carla(marne, "SET NO DRAW")
    carla(marne, "VOTE WITHDRAW")
    assert "to Turkey" in carla(marne, "SET CONCEDE Turkey")
    assert Proposal.objects.count() == 2


def test_absences_are_set_as_njudge_sets_them(marne: Cast) -> None:
    carla(marne, "SET VACATION 2026-03-10 TO 2026-03-12")
    assert str(Absence.objects.get().last) == "2026-03-12"
    assert "taken back" in carla(marne, "SET NO ABSENCE 2026-03-10")
    assert Absence.objects.get().withdrawn_at


@pytest.mark.parametrize("line", ["SIGNON ?verdun", "SIGN ON verdun", "SIGNON ?verdun secret"])
def test_who_signs_on_to_a_game_that_takes_players_joins_it(marne: Cast, line: str) -> None:
    game_create(name="verdun", now=NOW)
    carla(marne, line)
    assert Application.objects.get(game__name="verdun").player.name == "Carla"


def test_who_signs_on_to_his_power_is_told_that_nothing_has_to_be_signed(marne: Cast) -> None:
    body = carla(marne, "SIGNON Fmarne secret\nA Par - Bur")
    assert "You need not sign on here" in body
    assert "secret" not in body
    assert marne.phase.order_sets.get().counts


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("SET PASSWORD secret", "There are no passwords here"),
        ("SET PREFERENCE FGE", "write JOIN, the game's name and the new list"),
        ("SET DEADLINE tomorrow", "EXTEND 24h"),
        ("I AM ALSO ana@old.test", "SET ADDRESS"),
        ("GET rules", "HELP shows everything"),
        ("WHO IS ben@players.test", "We tell nobody who is registered"),
        ("CREATE ?verdun secret", "made by game masters"),
        ("BECOME France", "for the game master"),
        ("PROCESS S1901M", "for the game master"),
        ("EJECT Italy", "for the game master"),
        ("SUMMARY marne", "HISTORY shows the last phase"),
        ("DIARY LIST", "Notes are not kept"),
    ],
)
def test_what_is_done_otherwise_here_is_said(marne: Cast, line: str, said: str) -> None:
    assert said in carla(marne, line)
    assert not marne.phase.order_sets.exists()


@pytest.mark.parametrize("word", sorted(SENTENCES))
def test_every_such_word_has_its_own_answer(marne: Cast, word: str) -> None:
    assert WORDS[word].verb == "former"
    assert flat(SENTENCES[word]) in carla(marne, word.upper())


def test_no_such_word_hides_a_command_of_ours() -> None:
    ours = {word for verb in VERBS.values() if verb.name != "former" for word in verb.aliases}
    assert not (ours | (set(VERBS) - {"former"})) & set(SENTENCES)


@pytest.mark.parametrize(
    "line", ["Get ready for the next move, Italy!", "Who is it that plays Italy I wonder?"]
)
def test_a_sentence_costs_nobody_an_order(marne: Cast, line: str) -> None:
    carla(marne, f"{line}\nA Par - Bur")
    assert marne.phase.order_sets.get().counts
