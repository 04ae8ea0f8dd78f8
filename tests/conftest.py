"""Property tests take the time they need, and on a build machine the same examples every time."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("build", settings.get_profile("here"), derandomize=True, database=None)
settings.load_profile("build" if os.environ.get("CI") else "here")
