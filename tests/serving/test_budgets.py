"""Budgets of peers, and connections shared out between addresses."""

from contextlib import ExitStack

import pytest

from bearings.serving.addresses import Proxies
from bearings.serving.budgets import SPARED, Budget
from bearings.serving.connections import RESERVE_ALL, RESERVE_EACH, Connections
from bearings.serving.peer import Peer


def test_a_peer_has_its_budget_and_no_more():
    budget = Budget(each=2, total=100)
    with budget.held("a"), budget.held("a"):
        assert budget.problem("a") == "peer"
        assert budget.problem("b") is None
    assert budget.problem("a") is None


def test_when_all_is_taken_those_with_little_are_still_served():
    budget = Budget(each=50, total=40)
    with ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(budget.held("greedy"))
        assert budget.problem("greedy") == "all"
        for peer in ("b", "c"):
            for _ in range(SPARED):
                assert budget.problem(peer) is None
                stack.enter_context(budget.held(peer))
            assert budget.problem(peer) == "all"
        for _ in range(2):
            stack.enter_context(budget.held("d"))
        assert budget.problem("e") == "all"  # the reserve has an end


class Line:
    """A fake connection."""

    def __init__(self, *, used: bool = False, busy: bool = False) -> None:
        self.was_used = used or busy
        self.silent = not busy
        self.dropped = False

    def drop(self) -> None:
        self.dropped = True


def opened(connections: Connections, host: str, *lines: Line) -> list[bool]:
    return [not connections.opened(line, host).only_health for line in lines]


def test_an_idle_connection_makes_room_for_the_address_s_next():
    connections = Connections(3, 100, Proxies())
    busy, idle, later = Line(busy=True), Line(used=True), Line(used=True)
    assert opened(connections, "192.0.2.1", busy, idle, later, Line()) == [True] * 4
    assert [line.dropped for line in (busy, idle, later)] == [False, True, False]


def test_new_connections_are_not_pushed_out_at_once():
    connections = Connections(3, 100, Proxies())
    lines = [Line() for _ in range(7)]
    assert all(opened(connections, "192.0.2.1", *lines))
    assert [line.dropped for line in lines] == [True] + [False] * 6


def test_beyond_the_limit_a_connection_may_only_ask_for_health():
    connections = Connections(2, 100, Proxies())
    assert opened(connections, "192.0.2.1", *(Line(busy=True) for _ in range(3))) == [True, True, False]
    assert opened(connections, "192.0.2.2", Line()) == [True]


def test_the_reserve_of_an_address_is_never_full():
    connections = Connections(1, 100, Proxies())
    opened(connections, "192.0.2.1", Line(busy=True))
    lines = [Line() for _ in range(RESERVE_EACH + 2)]
    assert not any(opened(connections, "192.0.2.1", *lines))
    assert [line.dropped for line in lines] == [True, True] + [False] * RESERVE_EACH


def test_when_all_are_taken_the_address_with_most_gives_way():
    connections = Connections(10, 4, Proxies())
    greedy = [Line(used=True) for _ in range(3)]
    opened(connections, "192.0.2.1", *greedy)
    assert opened(connections, "192.0.2.2", Line(), Line()) == [True, True]
    assert [line.dropped for line in greedy] == [True, False, False]


def test_when_all_are_taken_and_busy_there_is_the_reserve():
    connections = Connections(10, 2, Proxies())
    opened(connections, "192.0.2.1", Line(busy=True), Line(busy=True))
    lines = [Line() for _ in range(RESERVE_ALL + 1)]
    places = [connections.opened(line, f"198.51.{number // 200}.{number % 200}") for number, line in enumerate(lines)]
    assert all(place.only_health for place in places)
    assert sum(line.dropped for line in lines) == 1


def test_a_trusted_proxy_has_no_budget_of_its_own():
    connections = Connections(1, 100, Proxies.parsed("10.0.0.0/8"))
    assert all(opened(connections, "10.1.2.3", *(Line(busy=True) for _ in range(5))))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::1", "::2", False),
        ("192.0.2.1", "192.0.2.2", False),
        (None, "somewhere", True),
    ],
)
def test_addresses_of_one_client_are_counted_together(one: str | None, other: str, same: bool):
    connections = Connections(1, 100, Proxies())
    first = Line(busy=True)
    connections.opened(first, one)
    assert connections.opened(Line(), other).only_health is same
    connections.closed(first)
    connections.closed(first)
    assert not connections.opened(Line(), one).only_health


ALICE, MALLORY = Peer("token alice", "alice"), Peer("token mallory", "mallory")


def test_a_connection_with_a_token_is_not_dropped_for_others_of_its_address():
    connections = Connections(2, 100, Proxies())
    mine = Line(used=True)
    connections.opened(mine, "192.0.2.1").used_by(ALICE)
    for line in (lines := [Line(used=True) for _ in range(9)]):
        connections.opened(line, "192.0.2.1").used_by(MALLORY)
    opened(connections, "192.0.2.1", *(Line() for _ in range(9)))
    assert not mine.dropped
    assert [line.dropped for line in lines] == [False, False] + [True] * 7  # mallory's two belong to mallory too


def test_a_token_takes_no_more_than_its_budget_from_its_address():
    connections = Connections(2, 100, Proxies())
    for _ in range(4):
        connections.opened(Line(busy=True), "192.0.2.1").used_by(ALICE)
    assert opened(connections, "192.0.2.1", Line()) == [False]
    assert opened(connections, "192.0.2.2", Line()) == [True]


def test_a_connection_counts_for_the_token_of_its_last_request_until_it_is_closed():
    connections = Connections(1, 100, Proxies())
    first, second, third = (Line(busy=True) for _ in range(3))
    place = connections.opened(first, "192.0.2.1")
    for peer in (ALICE, MALLORY, MALLORY):
        place.used_by(peer)
    connections.opened(second, "192.0.2.1").used_by(ALICE)
    assert opened(connections, "192.0.2.1", third, Line()) == [True, False]
    for line in (first, second, third):
        connections.closed(line)
    place.used_by(ALICE)  # its answer was on the way
    assert opened(connections, "192.0.2.1", Line()) == [True]


def test_the_longest_unused_idle_connection_is_dropped():
    connections = Connections(2, 100, Proxies())
    first, second = Line(used=True), Line(used=True)
    place = connections.opened(first, "192.0.2.1")
    connections.opened(second, "192.0.2.1")
    place.used_by(Peer("192.0.2.1", "address"))
    connections.opened(Line(), "192.0.2.1")
    assert (first.dropped, second.dropped) == (False, True)


def test_connections_of_a_proxy_stay_the_proxy_s():
    connections = Connections(1, 100, Proxies.parsed("10.0.0.0/8"))
    for _ in range(3):
        connections.opened(Line(busy=True), "10.1.2.3").used_by(ALICE)
    direct = Line(busy=True)
    connections.opened(direct, "192.0.2.1").used_by(ALICE)
    assert opened(connections, "192.0.2.1", Line()) == [True]
