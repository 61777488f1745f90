"""Languages as callers name them."""

from collections.abc import Mapping, Sequence

from bearings.code.models import Language
from bearings.errors import Unsupported
from bearings.untrusted import clean_line

_LANGUAGES: Mapping[str, tuple[Language, ...]] = {
    "ts": (Language.TYPESCRIPT,),
    "tsx": (Language.TSX,),
    "js": (Language.JAVASCRIPT,),
    "jsx": (Language.JSX,),
    "py": (Language.PYTHON,),
    "python": (Language.PYTHON,),
    "py3": (Language.PYTHON,),
    "python3": (Language.PYTHON,),
    "go": (Language.GO,),
    "golang": (Language.GO,),
    "node": (Language.JAVASCRIPT, Language.JSX),
    "react": (Language.TSX, Language.JSX),
    "typescript": (Language.TYPESCRIPT, Language.TSX),
    "javascript": (Language.JAVASCRIPT, Language.JSX),
}


def languages_named(names: Sequence[str], field: str = "languages") -> tuple[Language, ...]:
    """Languages by name or extension, each once. Raises Unsupported."""
    chosen: dict[Language, None] = {}
    for name in names:
        found = _LANGUAGES.get(name.strip().lstrip("*.").lower())
        if found is None:
            raise Unsupported(
                f"{field}: {clean_line(name, 40)!r} is no language of this engine",
                f"It reads: {', '.join(_LANGUAGES)}. Leave {field} out for all.",
            ).instead_of(field, None)
        chosen.update(dict.fromkeys(found))
    return tuple(sorted(chosen))
