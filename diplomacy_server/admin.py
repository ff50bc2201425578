"""What other packages add to the admin: keys and codes that nobody should look through, and pages
that would shut people out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, UserChangeForm
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from games.admin.base import Findable, KeptForEver, RowForm
from games.queries.access import roles
from games.services.moderation.gm_leaves import is_forgotten
from games.staff_request import user_of

if TYPE_CHECKING:
    Users = UserAdmin[User]
    UserForm = UserChangeForm[User]
    PasswordForm = AdminPasswordChangeForm[User]
else:  # Django's own classes take no type parameters at run time
    Users, UserForm, PasswordForm = UserAdmin, UserChangeForm, AdminPasswordChangeForm

OPERATES = {"is_active": True, "is_staff": True, "is_superuser": True}
"""Users who can sign in and do everything."""
LEAVES = (
    "Users are never deleted. When somebody leaves the staff, untick Active and Staff status: they "
    "are out at once, also by mail."
)

ERASED = "The person behind this account has been erased, so it stays closed and without a name."

admin.site.unregister([StaticDevice, TOTPDevice, User, Group])


class GroupFilter(admin.RelatedFieldListFilter):
    """Filters users by group, or finds those in no group."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.empty_value_display = SafeString("none")


class RightsForm(UserForm):
    """A user's page, on which nobody shuts themselves out, or the last operator."""

    changed_by: User

    def clean(self) -> None:
        """Refuse to take away what nobody could give back, or to put a name back on a user who was
        erased after this page was opened."""
        super().clean()
        if is_forgotten(self.instance):
            raise ValidationError(ERASED)
        taken = [one for one in OPERATES if one in self.changed_data and not self.cleaned_data[one]]
        for right in taken:
            if self.instance == self.changed_by:
                own = "You cannot take this from yourself: another operator has to do it."
                self.add_error(right, own)
            elif self._is_the_last_operator():
                last = (
                    "Nobody else could run the server: first give somebody else all three of these."
                )
                self.add_error(right, last)

    def _is_the_last_operator(self) -> bool:
        return [user.pk for user in _operators()] == [self.instance.pk]


class PasswordOrNoneForm(PasswordForm):
    """A new password, or none unless this is the last operator who has one."""

    def clean(self) -> dict[str, Any] | None:
        """Refuse to take away what nobody could give back."""
        cleaned = super().clean()
        with_one = [user.pk for user in _operators() if user.has_usable_password()]
        if not self.cleaned_data["set_usable_password"] and with_one == [self.user.pk]:
            last = "Nobody else could sign in and run the server."
            self.add_error("usable_password", last)
        return cleaned


def _operators() -> list[User]:
    """Return the operators, locked: two of them might shut each other out at the same moment, so
    the second waits."""
    return list(User.objects.select_for_update().filter(**OPERATES).order_by("pk"))


@admin.register(User)
class PlainUserAdmin(KeptForEver, Findable, Users):
    """Users, with plain lists of groups and permissions: two boxes with arrows between them say
    little to a screen reader, and are wider than a phone.

    They are never deleted: otherwise the staff's log would no longer say who did what.
    """

    form = RightsForm
    change_password_form = PasswordOrNoneForm
    fieldsets = tuple(
        (title, {**rows, "description": LEAVES} if title == "Permissions" else rows)
        for title, rows in UserAdmin.fieldsets or ()
    )
    list_filter = ("is_staff", "is_superuser", "is_active", ("groups", GroupFilter))
    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined")
    show_facets = admin.ShowFacets.NEVER
    search_help_text = "Part of a name or of an address"

    def get_form(self, request: HttpRequest, *given: Any, **more: Any) -> type[RowForm]:
        """Return a form that knows who is filling it in."""
        form = super().get_form(request, *given, **more)
        return type(form.__name__, (form,), {"changed_by": user_of(request)})

    def save_model(
        self,
        request: HttpRequest,
        obj: User,
        form: RowForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Write only what was changed: a password, or what closed the account, may be newer than
        the row that the request read."""
        if not change:
            super().save_model(request, obj, form, change)
            return
        columns = {field.name for field in User._meta.concrete_fields}
        obj.save(update_fields=[name for name in form.changed_data if name in columns])

    @transaction.atomic
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        """Change it while nobody else can take the other operators' passwords away."""
        return super().user_change_password(request, id, form_url)


@admin.register(Group)
class PlainGroupAdmin(Findable, GroupAdmin):
    """Groups, with plain lists as well. Those that grant rights keep their names and are never
    deleted."""

    filter_horizontal = ()
    search_help_text = "Part of a name"
    actions = None  # a list's "delete selected" would take them, too

    def get_readonly_fields(
        self, request: HttpRequest, obj: Group | None = None
    ) -> tuple[str, ...]:
        """Keep the names that the code knows."""
        return ("name",) if obj and obj.name in roles.RIGHTS else ()

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Refuse for those groups."""
        kept = obj is not None and obj.name in roles.RIGHTS
        return not kept and super().has_delete_permission(request, obj)
