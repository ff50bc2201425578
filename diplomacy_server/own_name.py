"""The page on which staff choose the name that players see."""

from __future__ import annotations

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from games.errors import BadInput
from games.queries.access.staff_names import name_shown
from games.services.moderation.staff import user_rename
from games.staff_request import user_of


class NameForm(forms.Form):
    """One field; if it stays empty, players read what role its owner has."""

    name = forms.CharField(
        label="Your name",
        required=False,
        help_text="Players read it in mails and in the logs of games, wherever you do something "
        "as a game master or moderator. If it is empty, they see only your role, like “the GM”.",
        widget=forms.TextInput(attrs={"autocomplete": "name", "class": "vTextField"}),
    )


def own_name(request: HttpRequest) -> HttpResponse:
    """Show your own name, and let you change it."""
    user = user_of(request)
    form = NameForm(request.POST or None, initial={"name": user.get_full_name()})
    if request.method == "POST" and form.is_valid() and _rename(user, form):
        messages.success(request, f"From now on players see you as {name_shown(user)}.")
        return HttpResponseRedirect(reverse("admin:index"))
    context = {
        **admin.site.each_context(request),
        "title": "Your name",
        "form": form,
        "now": name_shown(user),
    }
    return TemplateResponse(request, "admin/own_name.html", context)


def _rename(user: User, form: NameForm) -> bool:
    """Change the name, and enter that in the history of the account; return False, with an error in
    the form, if it cannot be changed."""
    try:
        user_rename(user=user, name=form.cleaned_data["name"])
    except BadInput as error:
        form.add_error("name", str(error))
        return False
    myself = User.objects.filter(pk=user.pk)
    LogEntry.objects.log_actions(user.pk, myself, CHANGE, "Changed their name.", single_object=True)
    return True
