"""Django's reports of errors on web pages, as it would mail them to ADMINS."""

from __future__ import annotations

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.views.debug import ExceptionReporter

from diplomacy_server.discretion import way_to


class Reporter(ExceptionReporter):
    """Says where it happened, without variables, forms or the words of the error.

    A developer at their own machine (DEBUG, which is refused elsewhere) gets Django's full report.
    """

    def get_traceback_text(self) -> SafeString:
        """Return the way to the error."""
        if settings.DEBUG:
            return super().get_traceback_text()
        where = f"{self.request.method} {self.request.path}\n\n" if self.request else ""
        return mark_safe(where + way_to(self.exc_value))  # plain text, as its base has it

    def get_traceback_html(self) -> SafeString:
        """Return the way to the error; the HTML says no more than the text."""
        if settings.DEBUG:
            return super().get_traceback_html()
        return format_html("<pre>{}</pre>", way_to(self.exc_value))
