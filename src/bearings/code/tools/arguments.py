"""Arguments that several tools take."""

from typing import Annotated

from pydantic import Field

from bearings.progress import NoProgress

ProjectPath = Annotated[str, Field(max_length=4096, description="Absolute path of the project's directory.")]
Target = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4096,
        description="Name, AuthService.login, src/auth.ts#login, src/auth.ts#login:24, a file path, or a CodeRef.",
    ),
]
Limit = Annotated[int, Field(ge=1, le=5000, description="Results per page.")]
Cursor = Annotated[str | None, Field(max_length=200, description="next_cursor of the last reply.")]

NOBODY = NoProgress()
