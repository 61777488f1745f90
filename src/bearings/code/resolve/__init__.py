"""Facts → edges. Takes facts, never a store; one module a strategy."""

from collections.abc import Mapping

from bearings.code.models import FileFacts, ProjectFiles, Resolution
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.incremental import Memory, Resolver
from bearings.code.symbol_keys import keys_of, with_ids

__all__ = ["FileUses", "Memory", "Resolver", "resolve"]


def resolve(facts: Mapping[str, FileFacts], project: ProjectFiles) -> Resolution:
    """Every use in `facts`, either as an edge between two of their symbols or as one that leads outside. Pure.

    Modules are looked for among `project.paths`; one that is there but not in `facts` counts as unresolved. Edges come
    in the order of the files given, each once.
    """
    resolver = Resolver()
    resolver.update(facts, project)
    ids = {key: symbol.id for file in facts.values() for key, symbol in zip(keys_of(file), file.symbols, strict=True)}
    return Resolution(
        tuple(edge for path in facts for edge in with_ids(resolver.uses[path].edges, ids)),
        tuple(use for path in facts for use in resolver.uses[path].outside),
    )
