"""The secrets in links that our mails have: whoever has the link can do what it does."""

LINK_SECRETS = (
    r"(?<=/calendar/)[\w-]{20,}(?=\.ics)|(?<=/admin/password/)[\w-]+/[\w-]+"
    r"|(?<=/unsubscribe/)[\w:-]{20,}"
)
"""A regular expression for those in the addresses of a player's calendar, of the page for a new
password, and of the page that ends reminders. It is used before Django is ready, so nothing else is
in this module."""
