"""The lists of files to read in docs/architecture.md are the way that a mail takes."""

from __future__ import annotations

import re

import pytest

from benchmarks.structure import MODULES, PAGE, ROOT, modules_run
from mailer.outbound import addresses
from tests.cast import NOW
from tests.mailer.correspondence import to_seat, told_cast, write

pytestmark = pytest.mark.django_db


def listed(title: str) -> list[str]:
    """The modules of a list on the page, in its order."""
    part = PAGE.read_text("utf-8").partition(f"<!-- {title} -->\n")[2].partition("\n\n")[0]
    files = re.findall(r"^\d+\. `([^`]+)`", part, re.MULTILINE)
    by_file = {str(path.relative_to(ROOT)): name for name, path in MODULES.items()}
    return [by_file[file] for file in files]


def test_an_order_mail_runs_through_the_files_one_is_told_to_read() -> None:
    cast = told_cast()
    seat = to_seat(cast)
    ran = modules_run(lambda: write("Carla", "A Par - Pic", to=seat))
    assert len(listed("read a mail")) <= 20
    assert set(listed("read a mail")) <= set(ran)


def test_a_game_masters_mail_runs_through_the_files_one_is_told_to_read() -> None:
    cast = told_cast()
    gm = addresses.gm_address(user=cast.gm, game=cast.game, now=NOW)
    text = "EXTEND 24h because of Easter"
    ran = modules_run(lambda: write("", text, to=gm, sender=cast.gm.email))
    assert len(listed("read a GM's mail")) <= 9
    assert set(listed("read a GM's mail")) <= set(ran)
