"""Draws changes of signatures, and counts the characters that one costs an agent with the tool and without it.

python -m benchmarks.signature_edits PROJECT ELEMENT "PARAMETERS" --values kind=None
"""

import difflib
import json
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bearings.code.languages import language_of
from bearings.code.languages.shared.signatures import Item, Role
from bearings.code.models import Symbol
from bearings.code.parse import occurrences_of, signatures_of

KINDS = ("default", "value", "reorder", "rename", "keyword")
_EDIT = 60
"""Characters of an editor's answer to one edit."""


def words(home: Path, symbol: Symbol, kind: str, chance: random.Random) -> tuple[str, ...] | None:
    """The words of the command for a change of a kind; None if an element allows none."""
    items = _items(home, symbol)
    if items is None or not all(re.fullmatch(r"[\w$]*", item.name) for item in items):
        return None
    is_python = symbol.file.endswith(".py")
    names = [f"{item.sign if item.is_open else ''}{item.name}" or item.text for item in items]
    stop = next((at for at, item in enumerate(items) if item.sign in ("*", "**", "...")), len(items))
    typed = any(item.type for item in items) or not items
    place = next((at + 1 for at, item in enumerate(items) if item.is_open and item.sign == "*"), stop)
    match kind:
        case "default":
            new = ("extra: object = None" if typed else "extra=None") if is_python else "extra?: unknown"
            return (", ".join([*names[:place], new, *names[place:]]),)
        case "value":
            new = ("extra: object" if typed else "extra") if is_python else "extra: unknown"
            return ", ".join([new, *names]), "--values", f"extra={'None' if is_python else 'null'}"
        case "rename" if stop:
            at = chance.randrange(stop)
            old, names[at] = names[at], f"{names[at]}Anew"
            return ", ".join(names), "--renamed", f"{old}={old}Anew"
        case "reorder":
            pairs = [at for at in range(stop - 1) if items[at].is_required == items[at + 1].is_required]
            for at in pairs[:1]:
                names[at : at + 2] = names[at + 1], names[at]
                return (", ".join(names),)
        case "keyword" if is_python and stop == len(items) > 0:
            return (", ".join([*names[:-1], "*", names[-1]]),)
    return None


def _items(home: Path, symbol: Symbol) -> Sequence[Item] | None:
    language, data = language_of(symbol.file), (home / symbol.file).read_bytes()
    reader = signatures_of(language, data) if language is not None else None
    for one in (occurrences_of(language, data, symbol.name) or ()) if language is not None else ():
        site = reader.at(one.start, one.end) if reader and symbol.line <= one.line <= symbol.end_line else None
        if site is not None and site.role is Role.HEAD and site.listing is not None:
            return site.listing.items[site.skipped :]
    return None


def main(arguments: Sequence[str]) -> str:
    """Change a signature of a project, which should be a copy, and count."""
    root, given = Path(arguments[0]), list(arguments[1:])
    before = {path: path.read_text() for path in root.rglob("*") if path.suffix in (".py", ".ts", ".tsx")}
    command = [sys.executable, "-m", "bearings", "code", "signature", *given, "--json", "--project", str(root)]
    shown, written = (_run([*command, *more]) for more in ([], ["--no-dry-run"]))
    own, edits = 0, 0
    for path, old in before.items():
        a, b = old.splitlines(keepends=True), path.read_text().splitlines(keepends=True)
        for tag, first, last, start, end in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
            if tag != "equal":
                above = 0
                while old.count("".join(a[first - above : last])) > 1 and above < min(first, 12):
                    above += 1
                texts = {
                    "old": "".join(a[first - above : last]),
                    "new": "".join([*a[first - above : first], *b[start:end]]),
                }
                own, edits = own + len(json.dumps({"path": str(path.relative_to(root)), **texts})), edits + 1
    name = re.split(r"[.#]", given[0])[-1]
    found = sum(
        len(f"{path.relative_to(root)}:{line}:\n") + 6
        for path, text in before.items()
        for line in text.splitlines()
        if re.search(rf"\b{re.escape(name)}\b", line)
    )
    places = json.loads(written).get("places")
    return (
        f"{places} places. Tool: writes {2 * len(json.dumps(given))}, reads {len(shown) + len(written)}. "
        f"Own: {edits} edits, writes {own}, reads {found + edits * _EDIT}."
    )


def _run(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    print(main(sys.argv[1:]))
