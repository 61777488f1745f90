"""Every hostile line of the table gets its answers, and the next good request is served."""

import time
from pathlib import Path

import pytest

from tests.adversary.conftest import Tally
from tests.adversary.protocol.hostile_lines import LINES, Answer, Line
from tests.adversary.protocol.peer import Peer, same


@pytest.mark.slow
def test_each_line_gets_its_answers_and_the_server_lives(tmp_path: Path, tally: Tally):
    wrong, times = [], list[float]()
    with Peer("places", "serve", "stdio", errors=tmp_path / "errors", GEOCODER_BACKEND="gazetteer") as peer:
        peer.greet()
        for number, line in enumerate(LINES):
            got = _answers(peer, line, f"after {number}", times)
            if not _as_expected(got, line.answers):
                wrong.append((line.name, got, line.answers))
        assert peer.close() == 0
    print(f"the slowest of {len(times)} answers took {max(times):.3f} s")  # noqa: T201 - a figure for the docs
    assert not wrong, wrong
    tally("hostile lines over stdio", len(LINES), len(LINES) - len(wrong))


@pytest.mark.slow
def test_replies_wait_for_a_client_that_writes_first_and_reads_later(tmp_path: Path):
    # lines and replies are each more than pipes hold: a server that waited for the client to read would block it
    count, padding = 1_200, b" " * 200
    with Peer(
        "places", "serve", "stdio", errors=tmp_path / "errors", reading=False, GEOCODER_BACKEND="gazetteer"
    ) as peer:
        peer.write(b"".join(b'{"jsonrpc":"2.0","id":%d}%b\n' % (number, padding) for number in range(count)))
        peer.start_reading()
        peer.wait_for_count(count)
    assert sorted(reply["id"] for reply in peer.replies) == list(range(count))


def _answers(peer: Peer, line: Line, mark: str, times: list[float]) -> list[Answer]:
    """The replies to a line: those that came before the answer to a request that is sent after it, or are awaited."""
    seen = len(peer.replies)
    sent_at = time.monotonic()
    peer.write(line.text)
    peer.wait_for_count(seen + len(line.answers))
    times += [peer.answered_at(seen + number) - sent_at for number in range(len(line.answers))]
    peer.request(mark, "ping")
    replies = [reply for reply in peer.replies[seen:] if reply.get("id") != mark]
    return [(reply["id"], reply["error"]["code"] if "error" in reply else None) for reply in replies]


def _as_expected(got: list[Answer], expected: tuple[Answer, ...]) -> bool:
    return len(got) == len(expected) and all(
        any(same(one[0], other[0]) and one[1] == other[1] for other in got) for one in expected
    )
