"""Start a worker before all other imports, so that it imports its modules meanwhile."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bearings.code.engine.standby_worker import StandbyWorker

_OTHERS = frozenset({"cache", "fleet", "index", "serve"})
"""Commands about code that ask no question about one project."""

_HELP = frozenset({"--help", "-h"})


def early_worker(words: Sequence[str]) -> "StandbyWorker | None":
    """A worker for the command about code in `words`; None for other commands.

    The worker is told its project if that can be guessed. An unused worker ends with this process.
    """
    if not words or words[0].startswith("-") or words[0] in _OTHERS or not _HELP.isdisjoint(words):
        return None
    if any(name.endswith("_COMPLETE") for name in os.environ):  # a shell asks for completions
        return None
    from bearings.code.engine.standby_worker import StandbyWorker

    spare = StandbyWorker()
    from bearings.cli.code_spellings import SPELLINGS
    from bearings.cli.likely import likely_hello

    spelling = SPELLINGS.get(words[0])
    if spelling is not None and (hello := likely_hello(words[0], spelling, words)) is not None:
        spare.expect(hello)
    return spare
