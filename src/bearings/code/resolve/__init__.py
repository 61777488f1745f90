"""Resolves facts to edges. Takes facts, never a store.

An import names a file (`modules/`), a name means a declaration (`names/`), and an object has members (`types/`): these
give each expression a Referent, the meaning that edges are made of (`edges/`, `endpoints/`). What differs between
languages is in `rules/`. After an edit, `resolver.py` resolves only the files that may notice it (`edits/`).
"""

from collections.abc import Mapping

from bearings.code.file_facts import FileFacts
from bearings.code.models import ProjectFiles, Resolution
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.resolver import Memory, Resolver
from bearings.code.symbol_keys import keys_of, with_ids

__all__ = ["FileUses", "Memory", "Resolver", "resolve"]


def resolve(facts: Mapping[str, FileFacts], project: ProjectFiles) -> Resolution:
    """Resolves all uses in `facts`: to edges between their symbols, or to outside uses. Pure.

    Modules are looked up among `project.paths`; a module without facts is unresolved. Edges come in the order of the
    files, without duplicates.
    """
    resolver = Resolver()
    resolver.update(facts, project)
    ids = {key: symbol.id for file in facts.values() for key, symbol in zip(keys_of(file), file.symbols, strict=True)}
    return Resolution(
        tuple(edge for path in facts for edge in with_ids(resolver.uses[path].edges, ids)),
        tuple(use for path in facts for use in resolver.uses[path].outside),
    )
