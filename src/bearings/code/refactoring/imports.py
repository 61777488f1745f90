"""Imports that edited code needs: the edits of a file that add them."""

from collections.abc import Iterable

from bearings.code.languages.shared.importing import Wanted as NewImport
from bearings.code.models import Language
from bearings.code.refactoring.edits import Edit
from bearings.code.syntax_trees import imports_of

__all__ = ["NewImport", "with_imports"]


def with_imports(language: Language, text: bytes, wanted: Iterable[NewImport]) -> list[Edit] | None:
    """Return the edits of a UTF-8 source, each at a place of its own; None if the file or language can't have them.

    A name joins an import of its module, or gets a line after the last import at the top, in the style of the file. One
    that is imported so already gives no edit.
    """
    added = imports_of(language, text, wanted)
    return None if added is None else [Edit(one.start, one.end, one.text) for one in added]
