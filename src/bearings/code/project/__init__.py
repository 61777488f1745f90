"""Which files a project has, and how they are read and written: the only module that touches its tree.

Nothing in a tree is trusted: no symbolic link below the root is followed, no device or FIFO is opened, and whatever is
left out is named with its reason.
"""

from bearings.code.project.listing import Listing, is_test, list_project
from bearings.code.project.output import write_inside
from bearings.code.project.roots import ProjectRoots
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.project.sources import Source, Stamp, digest_of, is_manifest, read_source, stamp_of

__all__ = [
    "Listing",
    "ProjectRoots",
    "SkipReason",
    "Skipped",
    "Source",
    "Stamp",
    "digest_of",
    "is_manifest",
    "is_test",
    "list_project",
    "read_source",
    "stamp_of",
    "write_inside",
]
