"""The rows of one repository in a catalogue of many: exports, routes, and uses of packages from outside.

It is no tool: `fleet scan` asks it.
"""

from bearings.code.catalogue.rows import Contents
from bearings.code.question import Question


class Catalogued(Question[Contents], frozen=True, kw_only=True):
    """The contents of a repository, unless its fingerprint is the `known` one."""

    answer = Contents
    known: str = ""
