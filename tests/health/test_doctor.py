"""The doctor's command tries everything that a real server needs, and says what to do."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from django.core.management import call_command
from pytest_django import Settings

from tests.conftest import JudgeMailbox
from tests.health.doctor import WAIT
from tests.servers.relay import AUTHSERV_ID


@pytest.mark.django_db
def test_the_doctor_walks_through_everything_and_exits_by_the_worst(
    judge_mailbox: JudgeMailbox, settings: Settings
) -> None:
    settings.TRUSTED_AUTHSERV_ID = AUTHSERV_ID
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", wait=WAIT, stdout=out)
    assert ended.value.code == 1  # the broker of the tests listens nowhere
    mended = [line for line in out.getvalue().splitlines() if line.startswith("MEND")]
    assert all(line.split()[1] in ("broker", "database") for line in mended)
    parts = ["settings", "disk", "database", "broker", "mailbox", "relay", "mail", "pages", "dns"]
    for about in parts:
        assert f" {about} " in out.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("IMAP_URLS", ["imaps://judge:a[b@mail.example.org/INBOX"]),
        ("EMAIL_URL", "smtp://judge:secret@mail.example.org:many"),
    ],
)
def test_an_address_of_a_mail_server_that_cannot_be_read_is_named_and_nothing_is_tried(
    settings: Settings, name: str, value: object
) -> None:
    setattr(settings, name, value)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", cron=True, wait=WAIT, stdout=out)
    assert re.search(
        r"(IMAP|EMAIL)_URL (has an entry that )?is not the URL of a mail", out.getvalue()
    )
    assert " relay " not in out.getvalue()
