"""The form to sign in, with name and password."""

from __future__ import annotations

from django.contrib.admin.forms import AdminAuthenticationForm


class SignInForm(AdminAuthenticationForm):
    """The admin's own form, in our words."""

    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": "Nobody on the staff has this name with this password. Capitals matter in "
        "both.",
    }
