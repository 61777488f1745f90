"""Questions about commits: `HEAD~1`, `4f2a91c`, `main..topic`, `changes since v1.2`, `what changed`."""

import re
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.project.git.history import History
from bearings.code.questions.changes.compute import changes
from bearings.code.questions.explore.about import Chosen
from bearings.errors import InvalidInput, Unsupported
from bearings.untrusted import named

_MOST_NAMED = 30

_COMMIT = r"(?:HEAD(?:[~^@][\w{}~^-]*)?|[0-9a-f]{7,40}(?:[~^]\d*)*)"
_RANGE = re.compile(r"(?P<one>[\w./~^@{}-]*?[\w~^@}])\.\.\.?(?P<other>[\w/~^@{}-][\w./~^@{}-]*)?")
_REF = re.compile(
    rf"(?:(?:git (?:show|log|diff)|commit|diff)\s+)?(?P<alone>{_COMMIT})"
    r"|(?:what (?:has )?changed|(?:the )?(?:changes|diff)|git diff)\s+(?:since|from|against|to)?\s*"
    r"(?P<since>[\w./~^@{}-]+)",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"(?:what (?:has )?changed|(?:my |the )?(?:uncommitted |local |working )?changes|git (?:diff|status))\W*",
    re.IGNORECASE,
)


class Differing(NamedTuple):
    """A difference: in words, its elements that still exist, the base commit, removed elements, other files."""

    subject: str
    chosen: list[Chosen]
    base: str
    note: str


def differing(snapshot: Snapshot, text: str, max_bytes: int) -> Differing | None:
    """The answer to a question about commits; None for a question that names no commit of the project."""
    try:
        meant = _meant(History(snapshot.root, snapshot.roots), text)
        return None if meant is None else _differing(snapshot, *meant, max_bytes)
    except (InvalidInput, Unsupported):
        return None


def _meant(history: History, text: str) -> tuple[str, str, str] | None:
    """The commit before, the commit after (empty: the working tree), and both in words."""
    if _NOW.fullmatch(text):
        return "HEAD", "", "the changes that are not committed"
    span = _RANGE.fullmatch(text)
    if span is not None:
        one, other = span["one"], span["other"] or "HEAD"
        return history.commit(one), history.commit(other), f"the commits {named(one)}..{named(other)}"
    ref = _REF.fullmatch(text)
    if ref is None:
        return None
    if ref["alone"]:
        return _one(history, ref["alone"])
    return history.commit(ref["since"]), "", f"the changes since {named(ref['since'])}"


def _one(history: History, ref: str) -> tuple[str, str, str]:
    """The change of one commit; for a commit without a parent, the changes since."""
    # HEAD alone asks for its own change: the difference to its parent.
    commit = history.commit(ref)
    try:
        return history.commit(f"{commit}^"), commit, f"the commit {named(ref)}"
    except InvalidInput:
        return commit, "", f"the changes since {named(ref)}, which has no commit before it"


def _differing(snapshot: Snapshot, base: str, until: str, subject: str, max_bytes: int) -> Differing:
    """The elements that now differ from `base`, in the files that differ between `base` and `until`."""
    difference = changes(snapshot, base, 1, max_bytes)
    files = History(snapshot.root, snapshot.roots).files_between(base, until) if until else None
    rows = [row for row in difference.changed if files is None or row.element.partition("#")[0] in files]
    rows.sort(key=lambda row: ("#" not in row.element, -(row.tests or 0)))  # files come last
    symbols = snapshot.graph.symbols
    chosen = [
        Chosen(symbols[row.element], f"{row.status}; {'unknown' if row.tests is None else row.tests} tests reach it")
        for row in rows
        if row.element in symbols
    ]
    gone = [named(row.element) for row in rows if row.element not in symbols]
    others = [named(path) for path in difference.other_files if files is None or path in files]
    notes = [
        f"{label}: {', '.join(names[:_MOST_NAMED])}{' …' if len(names) > _MOST_NAMED else ''}."
        for label, names in (("Removed", gone), ("Changed beside the sources", others))
        if names
    ]
    now = ", compared with the files as they are now" if until else ""
    return Differing(
        f"{subject}: {len(rows)} elements differ{now}", chosen, base, " ".join(notes) or difference.note or ""
    )
