"""The pages of the demo: how to take part, all mail, and a form to write one."""

from __future__ import annotations

import logging

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from diplomacy_server.demo import cast
from diplomacy_server.demo.mails import MailView, gather, mails_page, open_mail, people
from diplomacy_server.demo.tables import tables
from diplomacy_server.demo.writing import LetterForm, letter, post
from games.queries import lookup

logger = logging.getLogger(__name__)


@require_GET
def demo(request: HttpRequest) -> HttpResponse:
    """How to take part, what runs, the latest mail."""
    context = {
        **_live(),
        "form": LetterForm(initial={"recipient": settings.JUDGE_ADDRESS}),
        "judge": settings.JUDGE_ADDRESS,
        "smtp_port": settings.SMTP_PORT,
        "imap_port": settings.IMAP_PORT,
        "operator_password": settings.DEMO_PASSWORD_FILE.read_text().strip(),
        "cast": cast.CAST,
        "yours": cast.YOURS,
    }
    return render(request, "demo/index.html", context)


@require_GET
def live(request: HttpRequest) -> HttpResponse:
    """The part of that page that refreshes by itself."""
    return render(request, "demo/live.html", _live())


def _live() -> dict[str, object]:
    rows = gather(mails_page(size=40).rows)[:12]
    return {"tables": tables(timezone.now()), "rows": rows}


@require_GET
def mail_list(request: HttpRequest) -> HttpResponse:
    """All mail, newest first, with one person or with everybody."""
    other, before = request.GET.get("with", ""), request.GET.get("before", "")
    page = mails_page(other=other, before=before)
    if "part" in request.GET:
        return render(request, "demo/rows.html", {"rows": page.rows})
    context = {
        "page": page,
        "other": other,
        "before": before,
        "people": people(),
        "form": _letter_form(other),
    }
    return render(request, "demo/mails.html", context)


def _letter_form(sender: str) -> LetterForm | None:
    if not sender:
        return None
    return LetterForm(
        initial={"sender": sender, "recipient": settings.JUDGE_ADDRESS, "body": "LIST"}
    )


@require_GET
def mail(request: HttpRequest, key: str) -> HttpResponse:
    """One mail, readable, with the answers to it and a form to answer it."""
    opened = open_mail(key)
    return render(request, "demo/mail.html", {"mail": opened, "form": _answer_form(opened)})


@require_GET
def mail_raw(request: HttpRequest, key: str) -> HttpResponse:
    """One mail, just as it travelled."""
    return HttpResponse(open_mail(key).raw, content_type="text/plain; charset=utf-8")


def _answer_form(opened: MailView) -> LetterForm | None:
    if opened.row.way == "in":
        return None
    return LetterForm(
        initial={
            "sender": opened.recipient,
            "recipient": opened.reply_to or settings.JUDGE_ADDRESS,
            "subject": f"Re: {opened.row.subject.removeprefix('Re: ')}",
            "body": "",
            "answers": opened.message_id,
        }
    )


def write(request: HttpRequest) -> HttpResponse:
    """Send a mail to the judge as somebody; the form itself stands on the page of the demo."""
    if request.method != "POST":
        return redirect("demo")
    form = LetterForm(request.POST)
    if not form.is_valid():
        return render(request, "demo/write.html", {"form": form}, status=400)
    try:
        post(letter(**form.cleaned_data))
    except OSError:
        logger.exception("The mail server did not take a mail")
        form.add_error(None, "The mail server did not take it. Please try again in a moment.")
        return render(request, "demo/write.html", {"form": form}, status=503)
    sender = form.cleaned_data["sender"]
    player = lookup.player_by_address(sender)
    reader = player.address if player else sender
    where = "The answer is at the top of this list in a few seconds."
    if player and reader.lower() != sender.lower():
        where = (
            f"{player.name} gets mail at {reader}, so the answer goes there: it is at the top of "
            "this list in a few seconds."
        )
    messages.success(request, f"Sent. {where}")
    return redirect(f"/mail/?{urlencode({'with': reader})}")
