"""The work queue hands out each chunk once, from either end."""

import threading
from queue import Empty

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.index.work_queue import SharedQueue, TwoEndedQueue

CHUNKS = st.lists(st.lists(st.integers(), min_size=1, max_size=9), max_size=9)


def filled(chunks: list[list[int]], *, shared: bool) -> SharedQueue[int]:
    queue: SharedQueue[int] = SharedQueue(shared=shared)
    for chunk in reversed(chunks):
        queue.add(chunk)
    return queue


@given(CHUNKS, st.lists(st.booleans()), st.booleans())
def test_each_chunk_is_taken_once_and_in_order_from_either_end(
    chunks: list[list[int]], turns: list[bool], shared: bool
) -> None:
    queue = filled(chunks, shared=shared)
    queue.end()
    front: list[int] = []
    back: list[int] = []
    for from_front in turns:
        if from_front:
            front += queue.first() or []
        else:
            back = (queue.last(wait=True) or []) + back
    while (chunk := queue.first()) is not None:
        front += chunk
    assert front + back == [item for chunk in chunks for item in chunk]
    assert (queue.first(), queue.last(wait=True), len(queue)) == (None, None, 0)


def test_taking_the_only_chunk_leaves_half_of_it_in_a_shared_queue() -> None:
    queue = filled([[1, 2], [3, 4, 5, 6, 7]], shared=True)
    assert queue.first() == [1, 2]
    assert (queue.first(), queue.last(wait=False)) == ([3, 4, 5], [7])
    assert (queue.last(wait=False), len(queue)) == ([6], 0)


def test_an_unshared_queue_does_not_divide_chunks() -> None:
    assert filled([[1, 2, 3]], shared=False).first() == [1, 2, 3]


def test_a_waiting_thread_gets_a_later_chunk_or_none_at_the_end() -> None:
    queue: SharedQueue[int] = SharedQueue(shared=True)
    with pytest.raises(Empty):
        queue.last(wait=False)
    got: list[list[int] | None] = []
    waiting = threading.Thread(target=lambda: got.extend([queue.last(wait=True), queue.last(wait=True)]))
    waiting.start()
    queue.add([1])
    queue.end()
    waiting.join(timeout=30)
    assert got == [[1], None]


def test_a_chunk_can_be_returned_after_the_end() -> None:
    queue: SharedQueue[int] = SharedQueue(shared=True)
    queue.end()
    queue.add([1])
    assert queue.first() == [1]


@given(st.lists(st.integers()), st.lists(st.booleans()))
def test_each_item_comes_from_one_end_or_the_other(items: list[int], turns: list[bool]) -> None:
    ends = TwoEndedQueue(items)
    front, back = ends.front(), ends.back()
    first = [item for from_front in turns if from_front for item in [next(front, None)] if item is not None]
    last = [item for from_front in turns if not from_front for item in [next(back, None)] if item is not None]
    assert len(ends) == len(items) - len(first) - len(last)
    assert first + list(front) + list(back) + last[::-1] == items
