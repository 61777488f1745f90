"""`places atlas build|info|verify`: the atlas in use, its integrity, and how to make a full one."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from bearings.cli.answer import ANSWERED, FAILED
from bearings.cli.bar import bar
from bearings.cli.lazy import Lazy, LazyGroup
from bearings.cli.outcome import Outcome, json_command
from bearings.cli.wiring import settings_of
from bearings.untrusted import escape_line


def atlas_group() -> click.Group:
    """The group of commands."""
    entries = {
        "info": _entry("info", "Say which atlas answers, what is in it, and under which licences.", _info),
        "verify": _entry("verify", "Read all of it and say whether it is whole. Exit status 1 if not.", _verify),
        "build": _entry("build", "Make the full atlas, where the packages that it is made from are installed.", _build),
    }
    return LazyGroup("atlas", "The embedded atlas: core or full.", entries, examples=("info", "verify"))


def _entry(name: str, summary: str, run: Callable[[], Outcome]) -> Lazy:
    return Lazy(summary, lambda _: json_command(name, summary, run))


def _info() -> Outcome:
    from bearings.places.atlas import source, store

    index, origin = _opened()
    try:
        meta, path = index.meta, index.path
        kinds = dict(index.query("SELECT type, count(*) FROM place GROUP BY type ORDER BY count(*) DESC, type"))
        ((names,),) = index.query("SELECT count(*) FROM name")
    finally:
        index.close()
    document: dict[str, Any] = {
        "data": store.data_of(meta),
        "origin": str(origin),
        "path": str(path),
        "bytes": path.stat().st_size,
        "schema": meta["schema_version"],
        "versions": source.versions(meta),
        "places": kinds,
        "names": names,
        "attribution": meta.get("attribution", ""),
        "postcodes": _postcodes(path),
        **({"remedy": source.REMEDY} if store.data_of(meta) == store.CORE else {}),
    }
    return Outcome("\n".join(_lines(document)), document)


def _postcodes(atlas: Path) -> dict[str, Any] | None:
    """The layer of postcodes in use, if there is one."""
    from bearings.places.atlas.postcodes import open_postcodes
    from bearings.places.settings import PlacesSettings

    layer = open_postcodes(settings_of(PlacesSettings).cache_dir, atlas)
    if layer is None:
        return None
    ((codes,),) = layer.query("SELECT count(*) FROM code")
    layer.close()
    return {
        "path": str(layer.path),
        "bytes": layer.path.stat().st_size,
        "codes": codes,
        "countries": len(layer.countries),
    }


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    """The document as text for a person."""
    yield f"{document['data']} atlas, {document['origin']}"
    yield f"  file      {escape_line(document['path'])} ({document['bytes'] / 1e6:.1f} MB, schema {document['schema']})"
    yield f"  versions  {', '.join(f'{name} {version}' for name, version in document['versions'].items())}"
    counts = ", ".join(f"{count:,} {escape_line(kind)}" for kind, count in document["places"].items())
    yield f"  places    {counts}; {document['names']:,} names"
    yield f"  licences  {escape_line(document['attribution'])}"
    if layer := document["postcodes"]:
        size = f"{layer['bytes'] / 1e6:.1f} MB, ODbL"
        yield f"  postcodes {layer['codes']:,} of {layer['countries']} countries, {escape_line(layer['path'])} ({size})"
    if "remedy" in document:
        yield f"  {document['remedy']}"


def _verify() -> Outcome:
    from bearings.places.atlas.integrity import faults
    from bearings.places.atlas.writer import SCHEMA_VERSION

    index, _ = _opened()
    index.close()
    problems = faults(index.path, SCHEMA_VERSION)
    document = {"success": not problems, "path": str(index.path), "faults": problems}
    verdict = "; ".join(map(escape_line, problems)) or "whole: its pages, schema and checksum are right"
    return Outcome(f"{escape_line(str(index.path))}: {verdict}", document, FAILED if problems else ANSWERED)


def _build() -> Outcome:
    from bearings.places.atlas import postcodes
    from bearings.places.atlas.edition import file_name
    from bearings.places.atlas.making import make, make_postcodes
    from bearings.places.settings import PlacesSettings

    path: Path = settings_of(PlacesSettings).cache_dir / file_name()
    layer = path.with_name(postcodes.file_name())
    with bar() as progress:
        made = make(path, progress)
        has_layer = make_postcodes(layer, path, progress)
    size = path.stat().st_size
    verdict = f"{escape_line(str(path))}: {'made' if made else 'there already'}, {size / 1e6:.1f} MB"
    postcodes_file = escape_line(str(layer)) if has_layer else "none, as their packages are not installed"
    document = {"success": True, "path": str(path), "made": made, "bytes": size}
    return Outcome(
        f"{verdict}\npostcodes: {postcodes_file}", {**document, "postcodes": str(layer) if has_layer else None}
    )


def _opened() -> Any:
    from bearings.places.atlas.store import open_atlas
    from bearings.places.settings import PlacesSettings

    settings = settings_of(PlacesSettings)
    return open_atlas(settings.atlas, settings.cache_dir)
