"""Stored polygons (chains.py has their bytes) as shapes in whole steps of a decimal fraction of a degree."""

import numpy as np
import shapely
from numpy.typing import NDArray

_HEAD = np.dtype([("decimals", "u1"), ("rings", "<u2"), ("chains", "<u4")])
_CHAIN = np.dtype(
    [("box", "<i4", 4), ("first", "<i4", 2), ("last_lat", "<i4"), ("start", "<u4"), ("edges", "<u2"), ("size", "u1")]
)

_NEARLY_WHOLE = 1e-6
"""As `chains.covers` has it: a position so near to a whole step is one."""


def shape_of(stored: bytes) -> tuple[int, shapely.Polygon]:
    """The decimals of a degree that are a step, and the polygon, prepared."""
    decimals, rings, count = np.frombuffer(stored, _HEAD, 1)[0].item()
    chains = np.frombuffer(stored, _CHAIN, count, _HEAD.itemsize + 4 * rings)
    ends = np.frombuffer(stored, "<u4", rings, _HEAD.itemsize).cumsum()[:-1]
    positions = [
        np.concatenate(
            [_positions(stored, *chain) for chain in zip(*(part[name].tolist() for name in _READ), strict=True)]
        )
        for part in np.split(chains, ends)
    ]
    whole = shapely.Polygon(positions[0], positions[1:])
    shapely.prepare(whole)
    return decimals, whole


_READ = ("first", "start", "edges", "size")


def _positions(stored: bytes, first: list[int], start: int, edges: int, size: int) -> NDArray[np.float64]:
    """The positions of a chain but its last, which is the next one's first: (longitude, latitude)."""
    positions = np.zeros((edges, 2))
    moves = np.frombuffer(stored, f"<i{size}", 2 * edges, start).reshape(2, edges)
    np.cumsum(moves[:, :-1], axis=1, out=positions[1:].T, dtype=np.float64)
    positions += first
    return positions


def in_steps(degrees: NDArray[np.float64], decimals: int) -> NDArray[np.float64]:
    """Degrees in the steps of a polygon."""
    steps = degrees * 10**decimals
    whole = np.rint(steps)
    near: NDArray[np.float64] = np.where(np.abs(steps - whole) < _NEARLY_WHOLE, whole, steps)
    return near
