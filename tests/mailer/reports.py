"""Reports of mail servers, in the forms in which they really come, about a mail of ours."""

from __future__ import annotations

import itertools

_numbers = itertools.count(1)


def dsn(
    to: str,
    *,
    action: str = "failed",
    status: str = "5.1.1",
    said: str = "smtp; 550 5.1.1 <ben@players.test>: user unknown",
    returned: str = "",
    returned_text: str = "A Paris - Burgundy",
) -> bytes:
    """A report as RFC 3464 has it, with the whole mail behind it; `returned` is a line of its
    header."""
    returned += "\r\n" if returned else ""
    return (
        f"Return-Path: <>\r\nDelivered-To: {to}\r\n"
        "From: Mail Delivery System <MAILER-DAEMON@mx.players.test>\r\n"
        f"To: {to}\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        f"Message-ID: <report{next(_numbers)}@mx.players.test>\r\nAuto-Submitted: auto-replied\r\n"
        "MIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="cut"\r\n\r\n'
        "--cut\r\nContent-Type: text/plain\r\n\r\nWe are sorry. A Munich - Ruhr\r\n"
        "--cut\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.players.test\r\n\r\n"
        "Final-Recipient: rfc822; ben@players.test\r\n"
        f"Action: {action}\r\nStatus: {status}\r\nDiagnostic-Code: {said}\r\n\r\n"
        "--cut\r\nContent-Type: message/rfc822\r\n\r\n"
        f"From: judge@game.test\r\n{returned}Subject: Spring 1901\r\n\r\n{returned_text}\r\n"
        "--cut--\r\n"
    ).encode()


def bare(to: str, *, sender: str, subject: str, text: str, headers: str = "") -> bytes:
    """A report that is a plain text, as older servers write it."""
    return (
        f"Return-Path: <>\r\nDelivered-To: {to}\r\nFrom: {sender}\r\nTo: {to}\r\n"
        f"Subject: {subject}\r\nMessage-ID: <bare{next(_numbers)}@mx.players.test>\r\n"
        f"{headers}\r\n" + text.replace("\n", "\r\n")
    ).encode()


QMAIL = """\
Hi. This is the qmail-send program at mx.players.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ben@players.test>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <judge@game.test>
A Paris - Burgundy
"""

EXIM = """\
This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ben@players.test
    SMTP error from remote mail server after RCPT TO:<ben@players.test>:
    550 no such address here
"""

EXCHANGE = """\
Your message did not reach some or all of the intended recipients.

The following recipient(s) cannot be reached:

      ben@players.test on 3/2/2026 12:00 PM
            The e-mail account does not exist at the organization.
            <mx.players.test #5.1.1>
"""

EXIM_LATE = """\
This message was created automatically by mail delivery software.
A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue. No action is required.

The address to which the message has not yet been delivered is:

  ben@players.test
    Delay reason: 452 4.2.2 mailbox full
"""

GERMAN = """\
Ihre Nachricht konnte nicht zugestellt werden:

  ben@players.test: 550 5.1.1 Empfaenger unbekannt
"""

PLAIN = {
    "German": {
        "sender": "Mail Delivery System <mailer-daemon@mx.players.test>",
        "subject": "Mail-Zustellung fehlgeschlagen",
        "text": GERMAN,
    },
    "qmail": {
        "sender": "MAILER-DAEMON@mx.players.test",
        "subject": "failure notice",
        "text": QMAIL,
    },
    "Exim": {
        "sender": "Mail Delivery System <Mailer-Daemon@mx.players.test>",
        "subject": "Mail delivery failed: returning message to sender",
        "text": EXIM,
        "headers": "X-Failed-Recipients: ben@players.test\r\nAuto-Submitted: auto-replied\r\n",
    },
    "Exchange": {
        "sender": "System Administrator <postmaster@players.test>",
        "subject": "Undeliverable: [marne] Spring 1901 movement",
        "text": EXCHANGE,
    },
}
LATE = {
    "sender": "Mail Delivery System <Mailer-Daemon@mx.players.test>",
    "subject": "Warning: message 1rgX delayed 24 hours",
    "text": EXIM_LATE,
}
