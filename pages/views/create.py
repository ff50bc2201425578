"""How a player makes a game: a mail to send for each way to play."""

from __future__ import annotations

import datetime as dt

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse

from games.models import Game
from games.queries.parsing.start_times import FORM
from games.queries.variants import all_variants
from games.settings.presets import PRESETS
from pages.mailto import mail_with
from pages.web import public_page, render_form

NAME = "NAME"
WORDS = ("PRIVATE", "GM")
"""What may follow a new game's name; see the command CREATE."""


@public_page
def create(request: HttpRequest) -> HttpResponse:
    """Show the games that players can make, each with a mail that makes it.

    Once somebody has filled in a name, and who may join, the mails contain both.
    """
    name = request.GET.get("name", "").strip()
    fault = fault_of(name)
    chosen = [word for word in WORDS if word.lower() in request.GET]
    variants = all_variants()
    asked = request.GET.get("variant", "")
    variant = asked if asked in [one.name for one in variants[1:]] else ""
    words = [variant, *chosen] if variant else [*chosen]
    start = _time(request.GET.get("start", ""))
    words += [f"START {start}"] if start else []
    lines = {key: " ".join([NAME if fault else name or NAME, key, *words]) for key in PRESETS}
    offers = [
        (one.title, one.sentence, f"CREATE {lines[key]}", mail_with(f"CREATE {lines[key]}"))
        for key, one in PRESETS.items()
    ]
    made = {"name": name, "fault": fault, "chosen": chosen, "variant": variant, "start": start}
    shown = {**made, "offers": offers, "variants": variants}
    return render_form("pages/create.html", {**shown, "title": "Make a game"})


def _time(picked: str) -> str:
    """Return the time that somebody picked as a mail has it, "2026-12-24 20:00"; "" for no time, or
    for one that no browser sends."""
    try:
        return f"{dt.datetime.fromisoformat(picked):{FORM}}"
    except ValueError:
        return ""


def fault_of(name: str) -> str:
    """Return what is wrong with a name for a game; "" for a good name, or for none yet."""
    try:
        Game._meta.get_field("name").clean(name or NAME, None)
    except ValidationError as error:
        return str(error.messages[0])
    return ""
