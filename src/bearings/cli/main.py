"""The entry points of `bearings`, `coderef` and the launchers. Slow imports follow the start of a worker."""

from __future__ import annotations

import os
import sys

from bearings.cli.collector import collect_seldom
from bearings.cli.command_socket import leave_if_answered
from bearings.programs import forget_relative_entries

TYPE_CHECKING = False  # typing is imported later: a command that a server answers does without
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, NoReturn

    from bearings.code.engine.standby_worker import StandbyWorker

_ASK_NOTHING = frozenset({"cache", "fleet", "index", "serve"})
"""Commands about code that put no question to a worker, so none is started for them."""

_HELP = frozenset({"--help", "-h"})


def main() -> NoReturn:
    """`bearings`."""
    forget_relative_entries()
    if sys.argv[1:2] == ["hook"] and sys.argv[2:3] and not sys.argv[2].startswith("-"):
        from bearings.cli.hook.entry import hook

        hook(sys.argv[2])
    collect_seldom()
    is_about_code = sys.argv[1:2] == ["code"]
    if is_about_code:
        leave_if_answered(sys.argv[2:])
    spare = early_worker(sys.argv[2:]) if is_about_code else None
    from bearings.cli.commands import bearings
    from bearings.cli.running import run

    run(bearings(), "bearings", spare=spare)


def coderef() -> NoReturn:
    """`coderef`, which is `bearings code`."""
    forget_relative_entries()
    collect_seldom()
    leave_if_answered(sys.argv[1:])
    spare = early_worker(sys.argv[1:])
    from bearings.cli.commands import coderef
    from bearings.cli.running import run

    run(coderef(), "coderef", spare=spare)


def places_server() -> NoReturn:
    """`bearings-places`, which is `bearings places serve`."""
    _serve("places")


def code_server() -> NoReturn:
    """`bearings-code`, which is `bearings code serve`."""
    _serve("code")


def _serve(wing: Literal["places", "code"]) -> NoReturn:
    forget_relative_entries()
    from bearings.cli.running import run
    from bearings.cli.serve import CODE, PLACES, serve_command

    run(serve_command(PLACES if wing == "places" else CODE, f"bearings-{wing}"), f"bearings-{wing}")


def early_worker(words: Sequence[str]) -> StandbyWorker | None:
    """A worker, which imports its modules meanwhile, for the command about code in `words`; None for other commands.

    The worker is told its project if that can be guessed. An unused worker ends with this process.
    """
    if not words or words[0].startswith("-") or words[0] in _ASK_NOTHING or not _HELP.isdisjoint(words):
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
