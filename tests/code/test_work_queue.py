"""Chunks that are still to do: taken from both ends, nothing lost, nothing twice."""

import threading
from queue import Empty

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.index.work_queue import SharedQueue, TwoEndedQueue

CHUNKS = st.lists(st.lists(st.integers(), min_size=1, max_size=9), max_size=9)


def filled(chunks: list[list[int]], *, shared: bool) -> SharedQueue[int]:
    todo: SharedQueue[int] = SharedQueue(shared=shared)
    for chunk in reversed(chunks):
        todo.add(chunk)
    return todo


@given(CHUNKS, st.lists(st.booleans()), st.booleans())
def test_all_is_taken_once_and_in_order_from_either_end(
    chunks: list[list[int]], turns: list[bool], shared: bool
) -> None:
    todo = filled(chunks, shared=shared)
    todo.end()
    front: list[int] = []
    back: list[int] = []
    for mine in turns:
        if mine:
            front += todo.first() or []
        else:
            back = (todo.last(wait=True) or []) + back
    while (chunk := todo.first()) is not None:
        front += chunk
    assert front + back == [item for chunk in chunks for item in chunk]
    assert (todo.first(), todo.last(wait=True), len(todo)) == (None, None, 0)


def test_who_takes_the_only_chunk_leaves_half_of_it_to_others() -> None:
    todo = filled([[1, 2], [3, 4, 5, 6, 7]], shared=True)
    assert todo.first() == [1, 2]
    assert (todo.first(), todo.last(wait=False)) == ([3, 4, 5], [7])
    assert (todo.last(wait=False), len(todo)) == ([6], 0)


def test_alone_a_process_takes_whole_chunks() -> None:
    assert filled([[1, 2, 3]], shared=False).first() == [1, 2, 3]


def test_who_waits_gets_what_comes_later_or_learns_that_nothing_will() -> None:
    todo: SharedQueue[int] = SharedQueue(shared=True)
    with pytest.raises(Empty):
        todo.last(wait=False)
    got: list[list[int] | None] = []
    waiting = threading.Thread(target=lambda: got.extend([todo.last(wait=True), todo.last(wait=True)]))
    waiting.start()
    todo.add([1])
    todo.end()
    waiting.join(timeout=30)
    assert got == [[1], None]


def test_what_a_helper_could_not_do_is_there_again_after_the_end() -> None:
    todo: SharedQueue[int] = SharedQueue(shared=True)
    todo.end()
    todo.add([1])
    assert todo.first() == [1]


@given(st.lists(st.integers()), st.lists(st.booleans()))
def test_each_item_comes_from_one_end_or_the_other(items: list[int], turns: list[bool]) -> None:
    ends = TwoEndedQueue(items)
    front, back = ends.front(), ends.back()
    first = [item for mine in turns if mine for item in [next(front, None)] if item is not None]
    last = [item for mine in turns if not mine for item in [next(back, None)] if item is not None]
    assert len(ends) == len(items) - len(first) - len(last)
    assert first + list(front) + list(back) + last[::-1] == items
