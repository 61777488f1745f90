"""Consent to ask the public Nominatim, and the contact address that its policy requires."""

from pathlib import Path

import click

from bearings.cli.clients.documents import Servers
from bearings.cli.clients.files import read, real_path
from bearings.errors import InvalidInput

POLICY = "https://operations.osmfoundation.org/policies/nominatim/"

_QUESTION = f"""
Places are answered from an atlas on this machine: countries, regions, towns, seas, mountains. Streets, houses and small
places (Mersea Island) need a map of your own (bearings places import FILE.osm.pbf) or a Nominatim. The public one of
OpenStreetMap may be asked, at most once a second, if you agree to its policy,
{POLICY}
and give an e-mail address, which is sent along with each question."""


def ask_for_contact(path: Path, servers: Servers) -> str | None:
    """Ask the user for a contact address, unless the file at `path` shows that they were asked before.

    The answer is

    - an address: the public Nominatim may be asked with it,
    - "": the user does not consent,
    - None: the user was asked before, so the setting stays as it is.
    """
    # An entry for places is written only after the question.
    if servers.has_places_server(read(real_path(path, None)) or ""):
        return None
    click.echo(_QUESTION, err=True)
    return str(
        click.prompt("Your address (empty: no)", default="", show_default=False, err=True, value_proc=_typed_address)
    )


def _typed_address(value: str) -> str:
    """A typed address, "" for none. An unusable one raises UsageError, after which click asks again."""
    try:
        return "" if value.strip().lower() in ("", "n", "no") else address(value)
    except InvalidInput as error:
        raise click.UsageError(f"{error.error}. {error.hint}") from None


def address(value: str) -> str:
    """A usable contact address. Raises InvalidInput."""
    from bearings.places.nominatim.settings import contact_address

    try:
        usable = contact_address(value)
    except ValueError as error:
        raise InvalidInput("nominatim-email", value, str(error), f"Why it is asked for: {POLICY}") from None
    if usable is None:
        raise InvalidInput("nominatim-email", value, "is empty", "Give an address, or --no-nominatim.")
    return usable
