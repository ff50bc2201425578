"""Where the web door leads."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.urls import path

from diplomacy_server import views
from diplomacy_server.health import pages as health

demo_patterns = [
    path("", views.demo, name="demo"),
    path("live/", views.live, name="live"),
    path("mail/", views.mail_list, name="mail-list"),
    path("mail/<slug:key>/", views.mail, name="mail"),
    path("mail/<slug:key>/raw/", views.mail_raw, name="mail-raw"),
    path("write/", views.write, name="write"),
]
front_patterns = [path("", views.front, name="front")]

health_patterns = [
    path("healthz", health.ready, name="healthz"),
    path("healthz/live", health.live, name="healthz-live"),
    path("metrics", health.for_prometheus, name="metrics"),
]

urlpatterns = [
    path("admin/", admin.site.urls),
    *health_patterns,
    # Everybody may read and write every mail in the demo; elsewhere these pages do not exist.
    *(demo_patterns if settings.DEMO else front_patterns),
]
