"""`bearings completion`: print a shell's completion script."""

import sys

import click
from click.shell_completion import get_completion_class

from bearings.cli.lazy import CommandWithExamples

PROGRAMS = ("bearings", "coderef")

_HELP = """Print the script that completes `bearings` and `coderef` in a shell.

\b
bash  source <(bearings completion bash)          in ~/.bashrc
zsh   source <(bearings completion zsh)           in ~/.zshrc, after compinit
fish  bearings completion fish | source           in ~/.config/fish/config.fish
"""


def completion_command() -> click.Command:
    """The command."""
    return CommandWithExamples(
        "completion",
        params=[click.Argument(["shell"], type=click.Choice(["bash", "zsh", "fish"]), help="The shell.")],
        help=_HELP,
        callback=_print_scripts,
        examples=("zsh",),
    )


def _print_scripts(shell: str) -> None:
    kind = get_completion_class(shell)
    assert kind is not None
    group = click.Group()
    for program in PROGRAMS:
        made = kind(group, {}, program, f"_{program.upper()}_COMPLETE")
        # For some shells, `source` first asks the shell for its version; only the template is needed here.
        sys.stdout.write(made.source_template % made.source_vars())
