"""The tool for tags."""

from typing import Annotated

from pydantic import Field

from bearings.code.replies.coderefs import TagReply
from bearings.code.service import CodeService
from bearings.code.tools.arguments import NOBODY
from bearings.progress import Progress
from bearings.tool import Effects, Tool


class CoderefsTools:
    """Tag."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """The tools, in their listed order."""
        return (Tool.of(self.coderef_tag, title="Tag declarations", effects=Effects(read_only=False)),)

    async def coderef_tag(
        self,
        path: Annotated[str, Field(min_length=1, max_length=4096, description="Absolute path of a file or directory.")],
        project_path: Annotated[
            str | None, Field(max_length=4096, description="Root of the paths in tags; default: its repository.")
        ] = None,
        dry_run: Annotated[bool, Field(description="true: write nothing, show the difference.")] = True,
        force: Annotated[bool, Field(description="Rewrite existing tags; their metadata stays.")] = False,
        verbose: Annotated[bool, Field(description="List each tag.")] = False,
        update_lineno: Annotated[bool, Field(description="Correct the lines in existing tags.")] = False,
        include_private: Annotated[
            bool, Field(description="Also _x, #x, private members, functions inside functions.")
        ] = False,
        remove: Annotated[bool, Field(description="Remove every tag.")] = False,
        lang: Annotated[list[str] | str | None, Field(description="Such as ts,tsx; default: all.")] = None,
        exclude: Annotated[list[str] | str | None, Field(description="Files to skip, as in .gitignore.")] = None,
        progress: Progress = NOBODY,
    ) -> TagReply:
        """Write a CodeRef as a comment line above each declaration. By default (dry_run) it only shows the diff.

        Nothing else in a file changes; tagging again changes nothing; remove restores the same bytes.
        Example: {"path": "/home/me/app/src", "dry_run": false}
        """
        return await self._service.tag(
            path,
            project_path=project_path,
            dry_run=dry_run,
            force=force,
            verbose=verbose,
            update_lineno=update_lineno,
            include_private=include_private,
            remove=remove,
            lang=_words(lang),
            exclude=_words(exclude),
            progress=progress,
        )


def _words(given: list[str] | str | None) -> list[str]:
    """A list, or comma-separated words as a list."""
    parts = given.split(",") if isinstance(given, str) else given or []
    return [part.strip() for part in parts if part.strip()]
