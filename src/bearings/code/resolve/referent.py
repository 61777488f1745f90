"""A referent: the meaning of an expression, as far as a resolver distinguishes meanings.

    new Cart().items[0]        Cart: a SYMBOL; new Cart(): an INSTANCE of it; items: a SYMBOL again, a property
    import * as api            api: a MODULE, which is a file
    import acme.core           acme: a PACKAGE, if its folder has no code of its own
    JSON.parse(text)           OUTSIDE: the language, a library, or a name that the project lacks
    (text: string[]) => …      text: an OBJECT of a type without a symbol
    { run: build }             a LITERAL

`referents.py` has functions that make referents and test their kind. Referents are tuples of plain numbers and names:
millions are made and compared, and access to a member of an Enum costs ten times as much as to a number.
"""

from typing import Final, NamedTuple

from bearings.code.type_expressions import TypeExpression

SYMBOL: Final = 0
"""The declaration itself: a class, a function, a variable."""
INSTANCE: Final = 1
"""An object of a class or interface of the project."""
MODULE: Final = 2
"""A file."""
PACKAGE: Final = 3
"""A folder: of Python files without code of its own, or of Go files."""
OUTSIDE: Final = 4
"""Not of this project, or not found in it."""
OBJECT: Final = 5
"""An object of a type without a symbol."""
LITERAL: Final = 6
"""An object literal."""


class Referent(NamedTuple):
    """The meaning of an expression; see the module's docstring.

    - `kind` is one of the constants above.
    - `file` is the path of the file with the symbol, type or literal, or of the MODULE; see also `folder` and `reason`.
    - `symbol` is an index into the file's symbols; see also `scope`; -1 for other kinds.
    - `type` is the type of an OBJECT.
    - `env` has the arguments of type parameters; see EnvRow.
    - `files` of a Go PACKAGE are its files; of a Python PACKAGE, further folders that it is spread over. Of a MODULE,
      they are files that may be meant instead of it; the first entry may be a mark, UNSURE or FOR_PLATFORM.
    """

    kind: int
    file: str
    symbol: int = -1
    type: TypeExpression = ""
    env: "Env" = ()
    files: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """The folder of a PACKAGE."""
        return self.file

    @property
    def reason(self) -> str:
        """Why a referent is OUTSIDE: `builtin`, `external`, `unresolved`."""
        return self.file

    @property
    def scope(self) -> int:
        """The scope in which an OBJECT's type is looked up, or which holds a LITERAL's properties."""
        return self.symbol


EnvRow = tuple[int, str, Referent | None]
"""A type parameter: the scope that declares it, its name, and an object of its argument; None for an unknown one.

In `Box<Cart>`, with `class Box<T>`: `(scope of Box, "T", an INSTANCE of Cart)`. Rows with a negative scope have another
meaning; `referents.py` makes and reads them.
"""
Env = tuple[EnvRow, ...]
"""The environment of a type: the arguments of the type parameters that its names may mean."""

UNSURE: Final = ("?",)
"""The first of the `files` of a MODULE that is found by its path alone; the files that it may be follow."""
MATCHING: Final = ("*",)
"""The first of the `files` of a MODULE that a pattern names, `./pages/${name}`; all that match it follow."""
FOR_PLATFORM: Final = ("",)
"""The first of the `files` of a MODULE that is one of several for as many platforms; all of them follow."""
