"""`--env-file`, and the file of settings, which a command reads once."""

from typing import TYPE_CHECKING, cast

import click

from bearings.envfile import DOT_ENV, VARIABLE, EnvFile, environment, named_file, working_directory_file

if TYPE_CHECKING:
    from bearings.settings import EnvSettings

_NAMED = "bearings.env_file.named"
_READ = "bearings.env_file.read"

REMEDY = f"To take all settings of a file of yours, name it: --env-file {DOT_ENV}, or {VARIABLE}={DOT_ENV}."


def env_file_option() -> click.Option:
    """The option. A group reads it before it makes its command, so that the command's settings are known."""

    def remember(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
        if value is not None:
            ctx.meta[_NAMED] = value

    return click.Option(
        ["--env-file"],
        metavar="FILE",
        expose_value=False,
        is_eager=True,
        callback=remember,
        help=f"Take all settings of this file, as {VARIABLE} does. Without it, only harmless ones are taken, from "
        f"{DOT_ENV} in the working directory.",
    )


def settings_file() -> EnvFile | None:
    """The file that the user names, or else `.env` here; None if there is neither. Raises InvalidInput for a named one.

    It is read once a command. Refused settings are then named on stderr.
    """
    context = click.get_current_context(silent=True)
    meta = context.meta if context else {}
    if _READ not in meta:
        named = meta.get(_NAMED, environment().get(VARIABLE))
        meta[_READ] = named_file(named) if named is not None else working_directory_file()
        if not (context and context.resilient_parsing):  # a shell that completes a line shows no warnings
            _warn(meta[_READ])
    return cast("EnvFile | None", meta[_READ])


def not_taken(file: EnvFile) -> dict[str, str]:
    """The refused settings of `file`, each with the reason, without those that the environment sets."""
    set_anyway = environment()
    refused = {name: why for kind in settings_classes() for name, why in kind.refused_in(file).items()}
    return {name: why for name, why in refused.items() if name not in set_anyway}


def _warn(file: EnvFile | None) -> None:
    """Print one line with the names, never the values."""
    if file is None:
        return
    if file.unread:
        warning = f"{file.name} here {file.unread}, so no setting is taken from it."
    elif names := not_taken(file):
        warning = f"{file.name} here may be somebody else's, so these are not taken from it: {', '.join(names)}."
    else:
        return
    click.echo(f"Warning: {warning} {REMEDY}", err=True)


def settings_classes() -> "tuple[type[EnvSettings], ...]":
    """Every class of settings."""
    from bearings.code.settings import CodeSettings
    from bearings.places.nominatim.settings import NominatimSettings
    from bearings.places.settings import PlacesSettings
    from bearings.settings import FileSettings, ServeSettings

    return (FileSettings, ServeSettings, PlacesSettings, NominatimSettings, CodeSettings)
