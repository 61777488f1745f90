"""The entry points of `bearings`, `coderef` and the launchers. Slow imports follow the start of a worker."""

import sys
from typing import NoReturn

from bearings.cli.early import early_worker
from bearings.programs import forget_relative_entries


def main() -> NoReturn:
    """`bearings`."""
    forget_relative_entries()
    if sys.argv[1:2] == ["hook"] and sys.argv[2:3] and not sys.argv[2].startswith("-"):
        from bearings.cli.hook.entry import hook

        hook(sys.argv[2])
    spare = early_worker(sys.argv[2:]) if sys.argv[1:2] == ["code"] else None
    from bearings.cli.commands import bearings
    from bearings.cli.running import run

    run(bearings(), "bearings", spare=spare)


def coderef() -> NoReturn:
    """`coderef`, which is `bearings code`."""
    forget_relative_entries()
    spare = early_worker(sys.argv[1:])
    from bearings.cli.commands import coderef
    from bearings.cli.running import run

    run(coderef(), "coderef", spare=spare)


def places_server() -> NoReturn:
    """`bearings-places`, which is `bearings places serve`."""
    forget_relative_entries()
    from bearings.cli.running import run
    from bearings.cli.serve import PLACES, serve_command

    run(serve_command(PLACES, "bearings-places"), "bearings-places")


def code_server() -> NoReturn:
    """`bearings-code`, which is `bearings code serve`."""
    forget_relative_entries()
    from bearings.cli.running import run
    from bearings.cli.serve import CODE, serve_command

    run(serve_command(CODE, "bearings-code"), "bearings-code")
