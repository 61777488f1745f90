"""The tables of a catalogue. A file with other tables, or of another version, is refused or made anew."""

APPLICATION_ID = 0x42454152
"""`BEAR`: marks the file as one of ours."""

VERSION = 1

STATEMENTS = (
    "CREATE TABLE repository (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, "
    "state TEXT NOT NULL, reason TEXT NOT NULL, revision TEXT NOT NULL, fingerprint TEXT NOT NULL, scanned REAL, "
    "tried REAL NOT NULL, seconds REAL NOT NULL, files INTEGER NOT NULL, elements INTEGER NOT NULL, "
    "languages TEXT NOT NULL)",
    "CREATE TABLE file (id INTEGER PRIMARY KEY, repository INTEGER NOT NULL, path TEXT NOT NULL)",
    "CREATE TABLE module (id INTEGER PRIMARY KEY, package TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (package, name))",
    "CREATE TABLE export (file INTEGER NOT NULL, name TEXT NOT NULL, qualified_name TEXT NOT NULL, "
    "kind TEXT NOT NULL, line INTEGER NOT NULL, signature TEXT NOT NULL)",
    "CREATE TABLE route (file INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, line INTEGER NOT NULL, "
    "handler TEXT NOT NULL, framework TEXT NOT NULL)",
    "CREATE TABLE request (file INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, line INTEGER NOT NULL, "
    "text TEXT NOT NULL, element TEXT NOT NULL)",
    "CREATE TABLE outside_use (file INTEGER NOT NULL, module INTEGER NOT NULL, name TEXT NOT NULL, "
    "last TEXT NOT NULL, kind TEXT NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL, element TEXT NOT NULL, "
    "is_guess INTEGER NOT NULL)",
    "CREATE INDEX file_repository ON file (repository)",
    "CREATE INDEX export_file ON export (file)",
    "CREATE INDEX export_name ON export (name)",
    "CREATE INDEX route_file ON route (file)",
    "CREATE INDEX request_file ON request (file)",
    "CREATE INDEX outside_use_file ON outside_use (file)",
    "CREATE INDEX outside_use_module ON outside_use (module, last)",
)
"""Rows of sources belong to a file, files to a repository. `last` is the last part of a dotted name."""

OF_FILES = ("export", "route", "request", "outside_use")
"""The tables whose rows belong to a file."""
