"""Sends a fuzzer's lines to a server, a few at once, and counts what comes back."""

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.adversary.protocol.calls import Fuzzer
from tests.adversary.protocol.peer import Peer, same

AT_ONCE = 8
"""Requests that wait for their answers at a time."""

REFUSED = {-32700: "no JSON", -32600: "no request", -32601: "unknown method", -32602: "bad params"}


@dataclass
class Campaign:
    """The results of a campaign."""

    sent: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    bad: list[tuple[str, bytes]] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)
    memory_mb: list[float] = field(default_factory=list)

    def summary(self, name: str) -> str:
        """Figures for a report."""
        times = sorted(self.times_s)
        p50, p99 = (1000 * times[int(len(times) * part)] for part in (0.5, 0.99))
        before, after = self.memory_mb[0], self.memory_mb[-1]
        return (
            f"{name}: {self.sent:,} lines, {len(self.bad)} bad; p50 {p50:.0f} ms, p99 {p99:.0f} ms, "
            f"slowest {1000 * times[-1]:.0f} ms, {AT_ONCE} at once; memory {before:.0f} → {after:.0f} MB; "
            + ", ".join(f"{count:,} {outcome}" for outcome, count in self.outcomes.most_common())
        )


def run(peer: Peer, fuzzer: Fuzzer, count: int, first: int = 1) -> Campaign:
    """Send `count` lines with ids from `first`. Each must be answered once, and never as a fault of ours."""
    campaign = Campaign()
    waiting: dict[int, tuple[bytes, float]] = {}
    seen = len(peer.replies)
    campaign.memory_mb.append(peer.memory_mb())
    for number in range(first, first + count):
        line = fuzzer.line(number)
        waiting[number] = (line, time.monotonic())
        peer.write(line)
        campaign.sent += 1
        while len(waiting) >= AT_ONCE:
            seen = _take(peer, seen, waiting, campaign)
    while waiting:
        seen = _take(peer, seen, waiting, campaign)
    campaign.memory_mb.append(peer.memory_mb())
    return campaign


def _take(peer: Peer, seen: int, waiting: dict[int, tuple[bytes, float]], campaign: Campaign) -> int:
    """Wait for the next replies; how many were seen by then. Raises AssertionError if none comes in time."""
    try:
        peer.wait_for_count(seen + 1)
    except AssertionError as error:
        raise AssertionError(f"{error}; unanswered: {[line[:2_000] for line, _ in waiting.values()]}") from None
    replies = peer.replies[seen:]
    for position, reply in enumerate(replies, seen):
        number = reply.get("id")
        if "id" not in reply or number is None:
            continue  # a progress notification; the answer to a line that a broken text turned into another
        line, sent_at = waiting.pop(number) if number in waiting else (b"", 0.0)
        outcome = _outcome(reply)
        campaign.outcomes[outcome] += 1
        campaign.times_s.append(peer.answered_at(position) - sent_at)
        if not line or not same(number, int(number)) or outcome.startswith("fault"):
            campaign.bad.append((f"{outcome}: {str(reply)[:300]}", line[:2_000]))
    peer.forget(seen + len(replies))
    return seen + len(replies)


def _outcome(reply: dict[str, Any]) -> str:
    """In a word: a result, a tool's error by its code, the protocol's, or a fault."""
    if "error" in reply:
        code = reply["error"]["code"]
        return REFUSED.get(code, f"fault {code}")
    result = reply["result"]
    if not result.get("isError"):
        return "answered"
    code = result["structuredContent"]["code"]
    return "fault internal" if code == "internal" else code
