"""A mail as it goes over the wire: its text, the same laid out as HTML, its pictures, calendars.

    text/plain, complete by itself
    text/html, for those who want it
        image/png, once or twice, inside the HTML (Content-ID)
    text/calendar, attached to both: the deadline, or that it is off
    application/zip, likewise: all that is kept about its reader, who asked for it

We make it when we send it, from nothing but what is stored with the mail: the same bytes at every
attempt. The HTML needs no encoding and pictures are encoded once for all mails of a phase, for that
is where the time went.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from email.utils import format_datetime, formataddr

from django.conf import settings

from games.queries.reports.calendars import Method
from mailer.models import AttachedFile, OutboundMail, Picture
from mailer.outbound import mime, unsubscribe
from mailer.outbound.addresses import bounce_address
from mailer.outbound.buttons import Button
from mailer.outbound.html_part import TITLE, Image, Page, html_part
from mailer.outbound.pictures import Album, EncodedPicture
from mailer.reading.report import RETURN_TO

SENDER_NAME = "Diplomacy judge"
HAS_HEADLINE = frozenset({"phase_processed", "game_finished"})
_ABOVE = {
    Picture.View.ORDERS: ("YOUR ORDERS", "ALL ORDERS", "ORDERS IN SIGHT"),
    Picture.View.BOARD: ("THE BOARD NOW", TITLE),
    Picture.View.POSITION: ("THE BOARD", "THE BOARD NOW", TITLE),
}
"""The headings that a picture can stand above in the HTML."""
_FILE_NAMES: Mapping[Method, str] = {
    "PUBLISH": "deadline.ics",
    "CANCEL": "deadline-cancelled.ics",
}


def compose(mail: OutboundMail, album: Album | None = None) -> bytes:
    """The mail as it goes over the wire: the same bytes at every attempt, Date included.

    A caller that writes many has one `album` for all. Raises Unwritable if a header cannot be
    written.
    """
    return _body(mail, album or Album()).written(headers(mail))


def _body(mail: OutboundMail, album: Album) -> mime.Part:
    text = mime.plain(mail.body)
    if mail.html:
        text = _multipart(mail, "alternative", [text, _html(mail, album)])
    files = [*map(_calendar, mail.calendars), *_files(mail)]
    return _multipart(mail, "mixed", [text, *files]) if files else text


def _files(mail: OutboundMail) -> list[mime.Part]:
    """The file that the mail carries, if it is of a kind that does."""
    if mail.kind not in AttachedFile.FILED:
        return []
    found = AttachedFile.objects.filter(mail=mail)
    return [mime.archive(bytes(one.data), name=one.name) for one in found]


def _multipart(
    mail: OutboundMail, kind: str, parts: Sequence[mime.Part], more: str = ""
) -> mime.Part:
    # A boundary that stands in no text, because it is made from the mail's own random Message-ID.
    digest = hashlib.sha256(f"{kind} {mail.message_id}".encode()).hexdigest()
    return mime.multipart(f"{kind}{more}", f"=_{digest[:32]}", parts)


def _html(mail: OutboundMail, album: Album) -> mime.Part:
    shown = album.of_mail(mail)
    page = Page(
        subject=mail.subject,
        body=mail.body,
        reply_to=mail.reply_to,
        buttons=[Button(*one) for one in mail.buttons],
        images=[_image(one.picture, album) for one in shown],
        no_images=() if shown else album.missing_from(mail) or (),
        news=mail.kind in HAS_HEADLINE,
        colours=album.tints_for(mail, shown),
        site=settings.SITE_URL,
    )
    html = mime.html(html_part(page))
    if not shown:
        return html
    attached = [_attached(one) for one in shown]
    return _multipart(mail, "related", [html, *attached], '; type="text/html"')


def _image(one: Picture, album: Album) -> Image:
    above = _ABOVE[Picture.View(one.view)]
    page, link = album.page_of(one) or ("", "")
    return Image(_content_id(one), one.width, one.height, one.alt, one.caption, above, page, link)


def _attached(one: EncodedPicture) -> mime.Part:
    name, content_id = one.picture.file_name, _content_id(one.picture)
    return mime.image(one.in_base64, name=name, content_id=content_id)


def _calendar(file: tuple[Method, str]) -> mime.Part:
    """A calendar file: its type has to name the same method as the file, or programs do not show
    it."""
    method, text = file
    return mime.calendar(text, method=method, name=_FILE_NAMES[method])


def _content_id(one: Picture) -> str:
    whose = f".{one.viewer.replace(' ', '-')}" if one.viewer else ""
    return f"{one.view}.{one.phase_id}{whose}@{settings.JUDGE_ADDRESS.rpartition('@')[2]}"


def headers(mail: OutboundMail) -> dict[str, str]:
    """The mail's own headers, including the marks that tell machines not to answer (RFC
    3834, 5)."""
    written = {
        "Subject": mail.subject,
        "From": formataddr((SENDER_NAME, settings.JUDGE_ADDRESS)),
        "To": mime.address(mail.recipient),
        "Cc": mime.address(mail.cc),
        "Reply-To": mime.address(mail.reply_to),
        "Date": format_datetime(mail.created_at),
        "Message-ID": mail.message_id,
        "In-Reply-To": mail.in_reply_to,
        "References": mail.references,
        "Auto-Submitted": "auto-replied" if mail.answers_id else "auto-generated",
        "X-Auto-Response-Suppress": "All",
        RETURN_TO: "" if settings.VERP else bounce_address(mail.message_id),
        **unsubscribe.headers(mail),
        "MIME-Version": "1.0",
    }
    return {name: value for name, value in written.items() if value}
