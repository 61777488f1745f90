"""Edits the body and the documentation of a function whose parameters change, or tells why they can't be."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from bearings.code.languages.shared.occurrences import Occurrence, Part
from bearings.code.languages.shared.signatures import Site
from bearings.code.models import Language
from bearings.code.questions.signature.change import Change, aligned
from bearings.code.questions.signature.lists import Draft
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.syntax_trees import free_names_of

_LOOKED_UP = frozenset({Part.NAME, Part.BINDING, Part.SHORTHAND, Part.PATTERN})


Named = Callable[[str], Iterable[Occurrence]]
"""The occurrences of a name in a file."""


class Body:
    """The body of one function of the family."""

    def __init__(self, named: Named, text: bytes, head: Site, change: Change) -> None:
        self._all, self._text, self._head = named, text, head
        assert head.listing is not None
        self._listing = head.listing
        own = head.listing.items[head.skipped :]
        self._renamed = {old: new for old, new in change.renamed.items() if any(item.name == old for item in own)}
        places = aligned(head, change)
        self._removed = [own[places[at]].name for at in change.removed if at in places]
        self._added = [item.name for item in change.added]
        self._change, self._rules, self._is_harmless = change, change.rules, change.harms_no_call

    def edit(self, draft: Draft) -> Iterator[tuple[int, int, str]]:
        """Rename the parameters in the body. Yields bytes that forbid the change, with their lines and reasons."""
        if not self._head.has_body:
            return
        for old, new in self._renamed.items():
            for one in self._own(old):
                if one.part is Part.PATTERN or self._is_listed(one):
                    yield one.start, one.line, f"{old} is used here in a way that can't be renamed"
                else:
                    draft.put(one.start, one.end, f"{old}: {new}" if one.part is Part.SHORTHAND else new)
            for start, end in self._in_doc(old) if re.fullmatch(r"\w+", old) else ():
                draft.put(start, end, new)
        for name in self._removed:
            yield from ((one.start, one.line, f"{name} is used here") for one in self._own(name))
        for name in (*self._added, *self._renamed.values()):
            yield from ((one.start, one.line, f"{name} means something else here") for one in self._others(name))
        if not self._is_harmless:
            for sign in self._rules.seeing:
                for one in self._named(sign.removesuffix("()")):
                    if one.scope is None and one.part is Part.NAME and self._text.startswith(sign.encode(), one.start):
                        yield one.start, one.line, f"{sign} sees all parameters"

    def documented(self) -> Iterator[int]:
        """The lines of the documentation that name a removed parameter."""
        for name in self._removed:
            for start, _ in self._in_doc(name):
                yield self._text.count(b"\n", 0, start) + 1

    def _named(self, name: str) -> list[Occurrence]:
        """The occurrences of a name in the function."""
        if not re.fullmatch(r"[\w$]+", name):
            return []
        return [
            one for one in self._all(name) if self._head.start <= one.start < self._head.end and one.part in _LOOKED_UP
        ]

    def _own(self, name: str) -> list[Occurrence]:
        """The occurrences of a parameter, but for its own in the list."""
        scope = self._head.start, self._head.end
        starts = {item.name_start for item in self._listing.items}
        return [one for one in self._named(name) if one.scope == scope and one.start not in starts]

    def _is_listed(self, one: Occurrence) -> bool:
        return self._listing.start <= one.start < self._listing.end

    def _others(self, name: str) -> Iterator[Occurrence]:
        """The occurrences of a new name in the body that mean something else."""
        own = [one for old in self._renamed for one in self._own(old)]
        for one in self._named(name):
            if self._is_listed(one) or (one.scope is None and name not in self._change.builtins):
                continue
            inner = one.scope
            is_inner = inner is not None and self._head.start < inner[0] and inner[1] <= self._head.end
            if not is_inner or any(inner is not None and inner[0] <= two.start < inner[1] for two in own):
                yield one

    def _in_doc(self, name: str) -> Iterator[tuple[int, int]]:
        """The bytes of a parameter's name in the documentation."""
        start, end = self._head.doc
        pattern = self._rules.documents.replace("NAME", re.escape(name)).encode()
        yield from (
            (start + match.start(1), start + match.end(1)) for match in re.finditer(pattern, self._text[start:end])
        )


def unknown_names(language: Language, before: bytes, after: bytes, names: Collection[str]) -> set[str]:
    """The names that a file looks up after an edit, and neither declares nor looked up before."""
    free = free_names_of(language, after, 0, len(after), names)
    known = free_names_of(language, before, 0, len(before), free) if free else {}
    return free.keys() - known.keys() - semantics_of(language).builtins
