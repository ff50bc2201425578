"""What the simulation knows of reply addresses."""

from __future__ import annotations

from mailer.models import ReplyToken
from tests.simulate.checks.mails.reply_addresses import POINTS_AT


def test_it_knows_all_that_a_reply_address_can_stand_for() -> None:
    assert {
        field.attname: field.related_model._meta.db_table
        for field in ReplyToken._meta.fields
        if field.related_model
    } == POINTS_AT
