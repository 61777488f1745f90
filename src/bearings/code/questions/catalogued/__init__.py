"""What a catalogue of repositories holds of one: its exports and routes, and its uses of packages from outside.

It is no tool: `fleet scan` asks it.
"""

from bearings.code.asking.question import Question, Reading
from bearings.code.catalogue.rows import Contents


class Catalogued(Question[Contents], frozen=True, kw_only=True):
    """The contents of a repository, unless its fingerprint is the `known` one."""

    answer = Contents
    known: str = ""

    def compute(self, reading: Reading) -> Contents:
        """The rows. Raises Changed if a file has changed since it was read."""
        from bearings.code.questions.catalogued.compute import contents

        return contents(reading, self.known)
