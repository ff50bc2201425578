"""The pages of the demo, for tests that run without it."""

from diplomacy_server.urls import demo_patterns

urlpatterns = demo_patterns
