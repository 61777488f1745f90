"""The implementation of each way of resolving, and the tables of whole projects."""

from collections.abc import Callable, Mapping
from typing import Final

from bearings.code.models import FileFacts
from bearings.code.resolve.by_name.strategy import NoUses
from bearings.code.resolve.by_name.table import NameTable
from bearings.code.resolve.go.implements import GoProject
from bearings.code.resolve.go.strategy import ByPackages
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.requests import RequestTable
from bearings.code.resolve.scoped import Scoped
from bearings.code.resolve.semantics import ResolvedBy
from bearings.code.resolve.strategy import ProjectTable, Strategy

STRATEGIES: Final[dict[ResolvedBy, Callable[[Mapping[str, FileFacts], Modules], Strategy]]] = {
    ResolvedBy.SCOPES: Scoped,
    ResolvedBy.PACKAGES: ByPackages,
    ResolvedBy.NAMES: NoUses,
}

TABLES: Final[tuple[Callable[[], ProjectTable], ...]] = (GoProject, NameTable, RequestTable)
"""Tables of the whole project."""
