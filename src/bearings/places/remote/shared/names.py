"""The names of keys in the shared server: `bearings:1:…`, with keyed digests of questions instead of their text.

The key of the digests comes from the password of BEARINGS_SHARED. All replicas know it, the server's files and backups
do not have it, and a key stored beside the digests would protect nothing.
"""

import hashlib

VERSION = 1
"""The version of the names and of the bytes' meaning, so that versions of the program never share an entry."""

PREFIX = f"bearings:{VERSION}:"

GENERATION = f"{PREFIX}generation"
"""Its value is a part of the names of all entries: a new one clears the cache."""

ENTRIES = f"{PREFIX}entry:"

LANDED = f"{PREFIX}landed:"


def ledger(host: str) -> str:
    """The ledger of a server. No digest: an operator should find it."""
    return f"{PREFIX}ledger:{host}"


class Hidden:
    """Digests of questions, under a key that is made from a password."""

    def __init__(self, password: str) -> None:
        self._key = hashlib.blake2b(password.encode("utf-8", "surrogatepass"), digest_size=32).digest()

    def digest(self, key: str) -> str:
        """The digest, 40 hexadecimal digits."""
        return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), key=self._key, digest_size=20).hexdigest()

    def lease(self, key: str) -> str:
        """The lease of a question that is being asked."""
        return f"{PREFIX}lease:{self.digest(key)}"
