"""The names by which callers select languages."""

from collections.abc import Mapping, Sequence

from bearings.code.languages import SPECS
from bearings.code.models import Language
from bearings.errors import Unsupported
from bearings.untrusted import clean_line


def _named() -> dict[str, tuple[Language, ...]]:
    """The languages of each name, in the order of the specs."""
    found: dict[str, tuple[Language, ...]] = {}
    for spec in SPECS.values():
        for name in spec.names:
            found[name] = (*found.get(name, ()), spec.language)
    return found


_LANGUAGES: Mapping[str, tuple[Language, ...]] = _named()


def languages_named(names: Sequence[str], field: str = "languages") -> tuple[Language, ...]:
    """Languages by name or extension, each once. Raises Unsupported."""
    chosen: dict[Language, None] = {}
    for name in names:
        found = _LANGUAGES.get(name.strip().lstrip("*.").lower())
        if found is None:
            raise Unsupported(
                f"{field}: {clean_line(name, 40)!r} is no supported language",
                f"Supported: {', '.join(_LANGUAGES)}. Leave {field} out for all.",
            ).instead_of(field, None)
        chosen.update(dict.fromkeys(found))
    return tuple(sorted(chosen))
