"""What other packages add to the admin: keys and codes that nobody should look through, and pages
that would shut people out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.utils.safestring import SafeString
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from games.admin.base import Findable

if TYPE_CHECKING:
    Users = UserAdmin[User]
else:  # Django's own class takes no type parameters at run time
    Users = UserAdmin

admin.site.unregister([StaticDevice, TOTPDevice, User, Group])


class GroupFilter(admin.RelatedFieldListFilter):
    """The groups, and who is in none."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.empty_value_display = SafeString("none")


@admin.register(User)
class PlainUserAdmin(Findable, Users):
    """Users, with plain lists of groups and permissions: two boxes with arrows between them say
    little to a screen reader, and are wider than a phone."""

    list_filter = ("is_staff", "is_superuser", "is_active", ("groups", GroupFilter))
    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined")
    show_facets = admin.ShowFacets.NEVER
    search_help_text = "Part of a name or of an address"


@admin.register(Group)
class PlainGroupAdmin(Findable, GroupAdmin):
    """Groups, in the same way."""

    filter_horizontal = ()
    search_help_text = "Part of a name"
