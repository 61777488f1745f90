"""`places import FILE…` and `places index list|info|remove`: the maps of one's own."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bearings.cli.answer import Told, printing
from bearings.cli.bar import bar
from bearings.cli.lazy import SETTINGS, Lazy, LazyGroup, Taught
from bearings.cli.wiring import settings_of
from bearings.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from bearings.places.osm.library import Card
    from bearings.places.settings import PlacesSettings

_JSON = ["--json", "as_json"]


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
        click.Option(_JSON, is_flag=True, help="Print one JSON document."),
    ]
    help_text = (
        "Make a map of your own from OpenStreetMap extracts (.osm.pbf, .osm, .osm.bz2): streets, addresses, objects, "
        "areas. It answers at once, offline, beside the atlas. OpenStreetMap's data are under the ODbL."
    )
    command = Taught("import", help=help_text, params=params, callback=printing(_import), context_settings=SETTINGS)
    command.examples = (
        "andorra.osm.pbf",
        "essex.osm.pbf kent.osm.pbf --name south-east",
        "malta.osm.pbf --within 14.1,36.0,14.4,36.1",
    )
    return command


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


def _entry(name: str, summary: str, run: Callable[..., Told], params: list[click.Parameter]) -> Lazy:
    def made(_: click.Context) -> click.Command:
        option = click.Option(_JSON, is_flag=True, help="Print one JSON document.")
        command = Taught(
            name, help=summary, params=[*params, option], callback=printing(run), context_settings=SETTINGS
        )
        command.examples = ("malta",) if params else ("", "--json")
        return command

    return Lazy(summary, made)


def _settings() -> "PlacesSettings":
    from bearings.places.settings import PlacesSettings

    return settings_of(PlacesSettings)


def _import(files: tuple[Path, ...], name: str | None, within: str | None) -> Told:
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
    return document, "\n".join(filter(None, lines))


def _lost(count: int) -> str:
    """What is said of objects that could not be read; empty if all could."""
    objects = "object" if count == 1 else "objects"
    return f"{count:,} {objects} could not be read, or not with all tags, or are too large" if count else ""


def _list() -> Told:
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
        lines += (" ".join(filter(None, (f"{each['error']}.", each["hint"]))) for each in bad)
    return document, "\n".join(lines) or f"No map in {folder}. Make one: bearings places import FILE.osm.pbf"


def _age(data_version: str) -> str:
    return f"data of {data_version}" if data_version else "data without a date"


def _info(name: str) -> Told:
    from bearings.places.osm import library

    card = library.card(_existing(name))
    document = _document(card)
    return document, "\n".join(f"{key}: {value}" for key, value in document.items())


def _remove(name: str) -> Told:
    from bearings.places.osm import library

    path = library.remove(_settings().index_dir, name)
    return {"removed": str(path)}, f"{path} is removed."


def _existing(name: str) -> Path:
    from bearings.places.osm import library

    folder = _settings().index_dir
    path = library.path_of(folder, name)
    if not path.is_file():
        known = ", ".join(each.stem for each in library.maps(folder)) or "none"
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
