"""VOTE, DRAW and CONCEDE by mail: what the voter reads, what others are told and what not."""

from __future__ import annotations

import itertools
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from games.models import Ballot, Game, Seat
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.pauses import game_pause
from games.services.endings.ending import game_end
from games.services.ordering.disorder import disorder_declare
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_replace
from games.services.setup.games import game_create
from mailer.admin.visibility import sight
from mailer.models import OutboundMail
from tests.cast import HOUR, NOW, POWERS, Cast, address_of, make_cast
from tests.mailer.correspondence import answer_to, flat, tell_all, to_seat, told_cast, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def marne(db: None) -> Cast:
    """The game, of whose start everybody was told: most tests here tell of what comes after."""
    return told_cast()


EVERYBODY = {address_of(name) for name in POWERS} | {"gm@players.test"}
OF_ALL = "a draw among Austria, England, France, Germany, Italy, Russia and Turkey"


def say(cast: Cast, name: str, line: str) -> str:
    """Let the player write a line to their power's reply address; return what they read."""
    address = to_seat(cast, POWERS[name])
    return flat(answer_to(write(name, line, to=address)).body)


def tell(kind: str) -> dict[str, OutboundMail]:
    """Tell every event; return the newest mail of this kind by recipient."""
    tell_all()
    return {mail.recipient: mail for mail in OutboundMail.objects.filter(kind=kind).order_by("pk")}


def votes(cast: Cast) -> list[tuple[str, bool]]:
    return [(one.seat.power.name, one.yes) for one in Ballot.objects.order_by("pk")]


@each_row(
    "line",
    [
        "VOTE DRAW",
        "vote a draw",
        "VOTE FOR A DRAW",
        "Vote draw among all survivors.",
        "PROPOSE DRAW",
        "DRAW",
        "Draw!",
        "SET DRAW",
        f"VOTE DRAW {', '.join(POWERS.values())}",
    ],
)
def test_a_draw_is_proposed_in_many_words(marne: Cast, line: str) -> None:
    said = say(marne, "Carla", line)
    assert f"You vote yes on proposal 1: {OF_ALL}." in said
    assert "Votes count until Spring 1901 movement is over." in said
    assert "Votes are secret in this game" in said
    assert marne.game.proposals.get().winners == sorted(POWERS.values())


@each_row(
    "line",
    [
        "VOTE DRAW France, Italy",
        "vote draw between france and italy",
        "DRAW Fra Ita",
        "Propose a draw of France & Italy",
        "SET DRAW france italy",
        "VOTE DRAW me and Italy",
    ],
)
def test_a_draw_of_some_is_proposed_by_their_names(db: None, line: str) -> None:
    cast = make_cast(draws="subset")
    assert "on proposal 1: a draw between France and Italy" in say(cast, "Carla", line)


@each_row(
    "line",
    [
        "VOTE CONCEDE TO Turkey",
        "vote concede turkey",
        "CONCEDE TO Turkey.",
        "concede victory to tur",
        "SET CONCEDE Turkey",
        "VOTE CONCESSION to Turkey",
        "VOTE CONCEDE TO Türkei",
    ],
)
def test_the_victory_is_conceded_in_many_words(marne: Cast, line: str) -> None:
    said = say(marne, "Carla", line)
    assert "on proposal 1: a concession to Turkey." in said


@each_row(
    ("line", "yes"),
    [
        ("VOTE YES", True),
        ("vote yes 1", True),
        ("Vote aye to proposal 1.", True),
        ("DRAW YES", True),
        ("VOTE si", True),
        ("vote yeah 1", True),
        ("VOTE NO #1", False),
        ("draw no", False),
        ("vote nein", False),
        ("VOTE nope", False),
        ("SET NO DRAW", False),
    ],
)
def test_votes_are_cast_in_many_words(marne: Cast, line: str, yes: bool) -> None:
    say(marne, "Ana", "VOTE DRAW")
    said = say(marne, "Carla", line)
    assert f"You vote {'yes' if yes else 'no'} on proposal 1" in said
    assert votes(marne)[1:] == [("France", yes)]


@each_row("line", ["DRAW YES", "VOTE DRAW NO", "draw no 1", "SET NO DRAW"])
def test_a_word_on_a_draw_is_no_vote_on_a_concession(marne: Cast, line: str) -> None:
    say(marne, "Ana", "VOTE CONCEDE TO Turkey")
    assert "No draw is proposed in the game marne." in say(marne, "Carla", line)
    assert votes(marne) == [("Austria", True)]


def test_a_word_on_a_draw_is_a_vote_on_the_draw_that_stands_beside_a_concession(
    marne: Cast,
) -> None:
    say(marne, "Ana", "VOTE CONCEDE TO Turkey")
    say(marne, "Ben", "VOTE DRAW")
    assert "You vote no on proposal 2" in say(marne, "Carla", "DRAW NO")
    assert "You vote yes on proposal 1" in say(marne, "Carla", "CONCEDE YES")


def test_whoever_wants_no_draw_is_told_how_to_vote_no(marne: Cast) -> None:
    said = say(marne, "Carla", "No draw for me, please!")
    assert "To vote no on what is proposed, write VOTE NO" in said
    assert "VOTE DRAW" not in said


@each_row(
    ("line", "answer"),
    [
        ("Vote Pause", "To ask for more time, write EXTEND 24h and why. To vote on what is"),
        ("Vote cancel", "Nobody votes on that here."),
        ("VOTE banana", "You cannot vote “banana”. To vote on what is proposed, write VOTE YES"),
        ("VOTE DRAW Narnia France", "There is no power “Narnia”."),
        ("VOTE CONCEDE", "Please write to whom, for example: VOTE CONCEDE TO Turkey"),
        ("VOTE YES", "There is no proposal to vote on in the game marne."),
        ("VOTE WITHDRAW", "You have no such proposal open"),
        ("VOTE DRAW France, Italy", "a draw is always among all survivors"),
        ("VOTE", "Nothing is proposed in the game marne at the moment. To propose a draw"),
    ],
)
def test_what_cannot_be_done_is_said_with_what_can(marne: Cast, line: str, answer: str) -> None:
    assert answer in say(marne, "Carla", line)
    assert votes(marne) == []


@each_row("line", ["VOTE DRAW?", "Draw ?", "VOTE CONCEDE?", "CONCEDE TO Turkey?", "VOTE YES?"])
def test_what_is_asked_is_neither_proposed_nor_voted(marne: Cast, line: str) -> None:
    said = say(marne, "Carla", line)
    assert "If you mean it, write it without the question mark." in said
    assert votes(marne) == []


def test_a_vote_with_a_question_mark_alone_is_a_question(marne: Cast) -> None:
    assert "Nothing is proposed in the game marne" in say(marne, "Carla", "VOTE?")


def test_vote_alone_shows_what_is_proposed_and_how_one_votes(marne: Cast) -> None:
    say(marne, "Ana", "VOTE DRAW")
    say(marne, "Ben", "VOTE CONCEDE TO Turkey")
    say(marne, "Carla", "VOTE NO 2")
    said = say(marne, "Carla", "VOTE")
    assert f"Proposal 1: {OF_ALL}. You have not voted." in said
    assert "Proposal 2: a concession to Turkey. You vote no." in said


@pytest.mark.parametrize(("word", "vote"), [("Yes", "VOTE YES 1"), ("No", "VOTE NO 1")])
def test_a_bare_yes_or_no_is_told_how_to_vote(marne: Cast, word: str, vote: str) -> None:
    assert "VOTE" not in say(marne, "Carla", word)
    say(marne, "Ana", "VOTE DRAW")
    assert f"If it is your vote, write: {vote}" in say(marne, "Carla", word)
    assert votes(marne) == [("Austria", True)]


def test_whoever_would_win_by_a_concession_learns_that_they_need_not_agree(marne: Cast) -> None:
    say(marne, "Ana", "VOTE CONCEDE TO Turkey")
    told = {
        to for to, mail in tell("vote_proposed").items() if "without your yes" in flat(mail.body)
    }
    assert told == {"greta@players.test"}


def test_one_can_take_a_proposal_back(marne: Cast) -> None:
    say(marne, "Ana", "VOTE DRAW")
    assert f"Your proposal 1, {OF_ALL}, is withdrawn." in say(marne, "Ana", "VOTE WITHDRAW")
    body = flat(tell("vote_closed")["ben@players.test"].body)
    assert f"proposal 1, {OF_ALL}, was withdrawn. The game goes on." in body


def test_the_last_yes_ends_the_game(marne: Cast) -> None:
    say(marne, "Ana", "VOTE DRAW")
    for name in ("Ben", "Carla", "Dmitri", "Emma", "Felix"):
        say(marne, name, "VOTE YES")
    assert f"All agree on {OF_ALL}: the game is over." in say(marne, "Greta", "VOTE YES")
    assert Game.objects.get().status == "finished"
    assert set(tell("game_finished")) == EVERYBODY


def test_a_from_line_alone_cannot_vote(marne: Cast) -> None:
    mail = write("Carla", "VOTE DRAW", subject="[marne] votes")
    assert mail.state == "held"
    assert votes(marne) == []


def test_everybody_hears_of_a_proposal_and_how_to_vote(marne: Cast) -> None:
    say(marne, "Ana", "VOTE DRAW")
    mails = tell("vote_proposed")
    assert set(mails) == EVERYBODY
    mail = mails["carla@players.test"]
    assert mail.subject == "[marne] Spring 1901 movement: proposal 1, a draw"
    own = "This is what everybody reads about your proposal"
    assert [to for to, one in mails.items() if own in flat(one.body)] == ["ana@players.test"]
    body = flat(mail.body)
    assert f"A player proposes to end the game marne with {OF_ALL}." in body
    assert "VOTE YES 1 or VOTE NO 1" in body
    assert "Votes count until Spring 1901 movement is over." in body
    assert "VOTE YES" not in mails["gm@players.test"].body
    assert "on proposal 1" in flat(answer_to(write("Carla", "VOTE YES 1", to=mail.reply_to)).body)


def test_who_has_no_say_hears_of_it_but_is_not_asked(marne: Cast) -> None:
    marne.game.powers.filter(name="Italy").update(disorder_since=NOW)
    say(marne, "Ana", "VOTE DRAW")
    body = tell("vote_proposed")["emma@players.test"].body
    assert "VOTE YES" not in body


def test_nobody_is_asked_about_a_proposal_that_was_withdrawn_before_it_was_told(db: None) -> None:
    cast = make_cast(secret_votes=False)
    say(cast, "Ana", "VOTE DRAW")
    say(cast, "Ben", "VOTE YES")
    say(cast, "Ana", "VOTE WITHDRAW")
    for kind in ("vote_proposed", "vote_cast"):
        assert "VOTE YES" not in tell(kind)["carla@players.test"].body
    assert "It is no longer open." in tell("vote_proposed")["carla@players.test"].body
    closed = tell("vote_closed")
    assert "was withdrawn. The game goes on." in flat(closed["carla@players.test"].body)
    assert set(closed) == EVERYBODY - {"ana@players.test"}, "our answer has told her"


def test_an_expired_proposal_is_told_to_everybody_with_the_results(marne: Cast) -> None:
    say(marne, "Ana", "VOTE DRAW")
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    mails = tell("phase_processed")
    assert set(mails) == EVERYBODY
    for mail in mails.values():
        assert "and Turkey, has expired. The game goes on." in flat(mail.body)
    assert not OutboundMail.objects.filter(kind="vote_closed").exists()


def test_a_proposal_that_expired_with_a_phase_that_was_undone_is_told_by_itself(
    marne: Cast,
) -> None:
    say(marne, "Ana", "VOTE DRAW")
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    game_rollback(game=marne.game, phase="S1901M", why="A slip.", by="gm", now=NOW)
    mails = tell("vote_closed")
    assert set(mails) == EVERYBODY
    assert "and Turkey, has expired. The game goes on." in flat(mails["gm@players.test"].body)


def test_results_do_not_say_that_a_game_goes_on_which_was_paused_or_ended_meanwhile(
    marne: Cast,
) -> None:
    say(marne, "Ana", "VOTE DRAW")
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    paused = partial(game_pause, until=None, why="")
    ended = partial(game_end, winners=(), why="")
    for stop in (paused, ended):
        with transaction.atomic():
            stop(game=Game.objects.get(), by="gm", now=NOW)
            mails = tell("phase_processed")
            assert set(mails) == EVERYBODY
            for mail in mails.values():
                assert "has expired." in flat(mail.body)
                assert "The game goes on" not in flat(mail.body)
            assert bool(tell("vote_proposed")) is (stop is paused), "who reads it knows the end"
            transaction.set_rollback(True)


def test_open_votes_are_told_with_names(db: None) -> None:
    cast = make_cast(secret_votes=False)
    say(cast, "Ana", "VOTE DRAW")
    mails = tell("vote_proposed")
    assert set(mails) == EVERYBODY - {"ana@players.test"}, "our answer has told her"
    assert "Austria proposes to end the game" in mails["ben@players.test"].body
    assert "everybody is told how you vote" in say(cast, "Ben", "VOTE YES")
    mails = tell("vote_cast")
    assert set(mails) == EVERYBODY - {"ben@players.test"}
    assert "England votes yes on proposal 1" in flat(mails["carla@players.test"].body)
    assert "You vote no, so proposal 1" in say(cast, "Carla", "VOTE NO")
    assert "was refused by France" in flat(tell("vote_closed")["ana@players.test"].body)
    say(cast, "Ana", "VOTE DRAW")
    power, hugo = cast.seat("Austria").power, cast.player("Hugo")
    seat_replace(game=cast.game, power=power, player=hugo, why="Ill.", by="gm", now=NOW + HOUR)
    assert "hugo@players.test" in tell("vote_proposed"), "who has the seat now has no answer"


@pytest.mark.parametrize("last", ["VOTE NO", "VOTE YES"])
def test_a_vote_that_settles_an_open_proposal_is_told_by_what_came_of_it(
    db: None, last: str
) -> None:
    """Nobody is asked for a vote on what is closed, nor gets two mails of one vote."""
    cast = make_cast(secret_votes=False)
    say(cast, "Ana", "VOTE DRAW")
    for name in list(POWERS)[1:-1]:
        say(cast, name, "VOTE YES")
    tell("vote_cast")
    before = OutboundMail.objects.filter(kind="vote_cast").count()
    say(cast, "Greta", last)
    if last == "VOTE NO":
        assert "was refused by Turkey" in flat(tell("vote_closed")["ana@players.test"].body)
    else:
        told = flat(tell("game_finished")["ana@players.test"].body)
        assert "yes: Austria, England, France, Germany, Italy, Russia and Turkey" in told
    assert OutboundMail.objects.filter(kind="vote_cast").count() == before


def seen_by_emma(cast: Cast) -> str:
    """All that Emma and the GM can read: their mails, and what Emma asks for."""
    asked = [say(cast, "Emma", line) for line in ("STATUS marne", "LOG marne", "VOTE")]
    tell("vote_proposed")
    theirs = ["emma@players.test", "gm@players.test"]
    mails = OutboundMail.objects.filter(recipient__in=theirs).exclude(kind="reply").order_by("pk")
    told = [mail.subject + mail.body for mail in mails if mail.kind.startswith("vote")]
    return "\n".join([asked[0], asked[2], *told])


def test_nobody_can_tell_from_anything_they_read_who_proposed_or_voted(db: None) -> None:
    """Three games that differ only in who did what look the same to Emma and to the GM."""
    cast = make_cast()
    seen = set()
    for maker, naysayer in itertools.permutations(["Ana", "Carla", "Greta"], 2):
        OutboundMail.objects.all().delete()
        say(cast, maker, "VOTE CONCEDE TO Russia")
        number = cast.game.proposals.count()
        say(cast, naysayer, f"VOTE NO {number}")
        log = say(cast, "Emma", "LOG marne")
        assert "somebody proposed a concession to Russia" in log
        assert not any(
            f"{power} voted" in log or f"{power} proposed" in log for power in POWERS.values()
        )
        text = seen_by_emma(cast)
        seen.add(
            text.replace(f"proposal {number}", "proposal N")
            .replace(f"Proposal {number}", "Proposal N")
            .replace(f"YES {number}", "YES N")
            .replace(f"NO {number}", "NO N")
        )
        say(cast, maker, "VOTE WITHDRAW")
        tell("vote_closed")
    assert len(seen) == 1


def test_the_game_tells_in_status_how_it_may_end(marne: Cast) -> None:
    said = say(marne, "Carla", "STATUS")
    assert (
        "The players may vote for a draw among all survivors or to concede the victory; votes are "
        "secret. Scoring: Draw size (Calhamer). A solo wins 100 points" in said
    )
    say(marne, "Ana", "VOTE DRAW")
    assert f"Proposal 1 is open: {OF_ALL}." in say(marne, "Carla", "STATUS")
    assert "Proposal 1" not in flat(answer_to(write("Hugo", "STATUS marne")).body)


def test_an_empty_seat_is_told_nothing_and_blocks_nothing(marne: Cast) -> None:
    Seat.objects.filter(power__name="Italy").update(until=NOW)
    say(marne, "Ana", "VOTE DRAW")
    assert set(tell("vote_proposed")) == EVERYBODY - {"emma@players.test"}


@each_row("line", ["VOTE DRAW", "SET DRAW", "CONCEDE TO Turkey", None])
def test_an_operator_reads_no_vote_in_passing_in_a_mail_of_past_orders(
    marne: Cast, line: str | None
) -> None:
    operator = User.objects.create_superuser("root")
    address = to_seat(marne)
    mail = write("Carla", "\n".join(filter(None, ["A Paris - Burgundy", line])), to=address)
    assert not sight(operator, mail).may_read
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    assert sight(operator, mail).may_read == (line is None)


def test_an_operator_reads_no_mail_of_past_orders_whose_writer_plays_elsewhere_too(
    marne: Cast,
) -> None:
    """It may say something of the other game, in words that are no orders."""
    operator = User.objects.create_superuser("root")
    address = to_seat(marne)
    mail = write("Carla", "A Paris - Burgundy", to=address)
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    second = game_create(name="verdun", now=NOW)
    for player, power in POWERS.items():
        game_join(game=second, player=marne.player(player), preferences=power, now=NOW)
    assert not sight(operator, mail).may_read


def test_list_says_how_a_game_is_scored_before_one_joins_it(marne: Cast) -> None:
    game_create(name="somme", scoring="c-diplo-100", now=NOW)
    said = flat(answer_to(write("Hugo", "LIST")).body)
    assert "- somme: Standard, 7 of 7 seats free." in said
    assert "Scoring: C-Diplo 100." in said
    assert "The players may vote for a draw" in flat(answer_to(write("Hugo", "STATUS somme")).body)


def test_a_proposed_draw_of_some_tells_the_others_that_they_would_have_no_share(db: None) -> None:
    cast = make_cast(draws="subset")
    say(cast, "Carla", "VOTE DRAW France Italy")
    mails = tell("vote_proposed")
    assert "Germany would have no share in it." in flat(mails[address_of("Dmitri")].body)
    for name in (address_of("Carla"), address_of("Emma"), "gm@players.test"):
        assert "no share" not in mails[name].body


def test_a_power_in_disorder_is_told_how_it_has_a_vote_again(marne: Cast) -> None:
    power = marne.game.powers.get(name="Italy")
    disorder_declare(game=marne.game, power=power, why="No word.", by="the server", now=NOW)
    say(marne, "Carla", "VOTE DRAW")
    mails = tell("vote_proposed")
    said = flat(mails[address_of("Emma")].body)
    assert "Italy is in civil disorder, so it has no vote." in said
    assert "write RETURN on a line of its own" in said
    assert "has no vote" not in mails[address_of("Dmitri")].body


def test_a_draw_of_some_that_all_agree_on_ends_the_phase_undecided(db: None) -> None:
    cast = make_cast(draws="subset")
    say(cast, "Carla", "VOTE DRAW France Italy")
    for name in ("Ana", "Ben", "Dmitri", "Emma", "Felix"):
        say(cast, name, "VOTE YES")
    assert "All agree on a draw between France and Italy: the game is over." in say(
        cast, "Greta", "VOTE YES"
    )
    for mail in tell("game_finished").values():
        said = flat(mail.body)
        assert "The players have agreed on a draw between France and Italy." in said
        assert (
            "The phase Spring 1901 movement was still open: it will not be decided, and the board"
            in said
        )
