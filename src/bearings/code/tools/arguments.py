"""Arguments shared by several tools."""

from typing import Annotated

from pydantic import Discriminator, Field, Tag

ProjectPath = Annotated[
    str,
    Field(
        max_length=4096,
        description="The project's directory, absolute; default: the client's root, else where the server runs.",
    ),
]
_ONE = Annotated[str, Field(min_length=1, max_length=4096), Tag("str")]
_MANY = Annotated[list[Annotated[str, Field(min_length=1, max_length=4096)]], Field(min_length=1, max_length=10)]
Targets = Annotated[
    _ONE | Annotated[_MANY, Tag("list")],
    Discriminator(lambda given: "list" if isinstance(given, list) else "str"),
    Field(
        description="Name, AuthService.login, src/auth.ts#login, src/auth.ts:24, a file, a line of a traceback; or a "
        "list of up to 10."
    ),
]
