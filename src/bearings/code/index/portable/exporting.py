"""Exports the index of a commit."""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from bearings.code.facts.packing import encoded
from bearings.code.facts.store import FactStore
from bearings.code.file_facts import FileFacts
from bearings.code.index.portable.claims import Body, Entry
from bearings.code.index.portable.container import framed, header_of
from bearings.code.index.portable.sources import languages_of
from bearings.code.index.project_index import Index
from bearings.code.index.stored_uses import numbered_uses
from bearings.code.project.git.commit_tree import CommitTree
from bearings.code.resolve import FileUses, Memory
from bearings.progress import Progress


@dataclass(frozen=True, slots=True)
class Exported:
    """A portable index of a commit."""

    data: bytes
    commit: str
    files: int


def exported(tree: CommitTree, store: FactStore, max_file_bytes: int, progress: Progress) -> Exported:
    """The index of a commit. The same commit gives the same bytes with the same versions. Raises Unsupported.

    The graph is resolved anew, so that it doesn't depend on what was stored before.
    """
    index = Index(tree.root, store, max_file_bytes, roots=tree.roots, tree=tree)
    snapshot = index.refresh(progress)
    uses, memory = index.resolution()
    body = _encoded(snapshot.facts, uses, memory)
    folder = tree.repository.below(tree.root)
    languages = languages_of(snapshot.project.paths)
    header = header_of(tree.commit, folder, max_file_bytes, snapshot.revision, languages, len(snapshot.facts), body)
    return Exported(framed(header, body), tree.commit, len(snapshot.facts))


def _encoded(facts: Mapping[str, FileFacts], uses: Mapping[str, FileUses], memory: Memory) -> bytes:
    encode = msgspec.msgpack.encode
    names = sorted({name for path in facts for name in memory.consulted[path]})
    numbers = {name: number for number, name in enumerate(names)}
    files = [
        Entry(
            path,
            msgspec.Raw(encoded(file)),
            msgspec.Raw(encode(numbered_uses(uses[path]))),
            sorted(numbers[name] for name in memory.consulted[path]),
        )
        for path, file in sorted(facts.items())
    ]
    return encode(Body(names, files, sorted(lookup[:3] for lookup in memory.lookups)))
