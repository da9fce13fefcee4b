"""A machine on which live sources are switched on and lead to a server of the tests."""

from dataclasses import replace

from subclust.core.live import LIVE_SOURCES, LiveAccess


def switched_on(settings, url, *names, key="k-123", path="", cache_hours=0.0):
    """Switch on live sources, by default all of them, at an address of this machine."""
    live = tuple(
        LiveAccess(name, "librarian@example.org", key, (f"{url}{path}",))
        for name in names or LIVE_SOURCES
    )
    return replace(settings, offline=False, live=live, live_cache_hours=cache_hours)


class Sleeper:
    """Stands for ``time.sleep``: remembers how long, and does not."""

    def __init__(self):
        self.slept = []

    def __call__(self, seconds):
        self.slept.append(seconds)


class Clock:
    """Stands for ``time.time`` and ``time.sleep`` together: sleeping moves the time on."""

    def __init__(self, now=1_700_000_000.0):
        self.now = now
        self.slept = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(round(seconds, 3))
        self.now += seconds
