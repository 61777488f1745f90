"""Facts → edges. Takes facts, never a store; one module a strategy."""

from collections.abc import Mapping

from bearings.code.models import FileFacts, ProjectFiles, Resolution


def resolve(facts: Mapping[str, FileFacts], project: ProjectFiles) -> Resolution:
    """Every use in `facts`, either as an edge between two of their symbols or as one that leads outside. Pure."""
    del facts, project
    return Resolution((), ())
