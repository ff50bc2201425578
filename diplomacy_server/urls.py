"""The addresses of the website."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.views import PasswordResetCompleteView, PasswordResetDoneView
from django.urls import include, path

from diplomacy_server.health import pages as health
from diplomacy_server.signin import wellknown
from diplomacy_server.signin.reset import ConfirmView, ResetView
from diplomacy_server.signin.second_factor_pages import CodePage, SetUpPage
from diplomacy_server.unsubscribe import unsubscribe

health_patterns = [
    path("healthz", health.ready, name="healthz"),
    path("healthz/live", health.live, name="healthz-live"),
    path("metrics", health.for_prometheus, name="metrics"),
]

admin.autodiscover()
handler500 = "diplomacy_server.unavailable.unavailable_response"
OURS = {"site_header": admin.site.site_header, "site_title": admin.site.site_title}
# Django's own pages and names, so that the admin's login offers them.
reset_patterns = [
    path("admin/password/", ResetView.as_view(extra_context=OURS), name="admin_password_reset"),
    path(
        "admin/password/sent/",
        PasswordResetDoneView.as_view(extra_context=OURS),
        name="password_reset_done",
    ),
    path(
        "admin/password/<uidb64>/<token>/",
        ConfirmView.as_view(extra_context=OURS),
        name="password_reset_confirm",
    ),
    path(
        "admin/password/done/",
        PasswordResetCompleteView.as_view(extra_context=OURS),
        name="password_reset_complete",
    ),
]
second_factor_patterns = [
    path("admin/second-factor/", CodePage.as_view(), name="second-factor"),
    path("admin/second-factor/set-up/", SetUpPage.as_view(), name="second-factor-setup"),
]
wellknown_patterns = [
    path("robots.txt", wellknown.robots, name="robots"),
    path(".well-known/security.txt", wellknown.security, name="security"),
]

urlpatterns = [
    *reset_patterns,
    *second_factor_patterns,
    path("admin/", admin.site.urls),
    *wellknown_patterns,
    path("unsubscribe/<str:token>/", unsubscribe, name="unsubscribe"),
    *health_patterns,
    # Everybody may read and write every mail in the demo; elsewhere these pages do not exist.
    *([path("", include("diplomacy_server.demo.urls"))] if settings.DEMO else ()),
    path("", include("pages.urls")),
]
