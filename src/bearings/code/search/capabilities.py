"""Limits of languages, and their wording in replies. A figure that can't be determined is unknown, never 0."""

from collections import Counter
from collections.abc import Iterable

from bearings.code.languages import SPECS, spec_of
from bearings.code.languages.spec import Capability, LanguageSpec

_BY_NAME = "are matched by name only"
_BY_TYPES = "by reflection and frameworks are not followed"


def lacks(path: str, capability: Capability) -> bool:
    """Whether the language of a file lacks a capability."""
    spec = spec_of(path)
    return spec is not None and not spec.can(capability)


def is_loaded_whole(path: str) -> bool:
    """Whether the file's folder is loaded as a whole, like a Go package, which its imports and frames name."""
    spec = spec_of(path)
    return spec is not None and spec.imports_folders


def unmeasured(path: str, subject: str) -> str:
    """Why `what` is unknown if functions are not measured; empty if they are."""
    spec = spec_of(path)
    return "" if spec is None or spec.can(Capability.MEASURES) else f"{subject} unknown: {spec.label} is not measured"


def unfollowed(path: str, subject: str, uses: str = "calls") -> str:
    """Why `what` is unknown if uses are not resolved; empty if they are."""
    spec = spec_of(path)
    return (
        "" if spec is None or spec.can(Capability.EDGES) else f"{subject} unknown: {uses} of {spec.label} {limit(spec)}"
    )


def limit(*specs: LanguageSpec) -> str:
    """Why calls of some languages are not all known: `whose calls are matched by name only`."""
    return _BY_TYPES if all(spec.can(Capability.TYPES) for spec in specs) else _BY_NAME


def limit_of(files: Counter[str]) -> str:
    """The same for the languages with these labels."""
    return limit(*(spec for spec in SPECS.values() if spec.label in files))


def without(paths: Iterable[str], capability: Capability) -> Counter[str]:
    """The number of files in languages that lack a capability, by the language's label."""
    if all(spec.can(capability) for spec in SPECS.values()):
        return Counter()
    specs = (spec_of(path) for path in paths)
    return Counter(spec.label for spec in specs if spec is not None and not spec.can(capability))


def counted(files: Counter[str]) -> str:
    """`3 files of Rust, 1 file of Lua`."""
    return ", ".join(f"{count} {'file' if count == 1 else 'files'} of {label}" for label, count in files.most_common())
