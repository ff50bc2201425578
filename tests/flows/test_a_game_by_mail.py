"""A game from the first REGISTER to a solo, by mail alone: players speak SMTP and IMAP.

On PostgreSQL it runs for three years with poller, Celery worker and web service as processes and
Redis between them; on SQLite for a year and a half with `manage.py tick` and no broker at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from benchmarks.processes import family
from games.models import Game, OrderSet, Phase
from mailer.models import InboundMail, OutboundMail
from tests.conftest import JudgeMailbox
from tests.flows import campaign
from tests.flows.clients import CLIENTS, mutt
from tests.flows.people import Letter, Person, about, answers
from tests.flows.server import Processes, Server, Ticking, environment, eventually
from tests.servers import Redis
from tests.servers.process import free_ports

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]

NAMES = ("Ana Adler", "Ben Byrd", "Carla Cro", "Dmitri Do", "Emma Eco", "Felix Fon", "Greta Gül")
SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
STEPS = {"M": "movement", "R": "retreats", "A": "adjustments"}


def title(phase: str) -> str:
    return f"{SEASONS[phase[0]]} {phase[1:5]} {STEPS[phase[5]]}"


@dataclass
class Table:
    """Seven people, one for each power, and the server they write to."""

    server: Server
    judge: str
    people: dict[str, Person]
    gm: Person
    sent: dict[str, list[str]] = field(default_factory=dict)

    def everybody(self) -> Iterable[tuple[str, Person]]:
        return self.people.items()

    def write(self, power: str, text: str) -> str:
        """A new conversation; remembered, because each mail must get one answer."""
        return self._sent(power, self.people[power].write(self.judge, text))

    def reply(self, power: str, letter: Letter, text: str) -> str:
        return self._sent(power, self.people[power].answer(letter, text))

    def _sent(self, power: str, message_id: str) -> str:
        self.sent.setdefault(power, []).append(message_id)
        return message_id

    def answer_to(self, power: str, message_id: str) -> Letter:
        """The one answer to a mail of this power's player."""
        look = self.people[power]
        what = f"the answer to {look.name}'s mail"
        found: Letter = eventually(self.server, lambda: look.find(answers(message_id)), what)
        return found

    def all_have(self, *words: str) -> dict[str, Letter]:
        """Everybody's newest letter with these words in the subject."""
        return {power: self.newest(person, *words) for power, person in self.everybody()}

    def newest(self, person: Person, *words: str) -> Letter:
        """A person's newest letter with these words in the subject."""
        what = f"{person.name} getting {words}"
        found: Letter = eventually(self.server, lambda: person.find(about(*words)), what)
        return found


@pytest.fixture
def table(judge_mailbox: JudgeMailbox, tmp_path: Path) -> Table:
    dovecot, smtp, own = judge_mailbox.dovecot, judge_mailbox.smtp, judge_mailbox.address[6:14]
    people = {
        power: Person(name, f"{name.split()[0].lower()}-{own}@players.test", client, dovecot, smtp)
        for power, name, client in zip(campaign.POWERS, NAMES, CLIENTS, strict=True)
    }
    gm = Person("The GM", f"gm-{own}@players.test", mutt, dovecot, smtp)
    server = Ticking(environment(judge_mailbox, tmp_path))
    return Table(server, judge_mailbox.address, people, gm)


@pytest.mark.only_on("PostgreSQL")
def test_three_years_and_a_solo_with_poller_worker_and_web_on_a_small_machine(
    table: Table, redis_server: Redis, tmp_path: Path
) -> None:
    """With a worker of two processes, tests/crash does the same."""
    env = table.server.env | {"CELERY_BROKER_URL": redis_server.url, "SMALL_MACHINE": "1"}
    (port,) = free_ports(1)
    with Processes(env, tmp_path, port) as table.server:
        play(table, campaign.WHOLE)
        with urlopen(f"http://127.0.0.1:{port}/games/marne/S1901M.png") as picture:
            assert picture.read().startswith(b"\x89PNG")
        services = {name: len(family(one.pid)) for name, one in table.server.running.items()}

    assert services.pop("worker") in (1, 2), "it, and perhaps one that draws"
    assert services == {"poller": 1, "web": 2}, "it, and one that draws"
    for name in table.server.commands:
        log = (tmp_path / f"{name}.log").read_text()
        assert not re.search(r"Traceback|ERROR|CRITICAL", log), log


@pytest.mark.only_on("SQLite")
def test_a_year_and_a_half_and_a_solo_by_tick_alone(table: Table) -> None:
    play(table, campaign.SHORT)


def play(table: Table, walk: campaign.Walk) -> None:
    User.objects.create_user("gm", table.gm.address, "gm", is_staff=True)
    times = ("--movement", "72h", "--early-delay", "0h")
    table.server.manage("create_game", "marne", "--gm", table.gm.address, *times)

    everybody_registers(table)
    everybody_joins(table)
    for phase in walk.phases:
        play_phase(table, phase, walk.silent.get(phase))
    one_is_late(table, *walk.late)

    game = Game.objects.get(name="marne")
    played = len(walk.phases)
    assert [phase.name for phase in game.phases.order_by("number")] == campaign.PHASES[: played + 1]
    centers = open_phase().position["centers"]
    assert {power: len(owned) for power, owned in centers.items()} == walk.centres
    france_wins(table, walk.last)
    every_mail_was_answered_once(table, results=played + 1)
    every_letter_is_well_made(table)
    nothing_is_left_over(table)


def everybody_registers(table: Table) -> None:
    asked = {
        power: table.write(power, f"REGISTER {person.name}") for power, person in table.everybody()
    }
    confirmed = {
        power: table.reply(power, table.answer_to(power, mail), "Yes, that is me.")
        for power, mail in asked.items()
    }
    for power, mail in confirmed.items():
        assert table.people[power].name in table.answer_to(power, mail).words


def everybody_joins(table: Table) -> None:
    asked = table.write("Austria", "LIST")
    assert "marne" in table.answer_to("Austria", asked).text

    welcome = table.all_have("Welcome")
    joined = {
        power: table.reply(power, letter, f"JOIN marne {power}")
        for power, letter in welcome.items()
    }
    for power, mail in joined.items():
        assert "marne" in table.answer_to(power, mail).text

    for power, letter in table.all_have("[marne]", "starts").items():
        assert f"you play {power}" in letter.words
        for unit in open_phase().position["units"][power]:
            assert unit in letter.words, letter.text


def play_phase(table: Table, name: str, silent: str | None) -> None:
    """Everybody who has to orders in a way of their own; the silent one waits for the deadline."""
    phase = open_phase()
    assert phase.name == name
    units_stand_as_worked_out(phase)
    letters = newest_letters(table, name)
    sent = {}
    for power in campaign.POWERS:
        lines = campaign.orders_for(power, name, phase.position["units"].get(power, []))
        if lines and power != silent:
            written = [campaign.in_handwriting(power, line) for line in lines]
            sent[power] = (table.reply(power, letters[power], "\n".join(written)), lines)
    for power, (mail, lines) in sent.items():
        receipt = table.answer_to(power, mail)
        for line in lines:
            assert line in receipt.words, f"{power} {name}: {line!r} in\n{receipt.text}"
    if silent:
        Phase.objects.filter(pk=phase.pk, status="open").update(due_at=timezone.now())
    for letter in table.all_have("[marne]", f"{title(name)}: results").values():
        assert title(name) in letter.words
    if silent:
        told_of_missing_orders(table, name, silent)


def newest_letters(table: Table, name: str) -> dict[str, Letter]:
    """What everybody presses "reply" on: the start mail, or the results of the phase before."""
    number = campaign.PHASES.index(name)
    if number == 0:
        return table.all_have("[marne]", "starts")
    return table.all_have("[marne]", f"{title(campaign.PHASES[number - 1])}: results")


def units_stand_as_worked_out(phase: Phase) -> None:
    for power, units in campaign.AFTERWARDS.get(phase.name, {}).items():
        assert set(units) <= set(phase.position["units"][power]), f"{power} in {phase.name}"


def told_of_missing_orders(table: Table, name: str, power: str) -> None:
    wanted = ("[marne]", f"{title(name)}: results", "missing")
    assert table.people[power].find(about(*wanted)) is not None
    assert power in table.newest(table.gm, *wanted).subject


def one_is_late(table: Table, phase: str, power: str, order: str) -> None:
    """Orders for a phase that is over are kept, answered as late, and change nothing."""
    before = campaign.PHASES[campaign.PHASES.index(phase) - 1]
    earlier = table.people[power].find(about(f"{title(before)}: results"))
    assert earlier is not None
    outcome = Phase.objects.get(name=phase).outcome

    mail = table.reply(power, earlier, order)

    assert "late" in table.answer_to(power, mail).words.lower()
    late = OrderSet.objects.get(phase__name=phase, power__name=power)
    assert late.late
    assert not late.counts
    assert Phase.objects.get(name=phase).outcome == outcome


def france_wins(table: Table, last: str) -> None:
    """France is lifted to seventeen centres through the database and takes the eighteenth."""
    phase = open_phase()
    letters = table.all_have("[marne]", f"{title(last)}: results")
    Phase.objects.filter(pk=phase.pk).update(name="F1904M", position=campaign.SOLO)

    table.reply("France", letters["France"], "A BUR-MUN\nA GAS H\nF ENG H")
    table.reply("Germany", letters["Germany"], "A Ber H")
    table.reply("Turkey", letters["Turkey"], "a con h")

    for letter in table.all_have("[marne]", f"{title('F1904M')}: results").values():
        assert "The game is over: France has won with 18 centres" in letter.words
        assert re.search(r"France .*18", letter.words)
    game = Game.objects.get(name="marne")
    assert (game.status, game.winner) == ("finished", "France")
    assert not game.phases.filter(status="open").exists()


def every_mail_was_answered_once(table: Table, *, results: int) -> None:
    for power, person in table.everybody():
        for mail in table.sent[power]:
            table.answer_to(power, mail)
        answered = Counter(str(letter.message["In-Reply-To"]).strip() for letter in person.look())
        assert {mail: answered[mail] for mail in table.sent[power]} == dict.fromkeys(
            table.sent[power], 1
        )
        told = Counter(
            letter.subject
            for letter in person.letters
            if letter.subject.startswith("[marne]") and ": results" in letter.subject
        )
        assert set(told.values()) == {1}
        assert len(told) == results


def every_letter_is_well_made(table: Table) -> None:
    letters = [letter for _, person in table.everybody() for letter in person.letters]
    ids = Counter(letter.message_id for letter in letters)
    assert set(ids.values()) == {1}
    for letter in letters:
        assert letter.message["Auto-Submitted"] in ("auto-replied", "auto-generated")
        assert letter.message["Reply-To"], letter.subject
        assert len(letter.message["To"].addresses) == 1
        assert letter.message["Cc"] is None
        assert max(map(len, letter.text.splitlines())) <= 78, letter.text
    for power, person in table.everybody():
        assert results_begin_threads(person), f"results to {power} hang on others"
        assert receipts_hang_on_threads(person), f"receipts to {power} hang on no results"


def begins(letter: Letter) -> bool:
    """Whether this is the start mail, or results after which the game goes on."""
    return letter.subject.startswith("[marne]") and (
        "The game starts" in letter.subject or ": results" in letter.subject
    )


def results_begin_threads(person: Person) -> bool:
    """Whether each mail with results is the first of its thread."""
    return not any(
        letter.message["References"]
        for letter in person.letters
        if begins(letter) and not letter.subject.endswith("the game is over")
    )


def receipts_hang_on_threads(person: Person) -> bool:
    """Whether each quiet receipt refers to the results whose subject it keeps."""
    roots = {letter.message_id: letter.subject for letter in person.letters if begins(letter)}
    quiet = [letter for letter in person.letters if letter.subject.startswith("Re: [marne]")]
    return all(
        roots.get(str(letter.message["References"]).split()[0]) == letter.subject[len("Re: ") :]
        for letter in quiet
    )


def nothing_is_left_over(table: Table) -> None:
    def tidy() -> bool:
        return not table_mailbox_count(table, "INBOX")

    eventually(table.server, tidy, "the judge's INBOX being empty")
    states = Counter(InboundMail.objects.values_list("state", flat=True))
    assert set(states) == {InboundMail.State.DONE}
    assert table_mailbox_count(table, "Processed") == states[InboundMail.State.DONE]
    assert not OutboundMail.objects.exclude(state=OutboundMail.State.SENT).exists()


def table_mailbox_count(table: Table, folder: str) -> int:
    return table.gm.dovecot.count(table.judge, folder)


def open_phase() -> Phase:
    return Phase.objects.get(game__name="marne", status=Phase.Status.OPEN)
