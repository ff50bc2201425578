"""How a player makes a game: five ready mails."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from games.settings.presets import PRESETS
from pages.mailto import mail_with
from pages.web import public_page, rendered

NAME = "NAME"


@public_page
def create(request: HttpRequest) -> HttpResponse:
    """Show the five games that players make, each with a mail that makes it."""
    offers = [
        (name, one.title, one.sentence, mail_with(f"CREATE {NAME} {name}"))
        for name, one in PRESETS.items()
    ]
    return rendered("pages/create.html", {"offers": offers, "title": "Make a game"})
