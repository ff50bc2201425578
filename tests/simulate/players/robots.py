"""Programs that answer our mails: of somebody who is away, and of servers that give mails back.

What is promised: none of them is ever answered, and nothing is done that stands in their mails.
"""

from __future__ import annotations

import email
import sqlite3
from dataclasses import dataclass, field
from email import policy
from functools import partial

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.machinery.post import Mailbox
from tests.simulate.machinery.relay import RelayedMail
from tests.simulate.players.writers import DOMAIN, NAMES
from tests.simulate.some_days import OnSomeDays

DAY = 86400.0
AWAY = """From: {reader}
To: {to}
Subject: Out of office: {subject}
Message-ID: {message_id}
In-Reply-To: {about}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

I am away, and read your mail in a week. In a hurry? Write to my brother.

{quoted}
"""
LOST = """From: MAILER-DAEMON@relay.test
Return-Path: <>
To: {sender}
Subject: Undelivered Mail Returned to Sender
Message-ID: {message_id}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

I am sorry to have to inform you that your message could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.test

Final-Recipient: rfc822; {reader}
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp; 552 5.2.2 Mailbox full
--b
Content-Type: message/rfc822

Message-ID: {about}
Subject: {subject}

{quoted}
--b--
"""


@dataclass
class Robots(OnSomeDays):
    """All such programs; `answering` has by address what answers there now."""

    TRIES = (0, 0, 1, 2)
    WITHIN = 20.0

    mailbox: Mailbox
    seen: Evidence
    answering: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    """Their mails, by Message-ID."""

    def happen(self) -> None:
        """Have a program answer what comes to one of all."""
        self.begin([self.chance.choice(NAMES)])

    def begin(self, names: list[str]) -> None:
        """Have a program answer whatever comes to these people, for some days."""
        form, until = self.chance.choice((AWAY, LOST)), self.chance.uniform(0.2, 4) * DAY
        for name in names:
            self.answering[f"{name.lower()}@{DOMAIN}"] = form
            self.agenda.after(until, partial(self.answering.pop, f"{name.lower()}@{DOMAIN}", None))

    def taken(self, taken: RelayedMail) -> bool:
        """Answer a mail of ours, if a program does; say whether its reader does not see it."""
        form = self.answering.get(taken.recipient)
        if form is None:
            return False
        mail = email.message_from_bytes(taken.raw, policy=policy.default)
        body = mail.get_body(("plain",))
        text = body.get_content() if body else ""
        message_id = f"<robot-{len(self.written)}@{DOMAIN}>"
        raw = form.format(
            reader=taken.recipient,
            sender=taken.sender,
            to=mail["Reply-To"] or mail["From"],
            subject=str(mail["Subject"]).replace("\n", ""),
            about=str(mail["Message-ID"]),
            message_id=message_id,
            quoted="\n".join(f"> {line}" for line in text.splitlines()),
        )
        self.written[message_id] = form
        self.agenda.after(self.chance.uniform(1, 90), partial(self._arrive, raw))
        return form == LOST

    def _arrive(self, raw: str) -> None:
        self.mailbox.deliver("\r\n".join(raw.splitlines()).encode())

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that was queued in the last step. Raises Broken."""
        if mail["answers_id"] is None:
            return
        query = "select message_id from mailer_inboundmail where id = ?"
        [row] = self.seen.rows(query, mail["answers_id"])
        if row["message_id"] in self.written:
            raise Broken(f"a program wrote to us, and {mail['recipient']} reads an answer to it")
