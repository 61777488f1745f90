"""Shared by all attacks: the number of attempts, and the printed table of attempts and survivals."""

from collections import defaultdict
from collections.abc import Callable

import pytest

from tests.soak import SOAK

Tally = Callable[[str, int, int], None]
"""Takes the name of an attack, how many attempts were made, and how many were survived."""

_PROPERTY = "adversary"


def attempts(bounded: int, long: int) -> int:
    """How many attempts to make: `bounded` in `make test-all`, `long` in `make soak`."""
    return long if SOAK else bounded


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Tally:
    """Counts attempts for the table, and fails the test if one was not survived."""

    def count(attack: str, tried: int, survived: int) -> None:
        record_property(_PROPERTY, (attack, tried, survived))
        assert tried > 0, f"{attack}: nothing was tried"
        assert survived == tried, f"{attack}: {tried - survived} of {tried} attempts succeeded"

    return count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table that docs/security.md shows."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, ()):
            for name, value in getattr(report, "user_properties", ()):
                if name == _PROPERTY:
                    attack, tried, survived = value
                    counts[attack][0] += tried
                    counts[attack][1] += survived
    if counts:
        terminalreporter.section("tried and survived")
        terminalreporter.line("| attack | tried | survived |")
        terminalreporter.line("|---|---|---|")
        for attack, (tried, survived) in sorted(counts.items()):
            terminalreporter.line(f"| {attack} | {tried:,} | {survived:,} |")
