"""A mail server that keeps what it gets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.mailer.sink import Sink, running_sink


@pytest.fixture
def sink(settings: Settings) -> Iterator[Sink]:
    with running_sink() as running:
        settings.EMAIL_URL = running.url
        yield running
