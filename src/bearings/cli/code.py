"""`bearings code`, also `coderef`: a command for each tool of the code wing, and its server."""

import click

from bearings.cli.code_spellings import SPELLINGS
from bearings.cli.envfile import env_file_option
from bearings.cli.lazy import Lazy, LazyGroup
from bearings.cli.toolcommand import entries


def group(name: str = "code") -> click.Group:
    """The group of commands about code."""
    commands = entries(SPELLINGS, lambda wiring: wiring.code(None, wiring.need))
    return LazyGroup(
        name,
        "Code intelligence: what a project holds, and who uses what. Never from a stale index.",
        {
            **commands,
            "ci": Lazy("Check a change in a CI: risk, findings, tests to run.", "ci.command:ci_command"),
            "pre-commit": Lazy("Checks for pre-commit.", "ci.hooks:pre_commit_group"),
            "fleet": Lazy("Many repositories: who uses a package, has a route.", "fleet:fleet_group"),
            "cache": Lazy("Cached facts about source files.", "cache:code_cache"),
            "serve": Lazy("Serve the tools to an MCP client.", "serve:serve_code"),
        },
        examples=("scan", "query parse_file --type calls-me", "symbol AuthService.login --project ~/app"),
        options=(env_file_option(),),
        asks={"Try": "bearings code explore"},
    )
