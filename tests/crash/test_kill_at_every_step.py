"""kill -9 between every two steps of ingest, processing, adjudication and sending.

Each job runs in a process that dies at its first step, then at its second, and so on until it
gets through. After a death the job is simply done again, as after a restart. Then nothing may be
lost and nothing doubled, except mails whose "250 OK" came and was not yet marked.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter

import pytest
from django.utils import timezone

from games.models import Event, OrderSet, Phase, Seat
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer.inbound import store
from mailer.models import InboundMail, Mailbox, OutboundMail
from mailer.outbound import addresses, outbox
from tests.cast import OPENINGS, POWERS, Cast, address_of, make_cast, make_player, submit
from tests.conftest import JudgeMailbox
from tests.crash.conftest import Driver, End

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

State = InboundMail.State
MOST_STEPS = 1000
LATER = dt.timedelta(minutes=11)  # longer than a lease, and than a pause after a failure
SOON = dt.timedelta(minutes=3)
YEARS = dt.timedelta(days=3650)


class Deaths:
    """The steps one job was killed at; `over` once it was carried out alive."""

    def __init__(self, driver: Driver, job: str) -> None:
        self.driver = driver
        self.job = job
        self.steps: list[str] = []
        self.over = False

    def die(self, now: dt.datetime) -> str:
        """Carry the job out up to the next step; where it died, for messages."""
        end: End = self.driver.carry_out(self.job, now=now, kill_at=len(self.steps) + 1)
        self.over = not end.killed
        self.steps.append(end.step)
        print(len(self.steps), end.step)
        assert len(self.steps) < MOST_STEPS
        return end.step

    def again(self, now: dt.datetime) -> None:
        """What the next round does after the restart."""
        self.driver.carry_out(self.job, now=now)

    def passed(self, *steps: str) -> bool:
        """Whether each of these was among the steps: the wrapping did reach them."""
        return all(any(step in taken for taken in self.steps) for step in steps)


def order_mail(to: str) -> bytes:
    """The first orders of France, a new mail each time."""
    return mail_of("Carla", to, "\r\n".join(OPENINGS["France"]))


def mail_of(name: str, to: str, text: str) -> bytes:
    return (
        f"From: {address_of(name)}\r\nTo: {to}\r\nSubject: Diplomacy\r\n"
        f"Message-ID: <{uuid.uuid4().hex}@players.test>\r\n\r\n{text}\r\n"
    ).encode()


def fresh_mailbox(driver: Driver, mails: int) -> JudgeMailbox:
    """A mailbox nobody has read yet, with so many mails in it; the driver's from now on."""
    address = f"judge-{uuid.uuid4().hex[:8]}@game.test"
    old = driver.mailbox
    box = JudgeMailbox(address, old.dovecot.url(address), old.dovecot, old.smtp)
    driver.mailbox = box
    for _ in range(mails):
        box.deliver(order_mail(address), sender=address_of("Carla"))
    return box


def stored(box: JudgeMailbox) -> list[InboundMail]:
    return list(InboundMail.objects.filter(mailbox__url=store.mailbox_name(box.imap_url)))


def test_mail_is_stored_once_wherever_the_poller_dies(driver: Driver) -> None:
    deaths = Deaths(driver, "poll")
    while not deaths.over:
        box = fresh_mailbox(driver, mails=2)

        step = deaths.die(timezone.now())
        deaths.again(timezone.now())

        kept = Counter(bytes(mail.raw) for mail in stored(box))
        assert kept == Counter(box.mails()), step
        assert sorted(kept.values()) == [1, 1], step
    assert deaths.passed('INSERT INTO "mailer_inboundmail"', "after commit", "IMAP", "FETCH")


def test_the_mailbox_is_tidied_once_wherever_the_poller_dies(driver: Driver) -> None:
    deaths = Deaths(driver, "poll")
    while not deaths.over:
        box = fresh_mailbox(driver, mails=3)
        driver.carry_out("poll", now=timezone.now())
        for mail, state in zip(
            stored(box), (State.DONE, State.QUARANTINED, State.NEW), strict=True
        ):
            InboundMail.objects.filter(pk=mail.pk).update(state=state)

        step = deaths.die(timezone.now())
        deaths.again(timezone.now())

        folders = ("INBOX", "Processed", "Quarantine")
        left = [box.dovecot.count(box.address, folder) for folder in folders]
        assert left == [1, 1, 1], step
        assert len(stored(box)) == 3, step
    assert deaths.passed("MOVE")


@pytest.fixture
def cast() -> Cast:
    """The game `marne`, its first deadline years away, everybody told of its start."""
    cast = make_cast(now=timezone.now(), movement_length=YEARS)
    Event.objects.update(told_at=timezone.now())
    return cast


def store_mail(box: Mailbox, raw: bytes, now: dt.datetime) -> InboundMail:
    return InboundMail.objects.create(
        mailbox=box,
        uidvalidity=1,
        uid=InboundMail.objects.count() + 1,
        sha256=uuid.uuid4().hex * 2,
        raw=raw,
        received_at=now,
        stored_at=now,
    )


def effects(mail: InboundMail) -> tuple[str, int, int]:
    """A mail's state, its order sets and its answers."""
    mail.refresh_from_db()
    return mail.state, mail.order_sets.count(), mail.answers.count()


def test_a_mail_takes_effect_once_wherever_the_worker_dies(driver: Driver, cast: Cast) -> None:
    deaths = Deaths(driver, "process")
    box = Mailbox.objects.create(url="imap://a-mailbox")
    now = timezone.now()
    while not deaths.over:
        now += dt.timedelta(hours=1)  # nobody is answered more than so often in an hour
        to = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=now)
        mail = store_mail(box, order_mail(to), now)

        step = deaths.die(now)
        assert effects(mail) in [(State.NEW, 0, 0), (State.DONE, 1, 1)], step
        deaths.again(now + LATER)

        assert effects(mail) == (State.DONE, 1, 1), step
    assert OrderSet.objects.count() == OutboundMail.objects.count() == len(deaths.steps)
    assert deaths.passed('INSERT INTO "games_orderset"', "before commit", "after commit")


def test_mails_taken_together_take_effect_once_wherever_the_worker_dies(
    driver: Driver, cast: Cast
) -> None:
    deaths = Deaths(driver, "process")
    box = Mailbox.objects.create(url="imap://a-mailbox")
    now = timezone.now()
    while not deaths.over:
        now += dt.timedelta(hours=1)
        mails = [ordered_by(name, cast, box, now) for name in ("Ana", "Ben", "Carla")]

        step = deaths.die(now)
        assert {effects(mail) for mail in mails} <= {(State.NEW, 0, 0), (State.DONE, 1, 1)}, step
        deaths.again(now + LATER)

        assert {effects(mail) for mail in mails} == {(State.DONE, 1, 1)}, step
    assert OrderSet.objects.count() == OutboundMail.objects.count() == 3 * len(deaths.steps)
    assert deaths.passed('INSERT INTO "games_orderset"', "before commit", "after commit")
    commits = [number for number, step in enumerate(deaths.steps) if "before commit" in step]
    last_write = max(number for number, step in enumerate(deaths.steps) if "UPDATE" in step)
    assert [number for number in commits if number > 2] == [last_write + 1]  # one for all


def ordered_by(name: str, cast: Cast, box: Mailbox, now: dt.datetime) -> InboundMail:
    """A stored mail of this player, with a sender of its own, that has orders."""
    seat = cast.seat(POWERS[name])
    to = addresses.seat_address(seat=seat, phase=cast.phase, now=now)
    text = "\r\n".join(OPENINGS[seat.power.name])
    mail = store_mail(box, mail_of(name, to, text), now)
    mail.sender = address_of(name)
    mail.save()
    return mail


def test_of_mails_taken_together_only_that_which_kills_is_set_aside(
    driver: Driver, cast: Cast
) -> None:
    """It kills whoever takes it; the other is worked on as soon as that is known."""
    now = timezone.now()
    box = Mailbox.objects.create(url="imap://a-mailbox")
    deadly = ordered_by("Carla", cast, box, now)
    harmless = store_mail(box, mail_of("Ben", "judge@game.test", "LIST"), now)
    harmless.sender = address_of("Ben")
    harmless.save()
    for expected in (State.NEW, State.NEW, State.DONE, State.DONE):
        now += LATER
        assert driver.carry_out("process", now=now, kill_in="mailer_ordermail").killed
        assert effects(harmless)[0] == expected
    now += LATER
    assert not driver.carry_out("process", now=now, kill_in="mailer_ordermail").killed
    assert effects(deadly)[:2] == (State.QUARANTINED, 0)


def test_the_last_join_starts_the_game_once_wherever_the_worker_dies(driver: Driver) -> None:
    now = timezone.now()
    game = game_create(name="marne", now=now)
    *six, (seventh, _) = POWERS.items()
    for name, power in six:
        game_join(game=game, player=make_player(name, now=now), preferences=power, now=now)
    record = make_player(seventh, now=now).record
    assert record
    to = addresses.player_address(address=record, now=now)
    box = Mailbox.objects.create(url="imap://a-mailbox")
    mail = store_mail(box, mail_of(seventh, to, "JOIN marne"), now)

    def state() -> tuple[str, int, int, int]:
        game.refresh_from_db()
        return game.status, Seat.objects.count(), game.phases.count(), mail.answers.count()

    deaths = Deaths(driver, "process")
    seen = [state()]
    while not deaths.over:
        now += LATER
        step = deaths.die(now)
        seen.append(state())
        assert seen[-1] in [("forming", 0, 0, 0), ("active", 7, 1, 1)], step
        InboundMail.objects.update(attempts=0, setbacks=0)  # many deaths would set the mail aside

    assert seen[0] == ("forming", 0, 0, 0)
    assert seen[-1] == ("active", 7, 1, 1)
    assert Event.objects.filter(kind="game_started").count() == 1
    assert deaths.passed('INSERT INTO "games_seat"', 'INSERT INTO "games_phase"')


def test_a_mail_that_kills_its_worker_three_times_is_set_aside(driver: Driver, cast: Cast) -> None:
    """Whatever it is that kills: the fourth worker lives, and the next mail is worked on."""
    now = timezone.now()
    box = Mailbox.objects.create(url="imap://a-mailbox")
    to = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=now)
    deadly, harmless = (store_mail(box, order_mail(to), now) for _ in range(2))
    for _ in range(3):
        now += LATER
        assert driver.carry_out("process", now=now, kill_in="mailer_ordermail").killed
        assert effects(deadly) == (State.NEW, 0, 0)

    for _ in range(2):
        now += LATER
        driver.carry_out("process", now=now)

    assert effects(deadly)[:2] == (State.QUARANTINED, 0)
    assert effects(harmless) == (State.DONE, 1, 1)


def all_orders_in(cast: Cast, now: dt.datetime) -> None:
    for power, lines in OPENINGS.items():
        submit(cast, power, lines, now)


def adjudication() -> tuple[list[tuple[str, str]], int, int]:
    """The phases, how often their processing was told of, and the mails that tell it."""
    phases = list(Phase.objects.order_by("number").values_list("name", "status"))
    processed = Event.objects.filter(kind="phase_processed", told_at__isnull=False)
    mails = OutboundMail.objects.filter(event__in=processed).count()
    return phases, processed.count(), mails


def test_a_phase_is_adjudicated_once_wherever_the_worker_dies(driver: Driver, cast: Cast) -> None:
    now = timezone.now()
    all_orders_in(cast, now)
    name = store.mailbox_name(driver.mailbox.imap_url)
    Mailbox.objects.create(url=name, last_ok_poll=now + SOON)
    before = ([("S1901M", "open")], 0, 0)
    after = ([("S1901M", "processed"), ("F1901M", "open")], 1, len(POWERS) + 1)
    assert adjudication() == before

    deaths = Deaths(driver, "deadlines")
    seen = []
    while not deaths.over:
        step = deaths.die(now)
        seen.append(adjudication())
        assert seen[-1] in (before, after), step

    assert adjudication() == after
    assert seen.index(after) >= len(seen) - 2, "nothing is there before the one commit"
    assert deaths.passed('INSERT INTO "games_phase"', 'INTO "mailer_outboundmail"')
    assert orders_adjudicated() == OPENINGS


def orders_adjudicated() -> dict[str, list[str]]:
    orders: dict[str, list[str]] = Phase.objects.get(name="S1901M").orders or {}
    return orders


def test_an_event_is_told_once_wherever_the_worker_dies(driver: Driver, cast: Cast) -> None:
    Event.objects.filter(kind="game_started").update(told_at=None)

    deaths = Deaths(driver, "tell")
    while not deaths.over:
        step = deaths.die(timezone.now())
        told = Event.objects.filter(told_at=None).count() == 0
        assert OutboundMail.objects.count() == (len(POWERS) + 1 if told else 0), step

    assert OutboundMail.objects.count() == len(POWERS) + 1
    assert Seat.objects.count() == len(POWERS)


def test_a_reminder_is_noted_once_wherever_the_worker_dies(driver: Driver) -> None:
    cast = make_cast(now=timezone.now(), movement_length=dt.timedelta(days=3), reminders="24h")
    an_hour_before = timezone.now() + dt.timedelta(days=3, hours=-1)
    deaths = Deaths(driver, "remind")
    while not deaths.over:
        step = deaths.die(an_hour_before)
        reminded = cast.phase.remind_at is None  # the only rung of the ladder is behind us
        assert len(cast.events("orders_missing")) == reminded, step

    assert len(cast.events("orders_missing")) == 1
    assert deaths.passed('INSERT INTO "games_event"', "before commit")


def test_a_muster_ends_once_wherever_the_worker_dies(driver: Driver) -> None:
    now = timezone.now().replace(microsecond=0)  # musters end, as all deadlines, at whole seconds
    game = game_create(name="marne", muster=dt.timedelta(days=2), now=now)
    for name in POWERS:
        game_join(game=game, player=make_player(name, now=now), preferences="", now=now)
    end = now + dt.timedelta(days=2)
    name = store.mailbox_name(driver.mailbox.imap_url)
    Mailbox.objects.create(url=name, last_ok_poll=end + SOON)
    deaths = Deaths(driver, "deadlines")
    while not deaths.over:
        step = deaths.die(end)
        game.refresh_from_db()
        failed = game.events.filter(kind="muster_failed")
        places = game.applications.filter(withdrawn_at=None).count()
        told = OutboundMail.objects.filter(kind="muster_failed").count()
        state = (game.status, failed.count(), places, told)
        assert state in [("muster", 0, 7, 0), ("forming", 1, 1, 7)], step

    assert game.status == "forming"
    assert deaths.passed('INSERT INTO "games_event"', 'INTO "mailer_outboundmail"')


def test_mail_goes_out_once_or_twice_with_one_message_id(driver: Driver) -> None:
    """Twice only in the one window that SMTP leaves: after the last byte, before the mark."""
    deaths = Deaths(driver, "outbox")
    twice = Counter[int]()
    now = timezone.now()
    while not deaths.over:
        driver.mailbox.smtp.reset()
        mails = [queued(now) for _ in range(2)]

        step = deaths.die(now)
        marked = [mail for mail in mails if is_sent(mail)]
        taken = [mail for mail in mails if times_accepted(driver, mail)]
        now += LATER
        deaths.again(now)

        doubled = [mail for mail in mails if times_accepted(driver, mail) == 2]
        for mail in mails:
            assert is_sent(mail), step
            assert times_accepted(driver, mail) in (1, 2), step
        # What was on its way when the worker died may have been taken since.
        on_its_way = [mail for mail in doubled if mail not in taken]
        assert len(on_its_way) <= step.startswith("before SMTP answer"), step
        assert set(doubled) - set(on_its_way) == set(taken) - set(marked), step
        twice[len(doubled)] += 1
    assert min(twice[1], twice[2]) > 0, "no step was taken between a 250 and its mark"
    assert twice[0] > 10
    assert deaths.passed("SMTP command", "after SMTP answer", "before UPDATE")


def queued(now: dt.datetime) -> OutboundMail:
    key = uuid.uuid4().hex
    return outbox.enqueue(
        key=key,
        kind="test",
        recipient=f"{key[:8]}@players.test",
        subject="[marne] Spring 1901 movement: results",
        body="All is well.\n",
        now=now,
        priority=OutboundMail.Priority.RESULT,
    )


def is_sent(mail: OutboundMail) -> bool:
    mail.refresh_from_db()
    return mail.state == OutboundMail.State.SENT


def times_accepted(driver: Driver, mail: OutboundMail) -> int:
    """How often the mail server took this mail: by its Message-ID."""
    taken = [each.message_id for each in driver.mailbox.smtp.accepted]
    return taken.count(mail.message_id)
