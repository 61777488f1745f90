"""An overview of a project: its packages, architecture and central elements."""

import msgspec


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The skeleton: files, and below each `line: head` of its elements; with the counts shown and in total."""

    skeleton: str
    focus: str
    files_shown: int
    files: int
    elements_shown: int
    elements: int
