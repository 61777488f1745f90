"""The names that Django gives the other side of a relation, by the files of a project's models.

book.author = ForeignKey(Author, related_name="books")     `author.books` are the books; `author.book_set` without it
"""

import re
from collections.abc import Iterator
from typing import Final

from bearings.code.expressions import last_name, site_of
from bearings.code.file_facts import FileFacts

RELATED: Final = "related"
"""The scope of these names among the cells of names that need no import."""
MODELS: Final = re.compile(r"(?:.*/)?\w*models(?:/\w+)?\.py")
"""The path of a file that may have models."""
RELATION: Final = rb"\b(?:ForeignKey|ManyToManyField|OneToOneField)\b"
"""The text of a file that has some."""
END: Final = "_set"
_ENDS: Final = {"ForeignKey": END, "ManyToManyField": END, "OneToOneField": ""}
"""The field of a relation → the end of its name on the other side, behind the model's name."""
_NAMED: Final = re.compile(r"""\brelated_name\s*=\s*["']([^"']*)["']""")


def related_names(facts: FileFacts) -> Iterator[tuple[str, int]]:
    """The name of each relation of a file on its other side, and the symbol of its field."""
    for index, shape in enumerate(facts.shapes):
        number = site_of(shape.value)
        end = _ENDS.get(last_name(facts.sites[number].callee)) if number >= 0 and shape.parent > 0 else None
        if end is not None:
            named = _NAMED.search(facts.symbols[index].signature)
            yield named[1] if named is not None else facts.symbols[shape.parent].name.lower() + end, index
