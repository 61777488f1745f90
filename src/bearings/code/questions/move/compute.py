"""Moves elements, or files and folders."""

from bearings.code.models import SymbolKind
from bearings.code.questions.move import Move, MoveReply
from bearings.code.questions.move.elements import plan
from bearings.code.questions.move.paths import moved_path
from bearings.code.refactoring.writing import carried_out
from bearings.code.replies.element import path_line
from bearings.code.search.targets import find_element
from bearings.code.search.view import WholeGraph
from bearings.errors import InvalidInput


def compute(question: Move, view: WholeGraph) -> MoveReply:
    """The plan, which is written unless it is refused or a dry run.

    Raises ElementNotFound, Ambiguous, InvalidInput, Unsupported, WriteFailed, Changed.
    """
    names = [question.element] if isinstance(question.element, str) else question.element
    if not names or not all(names):
        raise InvalidInput("element", question.element, "names nothing", "Pass elements of one file, or a file.")
    if len(names) == 1 and (path := _path(view, names[0])):
        return moved_path(question, view, path)
    symbols = {symbol.id: symbol for name in names for symbol in [find_element(view.snapshot, name, together=True)]}
    if any(symbol.kind is SymbolKind.MODULE for symbol in symbols.values()):
        raise InvalidInput("element", question.element, "has a file beside others", "Move files one by one.")
    first, *_ = symbols.values()
    draft = plan(view, list(symbols.values()), question.target, leave_unsure=question.leave_unsure)
    what = f"the move of {', '.join(names)} to {question.target}"
    target = path_line(question.target)
    return carried_out(MoveReply, view, first, draft, what, question.dry_run, question.max_chars, target=target)


def _path(view: WholeGraph, name: str) -> str:
    """The file or folder of the project that a text names; empty if it names an element."""
    path, paths = name.strip().removeprefix("./").rstrip("/"), view.snapshot.project.paths
    if path in paths or any(one.startswith(f"{path}/") for one in paths):
        return path
    return ""
