"""The users of the admin: who comes in as a GM or moderator, and whether mails reach them."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction
from django.db.models import Q

from games.errors import BadInput, NotFound, WrongState
from games.models import FailingUser
from games.queries.access.roles import GM, MODERATOR, RIGHTS, forget_groups
from games.services.accounts.names import key_of, require_one_alphabet
from games.services.cleaned import NAME_LENGTH, clean_email, clean_name

USERNAME_LENGTH = 150
"""Staff sign in with their addresses, and Django stores no longer name."""
NO_NAME = f"Please write a plain name of at most {NAME_LENGTH} characters, without an address."


@transaction.atomic
def gm_appoint(*, user: User) -> None:
    """Let the user into the admin as a GM. Done again, it changes nothing. A game names its GM.

    The row stays locked, so that nobody closes the account before it has its game. Raises
    WrongState if somebody just has."""
    _appoint(user, GM)


@transaction.atomic
def moderator_appoint(*, user: User) -> None:
    """Let the user into the admin as a moderator. Done again, it changes nothing."""
    _appoint(user, MODERATOR)


@transaction.atomic
def user_at(*, email: str, name: str = "") -> User:
    """Return the user of the admin with that address, locked until the transaction ends; a new one
    has no password yet.

    `name` is what players see; without one they read the user's role, never the address. Raises
    BadInput for what is no address and for that of a closed account, NotFound when several users
    have it.
    """
    email = clean_email(email, longest=USERNAME_LENGTH)
    users = [user for user in lock_users(email) if user.is_active]
    if len(users) > 1:
        raise NotFound(f"More than one user has the address {email}: choose one in the admin.")
    if not users and User.objects.filter(Q(email__iexact=email) | Q(username=email)).exists():
        raise BadInput(
            f"The account of {email} in the admin is closed, or has another address now. Whoever "
            "runs the server can change that."
        )
    user = users[0] if users else User.objects.create_user(email, email)
    if name:
        user.first_name, user.last_name = clean_name(name), ""
        user.save(update_fields=["first_name", "last_name"])
    return user


def lock_users(email: str) -> list[User]:
    """Return the users of the admin with that address, closed ones, too, locked until the
    transaction ends. Locks of players come before theirs, those of games after them."""
    rows = User.objects.select_for_update(no_key=True).filter(email__iexact=email)
    return list(rows.order_by("pk"))


def user_rename(*, user: User, name: str) -> None:
    """Give one of the staff the name that players read; an empty one takes it away.

    Raises BadInput for what is no plain name, and for one that looks like that of somebody else of
    the staff.
    """
    if name := " ".join(name.split()):
        try:
            name = clean_name(name)
        except BadInput:
            raise BadInput(NO_NAME) from None
        require_one_alphabet(name)
        others = User.objects.filter(is_staff=True, is_active=True).exclude(pk=user.pk)
        if key_of(name) in {key_of(one.get_full_name()) for one in others}:
            raise BadInput("Somebody else here goes by that name.")
    user.first_name, user.last_name = name, ""
    user.save(update_fields=["first_name", "last_name"])


def user_failed(*, user: User, since: dt.datetime, failure: str) -> None:
    """Note that our mails to one of the staff come back; the newest report counts."""
    said = {"since": since, "failure": failure}
    FailingUser.objects.update_or_create(user=user, defaults=said)


def user_reached(*, user: User) -> None:
    """Note that our mails reach one of the staff again, if any failed to."""
    FailingUser.objects.filter(user=user).delete()


def _appoint(user: User, role: str) -> None:
    if not User.objects.filter(pk=user.pk, is_active=True).update(is_staff=True):
        raise WrongState("This account in the admin has just been closed, so this was not done.")
    user.is_staff = True
    group, made = Group.objects.get_or_create(name=role)
    if made:  # the one of the migration was deleted in the meantime
        rights = Permission.objects.filter(content_type__app_label="games")
        group.permissions.set(rights.filter(codename__in=RIGHTS[role]))
    user.groups.add(group)
    forget_groups(user)
