"""Arguments that several tools take."""

from typing import Annotated

from pydantic import Field

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
Limit = Annotated[int, Field(ge=1, le=5000, description="Results per page.")]
Cursor = Annotated[str | None, Field(max_length=200, description="next_cursor of the last reply.")]

NOBODY = NoProgress()
