"""The real worker, whose drawing processes are killed again and again while results go out."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.db.models import F
from django.utils import timezone

from benchmarks.many_games import make_games, order_openings
from games.models import Game, Phase
from mailer.models import OutboundMail
from tests.conftest import JudgeMailbox
from tests.flows.server import Processes, environment
from tests.migrated import ROOT
from tests.servers import Redis

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(240),
    pytest.mark.skipif(sys.platform != "linux", reason="asks /proc"),
]

SLOW = """
import time
import atlas.picture
drawn = atlas.picture._for_mail
def slowly(*what):
    time.sleep(0.4)
    return drawn(*what)
atlas.picture._for_mail = slowly
"""
GAMES = 6
LONGEST = 60.0
"""Seconds."""


def drawing_processes(above: int) -> Iterator[int]:
    """Whoever draws for a descendant of that process: they are the first to go without memory."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (folder / "oom_score_adj").read_text() == "1000\n" and above in ancestors(folder):
                yield int(folder.name)


def ancestors(folder: Path) -> Iterator[int]:
    while (pid := int((folder / "stat").read_text().rpartition(")")[2].split()[1])) > 1:
        yield pid
        folder = Path(f"/proc/{pid}")


def left() -> bool:
    told = OutboundMail.objects.filter(kind="phase_processed").count() == 8 * GAMES
    return not told or OutboundMail.objects.exclude(state=OutboundMail.State.SENT).exists()


def pictures_in(raw: bytes) -> int:
    return raw.count(b"Content-Type: image/png")


@pytest.mark.only_on("PostgreSQL")
def test_results_leave_once_with_all_their_pictures_or_none(
    judge_mailbox: JudgeMailbox, redis_server: Redis, tmp_path: Path
) -> None:
    """With 0.8 s for a game's two pictures, and a kill every two, some are drawn and some not."""
    chance = random.Random(1901)
    (tmp_path / "sitecustomize.py").write_text(SLOW)
    for game in make_games(GAMES, timezone.now()):
        order_openings(game.phases.get())
    OutboundMail.objects.update(state=OutboundMail.State.SENT, sent_at=F("created_at"))
    own = {"PYTHONPATH": f"{tmp_path}:{ROOT}", "SETTLE_SECONDS": "0"}
    env = environment(judge_mailbox, tmp_path, CELERY_BROKER_URL=redis_server.url, **own)
    killed, end = 0, time.monotonic() + LONGEST
    with Processes(env, tmp_path) as server:
        Phase.objects.filter(status=Phase.Status.OPEN).update(due_at=timezone.now())
        while left() and time.monotonic() < end:
            time.sleep(0.3)
            for pid in drawing_processes(server.running["worker"].pid):
                if not killed or chance.random() < 0.15:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
    assert killed, "nothing was tried out"
    assert not left()
    arrived = {mail.message_id: mail for mail in judge_mailbox.smtp.accepted}
    counts = Counter(mail.message_id for mail in judge_mailbox.smtp.accepted)
    told = OutboundMail.objects.filter(kind="phase_processed")
    assert {counts[mail.message_id] for mail in told} == {1}
    for game in Game.objects.all():
        mine = told.filter(event__game=game).values_list("message_id", flat=True)
        assert {pictures_in(arrived[one].raw) for one in mine} in ({0}, {2}), game.name
