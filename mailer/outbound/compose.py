"""A mail as it goes over the wire: its text, the same laid out as HTML, its pictures, calendars.

    text/plain, complete by itself
    text/html, for whoever wants it
        image/png, once or twice, inside the HTML (Content-ID)
    text/calendar, attached to both: the deadline, or that it is off

It is made when it is sent, of nothing but what is stored with the mail: the same bytes at every
attempt. The HTML needs no encoding and pictures are encoded once for all mails of a phase, for
that is where the time went.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from email.encoders import encode_base64, encode_quopri
from email.generator import BytesGenerator
from email.message import Message
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.utils import format_datetime, formataddr
from io import BytesIO

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.message import utf8_charset_qp

from games.queries.calendars import Method
from mailer.models import OutboundMail, Picture
from mailer.outbound import pictures, unsubscribe
from mailer.outbound.buttons import Button
from mailer.outbound.html_part import Image, Page, html_part

SENDER_NAME = "Diplomacy judge"
LONGEST_LINE = 998  # RFC 5322, 2.1.1
HAS_HEADLINE = frozenset({"phase_processed"})
_ABOVE = {
    Picture.View.ORDERS: ("YOUR ORDERS", "ALL ORDERS"),
    Picture.View.BOARD: ("THE BOARD NOW",),
    Picture.View.POSITION: ("THE BOARD", "THE BOARD NOW"),
}
"""Above which headings a picture stands in the HTML."""
_FILE_NAMES: Mapping[Method, str] = {
    "PUBLISH": "deadline.ics",
    "CANCEL": "deadline-cancelled.ics",
}


def compose(mail: OutboundMail) -> bytes:
    """The mail as it goes over the wire: the same bytes at every attempt, Date included."""
    drawn = pictures.of_mail(mail) if mail.html else []
    whole = _written(_message(mail, drawn))
    for one in drawn:  # put in last: `email` writes line by line, and pictures have thousands
        whole = whole.replace(_mark(mail, one.view).encode(), pictures.encoded(one), 1)
    return whole


def _message(mail: OutboundMail, drawn: Sequence[Picture]) -> Message:
    message = _plain(mail)
    if mail.html:
        outer = MIMEMultipart("alternative", _mark(mail, "alternative"))
        message = _inside(outer, message, [_html(mail, drawn)])
    if mail.calendars:
        outer = MIMEMultipart("mixed", _mark(mail, "mixed"))
        message = _inside(outer, message, map(_calendar, mail.calendars))
    return message


def _inside(outer: MIMEMultipart, first: Message, others: Iterable[Message]) -> Message:
    """Put parts into `outer`; the headers of the first, which was the mail so far, are now its."""
    for name, value in first.items():
        if name.lower() not in ("mime-version", "content-type", "content-transfer-encoding"):
            outer[name] = value
            del first[name]
    del first["MIME-Version"]
    for part in (first, *others):
        outer.attach(part)
    return outer


def _written(message: Message) -> bytes:
    out = BytesIO()
    BytesGenerator(out, mangle_from_=False).flatten(message)  # a line may begin with "From "
    return out.getvalue().replace(b"\n", b"\r\n")


def _plain(mail: OutboundMail) -> Message:
    message = EmailMessage(
        subject=mail.subject,
        body=mail.body,
        from_email=formataddr((SENDER_NAME, settings.JUDGE_ADDRESS)),
        to=[mail.recipient],
        reply_to=[mail.reply_to] if mail.reply_to else None,
        headers=headers(mail),
    )
    longest = max(map(len, mail.body.splitlines()), default=0)
    seven_bit = (mail.subject + mail.body).isascii() and longest <= LONGEST_LINE
    # Not 8bit: some relays do not speak 8BITMIME (RFC 6152).
    message.encoding = "us-ascii" if seven_bit else utf8_charset_qp
    return message.message()


def _html(mail: OutboundMail, drawn: Sequence[Picture]) -> Message:
    page = Page(
        subject=mail.subject,
        body=mail.body,
        reply_to=mail.reply_to,
        buttons=[Button(*one) for one in mail.buttons],
        images=[_image(one) for one in drawn],
        news=mail.kind in HAS_HEADLINE,
        colours=pictures.tints_for(mail, drawn),
    )
    html = MIMENonMultipart("text", "html", charset="us-ascii")
    written = html_part(page)
    html.set_payload(written)
    if max(map(len, written.splitlines())) <= LONGEST_LINE:
        html["Content-Transfer-Encoding"] = "7bit"
    else:  # somebody wrote without a blank
        encode_quopri(html)
    if not drawn:
        return html
    related = MIMEMultipart("related", _mark(mail, "related"), type="text/html")
    for part in (html, *(_attached(mail, one) for one in drawn)):
        related.attach(part)
    return related


def _image(one: Picture) -> Image:
    above = _ABOVE[Picture.View(one.view)]
    return Image(_content_id(one), one.width, one.height, one.alt, one.caption, above)


def _attached(mail: OutboundMail, one: Picture) -> Message:
    part = MIMENonMultipart("image", "png", name=one.file_name)
    part["Content-Transfer-Encoding"] = "base64"
    part["Content-ID"] = f"<{_content_id(one)}>"
    part.add_header("Content-Disposition", "inline", filename=one.file_name)
    part.set_payload(_mark(mail, one.view))
    return part


def _calendar(file: tuple[Method, str]) -> Message:
    """A calendar file (RFC 6047): its type says the same method as the file, or it is not shown."""
    method, text = file
    name = _FILE_NAMES[method]
    part = MIMENonMultipart("text", "calendar", charset="utf-8", method=method, name=name)
    part.add_header("Content-Disposition", "attachment", filename=name)
    part.set_payload(text.replace("\r\n", "\n"))  # a line of a mail ends as one of a calendar does
    if text.isascii():
        part["Content-Transfer-Encoding"] = "7bit"
    else:
        part.set_payload(text.encode())
        encode_base64(part)
    return part


def _content_id(one: Picture) -> str:
    whose = f".{one.viewer.replace(' ', '-')}" if one.viewer else ""
    return f"{one.view}.{one.phase_id}{whose}@{settings.JUDGE_ADDRESS.rpartition('@')[2]}"


def _mark(mail: OutboundMail, kind: str) -> str:
    """A line that stands in no text: it is made of the mail's own random Message-ID."""
    digest = hashlib.sha256(f"{kind} {mail.message_id}".encode()).hexdigest()
    return f"=_{digest[:32]}"


def headers(mail: OutboundMail) -> dict[str, str]:
    """Threading, and the marks by which machines know not to answer (RFC 3834, 5)."""
    written = {
        "Date": format_datetime(mail.created_at),
        "Message-ID": mail.message_id,
        "Cc": mail.cc,
        "In-Reply-To": mail.in_reply_to,
        "References": mail.references,
        "Auto-Submitted": "auto-replied" if mail.answers_id else "auto-generated",
        "X-Auto-Response-Suppress": "All",
        **unsubscribe.headers(mail),
    }
    return {name: value for name, value in written.items() if value}
