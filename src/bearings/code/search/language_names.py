"""The names by which callers select languages."""

from collections.abc import Mapping, Sequence

from bearings.code.languages import SPECS
from bearings.code.models import Language
from bearings.errors import Unsupported
from bearings.untrusted import clean_line


def _named() -> dict[str, tuple[Language, ...]]:
    """The languages of each name, in the order of the specs."""
    languages: dict[str, tuple[Language, ...]] = {}
    for spec in SPECS.values():
        for name in spec.names:
            languages[name] = (*languages.get(name, ()), spec.language)
    return languages


_LANGUAGES: Mapping[str, tuple[Language, ...]] = _named()


def languages_named(names: Sequence[str], field: str = "languages") -> tuple[Language, ...]:
    """Languages by name or extension, each once. Raises Unsupported."""
    chosen: dict[Language, None] = {}
    for name in names:
        languages = _LANGUAGES.get(name.strip().lstrip("*.").lower())
        if languages is None:
            raise Unsupported(
                f"{field}: {clean_line(name, 40)!r} is no supported language",
                f"Supported: {', '.join(_LANGUAGES)}. Leave {field} out for all.",
            ).instead_of(field, None)
        chosen.update(dict.fromkeys(languages))
    return tuple(sorted(chosen))
