"""Which file an import means in a language that is matched by name: none yet, every import leads outside."""

from bearings.code.models import ProjectFiles
from bearings.code.resolve.strategy import ModuleFinder
from bearings.code.resolve.things import EXTERNAL, Thing


class NamedModules(ModuleFinder):
    """Finds no module."""

    def __init__(self, project: ProjectFiles) -> None:
        del project

    def find(self, importer: str, specifier: str) -> Thing:
        """EXTERNAL, whatever is asked for."""
        del importer, specifier
        return EXTERNAL
