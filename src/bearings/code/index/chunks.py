"""Chunks of work for the worker pool: files to parse by size, files to resolve by number."""

from collections.abc import Iterable, Iterator, Sequence

from bearings.code.index.jobs import Job

_CHUNK_BYTES = 64_000
"""A chunk of this size takes a process some 25 ms, so that all processes end at about the same time."""

_FRACTION = 8
"""A chunk is an eighth of the files that are left on its side: the last chunks are small, and all end together."""

_MAX_CHUNKS = 96
"""The smallest chunk is a 96th of all files: smaller ones make processes compute more answers twice."""


def resolve_chunks(paths: Sequence[str]) -> list[list[str]]:
    """Divides files into chunks that get smaller towards the middle."""
    least = max(1, len(paths) // _MAX_CHUNKS)
    front: list[list[str]] = []
    back: list[list[str]] = []
    start, end = 0, len(paths)
    while start < end:
        size = min(max(least, (end - start) // (2 * _FRACTION)), end - start)
        front.append(list(paths[start : start + size]))
        start += size
        size = min(size, end - start)
        back.append(list(paths[end - size : end]))
        end -= size
    return [chunk for chunk in (*front, *reversed(back)) if chunk]


def job_chunks(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    """Divides jobs into chunks of about the same size, in order."""
    chunk: list[Job] = []
    size = 0
    for job in jobs:
        chunk.append(job)
        size += len(job.source)
        if size >= _CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
