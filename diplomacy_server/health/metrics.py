"""The signs in the form that Prometheus reads."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from diplomacy_server.health.findings import fails, judge
from diplomacy_server.health.signs import Delay, Queue, Signs
from mailer.outbound.probe import RoundTrip

PREFIX = "diplomacy_"


class Gauges(Collector):
    """Every sign as a gauge: the database counts, so any process may be asked."""

    def __init__(self, signs: Signs) -> None:
        self.signs = signs

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Name each figure as Prometheus wants it: base units, with the unit in the name."""
        signs = self.signs
        yield _gauge("up", "1 while the server does its work", not fails(judge(signs)))
        yield _polls(signs)
        for name, queue in _queues(signs).items():
            yield _gauge(f"{name}_waiting", f"How many wait: {name}", queue.count)
            yield _gauge(f"{name}_oldest_seconds", f"Age of the oldest: {name}", _age(queue, signs))
        yield _gauge("outbox_queued", "Mails to be sent, those put off included", signs.queued)
        yield _gauge("phases_stuck", "Phases whose adjudication failed", signs.stuck)
        yield _gauge("mails_failed_day", "Mails refused for good in 24 hours", signs.failed)
        yield _gauge("mails_bounced_day", "Mails that came back in 24 hours", signs.bounced)
        yield _gauge("phases_undrawn_day", "Phases of 24 hours without pictures", signs.undrawn)
        yield _gauge("games_running", "Games that are being played", signs.running)
        if signs.round_trip:
            yield from _round_trip(signs.round_trip, signs.at)
        yield _delays("receipt", signs.receipts)
        yield _delays("result", signs.results)


def text(signs: Signs) -> bytes:
    """The page that Prometheus fetches."""
    registry = CollectorRegistry()
    registry.register(Gauges(signs))
    return generate_latest(registry)


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(PREFIX + name, meaning, value=float(value))


def _polls(signs: Signs) -> GaugeMetricFamily:
    family = GaugeMetricFamily(
        PREFIX + "poll_age_seconds", "Since the last good poll", labels=["mailbox"]
    )
    for number, box in enumerate(signs.mailboxes, 1):
        since = box.last_ok_poll or dt.datetime.min.replace(tzinfo=dt.UTC)
        family.add_metric([str(number)], (signs.at - since).total_seconds())
    return family


def _queues(signs: Signs) -> dict[str, Queue]:
    return {
        "mails_unworked": signs.unworked,
        "mails_put_by": signs.put_by,
        "mails_set_aside": signs.set_aside,
        "mails_unfetched": signs.unfetched,
        "phases_due": signs.due,
        "events_untold": signs.untold,
        "outbox": signs.outbox,
    }


def _round_trip(found: RoundTrip, now: dt.datetime) -> Iterator[GaugeMetricFamily]:
    missing = (now - found.missing_since).total_seconds() if found.missing_since else 0.0
    if found.seconds is not None:
        took = "How long the last mail to ourselves took"
        yield _gauge("round_trip_seconds", took, found.seconds)
    yield _gauge("round_trip_missing_seconds", "Age of the oldest that is not back", missing)


def _age(queue: Queue, signs: Signs) -> float:
    return max(0.0, (signs.at - queue.oldest).total_seconds()) if queue.oldest else 0.0


def _delays(name: str, delay: Delay) -> GaugeMetricFamily:
    family = GaugeMetricFamily(
        f"{PREFIX}{name}_delay_seconds",
        f"How long the latest {delay.mails} took",
        labels=["quantile"],
    )
    family.add_metric(["0.5"], delay.median)
    family.add_metric(["0.95"], delay.nearly_all)
    return family
