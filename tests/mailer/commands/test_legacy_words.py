"""Those who know njudge or DPjudge: each of their words does what it says, or is answered."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from games.errors import BadInput
from games.models import Absence, Application, Game, Proposal
from games.queries.parsing.press_audience import Audience, read_audience
from games.services.setup.games import game_create
from mailer.commands.player import COMMANDS, WORDS
from mailer.commands.player.legacy_commands import SENTENCES
from mailer.commands.script import read_script
from mailer.models import InboundMail
from tests.cast import NOW, POWERS, Cast, address_of, seat_fill
from tests.mailer.commands.letters import letter
from tests.mailer.correspondence import answer_to, eml, flat, receive, to_seat, write
from tests.mailer.identity_tables import SERVER, results
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def carla(cast: Cast, text: str) -> str:
    to = to_seat(cast)
    return flat(answer_to(write("Carla", text, to=to)).body)


@each_row(
    ("line", "command"),
    [
        ("REGISTER Ana", "register"),
        ("LIST", "list"),
        ("LIST marne FULL", "list"),
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
        ("PRIVATE PRESS TO Italy", "press"),
        ("PRESS Germany", "press"),
        ("Press Germany and Italy:", "press"),
        ("PRESS GM: are you there?", "press"),
        ("Press on, Germany", "orders"),
        ("RESIGN", "resign"),
        ("WITHDRAW marne", "leave"),
        ("SIGN ON ?marne", "signon"),
        ("SIGNON Fmarne secret", "signon"),
        ("SET WAIT", "set"),
        ("SETNOWAIT", "set"),
        ("SET NO WAIT", "set"),
        ("SET ABSENCE 2026-03-10 TO 2026-03-12", "set"),
        ("WHO IS ana@players.test", "legacy"),
        ("WHOIS ana@players.test", "legacy"),
        ("I AM ALSO ana@old.test", "legacy"),
        ("GET help", "legacy"),
        ("BECOME MASTER", "legacy"),
        ("PROCESS", "legacy"),
        ("INVITE ana@players.test", "legacy"),
        ("PROCESS! S1901M", "legacy"),
        ("POSTAL PRESS", "legacy"),
        ("FORCE BEGIN", "legacy"),
        ("SUMMARY marne", "legacy"),
    ],
)
def test_the_word_is_known(line: str, command: str) -> None:
    assert read_script(letter(line), WORDS)[0].command == command


@each_row(
    ("line", "subject"),
    [
        ("LIST marne", "[marne] Status"),
        ("list marne full", "[marne] Status"),
        ("LIST FULL", "Games"),
        ("LIST all games", "Games"),
    ],
)
def test_list_and_a_game_shows_how_that_stands(marne: Cast, line: str, subject: str) -> None:
    assert answer_to(write("Carla", line)).subject == subject


def test_version_is_not_answered_with_files(marne: Cast) -> None:
    assert "neither njudge nor DPjudge" in carla(marne, "VERSION")


@each_row("line", ["SIGN OFF", "SIGNOFF", "Sign off.", "QUIT"])
def test_nothing_below_it_is_read(marne: Cast, line: str) -> None:
    carla(marne, f"A Par - Bur\n{line}\nA Mar - Bur")
    assert marne.phase.order_sets.get().lines == ["A Par - Bur"]


@each_row(
    ("line", "word"),
    [
        *(("SET WAIT", "wait"), ("SETWAIT", "wait"), ("SET NO WAIT", "ready")),
        *(("SETNOWAIT", "ready"), ("SET WAIT OFF", "ready"), ("SETWAIT no", "ready")),
        ("SET NOWAIT OFF", "wait"),
    ],
)
def test_waiting_is_set_as_njudge_sets_it(marne: Cast, line: str, word: str) -> None:
    carla(marne, line)
    assert marne.phase.readiness.get().word == word


def test_nowait_is_what_set_nowait_is(marne: Cast) -> None:
    carla(marne, "NOWAIT")
    assert marne.phase.readiness.get().word == "ready"


@each_row("line", ["SET DRAW FGR", "DRAW FGR", "VOTE DRAW RGF.", "VOTE DRAW of FGR"])
def test_the_powers_of_a_draw_are_read_by_their_initials_as_those_of_press_are(
    marne: Cast, line: str
) -> None:
    Game.objects.update(draws=Game.Draws.SUBSET)
    assert "a draw among France, Germany and Russia" in carla(marne, line)


@each_row("line", ["DRAW FR", "DRAW FGM", "DRAW FXR"])
def test_letters_that_may_be_other_powers_propose_no_draw(marne: Cast, line: str) -> None:
    Game.objects.update(draws=Game.Draws.SUBSET)
    assert "There is no power" in carla(marne, line)
    assert not Proposal.objects.exists()


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


@each_row("line", ["SIGNON ?verdun", "SIGN ON verdun", "SIGNON ?verdun secret"])
def test_who_signs_on_to_a_game_looking_for_players_joins_it(marne: Cast, line: str) -> None:
    game_create(name="verdun", now=NOW)
    carla(marne, line)
    assert Application.objects.get(game__name="verdun").player.name == "Carla"


def test_who_signs_on_to_their_power_is_told_for_which_one_the_mail_is(marne: Cast) -> None:
    body = carla(marne, "SIGNON Fmarne secret\nA Par - Bur")
    assert "This mail is for France in the game marne. This server has no passwords" in body
    assert "secret" not in body
    assert marne.phase.order_sets.get().counts


@each_row(
    ("line", "said"),
    [
        ("SET PASSWORD secret", "There are no passwords here"),
        ("SET PREFERENCE FGE", "write JOIN, the game's name and the new list"),
        ("SET DEADLINE tomorrow", "write EXTEND, how long and why"),
        ("SET PRESS no white", "PRESS TO GM"),
        ("SET MOVES clock 1260 days -M-W-F-", "PRESS TO GM"),
        ("SET DEDICATION 5", "PRESS TO GM"),
        ("SET PROXY TO GERMANY", "no proxies here"),
        ("PROXY GERMANY", "no proxies here"),
        ("SET NOTE", "DIARY RECORD"),
        ("SET NO PRESS", "That is for the game master"),
        ("SET NONMR", "That is for the game master"),
        ("SET LATE PRESS", "That is for the game master"),
        ("SET NO REMINDER", "SET REMINDERS OFF"),
        ("SET CONCESSION", "write CONCEDE TO and its name"),
        ("SET ORDERS", "for the game master"),
        ("ROLL BACK S1901M", "for the game master"),
        ("GETDEDICATION ben@players.test", "STATUS shows how reliable you have been"),
        ("GET DEDICATION ben@players.test", "STATUS shows how reliable you have been"),
        ("I AM ALSO ana@old.test", "SET ADDRESS"),
        ("GET rules", "RULES explains the game"),
        ("WHO IS ben@players.test", "We give nobody's address away"),
        ("CREATE ?verdun secret", "We do not know “secret” here. A game's name is one word"),
        ("BECOME France", "for the game master"),
        ("PROCESS S1901M", "for the game master"),
        ("EJECT Italy", "for the game master"),
        ("SUMMARY marne", "HISTORY shows the last phase"),
        ("DIARY LIST", "has no diaries"),
    ],
)
def test_what_is_done_otherwise_here_is_said(marne: Cast, line: str, said: str) -> None:
    assert said in carla(marne, line)
    assert not marne.phase.order_sets.exists()


@each_row(
    ("line", "said"),
    [
        ("MASTER marne secret", "write GM, the game's name and the command"),
        ("SHOW ORDERS", "write ORDERS on a line of its own"),
        ("PLAYERS", "write STATUS on a line of its own"),
    ],
)
def test_a_word_that_may_begin_a_sentence_is_answered_where_it_stands_alone(
    marne: Cast, line: str, said: str
) -> None:
    assert said in carla(marne, line)
    assert said not in carla(marne, f"{line} of our side, I think, will be in favour")


@each_row("word", sorted(SENTENCES))
def test_every_such_word_has_its_own_answer(marne: Cast, word: str) -> None:
    assert WORDS[word].command == "legacy"
    assert flat(SENTENCES[word]) in carla(marne, word.upper())


def test_no_such_word_hides_a_command_of_ours() -> None:
    ours = {
        word
        for command in COMMANDS.values()
        if command.name != "legacy"
        for word in command.aliases
    }
    assert not (ours | (set(COMMANDS) - {"legacy"})) & set(SENTENCES)


@pytest.mark.parametrize(
    "line", ["Get ready for the next move, Italy!", "Who is it that plays Italy I wonder?"]
)
def test_a_sentence_costs_nobody_an_order(marne: Cast, line: str) -> None:
    carla(marne, f"{line}\nA Par - Bur")
    assert marne.phase.order_sets.get().counts


@pytest.fixture
def two_games(marne: Cast, settings: Settings) -> Cast:
    """Carla plays France in `marne` and Turkey in `ypres`, and her domain stands up for her."""
    settings.TRUSTED_AUTHSERV_ID = SERVER
    game = game_create(name="ypres", now=NOW)
    turkey = game.powers.get(name="Turkey")
    seat_fill(game=game, power=turkey, player=marne.player("Carla"), now=NOW)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ACTIVE)
    return marne


def from_carla(text: str) -> InboundMail:
    raw = eml(text, sender=address_of("Carla"), headers=results("passed"))
    return receive(raw)


@each_row(
    "line", ["SIGNON Fmarne", "SIGN ON fmarne secret", "SIGNON France marne", "signon marne pass"]
)
def test_signing_on_says_for_which_game_a_mail_is(two_games: Cast, line: str) -> None:
    body = flat(answer_to(from_carla(f"{line}\nA Par - Bur")).body)
    assert "This mail is for France in the game marne." in body
    assert two_games.phase.order_sets.get().lines == ["A Par - Bur"]


@each_row("line", ["", "SIGNON Tmarne", "SIGNON verdun", "SIGNON Germany marne"])
def test_without_a_game_of_theirs_we_ask_which_one_is_meant(two_games: Cast, line: str) -> None:
    body = flat(answer_to(from_carla(f"{line}\nA Par - Bur")).body)
    assert "You play in several games: marne and ypres." in body
    assert not two_games.phase.order_sets.exists()


def test_signing_on_proves_nothing(two_games: Cast) -> None:
    mail = receive(eml("SIGNON Fmarne\nA Par - Bur", sender=address_of("Carla")))
    assert mail.state == InboundMail.State.HELD
    assert not two_games.phase.order_sets.exists()


@each_row(
    ("written", "powers", "gm"),
    [
        ("AG", ("Austria", "Germany"), False),
        ("GIM", ("Germany", "Italy"), True),
        ("RT", ("Russia", "Turkey"), False),
        ("FR", None, False),
        ("ga", ("Austria", "Germany"), False),
        ("mag", ("Austria", "Germany"), True),
        ("gem", None, False),
        ("fr", None, False),
        ("rtig", None, False),
        ("me", None, False),
        ("ME", None, False),
    ],
)
def test_press_goes_to_powers_by_their_initials(
    written: str, powers: tuple[str, ...] | None, gm: bool
) -> None:
    names = sorted(POWERS.values())
    if powers is None:
        with pytest.raises(BadInput):
            read_audience(written, names, "France")
    else:
        assert read_audience(written, names, "France") == Audience(powers, gm=gm)
