"""`GET /metrics` for Prometheus: calls, their durations and outcomes, and the wings' counters."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bearings.serving.calls import CallEnded
from bearings.serving.peer import Peer

Readings = Callable[[], Awaitable[Mapping[str, Mapping[str, float]]]]
"""The counters of a server's parts, by part and name."""

_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""From an answer in memory to the longest time of a tool."""


class Metrics:
    """The metrics of one server process, in a registry of its own."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self._registry = CollectorRegistry()
        counter = partial(Counter, registry=self._registry)
        self._calls = counter(
            "bearings_calls", "Tool calls that ended: ok, or the code of their error.", ["tool", "outcome"]
        )
        self._seconds = Histogram(
            "bearings_call_seconds", "How long they took.", ["tool"], registry=self._registry, buckets=_BUCKETS_S
        )
        by_peer = "Tool calls that ended, by the name of their token; address: without a name."
        self._peer_calls = counter("bearings_peer_calls", by_peer, ["peer"])
        self._peer_seconds = counter("bearings_peer_call_seconds", "How long they took together.", ["peer"])
        self._refused = counter("bearings_refused", "Requests beyond a budget of their peer's.", ["peer", "budget"])
        self._gauges: dict[str, Gauge] = {}
        ProcessCollector(registry=self._registry)

    def on_call_end(self, call: CallEnded) -> None:
        """Count a finished call."""
        self._calls.labels(call.tool, call.outcome).inc()
        self._seconds.labels(call.tool).observe(call.seconds)
        self._peer_calls.labels(call.peer.label).inc()
        self._peer_seconds.labels(call.peer.label).inc(call.seconds)

    def refused(self, peer: Peer, budget: str) -> None:
        """Count a request beyond a budget: connections, streams, calls or sessions."""
        self._refused.labels(peer.label, budget).inc()

    async def text(self) -> bytes:
        """All metrics in Prometheus' text format; the parts' counters are `bearings_<name>{part="<part>"}`."""
        for part, numbers in (await self._readings()).items():
            for name, value in numbers.items():
                self._gauge(name).labels(part).set(value)
        return generate_latest(self._registry)

    def _gauge(self, name: str) -> Gauge:
        if name not in self._gauges:
            words = f"{name.replace('_', ' ')}, as a part of the server counts it."
            self._gauges[name] = Gauge(f"bearings_{name}", words, ["part"], registry=self._registry)
        return self._gauges[name]


def metrics_route(metrics: Metrics) -> Route:
    """`GET /metrics`, guarded like calls."""

    async def scrape(_: Request) -> Response:
        return Response(await metrics.text(), media_type=None, headers={"Content-Type": CONTENT_TYPE_LATEST})

    return Route("/metrics", scrape, methods=["GET"])
