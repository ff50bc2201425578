"""The pages of the demo, for tests that run without it, and the admin, which no server lacks."""

from django.contrib import admin
from django.urls import path

from diplomacy_server.demo.urls import urlpatterns as demo_patterns

urlpatterns = [*demo_patterns, path("admin/", admin.site.urls)]
