"""Which edition of the atlas this version of the program reads. An index's meta rows say which one it is."""

from bearings.places.index.writer import SCHEMA_VERSION

DATA_VERSION = "2026.11.0"
"""Year, month and number of the data: what `bearings-atlas` is versioned by. Raised by hand when the data change."""

INPUTS = "e5db5d1ae035"
"""A hash of what a full atlas is made from: builder, lock, committed data. Written by `make core-atlas`."""


def file_name() -> str:
    """The name of a full atlas in the cache directory: atlas-v<schema>-<data version>-<inputs>.sqlite.

    It holds nothing that is installed, so that a program without the build's packages finds the same file.
    """
    return f"atlas-v{SCHEMA_VERSION}-{DATA_VERSION}-{INPUTS}.sqlite"
