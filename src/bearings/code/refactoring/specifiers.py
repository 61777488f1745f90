"""Spells modules as the imports of a project do, and checks each spelling by the resolver."""

from collections.abc import Iterator
from itertools import chain, islice
from posixpath import dirname

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.models import ProjectFiles
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.referent import MODULE, Referent
from bearings.code.resolve.rules.families import semantics_of

_MOST_READ = 60
"""Files beside the importer that are asked for the project's style."""


class Specifiers:
    """Spells modules in a project, whose files are those of `after` if it is there: with a file more, or moved."""

    def __init__(self, snapshot: Snapshot, after: ProjectFiles | None = None) -> None:
        self._facts = snapshot.facts
        self._before = Modules(snapshot.project)
        self._after = Modules(after) if after is not None else self._before

    def to(self, importer: str, target: str, like: str = "", meant: str = "") -> str | None:
        """A specifier that names the file `target` in `importer`; None if none surely does.

        It is in the style of `like`, which names the file `meant`: relative, by an alias or from a root, with or
        without extension. Without `like`, it is in the style of the importer's imports, or of those of files nearby.
        """
        family = family_of(importer)
        if family != family_of(target) and spec_of(target) is not None:
            return None
        if not like:
            like, meant = next(self._styles(importer, family), ("", ""))
        return self._after.spelled(importer, target, family, like, meant or self.meant(importer, like))

    def find(self, importer: str, specifier: str) -> Referent:
        """What a specifier means in a file."""
        return self._before.find(importer, specifier, family_of(importer))

    def meant_after(self, importer: str, specifier: str, was: str) -> Referent:
        """What a specifier means in a file that was at another path, in the project as it is `after`."""
        return self._after.find(importer, specifier, family_of(was))

    def meant(self, importer: str, specifier: str) -> str:
        """The file that a specifier surely names in a file; empty for none."""
        found = self.find(importer, specifier) if specifier else None
        return found.file if found is not None and found.kind == MODULE and not found.files else ""

    def _styles(self, importer: str, family: str) -> Iterator[tuple[str, str]]:
        """Imports of the importer, then of the files beside it and further ones, with the files that they mean."""
        folder = dirname(importer)
        others = (path for path in self._facts if path != importer and family_of(path) == family)
        by_distance = sorted(others, key=lambda path: (dirname(path) != folder, path))
        for path in chain([importer] if importer in self._facts else [], islice(by_distance, _MOST_READ)):
            for row in self._facts[path].imports:
                if file := self.meant(path, row.module):
                    yield row.module, file


def family_of(path: str) -> str:
    """Return the family of a file's language, whose files import each other; empty for none."""
    spec = spec_of(path)
    return semantics_of(spec.language).family if spec is not None else ""
