"""manage.py reset_second_factor NAME: let somebody in who has lost their phone."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.utils import timezone

from diplomacy_server.signin.second_factor import forget
from games.errors import NotFound
from games.management.plain import PlainCommand


class Command(PlainCommand):
    help = (
        "Forget the phone and the recovery codes of somebody who lost them. Then their password "
        "alone lets them in; if a second step is required, they set it up again. Make sure that it "
        "is really them who ask."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="their user name or e-mail address")

    def run(self, **options: Any) -> str:
        name = options["name"]
        users = User.objects.filter(username=name) or User.objects.filter(email__iexact=name)
        user = users.first()
        if user is None:
            raise NotFound(f"There is no user {name}.")
        if not forget(user, by="an operator", now=timezone.now()):
            return f"{user.get_username()} has no second step to sign in."
        return (
            f"{user.get_username()} signs in with the password alone until they set it up again. "
            "They and the operators are told by mail."
        )
