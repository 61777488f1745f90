"""Sixty edits in six packages, half of which break a caller, and what the hook says to each.

The script makes the edits, so what each breaks is known without any graph: only names that are defined once in the
package and have two words or more are drawn, as `load_all` and `loadAll`, and their callers are the lines in other
files that call them, read by regular expressions. An edit is right if a named place is such a line, within two lines.
The payload has the replaced texts and no former file.
"""

import json
import os
import random
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill

from bearings.cli.hook.entry import answer_to
from bearings.code.defaults import MAX_FILE_BYTES
from bearings.code.facts.store import SqliteFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.languages.shared.test_paths import is_test
from benchmarks.code.corpora import PYTHON, TYPESCRIPT, package, tree
from benchmarks.hook import CLIENT, NEAR, PLACES, SETTLED_S, ran, spread
from benchmarks.measure import progress, revision, table

PACKAGES: tuple[tuple[str, Callable[[], Path]], ...] = (
    ("django==5.2.8", lambda: tree(PYTHON)),
    ("celery==5.4.0", lambda: package("celery==5.4.0")),
    ("rich==14.0.0", lambda: package("rich==14.0.0")),
    ("chrome-devtools-frontend@1.0.1705227", lambda: tree(TYPESCRIPT)),
    ("viem@2.57.20", lambda: package("viem@2.57.20")),
    ("rxjs@7.8.2", lambda: package("rxjs@7.8.2") / "src"),
)
BROKEN = ("required parameter", "renamed", "removed", "parameter removed", "export dropped")
SOUND = ("body", "optional parameter", "new function", "comment", "local renamed")
SEED = 50

_WORDS = frozenset(("if", "for", "while", "switch", "catch", "constructor", "function", "return", "super"))
_PYTHON_HEAD = re.compile(r"^(?P<indent> *)(?:async )?def (?P<name>\w+)\((?P<params>[^()]*)\)(?: -> [^:]+)?:$")
_TS_HEAD = re.compile(
    r"^(?P<indent> *)(?P<export>export )?(?:async |static |public )*(?P<function>function )?"
    r"(?P<name>\w+)\((?P<params>[^()]*)\)(?:: [^{]+)? \{$"
)
_CONSTANT = re.compile(r"^(?P<name>[A-Z][A-Z0-9_]{5,}) = (?!.*\"\"\")[^\[({]+[^\[({\\\\]$")
_MEMBER = re.compile(r"^ +(?:async |static |public |readonly )*(\w+)\([^()]*\)\s*[:;{]", re.MULTILINE)
"""Members of classes, objects and types."""


@dataclass
class Function:
    """A function, method or constant that is defined once, and the lines of other files that use it."""

    path: str
    start: int
    end: int
    head: "re.Match[str]"
    users: list[tuple[str, int, str]] = field(default_factory=list)
    """File, line and the arguments as written."""

    @property
    def name(self) -> str:
        return self.head["name"]

    @property
    def params(self) -> list[str]:
        given = [one.strip() for one in self.head["params"].split(",")] if "params" in self.head.re.groupindex else []
        return [one for one in given if one and one not in ("self", "cls")]


@dataclass
class Score:
    """The results in one package."""

    broken: int = 0
    told: int = 0
    sound: int = 0
    false: int = 0
    places: int = 0
    in_text: int = 0
    gave_up: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    characters: list[int] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)
    processor_ms: list[float] = field(default_factory=list)


def main() -> str:
    """The table."""
    rows, scores = [], []
    for spec, get in PACKAGES:
        progress(f"{spec} …")
        score, lines = _package(get().resolve())
        scores.append(score)
        rows.append(_row(spec, f"{lines:,}", [score]))
    rows.append(_row("all", "", scores))
    missed = sum((score.missed for score in scores), Counter())
    columns = ["package", "lines", "named of the broken", "false of the sound", "places that the text has"]
    columns += ["characters p50 / most", "processor ms p50 / p95", "wall ms p50 / p95", "gave up"]
    text = (
        f"Made by `python -m benchmarks hook_edits` at {revision()}, drawn with seed {SEED}, on {os.cpu_count()} "
        f"processors with a load of {os.getloadavg()[0]:.1f}. {' '.join((__doc__ or '').split())} Broken: "
        f"{', '.join(BROKEN)}; sound: {', '.join(SOUND)}. *Processor* and *wall*: of whole processes, from their start "
        "to their end. *Gave up*: processes that were silent after half a second where there was something to say."
    )
    wrapped = fill(text, 140, break_long_words=False, break_on_hyphens=False)
    wrong = ", ".join(f"{kind} {count}" for kind, count in missed.items()) or "none"
    return f"# The hook after an edit\n\n{wrapped}\n\n{table(columns, rows)}\nMissed or false: {wrong}.\n"


def _row(spec: str, lines: str, scores: Sequence[Score]) -> list[str]:
    def total(name: str) -> int:
        return sum(getattr(score, name) for score in scores)

    def joined(name: str) -> list[float]:
        return [value for score in scores for value in getattr(score, name)]

    told = sorted(joined("characters")) or [0]
    return [
        spec,
        lines,
        f"{total('told')} of {total('broken')}",
        f"{total('false')} of {total('sound')}",
        f"{total('in_text')} of {total('places')}",
        f"{told[len(told) // 2]} / {told[-1]}",
        spread(joined("processor_ms")),
        spread(joined("wall_ms")),
        str(total("gave_up")),
    ]


def _package(source: Path) -> tuple[Score, int]:
    """The score of the hook on edits of a copy of a package, and the number of its lines."""
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder).resolve() / "tree", Path(folder).resolve() / "cache"
        shutil.copytree(source, root, ignore=shutil.ignore_patterns(".git", "_cjs", "_esm", "_types", "*.d.ts"))
        index = Index(root, SqliteFacts(cache), MAX_FILE_BYTES, graphs=GraphStore(cache))
        index.refresh()
        time.sleep(SETTLED_S)  # files that were unpacked just now are read once more when they are at rest
        snapshot = index.refresh()
        index.keep()
        texts = {path: (root / path).read_text("utf-8", "replace") for path in snapshot.facts}
        environ = {**os.environ, "CODEREF_CACHE_DIR": str(cache)}
        score = Score()
        for kind, function, old, new in _edits(texts):
            told = _ask(root, kind, function, old, new, environ, score)
            progress(f"  {kind}: {function.path} {function.name}: {told}")
        return score, sum(facts.lines for facts in snapshot.facts.values())


def _edits(texts: dict[str, str]) -> Iterator[tuple[str, Function, str, str]]:
    """One edit of each kind, each in another file: the kind, the function, and the replaced text and its successor."""
    chance = random.Random(SEED)
    drawn = sorted(_functions(texts), key=lambda one: (one.path, one.start))
    chance.shuffle(drawn)
    taken: set[str] = set()
    for kind in (*BROKEN, *SOUND):
        edits = ((kind, one) for kind in (kind, "removed") for one in drawn if one.path not in taken)
        for drawn_kind, function in edits:  # a package without a suitable export loses another function instead
            edit = _edit(drawn_kind, function, texts[function.path])
            if edit is not None and edit[0] and texts[function.path].count(edit[0]) == 1:
                taken.add(function.path)
                yield drawn_kind, function, *edit
                break


def _functions(texts: dict[str, str]) -> list[Function]:
    """Every function, method and constant outside tests with a name that is defined once, and with users elsewhere."""
    found: dict[str, list[Function]] = {}
    for path, text in texts.items():
        lines = text.split("\n")
        heads = (_PYTHON_HEAD, _CONSTANT) if path.endswith(".py") else (_TS_HEAD,)
        for number, line in enumerate(lines):
            head = next((match for pattern in heads if (match := pattern.match(line))), None)
            above = lines[number - 1].strip() if number else ""
            if head and head["name"] not in _WORDS and not is_test(path) and not above.startswith("@"):
                found.setdefault(head["name"], []).append(Function(path, number, _end(lines, number, head), head))
    alone = {
        name: same[0] for name, same in found.items() if len(same) == 1 and re.search(r"[a-z]_?[A-Z]|\w_[a-zA-Z]", name)
    }
    named = Counter(word for text in texts.values() for word in re.findall(r"\b(\w+)\s*(?::|=(?!=)|<)", text))
    named.update(
        word
        for text in texts.values()
        for word in re.findall(r"\b(?:class|def|function|const|let|type|interface|as|get|set)\s+(\w+)", text)
    )
    members = Counter(name for text in texts.values() for name in _MEMBER.findall(text))
    chosen = {}
    for name, one in alone.items():
        is_constant = one.head.re is _CONSTANT
        is_function = one.head.re is _PYTHON_HEAD or bool(one.head.groupdict().get("function"))
        is_alone = named[name] == 1 if is_function or is_constant else named[name] == 0 and members[name] <= 1
        if is_alone:
            chosen[name] = one
    for path, text in texts.items():
        for name in set(re.findall(r"\w+", text)) & chosen.keys():
            if path != chosen[name].path:
                chosen[name].users += _users(path, text, chosen[name])
    return [one for one in chosen.values() if one.users]


def _end(lines: Sequence[str], start: int, head: "re.Match[str]") -> int:
    """The number of the line behind a function."""
    if head.re is _CONSTANT:
        return start + 1
    if head.re is _TS_HEAD:
        close = head["indent"] + "}"
        return next((at + 1 for at in range(start + 1, len(lines)) if lines[at] == close), start + 1)
    inside = head["indent"] + " "
    end = next(
        (at for at in range(start + 1, len(lines)) if lines[at].strip() and not lines[at].startswith(inside)),
        len(lines),
    )
    while not lines[end - 1].strip():
        end -= 1
    return end


def _users(path: str, text: str, function: Function) -> Iterator[tuple[str, int, str]]:
    """The lines of a file that certainly use it: calls on one line, without strings, of a name that is imported."""
    name, is_constant = function.name, function.head.re is _CONSTANT
    stem = Path(function.path).stem
    if path.endswith(".py"):
        taken = re.search(rf"^\s*from [\w.]*\b{stem} import (?:\([^)]*|[^(\n]*)\b{name}\b(?! as)", text, re.MULTILINE)
    else:
        taken = re.search(
            rf"^import \{{[^}}]*\b{name}\b(?! as)[^}}]*\}} from ['\"]\.[^'\"]*\b{stem}\.?\w*['\"]", text, re.MULTILINE
        )
    is_method = bool(function.head.groupdict().get("indent")) and not is_constant
    pattern = re.compile(
        rf"(?<![\w.]){name}\b(?! *=)" if is_constant else rf"(?P<before>\.)?(?<![\w]){name}\((?P<args>[^()]*)\)"
    )
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip()[:1] in ("#", "/", "*") or re.search(r">>>|`|import |super\(", line):
            continue
        found = pattern.search(line)
        if found and line[: found.start()].count('"') % 2 == 0 and line[: found.start()].count("'") % 2 == 0:
            if is_constant or not is_method:
                if taken and (is_constant or not found["before"]) and "*" not in found[0] and "..." not in found[0]:
                    yield path, number, "" if is_constant else found["args"]
            elif found["before"] and "*" not in found["args"] and "..." not in found["args"]:
                yield path, number, found["args"]


def _edit(kind: str, function: Function, text: str) -> tuple[str, str] | None:
    """The replaced text and its successor; None if the kind is none for this function."""
    lines, head = text.split("\n"), function.head[0]
    whole = "\n".join(lines[function.start : function.end])
    is_python, is_constant = function.path.endswith(".py"), function.head.re is _CONSTANT
    if is_constant:
        return (whole + "\n", "") if kind == "export dropped" else None
    params, inside = function.head["params"], function.head["indent"] + "    "
    is_plain = not re.search(r"[=*?<{\[]|\.\.\.|/", params)
    added = "added_option" if is_python else "addedOption: string"
    body = "\n".join(lines[function.start + 1 : function.end])

    def changed(params_now: str) -> tuple[str, str]:
        return head, head.replace(f"({params})", f"({params_now})")

    if kind == "required parameter":
        return changed(f"{params}, {added}" if params.strip() else added) if is_plain else None
    if kind == "optional parameter":
        default = "added_option=None" if is_python else "addedOption = ''"
        return (
            changed(f"{params}, {default}" if params.strip() else default)
            if "*" not in params and "..." not in params
            else None
        )
    if kind == "renamed":
        return head, re.sub(rf"\b{function.name}\b", f"{function.name}{'_now' if is_python else 'Now'}", head, count=1)
    if kind == "removed":
        return whole + "\n", ""
    if kind == "parameter removed":
        passed = [
            len([one for one in args.split(",") if one.strip()]) for _, _, args in function.users if "=" not in args
        ]
        if not is_plain or not function.params or max(passed, default=0) < len(function.params):
            return None
        return changed(params.rpartition(",")[0])
    if kind == "export dropped":
        return (head, head.replace("export ", "", 1)) if function.head.groupdict().get("export") else None
    if kind == "comment":
        return head, f"{function.head['indent']}{'#' if is_python else '//'} Reviewed.\n{head}"
    if kind == "new function":
        new = (
            f"\n\ndef added_{function.name}():\n    pass\n"
            if is_python
            else f"\nfunction added{function.name}() {{\n  return 1;\n}}\n"
        )
        last = "\n".join(lines[max(0, len(lines) - 6) :])
        return last, last + new
    if kind == "body":
        return (
            (f"{head}\n{body}", f"{head}\n{inside}{'pass' if is_python else 'void 0;'}\n{body}")
            if body.strip()
            else None
        )
    local = re.search(r"^ +(\w{3,}) = " if is_python else r"^ +(?:const|let) (\w{3,}) = ", body, re.MULTILINE)
    if (
        local is None
        or re.search(rf"\b{local[1]}=|\.{local[1]}\b|[{{,]\s*{local[1]}\s*[,}}:]|\b(?:global|nonlocal)\b", body)
        or re.search(rf"\b{local[1]}\b", params)
    ):
        return None
    return body, re.sub(rf"\b{local[1]}\b", f"{local[1]}_here", body)


def _ask(root: Path, kind: str, function: Function, old: str, new: str, environ: dict[str, str], score: Score) -> str:
    file = root / function.path
    text = file.read_bytes()
    assert text.decode().count(old) == 1
    file.write_bytes(text.decode().replace(old, new).encode())
    given = {"file_path": str(file), "old_string": old, "new_string": new, "replace_all": False}
    payload = json.dumps(
        {
            "session_id": "s",
            "cwd": str(root),
            "hook_event_name": "PostToolUse",
            "tool_name": "Edit",
            "tool_input": given,
            "tool_response": {"filePath": str(file), "success": True},
        }
    ).encode()
    answer = answer_to(CLIENT, payload, environ)
    wrote, wall, processor = ran(payload, environ)
    score.wall_ms.append(wall)
    score.processor_ms.append(processor)
    score.gave_up += bool(answer) and not wrote
    told = json.loads(answer)["hookSpecificOutput"]["additionalContext"] if answer else ""
    places = [
        (path.strip("«»"), int(line))
        for path, lines in PLACES.findall(told.partition("; tests:")[0])
        for line in lines.split(",")
    ]
    score.places += len(places)
    score.in_text += sum(_holds(root, place, function.name) for place in places)
    if told:
        score.characters.append(len(told))
    if kind in BROKEN:
        users = {(path, line + shift) for path, line, _ in function.users for shift in range(-NEAR + 1, NEAR)}
        is_told = wrote and any(place in users for place in places)
        score.broken += 1
        score.told += is_told
    else:
        is_told = False
        score.sound += 1
        score.false += bool(told)
    if is_told != (kind in BROKEN) or (kind in SOUND and told):
        score.missed[kind] += 1
    file.write_bytes(text)
    return told or f"silent; users {function.users[:2]}"


def _holds(root: Path, place: tuple[str, int], name: str) -> bool:
    path, line = place
    lines = (root / path).read_text("utf-8", "replace").splitlines()[line - 1 : line - 1 + NEAR]
    return any(re.search(rf"\b{re.escape(name)}\b", text) for text in lines)


if __name__ == "__main__":
    print(main())
