"""`bearings code`, also `coderef`: a command for each tool of the code wing, and its server."""

import click

from bearings.cli.code_spellings import SPELLINGS
from bearings.cli.envfile import env_file_option
from bearings.cli.lazy import Lazy, LazyGroup
from bearings.cli.toolcommand import entries


def group(name: str = "code") -> click.Group:
    """The group of commands about code."""
    commands = entries(
        SPELLINGS,
        lambda wiring: wiring.code(None, soon=wiring.soon, project=wiring.project, spare=wiring.spare),
    )
    return LazyGroup(
        name,
        "Code intelligence: what a project holds, and who uses what. Never from a stale index.",
        {
            **commands,
            "ci": Lazy("Check a change in a CI: risk, findings, tests to run.", _ci),
            "pre-commit": Lazy("Checks for pre-commit.", _pre_commit),
            "fleet": Lazy("Many repositories: who uses a package, has a route.", _fleet),
            "index": Lazy("A project's index as a file: a CI makes it, checkouts begin with it.", _index),
            "cache": Lazy("Cached facts about source files.", _cache),
            "serve": Lazy("Serve the tools to an MCP client.", _serve),
        },
        examples=("scan", "query parse_file --type calls-me", "symbol AuthService.login --project ~/app"),
        options=(env_file_option(),),
    )


def _serve(_: click.Context) -> click.Command:
    from bearings.cli.serve import CODE, serve_command

    return serve_command(CODE)


def _cache(_: click.Context) -> click.Command:
    from bearings.cli.cache import code_cache

    return code_cache()


def _index(_: click.Context) -> click.Command:
    from bearings.cli.index import index_group

    return index_group()


def _fleet(_: click.Context) -> click.Command:
    from bearings.cli.fleet import fleet_group

    return fleet_group()


def _ci(_: click.Context) -> click.Command:
    from bearings.cli.ci.command import ci_command

    return ci_command()


def _pre_commit(_: click.Context) -> click.Command:
    from bearings.cli.ci.hooks import pre_commit_group

    return pre_commit_group()
