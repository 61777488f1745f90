"""The edition of the atlas that this version of the program reads. An index names its edition in its meta rows."""

from bearings.places.atlas.writer import SCHEMA_VERSION

DATA_VERSION = "2026.11.0"
"""Year, month and number of the data: the version of `bearings-atlas`. Raised by hand when the data change."""

INPUTS = "111e7af8f853"
"""A hash of a full atlas's inputs: builder, lock, committed data. Written by `make core-atlas`."""


def file_name() -> str:
    """The name of a full atlas in the cache directory: atlas-v<schema>-<data version>-<inputs>.sqlite.

    It is independent of the installation, so that a program without the build's packages finds the same file.
    """
    return f"atlas-v{SCHEMA_VERSION}-{DATA_VERSION}-{INPUTS}.sqlite"
