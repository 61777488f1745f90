"""The root group, which runs a wing's command without the wing's name.

bearings reverse 40.7 -74    →  bearings places reverse 40.7 -74
bearings explore src/a.ts    →  bearings code explore src/a.ts
"""

import os

import click

from bearings.cli.lazy import LazyGroup, meant


class RootGroup(LazyGroup):
    """A group whose unknown commands are looked for in both wings."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As a group's, with the wing that has the command alone before it."""
        args = meant(args, {*self.list_commands(ctx), "route"})
        word = args[0] if args else ""
        if word == "explore" and _asks(args[1:]):
            args = ["code", *args]
        elif word and not word.startswith("-") and word not in self.list_commands(ctx) and not ctx.resilient_parsing:
            from bearings.cli import code, places

            wings = {str(wing.name): wing.list_commands(ctx) for wing in (places.group(), code.group())}
            owners = [wing for wing, names in wings.items() if word in names]
            if len(owners) != 1:
                known = {*self.list_commands(ctx)}
                names = known.union(*wings.values())
                groups = {name: [wing for wing in wings if name in wings[wing] and name not in known] for name in names}
                self.refuse(ctx, args, {name: owners or ("",) for name, owners in sorted(groups.items())})
            args = [*owners, *args]
        return super().resolve_command(ctx, args)


def _asks(words: list[str]) -> bool:
    """Whether the words after `explore` are a question, and no project."""
    if not words or words[0] == "-":
        return bool(words)
    return not (words[0].startswith(("-", ".", "~", "/")) or os.path.isdir(words[0]))  # noqa: PTH112 - raises nothing
