"""The replies about the server itself."""

from collections.abc import Mapping
from typing import Any

from bearings.places.replies.words import CleanPart, Line, Sentence
from bearings.reply import Part, Reply

Facts = dict[str, int | float | Line]
"""Numbers and words by name."""

_LIMITER = ("interval_s", "next_slot_s", "cooldown_s")
_CACHE = "cache_"
_CACHED = ("size", "max", "hits", "misses", "hit_rate")


class LastError(CleanPart):
    """The last failure that was not the question's fault."""

    code: str
    error: Sentence
    age_s: float


class StatusReply(CleanPart, Reply):
    """The reply of `geocoder_status`, made without network.

    `requests_total` counts the calls of tools; requests to servers are among `counters`. `fallbacks` stand in when the
    backend does not answer.
    """

    version: str
    uptime_s: float
    backend: str
    why: str
    fallbacks: list[str]
    ready: bool
    detail: Sentence
    language: str
    requests_total: int
    errors_total: int
    last_error: LastError | None = None
    cache: Facts
    limiter: Facts
    counters: Facts
    data_versions: dict[str, Line]
    attribution: Sentence

    def to_text(self) -> str:
        """One fact a line."""
        state = "ready" if self.ready else "not ready"
        lines = [
            f"bearings {self.version}, up {self.uptime_s} s",
            f"backend {self.backend} ({self.why}): {state}; {self.detail}",
        ]
        if self.fallbacks:
            lines.append(f"if it doesn't answer: {', '.join(self.fallbacks)}")
        lines.append(f"language {self.language}; {self.requests_total} requests, {self.errors_total} failed")
        if self.last_error:
            last = self.last_error
            lines.append(f"last error {last.age_s} s ago: {last.code}: {last.error}")
        titled: list[tuple[str, Mapping[str, object]]] = [
            ("cache", self.cache),
            ("limiter", self.limiter),
            ("counters", self.counters),
            ("data", self.data_versions),
        ]
        for title, facts in titled:
            if facts:
                lines.append(f"{title}: " + "; ".join(f"{key} {value}" for key, value in facts.items()))
        return "\n".join([*lines, self.attribution])


def sorted_out(counters: Mapping[str, float]) -> tuple[Facts, Facts, Facts]:
    """A source's counters, split into those of its cache, of its limiter, and the rest (see `SourceStatus`).

    Whole numbers become ints. A source without a cache or a limiter has zeros, and the state "no limit".
    """
    cache: Facts = dict.fromkeys(_CACHED, 0)
    limiter: Facts = dict.fromkeys(_LIMITER, 0)
    rest: Facts = {}
    for key, value in counters.items():
        number = int(value) if float(value).is_integer() else value
        if key.startswith(_CACHE):
            cache[key.removeprefix(_CACHE)] = number
        else:
            (limiter if key in _LIMITER else rest)[key] = number
    limiter["state"] = _state(counters)
    return cache, limiter, rest


def _state(counters: Mapping[str, float]) -> str:
    """The limiter's current state, in words."""
    if counters.get("cooldown_s"):
        return "cooling down"
    if counters.get("next_slot_s"):
        return "waiting for its slot"
    return "ready" if counters.get("interval_s") else "no limit"


class ToolCard(Part):
    """One tool: its purpose, and the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


class BackendCard(Part):
    """One backend: whether it is in use or stands in, its abilities, and how to enable it."""

    name: str
    active: bool
    fallback: bool
    available: bool
    can: str
    enable: str

    def line(self) -> str:
        """Its name, state and abilities; if it is not available, how to enable it."""
        state = "active" if self.active else "fallback" if self.fallback else "available" if self.available else "off"
        return f"backend {self.name} ({state}): {self.can}" + ("" if self.active else f" {self.enable}")


class CapabilitiesReply(CleanPart, Reply):
    """The reply of `geocoder_capabilities`, made without network."""

    version: str
    tools: list[ToolCard]
    backends: list[BackendCard]
    tips: list[str]
    integration: list[str]
    usage_policy: str
    attribution: Sentence

    def to_text(self) -> str:
        """Tools with their parameters, backends, then advice."""
        lines = [f"bearings {self.version}: geocoding tools"]
        for tool in self.tools:
            required = set(tool.parameters.get("required", ()))
            names = [name if name in required else f"{name}?" for name in tool.parameters.get("properties", {})]
            lines.append(f"{tool.name}({', '.join(names)}): {tool.description.splitlines()[0]}")
        lines += [card.line() for card in self.backends]
        return "\n".join([*lines, *self.tips, *self.integration, self.usage_policy, self.attribution])
