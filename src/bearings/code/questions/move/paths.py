"""Moves a file or a folder."""

from bearings.code.questions.move import Move, MoveReply
from bearings.code.search.view import WholeGraph
from bearings.errors import Unsupported


def moved_path(question: Move, view: WholeGraph, path: str) -> MoveReply:
    """Move a file or folder. Raises Unsupported."""
    del question, view
    raise Unsupported(f"{path} is a file or folder, which can't be moved", "Pass an element.")
