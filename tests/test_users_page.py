"""The pages of users and groups in the admin: nobody shuts out themselves or the last operator."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db

RIGHTS = ("is_active", "is_staff", "is_superuser")
OWN = "You cannot take this from yourself"
LAST = "Nobody else could run the server"


def untick(client: Client, user: User, right: str) -> str:
    """Send the user's page without this tick: what the page says, "" if it was saved."""
    ticked = {one: "on" for one in RIGHTS if one != right}
    typed = {"username": user.username, "email": user.email, **ticked}
    answer = client.post(reverse("admin:auth_user_change", args=[user.pk]), typed)
    return answer.content.decode() if answer.status_code == 200 else ""


@pytest.mark.parametrize("right", RIGHTS)
def test_no_operator_takes_a_right_from_themselves(operator: Client, right: str) -> None:
    User.objects.create_superuser("ada", "ada@example.org")
    root = User.objects.get(username="root")
    assert OWN in untick(operator, root, right)
    root.refresh_from_db()
    assert getattr(root, right)


@pytest.mark.parametrize("right", RIGHTS)
def test_the_last_operator_stays_and_any_other_may_go(client: Client, right: str) -> None:
    """Whoever may change users need not be an operator."""
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(content_type__model="user"))
    client.force_login(clerk)
    ada = User.objects.create_superuser("ada", "ada@example.org")
    assert LAST in untick(client, ada, right)
    User.objects.create_superuser("ben", "ben@example.org")
    assert untick(client, ada, right) == ""
    ada.refresh_from_db()
    assert not getattr(ada, right)


def test_a_page_writes_only_what_was_changed_on_it(
    operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = User.objects.create_user("ada", "ada@example.org", is_staff=True)
    form = admin.site.get_model_admin(User).form
    clean = form.clean

    def meanwhile(self: object) -> None:
        User.objects.filter(pk=ada.pk).update(password="md5$$new", first_name="Ada")
        clean(self)

    monkeypatch.setattr(form, "clean", meanwhile)
    assert untick(operator, ada, "is_staff") == ""
    ada.refresh_from_db()
    assert (ada.password, ada.first_name, ada.is_staff) == ("md5$$new", "Ada", False)


def test_a_page_opened_before_does_not_name_again_who_was_erased(operator: Client) -> None:
    ada = User.objects.create_user("ada", "ada@example.org")
    closed = {"username": f"former-{ada.pk}", "email": "", "is_active": False}
    User.objects.filter(pk=ada.pk).update(**closed)
    assert "stays closed and without a name" in untick(operator, ada, "is_staff")
    assert User.objects.filter(pk=ada.pk, **closed).exists()


@pytest.mark.django_db(transaction=True)
def test_the_last_operator_with_a_password_keeps_it(operator: Client) -> None:
    root = User.objects.get(username="root")
    User.objects.filter(pk=root.pk).update(password="md5$$kept")
    root.refresh_from_db()
    operator.force_login(root)
    ada = User.objects.create_superuser("ada", "ada@example.org")
    page = reverse("admin:auth_user_password_change", args=[root.pk])
    typed = {"usable_password": "false", "unset-password": "1"}
    assert "Nobody else could sign in" in operator.post(page, typed).content.decode()
    User.objects.filter(pk=ada.pk).update(password="md5$$hers")
    operator.post(page, typed)
    root.refresh_from_db()
    assert not root.has_usable_password()


@pytest.mark.parametrize(
    ("name", "kept"), [("GM", True), ("Moderator", True), ("Choir", False), ("root", True)]
)
def test_users_and_the_groups_of_roles_are_never_deleted(
    operator: Client, name: str, *, kept: bool
) -> None:
    Group.objects.get_or_create(name="Choir")
    model = User if name == "root" else Group
    kind = f"auth_{model.__name__.lower()}"
    row = model.objects.get(**{"username" if model is User else "name": name})
    typed = {"post": "yes", "action": "delete_selected", "_selected_action": [row.pk]}
    operator.post(reverse(f"admin:{kind}_changelist"), typed)
    assert model.objects.contains(row)
    operator.post(reverse(f"admin:{kind}_delete", args=[row.pk]), typed)
    assert model.objects.contains(row) == kept


@pytest.mark.parametrize(("name", "then"), [("GM", "GM"), ("Choir", "Chorus")])
def test_the_groups_of_roles_keep_their_names(operator: Client, name: str, then: str) -> None:
    group, _ = Group.objects.get_or_create(name=name)
    operator.post(reverse("admin:auth_group_change", args=[group.pk]), {"name": "Chorus"})
    group.refresh_from_db()
    assert group.name == then
