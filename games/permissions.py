"""Who may see what is secret until the deadline."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Permission
from django.db.models import Q

VIEW_OPEN_ORDERS = "view_open_orders"


def may_view_open_orders(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Say whether the user may see orders before the deadline.

    It takes the permission itself, given to the user or to a group of his. Being a superuser is
    not enough: who runs the server is not thereby let in on everybody's plans.
    """
    if not user.is_authenticated or not user.is_active:
        return False
    given = Permission.objects.filter(content_type__app_label="games", codename=VIEW_OPEN_ORDERS)
    return given.filter(Q(user=user) | Q(group__user=user)).exists()
