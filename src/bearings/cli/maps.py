"""`places import FILE…` and `places index list|info|remove`: the maps of one's own."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bearings.cli.bar import bar
from bearings.cli.lazy import Lazy, LazyGroup
from bearings.cli.outcome import Outcome, json_command
from bearings.cli.wiring import settings_of
from bearings.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from bearings.places.osm.library import Card
    from bearings.places.settings import PlacesSettings


def import_command() -> click.Command:
    """The command that makes a map."""
    params: list[click.Parameter] = [
        click.Argument(
            ["files"],
            nargs=-1,
            required=True,
            type=click.Path(path_type=Path),
            metavar="FILE…",
            help="OpenStreetMap files: .osm.pbf, .osm, .osm.bz2 or .osm.gz.",
        ),
        click.Option(["--name"], help="Name of the map; default: that of the first file. An existing one is replaced."),
        click.Option(["--within"], help="Leave out what lies outside: west,south,east,north, or a GeoJSON file."),
    ]
    help_text = (
        "Make a map of your own from OpenStreetMap extracts (.osm.pbf, .osm, .osm.bz2): streets, addresses, objects, "
        "areas. It answers at once, offline, beside the atlas. OpenStreetMap's data are under the ODbL."
    )
    examples = (
        "andorra.osm.pbf",
        "essex.osm.pbf kent.osm.pbf --name south-east",
        "malta.osm.pbf --within 14.1,36.0,14.4,36.1",
    )
    return json_command("import", help_text, _import, params, examples)


def index_group() -> click.Group:
    """The group of commands about imported maps."""
    entries = {
        "list": _entry("list", "List the maps.", _list, []),
        "info": _entry("info", "Say what is in a map, of which date, and under which licence.", _info, [_name()]),
        "remove": _entry("remove", "Remove a map.", _remove, [_name()]),
    }
    return LazyGroup("index", "The maps of your own.", entries, examples=("list", "info malta"))


def _name() -> click.Parameter:
    return click.Argument(["name"], help="Name of the map, as `list` prints it.")


def _entry(name: str, summary: str, run: Callable[..., Outcome], params: Sequence[click.Parameter]) -> Lazy:
    return Lazy(summary, lambda _: json_command(name, summary, run, params, ("malta",) if params else ("", "--json")))


def _settings() -> "PlacesSettings":
    from bearings.places.settings import PlacesSettings

    return settings_of(PlacesSettings)


def _import(files: tuple[Path, ...], name: str | None, within: str | None) -> Outcome:
    from bearings.places import importing
    from bearings.places.osm import library

    settings = _settings()
    path = library.path_of(settings.index_dir, library.name_of(files) if name is None else name)
    with bar() as progress:
        made = importing.make(path, files, within, settings, progress)
    card = library.card(path)
    document = {**_document(card), "names": made.names, "lost": made.lost, "seconds": round(made.seconds, 1)}
    size = f"{made.size / 1e6:,.1f} MB"
    lines = (
        f"{card.name}: {made.places:,} places, {made.names:,} names, {size}, in {made.seconds:.1f} s",
        _lost(made.lost),
        f"{path}",
        card.attribution,
    )
    return Outcome("\n".join(filter(None, lines)), document)


def _lost(count: int) -> str:
    """What is said of objects that could not be read; empty if all could."""
    objects = "object" if count == 1 else "objects"
    return f"{count:,} {objects} could not be read, or not with all tags, or are too large" if count else ""


def _list() -> Outcome:
    """The maps that can be read, and what is wrong with each of the others."""
    from bearings.places.osm import library

    folder = _settings().index_dir
    library.sweep(folder)
    cards: list[Card] = []
    bad: list[dict[str, Any]] = []
    for path in library.maps(folder):
        try:
            cards.append(library.card(path))
        except InvalidInput as error:
            bad.append({"name": path.stem, "path": str(path), "error": error.error, "hint": error.hint})
    document: dict[str, Any] = {"folder": str(folder), "maps": [_document(card) for card in cards]}
    lines = [
        f"{card.name}: {card.places:,} places, {card.size / 1e6:,.1f} MB, {_age(card.data_version)}" for card in cards
    ]
    if bad:
        document["unreadable"] = bad
        lines += (" ".join(filter(None, (f"{row['error']}.", row["hint"]))) for row in bad)
    nothing = f"No map in {folder}. Make one: bearings places import FILE.osm.pbf"
    return Outcome("\n".join(lines) or nothing, document)


def _age(data_version: str) -> str:
    return f"data of {data_version}" if data_version else "data without a date"


def _info(name: str) -> Outcome:
    from bearings.places.osm import library

    card = library.card(_existing(name))
    document = _document(card)
    return Outcome("\n".join(f"{key}: {value}" for key, value in document.items()), document)


def _remove(name: str) -> Outcome:
    from bearings.places.osm import library

    path = library.remove(_settings().index_dir, name)
    return Outcome(f"{path} is removed.", {"removed": str(path)})


def _existing(name: str) -> Path:
    from bearings.places.osm import library

    folder = _settings().index_dir
    path = library.path_of(folder, name)
    if not path.is_file():
        known = ", ".join(other.stem for other in library.maps(folder)) or "none"
        raise NotFound(f"there is no map {name!r}", f"Imported maps: {known}.")
    return path


def _document(card: "Card") -> dict[str, Any]:
    return {
        "name": card.name,
        "path": str(card.path),
        "bytes": card.size,
        "places": card.places,
        "files": card.files,
        "data_version": card.data_version,
        "imported": card.imported,
        "attribution": card.attribution,
    }
