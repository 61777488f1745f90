"""The files of a project: listing, reading and writing. No other package accesses the tree.

A tree is not trusted: no symbolic link below the root is followed, and no device or FIFO is opened. Everything that is
left out is listed with its reason.
"""

from bearings.code.languages.shared.test_paths import is_test
from bearings.code.project.export_names import check_export_path
from bearings.code.project.fulltext import TextFile, TextLine, TextSearch, is_phrase
from bearings.code.project.git.history import Comparison, FileChange, History
from bearings.code.project.git.hunks import Hunk
from bearings.code.project.listing import Lister, list_project
from bearings.code.project.names import is_aside, is_counted, is_manifest
from bearings.code.project.output import write_inside
from bearings.code.project.rewriting import rewrite
from bearings.code.project.roots import ProjectRoots
from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.skipped import Listing, Skipped, SkipReason
from bearings.code.project.source_lines import Changed, Lines
from bearings.code.project.sources import Source, Stamp, digest_of, is_settled, read_beneath, read_source, stamp_of
from bearings.code.project.unread_languages import extension_of, is_unread, unread
from bearings.code.project.words import Budget, FileHits, Hit, Search, Texts, Word

__all__ = [
    "Budget",
    "Changed",
    "Comparison",
    "FileChange",
    "FileHits",
    "History",
    "Hit",
    "Hunk",
    "Lines",
    "Lister",
    "Listing",
    "ProjectRoots",
    "SafeDirectory",
    "Search",
    "SkipReason",
    "Skipped",
    "Source",
    "Stamp",
    "TextFile",
    "TextLine",
    "TextSearch",
    "Texts",
    "Word",
    "check_export_path",
    "digest_of",
    "extension_of",
    "is_aside",
    "is_counted",
    "is_manifest",
    "is_phrase",
    "is_settled",
    "is_test",
    "is_unread",
    "list_project",
    "read_beneath",
    "read_source",
    "rewrite",
    "stamp_of",
    "unread",
    "write_inside",
]
