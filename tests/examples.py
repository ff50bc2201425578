"""Which examples Hypothesis tries, and how many: HYPOTHESIS_PROFILE says (docs/developers.md)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Nothing here may hang on how fast or how busy the machine is.
_IN_ITS_OWN_TIME = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("steady", _IN_ITS_OWN_TIME, derandomize=True, max_examples=25)
# In CI Hypothesis has `derandomize` by default, which would try the same ones every night.
_NEW_ONES = settings(_IN_ITS_OWN_TIME, derandomize=False, print_blob=True)
settings.register_profile("nightly", _NEW_ONES, max_examples=500)
settings.register_profile("search", _NEW_ONES, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def times(factor: float) -> settings:
    """So many times as many examples as the profile has by default."""
    return settings(max_examples=round(settings.default.max_examples * factor))
