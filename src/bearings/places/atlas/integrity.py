"""Whether an index is whole: a checksum over its rows, and what is wrong with a file."""

import hashlib
import sqlite3
from pathlib import Path

import msgspec

CHECKSUM = "content_sha256"
"""The row of `meta` that holds the checksum."""

_TABLES = (
    ("place", "id"),
    ("name", "key, weight, place"),
    ("localised", "place, language"),
    ("sound", "skeleton, letters, place"),
    ("area", "id"),
    ("time_zone", "id"),
    ("zone_of_country", "country_code, zone"),
    ("disputed", "place"),
    ("side", "place, claims, position"),
    ("meta", "key"),
)
"""The columns in the checksum, in order. The other tables are made from these."""

_AT_ONCE = 10_000


def checksum(connection: sqlite3.Connection, schema: str = "main") -> str:
    """SHA-256 over the rows, in hexadecimal: the same for the same rows, whatever wrote the file. Takes seconds."""
    digest = hashlib.sha256()
    for table, order in _TABLES:
        without = f" WHERE key != '{CHECKSUM}'" if table == "meta" else ""
        rows = connection.execute(f"SELECT * FROM {schema}.{table}{without} ORDER BY {order}")  # noqa: S608
        while some := rows.fetchmany(_AT_ONCE):
            digest.update(msgspec.msgpack.encode(some))
    return digest.hexdigest()


def faults(path: Path, schema_version: int) -> list[str]:
    """The faults of the index at `path`; empty if there are none. Reads all of it."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    except sqlite3.Error as error:
        return [str(error)]
    try:
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        found = [line for (line,) in connection.execute("PRAGMA quick_check") if line != "ok"]
        if meta.get("schema_version") != str(schema_version):
            found.append(f"schema {meta.get('schema_version')}, where this version reads {schema_version}")
        if CHECKSUM not in meta:
            found.append("no checksum")
        elif not found and meta[CHECKSUM] != checksum(connection):
            found.append("the checksum of its rows is another")
        return list(found)
    except sqlite3.DatabaseError as error:
        return [str(error)]
    finally:
        connection.close()
