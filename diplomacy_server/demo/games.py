"""What the demo begins with: an operator, and the games to make."""

from __future__ import annotations

from django.contrib.auth.models import User

from diplomacy_server.demo.cast import ORGANISER, PACES
from games.models import Game

OPERATOR = "admin"


def operator_ready(password: str) -> User:
    """Return the demo's operator, who may log in with this password and see open orders."""
    operator, _ = User.objects.get_or_create(
        username=OPERATOR,
        defaults={"email": ORGANISER.address, "is_staff": True, "is_superuser": True},
    )
    if not operator.check_password(password):
        operator.set_password(password)
        operator.save(update_fields=["password"])
    return operator


def games_missing() -> list[str]:
    """Return the names of the demo's games that were never made."""
    known = set(Game.objects.values_list("name", flat=True))
    return [name for name in PACES if name not in known]
