"""Who signs in, by name and password."""

from __future__ import annotations

from django.contrib.admin.forms import AdminAuthenticationForm


class SignInForm(AdminAuthenticationForm):
    """The admin's own, in our words."""

    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": "This name and this password do not belong together, or not to one of the "
        "staff. Capitals matter in both.",
    }
