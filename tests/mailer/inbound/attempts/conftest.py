"""A judge that reads one mailbox, and who writes to it."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from tests.cast import Cast
from tests.mailer.correspondence import JUDGE, to_seat
from tests.mailer.inbound.attempts.attempting import OPERATOR, URL


@pytest.fixture(autouse=True)
def judge(settings: Settings) -> None:
    settings.JUDGE_ADDRESS = JUDGE
    settings.OPERATOR_ADDRESSES = [OPERATOR]
    settings.IMAP_URLS = [URL]


@pytest.fixture
def france(marne: Cast) -> str:
    """The reply address of Carla, who plays France."""
    return to_seat(marne)
