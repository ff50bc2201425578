"""Two years of a game by mail, with letters of all kinds; every mail of ours is then checked.

The game is played once for all checks: by letters as people write them and by the clock. Nothing
is told to anybody but by the mails that are looked at here.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from games.models import Game, Phase
from games.services.accounts.profile import mail_look_set
from games.services.adjudication.phases import phase_process_now
from games.services.clock.reminders import phases_to_remind, players_remind
from games.services.seating.observers import observe
from games.services.seating.standby import standby_join
from mailer import jobs
from mailer.commands.calls import ORDERS
from mailer.commands.player import WORDS
from mailer.commands.script import read_script
from mailer.letter import read_letter
from mailer.models import OutboundMail
from mailer.outbound import addresses
from mailer.outbound.compose import compose
from mailer.outbound.layout import DUTY_HEADING
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, address_of, make_cast, make_player
from tests.mailer.correspondence import write

pytestmark = pytest.mark.django_db

GM = "gm@players.test"
WHISPER = "Between us: the lamp stands in the window."
AHEAD = "A Burgundy - Belgium"
BY_DUTY = {
    "game_started",
    "phase_processed",
    "orders_missing",
    "orders_overdue",
    "deadline_moved",
    "game_resumed",
    "game_rolled_back",
    "seat_taken",
}
"""Mails that begin with what their reader has to do."""
TOP = 12
WIDEST = 72
LARGEST = 60_000


@dataclass(frozen=True)
class Sent:
    """A mail of ours, and what became of it on the wire."""

    kind: str
    key: str
    to: str
    subject: str
    body: str
    sent_at: dt.datetime
    answers: bool
    phase: str
    opens: bool
    is_players: bool
    message: EmailMessage

    @property
    def html(self) -> str:
        part = self.message.get_body(("html",))
        return str(part.get_content()) if part else ""

    def __str__(self) -> str:
        return f"{self.kind} to {self.to}: {self.subject}"


_sent: list[Sent] = []


@pytest.fixture
def mails(db: None) -> list[Sent]:
    """Every mail of the two years."""
    if not _sent:
        play(make_cast(secret_votes=True, gm_sees="nothing"))
        _sent.extend(map(seen, OutboundMail.objects.select_related("event__phase").order_by("pk")))
    return _sent


def seen(mail: OutboundMail) -> Sent:
    """The mail as its reader has it."""
    message = message_from_bytes(compose(mail), policy=policy.default)
    assert isinstance(message, EmailMessage)
    phase = mail.event.phase if mail.event else None
    return Sent(
        kind=mail.kind,
        key=mail.key,
        to=mail.recipient,
        subject=mail.subject,
        body=mail.body,
        sent_at=mail.created_at,
        answers=mail.answers_id is not None,
        phase=phase.name if phase else "",
        opens=mail.opens_id is not None,
        is_players=mail.player_id is not None,
        message=message,
    )


# --- The two years -------------------------------------------------------------------------


def play(cast: Cast) -> None:
    """Movement, retreats, builds, a disband, an elimination, a pause, votes, press, disorder."""
    for name in POWERS:  # pictures are looked at elsewhere
        mail_look_set(player=cast.player(name), maps=False)
    observe(game=cast.game, player=make_player("Ines"), now=NOW)
    tell(NOW)
    first_spring(cast, NOW)
    a_fall_with_battles(cast)
    a_winter_and_a_silent_spring(cast)
    the_end(cast)


def first_spring(cast: Cast, now: dt.datetime) -> None:
    by_seat(cast, "France", f"PRESS TO Germany\n{WHISPER}", now)
    by_seat(cast, "Italy", "BROADCAST\nGreetings from Rome!", now)
    by_seat(cast, "Austria", "VOTE DRAW", now)
    by_seat(cast, "England", "VOTE NO 1", now)
    by_seat(cast, "Germany", "Hi Russia, shall we talk?\nI am for peace.", now)
    by_seat(cast, "Germany", "I am on vacation next week", now)
    by_gm(cast, "EXTEND 24h because of a storm\nEXTEND", now)
    by_gm(cast, "PAUSE because of a feast", now)
    tell(now)
    by_gm(cast, "RESUME", now)
    for power, lines in OPENINGS.items():
        if power not in ("Turkey", "France"):
            by_seat(cast, power, "\n".join(lines), now)
    by_seat(cast, "France", f"A Par - Bur\nF Bre - MAO\nfoo bar\nPHASE F1901M\n{AHEAD}", now)
    write("Ben", "F Lon - Nth", received_at=now)  # from nowhere: was this mail yours?
    standby_join(player=cast.player("Hugo"), now=now)
    over(cast, remind=True)
    late = cast.game.phases.get(name="S1901M")
    to = addresses.seat_address(seat=cast.seat("Turkey"), phase=late, now=now)
    write("Greta", "A Con - Bul", to=to, received_at=now + 9 * DAY)


def a_fall_with_battles(cast: Cast) -> None:
    """Turkey has nothing left, and a unit of Germany is driven out."""
    stand(
        cast.phase,
        {
            "France": ["A Burgundy", "A Ruhr", "A Spain"],
            "Germany": ["A Munich", "A Denmark", "F Holland"],
            "Austria": ["A Serbia"],
            "Italy": ["A Tunis", "A Rome", "A Apulia", "A Venice", "F Naples"],
            "Russia": [
                *("F Rumania", "A Galicia", "A Warsaw", "A Bulgaria", "F Sweden"),
                *("A Ankara", "A Smyrna", "F Constantinople"),
            ],
            "England": ["F Norway"],
        },
    )
    by_seat(cast, "France", "A Bur - Mun\nA Ruh S A Bur - Mun\nA Spa - Por\nREADY")
    by_seat(cast, "Germany", "A Mun H\nA Den H\nF Hol - Bel")
    over(cast)
    by_seat(cast, "Germany", "A Mun - Tyr")
    over(cast)


def a_winter_and_a_silent_spring(cast: Cast) -> None:
    by_seat(cast, "France", "Build A Paris\nBuild F Brest")
    by_seat(cast, "Italy", "WAIT\nTAKEOVER nowhere Turkey")
    over(cast, remind=True)
    by_seat(cast, "England", "RESIGN")
    by_seat(cast, "France", "A Mun - Sil\nHELP\nSTATUS\nMAP\nLOG")
    over(cast)
    over(cast)


def the_end(cast: Cast) -> None:
    now = soon(cast)
    by_gm(cast, "FINISH DRAW France, Germany because all agree", now)
    question = OutboundMail.objects.filter(kind="question", recipient=GM).latest("pk")
    write("gm", "YES", sender=GM, to=question.reply_to, received_at=now)
    tell(now)


def soon(cast: Cast) -> dt.datetime:
    """A while after the phase began."""
    return cast.phase.opened_at + HOUR


def by_seat(cast: Cast, power: str, text: str, now: dt.datetime | None = None) -> None:
    now = now or soon(cast)
    seat = cast.seat(power)
    to = addresses.seat_address(seat=seat, phase=cast.phase, now=now)
    write(seat.player.name, text, to=to, subject="Re: [marne]", received_at=now)
    tell(now)


def by_gm(cast: Cast, text: str, now: dt.datetime) -> None:
    to = addresses.gm_address(user=cast.gm, game=cast.game, now=now)
    write("gm", text, sender=GM, to=to, subject="Re: [marne]", received_at=now)


def over(cast: Cast, *, remind: bool = False) -> None:
    """Let the phase come to its deadline, with a reminder before it."""
    due_at = cast.phase.due_at
    assert due_at
    if remind:
        for phase in phases_to_remind(now=due_at - HOUR):
            players_remind(phase_id=phase, now=due_at - HOUR)
        tell(due_at - HOUR)
    Game.objects.update(status=Game.Status.ACTIVE)
    assert phase_process_now(game_id=cast.game.pk, now=due_at)
    tell(due_at)


def tell(now: dt.datetime) -> None:
    while jobs.tell(now):
        pass


def stand(phase: Phase, units: dict[str, list[str]]) -> None:
    phase.position = {**phase.position, "units": units}
    phase.save()


# --- The rules ------------------------------------------------------------------------------


def every(mails: list[Sent], wrong: Callable[[Sent], object]) -> list[str]:
    return [f"{mail}: {what}" for mail in mails if (what := wrong(mail))]


def test_the_two_years_bring_mails_of_every_kind_that_matters(mails: list[Sent]) -> None:
    kinds = {mail.kind for mail in mails}
    assert kinds >= {
        *("game_started", "phase_processed", "orders_missing", "game_finished", "press_sent"),
        *("vote_proposed", "game_paused", "game_resumed", "deadline_moved"),
        *("disorder_declared", "seat_offered", "reply", "question"),
    }
    steps = {mail.phase[-1] for mail in mails if mail.kind == "phase_processed"}
    assert steps == set("MRA")
    said = "\n".join(mail.body for mail in mails)
    assert "is out of the game" in said
    assert re.search(r"^VOTES\n\n(?:.+\n)*?.*\bhas\s+expired\b", said, re.MULTILINE)
    assert "came too late" in said


def test_duty_and_deadline_stand_at_the_top(mails: list[Sent]) -> None:
    def missing(mail: Sent) -> str:
        if mail.kind not in BY_DUTY or not mail.is_players or "You observe" in mail.body:
            return ""
        top = mail.body.splitlines()[:TOP]
        if DUTY_HEADING not in top:
            return "no duty"
        timed = ("Deadline: ", "The game is paused", "There is no deadline", "Nothing: the game is")
        return "" if any(line.startswith(timed) for line in top) else "no deadline"

    assert every(mails, missing) == []


def test_no_line_is_wider_than_seventy_two_columns(mails: list[Sent]) -> None:
    assert every(mails, lambda one: [x for x in one.body.splitlines() if len(x) > WIDEST]) == []


def test_every_subject_names_the_game_and_fits_into_a_line(mails: list[Sent]) -> None:
    def wrong(mail: Sent) -> str:
        subject = mail.subject.removeprefix("Re: ")
        about_no_game = mail.kind in ("question", "reply") and not subject.startswith("[")
        return "" if about_no_game or subject.startswith("[marne] ") else "no game"

    assert every(mails, wrong) == []
    assert every(mails, lambda one: len(one.subject) > 160 or "\n" in one.subject) == []


def test_a_receipt_of_something_refused_says_not_in_its_subject(mails: list[Sent]) -> None:
    refusals = ("NOT USED", "NOT DONE", "Nobody has seen it", "came too late")
    bad = [one for one in mails if one.answers and any(x in one.body for x in refusals)]
    assert len(bad) > 3
    assert every(bad, lambda one: "NOT" not in one.subject and "too late" not in one.subject) == []


def test_mails_about_a_phase_hang_below_the_one_that_opened_it(mails: list[Sent]) -> None:
    """A player's first mail about a phase begins its thread; later ones refer to it."""

    def alone(mail: Sent) -> bool:
        in_thread = mail.is_players and mail.phase and mail.to != address_of("Ines")
        return bool(in_thread and not mail.opens and not mail.message["References"])

    about = [mail for mail in mails if mail.kind not in ("reply", "question", "seat_offered")]
    assert every(about, alone) == []
    answers = [mail for mail in mails if mail.answers]
    assert every(answers, lambda one: not one.message["In-Reply-To"]) == []


def test_every_mail_is_marked_as_one_that_machines_do_not_answer(mails: list[Sent]) -> None:
    marks = ("auto-generated", "auto-replied")
    assert every(mails, lambda one: one.message["Auto-Submitted"] not in marks) == []


def test_every_heading_has_air_around_it(mails: list[Sent]) -> None:
    def crowded(mail: Sent) -> str:
        lines = ["", *mail.body.splitlines(), ""]
        inside = enumerate(lines[1:-1], start=1)
        headings = [at for at, line in inside if line.isupper() and line[0].isalpha()]
        return ", ".join(lines[at] for at in headings if lines[at - 1] or lines[at + 1])

    assert not {str(mail): found for mail in mails if (found := crowded(mail))}


def test_the_html_part_is_there_and_small(mails: list[Sent]) -> None:
    assert every(mails, lambda one: not one.html) == []
    assert every(mails, lambda one: len(one.html) > LARGEST) == []


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_quoted_bare_none_of_them_is_a_command(mails: list[Sent], kind: str) -> None:
    def commands(mail: Sent) -> list[str]:
        text = mail.html if kind == "html" else mail.body
        head = f"From: a@players.test\nContent-Type: text/{kind}; charset=utf-8\n\n"
        own = "<div>READY</div>" if kind == "html" else "READY\n\n"
        calls = read_script(read_letter((head + own + text).encode()), WORDS)
        return [call.command for call in calls if call.command not in (ORDERS, "ready")]

    assert every([mail for mail in mails if mail.kind != "press_sent"], commands) == []


def test_nobody_learns_a_secret(mails: list[Sent]) -> None:
    """What was whispered, who proposed a draw, and what is ordered ahead."""
    carla, dmitri = address_of("Carla"), address_of("Dmitri")
    whispered = [one for one in mails if WHISPER in one.body or WHISPER in one.html]
    assert {one.to for one in whispered} == {carla, dmitri}
    ahead = [one for one in mails if AHEAD in one.body and one.phase != "F1901M"]
    assert {one.to for one in ahead} <= {carla}
    voted = [one for one in mails if one.kind.startswith("vote_")]
    assert voted
    assert (
        every(voted, lambda one: re.search("Austria (proposes|votes)|England votes", one.body))
        == []
    )


def test_nobody_reads_an_address_that_is_not_their_own(mails: list[Sent]) -> None:
    people = {*map(address_of, [*POWERS, "Hugo", "Ines"]), GM}

    def told(mail: Sent) -> list[str]:
        said = f"{mail.subject}\n{mail.body}\n{mail.html}\n{mail.message['Reply-To']}"
        return [one for one in people - {mail.to} if one in said]

    assert every(mails, told) == []


def test_before_a_phase_is_over_only_its_writer_and_nobody_else_reads_an_order(
    mails: list[Sent],
) -> None:
    spring = min(one.sent_at for one in mails if one.kind == "phase_processed")
    orders = {one: power for power, lines in OPENINGS.items() for one in lines if "-" in one}

    def told(mail: Sent) -> list[str]:
        if mail.sent_at >= spring:
            return []
        said = re.sub(r"Example of .*", "", mail.body)
        mine = {address_of(name): power for name, power in POWERS.items()}.get(mail.to)
        return [one for one, power in orders.items() if power != mine and one in said]

    assert every(mails, told) == []


def test_what_a_mail_asks_for_can_be_answered_by_a_tap(mails: list[Sent]) -> None:
    asking = re.compile(r"you have \d+ .* to order|you (may build|must disband) \d+|still without")
    asked = [
        mail for mail in mails if mail.kind in BY_DUTY and mail.html and asking.search(mail.body)
    ]

    assert {mail.kind for mail in asked} >= {"deadline_moved", "orders_missing", "phase_processed"}
    assert not [str(mail) for mail in asked if 'class="k"' not in mail.html]
