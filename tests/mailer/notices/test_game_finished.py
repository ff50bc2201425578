"""The end mail: who gets it, and that it tells the whole story of a long game readably."""

from __future__ import annotations

import random
import re
from email import message_from_bytes, policy

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from games.models import Event, Game, Phase, Player, Seat
from games.queries.board import position_of
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.endings.ending import game_end
from games.services.endings.proposals import concession_propose, draw_propose
from games.services.endings.votes import vote_cast
from games.services.ordering.disorder import disorder_declare
from games.services.ordering.orders import orders_submit
from games.services.seating.joining import game_join, game_leave, seat_give
from games.services.seating.observers import observe
from games.services.setup.games import game_create
from judge import legal_orders
from mailer import notices
from mailer.commands.calls import ORDERS
from mailer.commands.player import WORDS
from mailer.commands.script import read_script
from mailer.letter import read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound.compose import compose
from mailer.outbound.layout import laid_out
from mailer.text import MARKER
from tests.cast import (
    DAY,
    HOUR,
    NOW,
    POWERS,
    Cast,
    address_of,
    make_cast,
    make_gm,
    make_player,
    seat_fill,
)
from tests.mailer.correspondence import answer_to, flat, tell_all, to_seat, write

pytestmark = [pytest.mark.django_db, pytest.mark.long]

PLAYERS = {address_of(name) for name in POWERS}
GM = "gm@players.test"

Mails = dict[tuple[str, str], OutboundMail]


def tell(kind: str = "game_finished") -> dict[str, OutboundMail]:
    """Tell every event; return the mails of this kind by recipient."""
    tell_all()
    mails = OutboundMail.objects.filter(kind=kind).order_by("pk")
    assert len({mail.recipient for mail in mails}) == len(mails), "one mail each"
    return {mail.recipient: mail for mail in mails}


def end(cast: Cast, *winners: str, why: str = "We are all tired.") -> None:
    game_end(game=cast.game, winners=winners, why=why, by="the GM", now=NOW)


def play_at_random(cast: Cast, rng: random.Random) -> Phase:
    """Play a phase with a legal order for everything; return it."""
    phase = cast.phase
    choices = legal_orders(position_of(phase.game.variant, phase.position))
    for power in POWERS.values():
        lines = [
            str(order)
            for unit, orders in choices.get(power, {}).items()
            for order in rng.sample(orders, k=1 if unit else min(3, len(orders)))
        ]
        if lines:
            orders_submit(
                seat=cast.seat(power),
                phase=phase,
                lines=list(enumerate(lines, start=1)),
                amend=False,
                received_at=phase.opened_at,
                source=f"<{phase.pk}-{power}@players.test>",
                now=phase.opened_at,
            )
    assert phase_process_now(game_id=cast.game.pk, now=phase.opened_at + HOUR)
    phase.refresh_from_db()
    return phase


def long_game() -> Cast:
    """Twenty-five years at random, with a takeover and with votes, ended by a fixed last year."""
    cast = make_cast(last_year=1925, scoring="c-diplo-100", secret_votes=False)
    tell("game_started")
    rng = random.Random(11)
    while Game.objects.get(pk=cast.game.pk).status == "active":
        # Of the results only the last are looked at: nobody is told of those before.
        Event.objects.filter(kind="phase_processed").update(told_at=NOW)
        phase = play_at_random(cast, rng)
        if phase.name == "S1903M":
            seat_fill(
                game=cast.game,
                power=cast.seat("France").power,
                player=make_player("Ines"),
                now=cast.phase.opened_at,
            )
            draw_propose(seat=cast.seat("France"), winners=[], now=phase.processed_at or NOW)
            vote_cast(seat=cast.seat("Russia"), number=1, yes=True, now=phase.processed_at or NOW)
            for kind in ("vote_proposed", "vote_cast"):
                notices.tell_event(Event.objects.get(kind=kind), now=NOW)
        if phase.name == "F1903M":
            draw_propose(seat=cast.seat("France"), winners=[], now=phase.processed_at or NOW)
            vote_cast(seat=cast.seat("Russia"), number=2, yes=False, now=phase.processed_at or NOW)
            notices.tell_event(Event.objects.filter(kind="vote_closed").latest("pk"), now=NOW)
    return cast


@pytest.fixture(scope="module")
def long_mails(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Mails:
    """The last mail of each kind to each recipient in `long_game`, which is played once."""
    with django_db_blocker.unblock(), transaction.atomic():
        long_game()
        tell()
        mails = {(one.kind, one.recipient): one for one in OutboundMail.objects.order_by("pk")}
        transaction.set_rollback(True)
    return mails


def test_the_mail_tells_the_whole_story_of_a_long_game(long_mails: Mails) -> None:
    mail = long_mails["game_finished", "ana@players.test"]
    said = flat(mail.body)
    assert mail.subject == "[marne] The game is over: a 7-way draw"
    assert (
        "1925 was the last year, which makes it a draw among Austria, England, France, Germany"
        in said
    )
    assert "The game marne is over. You played Austria. Congratulations to you" in said
    assert "C-Diplo 100. A solo wins 100 points, the others nothing" in said
    assert "France: Carla, from the start until Fall 1903 movement" in mail.body
    assert "France: Ines, from Fall 1903 movement to the end" in mail.body
    assert "Russia and Turkey: expired (yes: France and Russia)" in said
    assert "HISTORY marne F1925M" in said
    assert "/games/marne/\nAll moves on one page: " in mail.body


def test_every_year_is_told_once_and_in_turn(long_mails: Mails) -> None:
    body = long_mails["game_finished", "ana@players.test"].body
    story = body.partition("THE CENTRES, YEAR BY YEAR")[2].partition("WHAT WAS VOTED ON")[0]
    told: list[int] = []
    for first, last in re.findall(r"^(\d{4})(?:-(\d{4}))?: ", story, re.MULTILINE):
        told += range(int(first), int(last or first) + 1)
    assert told == list(range(1901, 1926))
    assert "Start: Russia 4, Austria 3" in story


def test_a_sent_back_mail_about_votes_or_the_end_orders_nothing(long_mails: Mails) -> None:
    """Without any mark of a quote. A line that begins with "draw among" would propose one."""
    kinds = ("game_finished", "vote_proposed", "vote_cast", "vote_closed")
    checked = [mail for (kind, _), mail in long_mails.items() if kind in kinds]
    assert {mail.kind for mail in checked} == set(kinds)
    for mail in checked:
        text = mail.body.replace(MARKER, "")
        calls = read_script(read_letter(b"From: ana@players.test\n\n" + text.encode()), WORDS)
        assert [call for call in calls if call.command != ORDERS] == []


def test_these_mails_are_plain_and_72_columns_wide(long_mails: Mails) -> None:
    for mail in long_mails.values():
        assert max(len(line) for line in mail.body.splitlines()) <= 72
        assert "\n\n\n" not in mail.body
        assert not re.search(r"&\w+;|{[{%]|None(?!\s+of\b)|\(\)", mail.body)


def test_the_last_results_point_to_the_end_mail(long_mails: Mails) -> None:
    result = long_mails["phase_processed", "ana@players.test"]
    assert result.subject == "[marne] Fall 1925 movement: results; the game is over"
    assert "The game is over: 1925 was the last year, which makes it a draw among" in flat(
        result.body
    )
    assert "Another mail follows, with the score and the whole story of the game." in flat(
        result.body
    )
    assert result.pk < long_mails["game_finished", "ana@players.test"].pk


def test_how_the_game_ended_is_the_headline(marne: Cast) -> None:
    """As the news of each phase is: it was the smallest print of the last mail."""
    tell()
    end(marne, "Turkey")
    for name, played in (("ana", " You played Austria."), ("gm", "")):
        mail = tell()[f"{name}@players.test"]
        html = message_from_bytes(compose(mail), policy=policy.default).get_body(("html",))
        assert html is not None
        page = html.get_content()
        [headline] = re.findall(r"<h1 [^>]*>(.*?)</h1>\s*<p [^>]*>(.*?)</p>", page, re.S)
        decided, over = (" ".join(one.split()) for one in headline)
        assert decided == "The GM has decided on a win for Turkey."
        assert over == f"The game marne is over.{played}"
        assert "http://127.0.0.1:8000/games/marne/" in flat(mail.body)


def test_it_goes_to_all_who_ever_played_to_observers_and_to_the_gm(marne: Cast) -> None:
    tell()
    seat_fill(
        game=marne.game, power=marne.seat("France").power, player=make_player("Ines"), now=NOW
    )
    observe(game=marne.game, player=marne.player("Hugo"), now=NOW)
    end(marne, "Turkey", "France")
    mails = tell()
    assert set(mails) == PLAYERS | {GM, "ines@players.test", "hugo@players.test"}
    ines = flat(mails["ines@players.test"].body)
    assert "The game marne is over. You played France." in ines
    assert "Congratulations to you" in ines
    assert "You played" not in mails["carla@players.test"].body
    assert "Congratulations to those who share the draw" in flat(mails["ana@players.test"].body)


def test_who_played_and_observes_now_gets_one_mail(marne: Cast) -> None:
    Seat.objects.filter(power__name="Italy").update(until=NOW)
    observe(game=marne.game, player=marne.player("Emma"), now=NOW)
    end(marne)
    assert "emma@players.test" in tell()


def test_who_came_in_a_phase_that_was_played_again_did_not_play_from_the_start(
    marne: Cast,
) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    seat_fill(
        game=marne.game,
        power=marne.seat("France").power,
        player=make_player("Ines"),
        now=NOW + 2 * HOUR,
    )
    game_rollback(game=marne.game, phase="F1901M", why="A slip.", by="gm", now=NOW + 3 * HOUR)
    end(marne)
    body = tell()["ana@players.test"].body
    assert "France: Carla, from the start until Fall 1901 movement" in body
    assert "France: Ines, from Fall 1901 movement to the end" in body


def test_who_came_in_the_first_phase_did_not_play_from_the_start(marne: Cast) -> None:
    seat_fill(
        game=marne.game,
        power=marne.seat("France").power,
        player=make_player("Ines"),
        now=NOW + HOUR,
    )
    end(marne)
    body = tell()["ana@players.test"].body
    assert "France: Carla, from the start until Spring 1901 movement" in body
    assert "France: Ines, from Spring 1901 movement to the end" in body


def test_a_gms_decision_is_told_with_their_reason(marne: Cast) -> None:
    end(marne, "france", "Turkey")
    mail = tell()["ana@players.test"]
    said = flat(mail.body)
    assert mail.subject.endswith("The game is over: a 2-way draw")
    assert "The GM has decided on a draw between France and Turkey." in said
    assert "Why: We are all tired." in said
    assert "Who:" not in said
    assert "Draw size (Calhamer). A solo wins 100 points" in said
    assert "France: 50 points, 3 centres" in said
    assert "Austria: 0 points, 3 centres" in said


def test_a_game_without_a_result_has_no_points(marne: Cast) -> None:
    end(marne)
    mail = tell()["ana@players.test"]
    assert mail.subject.endswith("The game is over: no result")
    assert "There is no result, so nothing is scored." in mail.body
    assert "points" not in mail.body
    assert "Austria: 3 centres" in mail.body
    assert "Congratulations" not in mail.body


def test_a_game_that_never_started_ends_with_a_word_to_its_gm(db: None) -> None:
    game = game_create(name="somme", gm=make_gm(), now=NOW)
    game_end(game=game, winners=[], why="Nobody came.", by="the GM", now=NOW)
    (mail,) = tell().values()
    assert "Nobody came." in mail.body
    assert "THE CENTRES" not in mail.body


def test_a_game_that_never_started_ends_with_a_word_to_all_who_had_joined_it(db: None) -> None:
    game = game_create(name="somme", gm=make_gm(), now=NOW)
    for name in ("Ana", "Ben", "Carla"):
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    game_leave(game=game, player=Player.objects.get(name="Ben"), now=NOW)
    carla, italy = Player.objects.get(name="Carla"), game.powers.get(name="Italy")
    seat_give(game=game, power=italy, player=carla, why="", by="gm", now=NOW)
    game_end(game=game, winners=[], why="Too few came.", by="the GM", now=NOW)
    mails = tell()
    assert set(mails) == {"ana@players.test", "carla@players.test", "gm@players.test"}
    for mail in mails.values():
        assert mail.subject == "[somme] The game will not be played"
        said = flat(mail.body)
        assert "The game somme, which had not started, will not be played." in said
        assert "The GM says why: Too few came." in said
        assert "for playing" not in said


def test_secret_votes_stay_secret_in_the_end_mail(marne: Cast) -> None:
    concession_propose(seat=marne.seat("Italy"), winner="Turkey", now=NOW)
    vote_cast(seat=marne.seat("France"), number=1, yes=False, now=NOW)
    end(marne, "Turkey", "Italy")
    said = flat(tell()["ana@players.test"].body)
    assert "- Proposal 1, a concession to Turkey: still open when" in said
    assert "when the game ended READ IT" in said


def test_a_start_that_is_told_after_the_end_is_no_news(marne: Cast) -> None:
    end(marne)
    tell()
    assert not OutboundMail.objects.filter(kind="game_started").exists()
    assert not Event.objects.filter(told_at=None).exists()


def test_the_mail_can_be_answered_by_what_it_offers(marne: Cast) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    end(marne, "Turkey", "France")
    address = tell()["carla@players.test"].reply_to
    read = flat(answer_to(write("Carla", "HISTORY marne S1901M", to=address)).body)
    assert "Spring 1901 movement in marne" in read
    log = flat(answer_to(write("Carla", "LOG marne", to=address)).body)
    assert "The game ended: the GM has decided on a draw between France and Turkey." in log
    status = flat(answer_to(write("Carla", "STATUS marne", to=address)).body)
    assert (
        "The game marne is over: the GM has decided on a draw between France and Turkey." in status
    )


@pytest.mark.parametrize("line", ["A Paris - Burgundy", "READY", "VOTE DRAW", "EXTEND 24h ill"])
def test_whoever_orders_after_the_end_is_told_so_kindly(marne: Cast, line: str) -> None:
    """By the reply address of the phase that was open when the game ended."""
    tell()
    address = OutboundMail.objects.get(kind="game_started", recipient="carla@players.test").reply_to
    end(marne, "Turkey")
    said = flat(answer_to(write("Carla", line, to=address)).body)
    assert "The game marne is over" in said
    assert marne.game.phases.get().order_sets.count() == 0


def test_a_rollback_of_a_game_that_was_over_says_that_it_is_played_again(marne: Cast) -> None:
    end(marne, "Turkey")
    game_rollback(game=marne.game, phase="S1901M", why="An error.", by="gm", now=NOW)
    told = tell("game_rolled_back")
    assert not OutboundMail.objects.filter(kind="game_finished").exists()
    assert set(told) == PLAYERS | {GM}
    for mail in told.values():
        assert (
            "The game was over; now it is being played again, and that result no longer counts."
            in flat(mail.body)
        )


def test_history_of_the_last_phase_says_how_the_game_ended(db: None) -> None:
    cast = make_cast(last_year=1901)
    for _ in range(2):
        phase_process_now(game_id=cast.game.pk, now=NOW)
    said = flat(answer_to(write("Carla", "HISTORY marne F1901M")).body)
    assert "The game is over: 1901 was the last year, which makes it a draw among Austria" in said
    assert "The game is over" not in flat(answer_to(write("Carla", "HISTORY marne S1901M")).body)


def last_fall(italy: list[str]) -> Cast:
    """A game whose last year ends while Italy, in civil disorder, has these units and Naples."""
    cast = make_cast(last_year=1901)
    phase = cast.phase
    units = {**phase.position["units"], "Italy": italy, "France": ["A Rome", "A Venice"]}
    phase.name, phase.position = "F1901M", {**phase.position, "phase": "F1901M", "units": units}
    phase.save()
    power = cast.game.powers.get(name="Italy")
    disorder_declare(game=cast.game, power=power, why="No word.", by="the server", now=NOW)
    assert phase_process_now(game_id=cast.game.pk, now=NOW + 4 * DAY)
    return cast


def test_the_last_results_say_that_no_winter_removes_what_a_power_has_too_many(db: None) -> None:
    last_fall(["A Apulia", "A Tuscany", "F Naples"])
    mails = tell("phase_processed")
    assert len(mails) == len(POWERS) + 1
    for mail in mails.values():
        said = flat(mail.body)
        assert "Winter 1901 adjustments will not be played: nobody builds or disb" in said
        assert "Italy: 3 units (A Apulia, A Tuscany, F Naples)" in said
    assert all("which was being played" not in mail.body for mail in tell().values())


def test_results_say_nothing_of_a_winter_while_the_game_goes_on(marne: Cast) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 4 * DAY)
    assert all("will not be played" not in mail.body for mail in tell("phase_processed").values())


def test_whatif_says_that_the_game_would_be_over(db: None) -> None:
    cast = make_cast(last_year=1901)
    assert "would be over" not in flat(answer_to(_what_if(cast)).body)
    phase_process_now(game_id=cast.game.pk, now=NOW)
    said = flat(answer_to(_what_if(cast)).body)
    assert (
        "The game would be over: 1901 was the last year, which makes it a draw among Austria"
        in said
    )
    assert Game.objects.get().status == "active"


def _what_if(cast: Cast) -> InboundMail:
    address = to_seat(cast)
    return write("Carla", "WHATIF\nA Paris - Burgundy\nEND", to=address)


def test_the_start_mail_says_how_the_game_may_end_and_is_scored(marne: Cast) -> None:
    said = flat(tell("game_started")["ana@players.test"].body)
    assert "The players may vote for a draw among all survivors or to concede the victory" in said
    assert "Scoring: Draw size (Calhamer)" in said


@pytest.mark.parametrize("width", range(20, 60))
def test_a_command_and_its_phase_stay_on_one_line(width: int) -> None:
    said = laid_out(f"{'x' * width} reply with HISTORY suez F1901M. Then read every act.")
    assert not any(line.startswith("F1901M") for line in said.splitlines())


def test_the_gm_is_told_nothing_that_only_players_can_reply(marne: Cast) -> None:
    """To a game master LIST is STATUS."""
    end(marne)
    mails = tell()
    assert "reply LIST" in flat(mails[address_of("Ana")].body)
    assert "LIST" not in mails[GM].body
    assert "reply LOG marne" in flat(mails[GM].body)
