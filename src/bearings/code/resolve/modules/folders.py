"""Folders of paths: those around one, and those that two have in common."""


def above(path: str) -> list[str]:
    """The folders around a path, the nearest first; the project's own is the empty string."""
    folders = []
    while path:
        path = path.rpartition("/")[0]
        folders.append(path)
    return folders


def shared(path: str, other: str) -> int:
    """The number of folders that two paths have in common."""
    return len(set(above(path)) & set(above(other)))
