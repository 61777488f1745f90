"""Fingerprints of an element's text: a hash that ignores its name and layout, and a sketch for comparison.

The sketch holds the smallest hashes of the text's runs of three tokens: two sketches estimate the share of runs that
two texts have in common (bottom-k sketch; A. Broder, On the resemblance and containment of documents, 1997).
"""

import hashlib
import re
import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import NamedTuple

_TOKEN = re.compile(rb"\w+|[^\w\s]")
_TAG = re.compile(rb"^[ \t]*(?://|#)[ \t]*@[A-Za-z]+/\S+[ \t]*\r?$", re.MULTILINE)
_K = 16
_RUN = 3


class Print(NamedTuple):
    """The hash of a text in hexadecimal, and its tokens."""

    hash: str
    tokens: Sequence[bytes]


def print_of(text: bytes, name: str) -> Print:
    """The fingerprint of an element called `name`, without the tags in its text."""
    own = name.encode()
    if b"@" in text:
        text = _TAG.sub(b"", text)
    tokens = [b"" if token == own else token for token in _TOKEN.findall(text)]
    return Print(hashlib.blake2b(b"\0".join(tokens), digest_size=8).hexdigest(), tokens)


def sketch_of(tokens: Sequence[bytes]) -> str:
    """The sketch of a text, in base64."""
    runs = {zlib.crc32(b"\0".join(tokens[at : at + _RUN])) for at in range(max(1, len(tokens) - _RUN + 1))}
    lowest = sorted(runs)[:_K]
    return b64encode(struct.pack(f"<{len(lowest)}I", *lowest)).decode()


def alike(one: str, other: str) -> float:
    """The estimated similarity of two texts by their sketches, from 0 to 1; 0 for an invalid sketch."""
    first, second = _opened(one), _opened(other)
    if not first or not second:
        return 0.0
    lowest = sorted(first | second)[:_K]
    return sum(value in first and value in second for value in lowest) / len(lowest)


def _opened(sketch: str) -> set[int]:
    try:
        data = b64decode(sketch, validate=True)
        return {value for (value,) in struct.iter_unpack("<I", data)}
    except (ValueError, struct.error):
        return set()
