"""Arguments shared by several tools."""

from typing import Annotated

from pydantic import Discriminator, Field, Tag

from bearings.code.replies.lines import Detail
from bearings.progress import NoProgress

ProjectPath = Annotated[
    str,
    Field(
        max_length=4096,
        description="The project's directory, absolute; default: the client's root, else where the server runs.",
    ),
]
Target = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4096,
        description="Name, AuthService.login, src/auth.ts#login, src/auth.ts:24, a file, a line of a traceback.",
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
InDetail = Annotated[Detail, Field(description="lines: a string a place; full: objects.")]
Limit = Annotated[int, Field(ge=1, le=5000, description="Results per page.")]
Cursor = Annotated[str | None, Field(max_length=200, description="next_cursor of the last reply.")]

NOBODY = NoProgress()
