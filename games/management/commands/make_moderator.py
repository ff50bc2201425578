"""manage.py make_moderator ADDRESS: let somebody work as a moderator."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from games.management.plain import PlainCommand
from games.services.moderation.staff import moderator_appoint, user_at


class Command(PlainCommand):
    help = "Make somebody a moderator: they work in the admin, and hear of each case by mail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="their e-mail address")
        parser.add_argument("--name", default="", help="the name that players see")

    def run(self, **options: Any) -> str:
        user = user_at(email=options["address"], name=options["name"])
        moderator_appoint(user=user)
        name = user.get_username()
        if user.has_usable_password():
            return f"{name} is a moderator."
        return (
            f"{name} is a moderator. They choose a password at {settings.SITE_URL}/admin/ by "
            "“Choose a new password by mail”, or you give them one: "
            f"manage.py changepassword {name}"
        )
