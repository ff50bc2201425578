"""The addresses of the demo's pages. Only the demo loads them: they need what reads mails, 6 MB."""

from __future__ import annotations

from django.urls import path

from diplomacy_server.demo import pages

urlpatterns = [
    path("demo/", pages.demo, name="demo"),
    path("live/", pages.live, name="live"),
    path("mail/", pages.mail_list, name="mail-list"),
    path("mail/<slug:key>/", pages.mail, name="mail"),
    path("mail/<slug:key>/raw/", pages.mail_raw, name="mail-raw"),
    path("write/", pages.write, name="write"),
]
