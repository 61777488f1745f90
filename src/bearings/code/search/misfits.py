"""Tells which calls of a function, as they are written, do not fit its new signature."""

from collections.abc import Callable, Collection, Iterable, Sequence

from bearings.code.file_facts import FileFacts
from bearings.code.languages import spec_of
from bearings.code.models import Symbol
from bearings.code.search.call_arguments import Arguments, calls_in
from bearings.code.search.signatures import looked_for, reasons

_WHOLE = frozenset({"default", "="})
"""Imported names that the importer calls as it likes."""


class Misfits:
    """Judges calls of a `former` function, which is `now` another, by its `body`. `lines` reads the lines of a file.

    `gone` are names of types that don't exist any more.
    """

    def __init__(
        self,
        former: Symbol,
        now: Symbol,
        body: str,
        lines: Callable[[str], Sequence[str]],
        gone: Collection[str] = (),
    ) -> None:
        spec, self._lines = spec_of(now.file), lines
        # In JavaScript those parameters may be missing whose absence the function itself looks for.
        optional = looked_for(body) if spec is not None and spec.missing_arguments else ()
        heads = former.signature, now.signature, now.name, former.name
        by_name = spec is not None and spec.keyword_arguments
        self.reasons = list(reasons(*heads, by_name=by_name, optional=optional, gone=gone))

    def calls(self, file: str, line: int, names: Iterable[str]) -> list[Arguments] | None:
        """Return the calls of some names on a line; None if that is unknown, none if they pass a list or mapping on."""
        spec = spec_of(file)
        if spec is None:
            return None
        calls = calls_in(self._lines(file), line, names, comment=spec.comment, by_name=spec.keyword_arguments)
        return [] if calls is not None and any(one.open for one in calls) else calls

    def why(self, calls: Iterable[Arguments] | None) -> str:
        """Return why a call does not fit; empty if all fit. Calls that are unknown may not."""
        return next((one.text for one in self.reasons if calls is None or any(map(one.concerns, calls))), "")


def names_in(facts: FileFacts, name: str) -> set[str]:
    """Return the names by which a file may call an element of a name."""
    return {name, *(one.local for one in facts.imports if one.name == name or one.name in _WHOLE)}
