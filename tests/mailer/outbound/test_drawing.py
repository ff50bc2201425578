"""The process that draws may hang, die, be killed or want too much: every mail leaves all the same,
once, and says that its map is missing."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from atlas import PhasePicture, Subject, draw, phase_pictures
from games.queries.reports import drawing
from games.queries.reports.drawing import DRAWING, DrawingProcess, NotDrawn
from judge import Position, load_variant
from mailer import jobs
from mailer.models import OutboundMail, Picture
from tests.cast import NOW, POWERS, Cast, make_cast
from tests.mailer.correspondence import told_cast, write
from tests.mailer.foggy import go_on, openings
from tests.mailer.sink import Sink

START = Subject(Position.start(load_variant("standard")))
LIBC = ctypes.PyDLL(None)  # which keeps Python's lock, as a library of C may

Draws = Callable[..., tuple[PhasePicture, ...]]


def hangs(*_: object) -> tuple[PhasePicture, ...]:
    LIBC.sleep(600)
    raise AssertionError("nobody waits for so long")


def dies(*_: object) -> tuple[PhasePicture, ...]:
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError("it is dead")


def wants_all_memory(*_: object) -> tuple[PhasePicture, ...]:
    return phase_pictures(START, "x" * (drawing.MEMORY + 1))


def breaks(*_: object) -> tuple[PhasePicture, ...]:
    raise ValueError("A Par - Bur")


def end(process: DrawingProcess) -> None:
    """End it as the system would, if it is ours."""
    process.bury()
    if process.pid:
        os.kill(process.pid, signal.SIGKILL)
        assert ends(process.pid)
        process.bury()


@pytest.fixture
def mine(monkeypatch: pytest.MonkeyPatch) -> Iterator[DrawingProcess]:
    """A process of the test's own, which does not go by itself, however slow the machine is."""
    monkeypatch.setattr(drawing, "IDLE", 600.0)
    process = DrawingProcess()
    yield process
    end(process)
    process._asking.close()
    process._asked.close()


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Draws], None]]:
    """Have the process that draws do so like this from now on, and wait for a second at most."""

    def fail(draws: Draws) -> None:
        end(DRAWING)
        monkeypatch.setattr(drawing, "phase_pictures", draws)
        if draws is hangs:
            monkeypatch.setattr(drawing, "LONGEST", 1)

    yield fail
    end(DRAWING)
    DRAWING._lost, DRAWING._rests_until = 0, 0.0  # as if nothing had been lost


def is_running(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and ") Z " not in status.read_text()


def ends(pid: int) -> bool:
    end = time.monotonic() + 60
    while is_running(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not is_running(pid)


def open_files(pid: int) -> list[str]:
    """What it has open besides what everybody has."""
    return [one for one in os.listdir(f"/proc/{pid}/fd") if int(one) > 2]


def test_another_process_draws_the_same_and_is_kept_for_the_next(mine: DrawingProcess) -> None:
    assert mine.draw(START, "marne") == phase_pictures(START, "marne")
    pid = mine.pid
    assert pid != os.getpid()
    mine.draw(START, "nile")
    assert mine.pid == pid


def test_pages_have_single_pictures_drawn_and_threads_that_ask_at_once_one_process(
    mine: DrawingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    forked: list[int] = []
    fork = os.fork
    monkeypatch.setattr(os, "fork", lambda: forked.append(0) or fork())
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(mine.png, START, "board", width=one) for one in (40, 50, 60, 70)]
    drawn = draw(START, "board")
    assert [one.result() for one in asked] == [drawn.png(one) for one in (40, 50, 60, 70)]
    assert len(forked) == 1


def test_it_ends_once_pages_have_asked_for_many_boards(
    mine: DrawingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """3 MB a board and more, while a crawler asks for all maps."""
    monkeypatch.setattr(drawing, "BOARDS", 1)
    first, other = (Subject(Position.start(load_variant(one))) for one in ("standard", "milan"))
    mine.png(first, "board", width=40)
    pid = mine.pid
    mine.png(first, "orders", width=40)
    assert is_running(pid), "it is the same board"
    mine.png(other, "board", width=40)
    assert ends(pid)
    assert mine.png(other, "board", width=40), "by another"


def test_it_ends_when_nothing_was_drawn_for_a_while(
    mine: DrawingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "IDLE", 0.1)
    mine.draw(START)
    assert ends(mine.pid)
    mine.bury()
    assert not mine.pid
    assert mine.draw(START), "by another"


class Sender:
    """Another process of the same worker, which has a picture drawn."""

    def __init__(self, shared: DrawingProcess, subtitle: str = "") -> None:
        self.ours, theirs = Pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self.ours.close()
                self._be(shared, subtitle, theirs)
            finally:
                os._exit(0)
        theirs.close()

    def _be(self, shared: DrawingProcess, subtitle: str, line: Connection) -> None:
        try:
            answer: object = shared.draw(START, subtitle)
        except NotDrawn as error:
            answer = error
        line.send((answer, shared.pid))
        time.sleep(600)  # until the test ends it

    def answer(self) -> tuple[object, int]:
        """What it got, and the process that it forked for that, or 0."""
        assert self.ours.poll(20)
        answer: tuple[object, int] = self.ours.recv()
        return answer

    def end(self) -> None:
        self.ours.close()
        pid, self.pid = self.pid, 0
        if pid:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


@pytest.fixture
def sender(mine: DrawingProcess) -> Iterator[Callable[..., Sender]]:
    senders: list[Sender] = []

    def begin(subtitle: str = "") -> Sender:
        senders.append(Sender(mine, subtitle))
        return senders[-1]

    yield begin
    for one in senders:
        one.end()


def test_one_draws_for_all_processes_of_a_worker(sender: Callable[..., Sender]) -> None:
    answers = [one.answer() for one in [sender("marne"), sender("marne"), sender("marne")]]
    assert [pictures for pictures, _ in answers] == [phase_pictures(START, "marne")] * 3
    begun, end = [pid for _, pid in answers if pid], time.monotonic() + 60
    # The slower one may not have tried its lock yet when the faster one has drawn it all.
    while len(alive := [*filter(is_running, begun)]) > 1 and time.monotonic() < end:
        time.sleep(0.02)
    assert len(alive) == 1, "though all may have begun at once"


def test_it_outlives_who_forked_it_and_not_all(
    mine: DrawingProcess, sender: Callable[..., Sender]
) -> None:
    first = sender()
    _, pid = first.answer()
    assert pid
    first.end()
    assert mine.draw(START)
    assert not mine.pid, "nobody had to fork another"
    assert is_running(pid)
    mine._asking.close()  # as when the last of us ends
    assert ends(pid)


def test_a_picture_that_ends_it_costs_nobody_elses(
    mine: DrawingProcess,
    sender: Callable[..., Sender],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def some_die(subject: Subject, subtitle: str, influence: object) -> tuple[PhasePicture, ...]:
        if subtitle == "nile":
            time.sleep(1)
            dies()
        return phase_pictures(subject, subtitle)

    monkeypatch.setattr(drawing, "phase_pictures", some_die)
    mine.draw(START)
    lost = sender("nile")
    time.sleep(0.3)  # it is drawing that one
    assert mine.draw(START, "marne") == phase_pictures(START, "marne")
    assert isinstance(lost.answer()[0], NotDrawn)


def test_nobody_waits_for_ever_for_their_turn(
    mine: DrawingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine.draw(START)
    os.kill(mine.pid, signal.SIGSTOP)  # no alarm ends it, either
    monkeypatch.setattr(drawing, "LONGEST", 0.2)
    with pytest.raises(NotDrawn):
        mine.draw(START)


@pytest.mark.parametrize(
    ("draws", "why"),
    [
        (hangs, "died"),
        (dies, "died"),
        (wants_all_memory, "MemoryError in "),
        (breaks, "ValueError in "),
    ],
)
def test_what_cannot_be_drawn_is_said_without_a_players_words(
    mine: DrawingProcess, failing: Callable[[Draws], None], draws: Draws, why: str
) -> None:
    failing(draws)
    with pytest.raises(NotDrawn, match=why) as raised:
        mine.draw(START)
    assert "A Par" not in str(raised.value)


def test_one_that_died_in_its_sleep_costs_no_picture(mine: DrawingProcess) -> None:
    mine.draw(START)
    assert mine.pid
    os.kill(mine.pid, signal.SIGKILL)
    assert ends(mine.pid)
    assert mine.draw(START)


def test_after_three_losses_in_a_row_nothing_is_drawn_for_a_while(
    mine: DrawingProcess, failing: Callable[[Draws], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(dies)
    for why in ["died"] * drawing.MOST_LOST + ["too many"]:
        with pytest.raises(NotDrawn, match=why):
            mine.draw(START)
    assert ends(mine.pid)
    monkeypatch.setattr(drawing, "phase_pictures", phase_pictures)
    monkeypatch.setattr(mine, "_rests_until", 0.0)
    assert mine.draw(START)


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_it_has_nothing_of_the_sender_but_their_line_and_leaves_them_theirs(
    mine: DrawingProcess, db: None
) -> None:
    connection.ensure_connection()
    mine.draw(START)
    end_of_waiting = time.monotonic() + 5  # until it has closed the line on which it answered
    while len(lines := open_files(mine.pid)) > 1 and time.monotonic() < end_of_waiting:
        time.sleep(0.02)
    assert len(lines) == 1
    assert Path(f"/proc/{mine.pid}/oom_score_adj").read_text() == "1000\n"
    end(mine)
    assert not Picture.objects.exists(), "the connection is as it was"


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_a_sender_that_is_larger_than_the_limit_has_its_pictures_all_the_same(
    mine: DrawingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "MEMORY", 128 << 20)
    large = bytearray(256 << 20)  # which the process that draws shares
    assert mine.draw(START)
    assert len(large) > drawing.MEMORY


ORPHAN = """
import ctypes
from games.queries.reports import drawing
drawing.LONGEST = 1
drawing.phase_pictures = lambda *asked: ctypes.PyDLL(None).sleep(600)
one = drawing.DrawingProcess()
line = one._turn()
print(one.pid, flush=True)
line.send(("phase", "anything"))
input()
"""


def test_one_that_hangs_ends_though_its_sender_was_killed() -> None:
    command = [sys.executable, "-c", f"import django; django.setup()\n{ORPHAN}"]
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "diplomacy_server.settings"}
    with subprocess.Popen(command, env=env, stdout=-1, stdin=-1) as sender:
        assert sender.stdout
        pid = int(sender.stdout.readline())
        sender.kill()
    assert ends(pid)


def told(sink: Sink) -> list[str]:
    """The HTML of each mail with results, in one line; each went out once and has no picture."""
    mails = OutboundMail.objects.filter(kind="phase_processed")
    assert {mail.state for mail in mails} == {OutboundMail.State.SENT}
    assert {mail.attempts for mail in mails} == {1}
    ours = {mail.message_id for mail in mails}
    arrived = [message for _, message in sink.taken if message["Message-ID"] in ours]
    assert len(arrived) == len(ours) == 8
    for message in arrived:
        assert not [part for part in message.walk() if part.get_content_maintype() == "image"]
    bodies = [message.get_body(("html",)) for message in arrived]
    return [" ".join(body.get_content().split()) for body in bodies if body]


@pytest.mark.parametrize("draws", [hangs, dies])
@pytest.mark.django_db
def test_all_results_leave_once_at_once_and_name_the_page_with_the_map(
    draws: Draws, failing: Callable[[Draws], None], sink: Sink
) -> None:
    cast = told_cast()
    jobs.outbox(NOW)
    openings(cast)
    go_on(cast)
    failing(draws)
    begun = time.monotonic()
    jobs.outbox(NOW)
    assert time.monotonic() - begun < 10
    page = f"{settings.SITE_URL}/games/marne/S1901M/"
    for html in told(sink):
        assert (
            "We could not draw the map for this mail. You will find it here: "
            f'<a class="k" href="{page}"' in html
        )


@pytest.mark.django_db
def test_in_fog_a_phase_that_hangs_is_tried_once_and_shown_to_nobody(
    failing: Callable[[Draws], None], sink: Sink
) -> None:
    fog = make_cast(fog=True)
    openings(fog)
    go_on(fog)
    jobs.tell(NOW)
    OutboundMail.objects.exclude(kind="phase_processed").update(state="sent")
    failing(hangs)
    begun = time.monotonic()
    jobs.outbox(NOW)
    assert time.monotonic() - begun < 8, "not once for each of eight"
    for html in told(sink):
        assert "The text says all that it would have shown." in html
        assert "/games/marne/S1901M/" not in html
    assert Picture.objects.filter(png=b"").count() == 2 * len({*POWERS, "the GM"})


@pytest.mark.django_db
def test_a_map_that_was_tried_out_is_on_no_page(
    failing: Callable[[Draws], None], sink: Sink
) -> None:
    cast: Cast = told_cast()
    jobs.outbox(NOW)
    failing(breaks)
    write("Carla", "WHATIF\nA Par - Bur\nEND\n")
    jobs.outbox(NOW)
    [*_, (_, message)] = sink.taken
    body = message.get_body(("html",))
    assert body
    assert "We could not draw the map for this mail. The text says" in body.get_content()
    assert cast.game.name in str(message["Subject"])
