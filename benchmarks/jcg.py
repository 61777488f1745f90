"""The Java cases of JCG, a public suite for call graphs (github.com/opalj/JCG): `python -m benchmarks jcg`.

A case is a small program, of which annotations say which methods a call must lead to, and which it must not. Written
before the first score:

- In scope are the kinds of calls that the source writes: virtual and non-virtual calls, types, interface methods of
  Java 8, static initializers, libraries, lambdas and method references. Out of scope is what runs without being written
  as a call: reflection, class loading, proxies, serialization, method handles, `Unsafe`, what the machine calls.
- `@DirectCall`: an edge of a call, or of `new` for `<init>`, from the annotated method, at the line if one is given, to
  a method of that name. `@IndirectCall`: a method that edges reach from the annotated one, over any number of calls.
- A call leads to the declared method. As for the question who calls a method, those that override it below the
  declaring class count as reached. What a class below inherits from another base does not.
- A case is sound if each resolved target is reached, and precise if no prohibited one is.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from bearings.code.search.members import relatives
from benchmarks.localisation import clone
from benchmarks.measure import revision, table
from benchmarks.truth.processes import run

COMMIT = "ddb31e8"
_FOLDER = "jcg_testcases/src/main/resources/java"
KINDS = (
    "VirtualCalls", "NonVirtualCalls", "Types", "Java8InterfaceMethods", "StaticInitializers", "Library",
    "Java8Invokedynamics",
)  # fmt: skip
_CASE = re.compile(r"^## (\w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_SOURCE = re.compile(r"```java\n// (\S+)\n(.*?)```", re.DOTALL)
_ANNOTATION = re.compile(r"@(DirectCall|IndirectCall)\s*\(((?:[^()]|\([^()]*\))*)\)")
_CALLS = (EdgeKind.CALL, EdgeKind.NEW)
_CODE = frozenset({SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
_CLASSES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM})


class Expected(NamedTuple):
    """What an annotation says of the calls in a method: `file` and `line` are those of the annotation."""

    file: str
    line: int
    name: str
    call_line: int
    is_direct: bool
    resolved: tuple[str, ...]
    prohibited: tuple[str, ...]


class Verdict(NamedTuple):
    """What a case came to."""

    name: str
    missed: tuple[str, ...]
    wrong: tuple[str, ...]


def cases(text: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The cases of a page: the name, and the sources by path."""
    for match in _CASE.finditer(text):
        sources = dict(_SOURCE.findall(match[2]))
        if sources:
            yield match[1], sources


def expected(sources: Mapping[str, str]) -> Iterator[Expected]:
    """What the annotations in the sources of a case say."""
    for path, source in sources.items():
        for match in _ANNOTATION.finditer(source):
            fields = match[2]
            name = re.search(r'\bname\s*=\s*"([^"]+)"', fields)
            line = re.search(r"\bline\s*=\s*(\d+)", fields)
            if name is not None:
                yield Expected(
                    path,
                    source.count("\n", 0, match.end()) + 1,
                    name[1],
                    int(line[1]) if line is not None else 0,
                    match[1] == "DirectCall",
                    _targets("resolvedTargets", fields),
                    _targets("prohibitedTargets", fields),
                )


def _targets(field: str, fields: str) -> tuple[str, ...]:
    found = re.search(rf"\b{field}\s*=\s*(\{{[^}}]*\}}|\"[^\"]*\")", fields)
    return tuple(re.findall(r'"L([^";]+);"', found[1])) if found is not None else ()


class Judge:
    """Judges one case."""

    def __init__(self, sources: Mapping[str, str], root: Path) -> None:
        for path, source in sources.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            # The first line of a block is its path; lines are counted from the next one.
            (root / path).write_text(source, encoding="utf-8")
        self._snapshot: Snapshot = Index(root.resolve(), NoFacts(), 1_000_000).refresh()
        self._graph = self._snapshot.graph
        self._packages = {path: path.rpartition("/")[0] for path in sources}

    def verdict(self, name: str, wanted: list[Expected]) -> Verdict:
        """What is missed and what is wrong in the case."""
        missed, wrong = list[str](), list[str]()
        for each in wanted:
            caller = self._annotated(each)
            found = self._direct(each, caller) if each.is_direct else self._reached(each, caller)
            missed += [f"{target}.{each.name}" for target in each.resolved if target not in found]
            wrong += [f"{target}.{each.name}" for target in each.prohibited if target in found]
        return Verdict(name, tuple(missed), tuple(wrong))

    def _annotated(self, each: Expected) -> Symbol:
        """The method behind an annotation: the innermost that holds it, or the next one."""
        methods = [one for one in self._graph.within(each.file).values() if one.kind in _CODE]
        return min((one for one in methods if one.end_line >= each.line), key=lambda one: (one.end_line, -one.line))

    def _direct(self, each: Expected, caller: Symbol) -> set[str]:
        edges = [edge for edge in self._graph.edges_from(caller.id) if edge.kind in _CALLS]
        edges = [edge for edge in edges if not each.call_line or edge.line == each.call_line]
        return {owner for edge in edges for owner in self._owners(edge.target, each.name)}

    def _reached(self, each: Expected, caller: Symbol) -> set[str]:
        seen, waiting = {caller.id}, [caller.id]
        found: set[str] = set()
        while waiting:
            for edge in self._graph.edges_from(waiting.pop()):
                if edge.kind in _CALLS:
                    found |= self._owners(edge.target, each.name)
                    targets = {one.id for one in self._with_overriding(edge.target)}
                    waiting += targets - seen
                    seen |= targets
        return found

    def _with_overriding(self, target: str) -> list[Symbol]:
        """A method, and those that override it in classes below its own."""
        symbol = self._graph.symbols[target]
        below = relatives(self._snapshot, symbol.parent, upwards=False) if symbol.kind is SymbolKind.METHOD else []
        return [symbol, *(one for owner in below for one in self._graph.members(owner, symbol.name))]

    def _owners(self, target: str, name: str) -> set[str]:
        """The classes of the methods that a call to a method of a name may run, in the words of the virtual machine."""
        symbol = self._graph.symbols[target]
        if name == "<init>":
            is_made = symbol.kind in _CLASSES
            owner = symbol if is_made else self._graph.symbols[symbol.parent]
            return {self._binary(owner)} if is_made or symbol.kind is SymbolKind.CONSTRUCTOR else set()
        if symbol.name != name or symbol.kind is not SymbolKind.METHOD:
            return set()
        return {self._binary(self._graph.symbols[one.parent]) for one in self._with_overriding(target)}

    def _binary(self, owner: Symbol) -> str:
        return f"{self._packages[owner.file]}/{owner.qualified_name.replace('.', '$')}"


def verdicts(text: str) -> list[Verdict]:
    """What the cases of a page came to."""
    found = []
    for name, sources in cases(text):
        wanted = list(expected(sources))
        with tempfile.TemporaryDirectory() as folder:
            found.append(Judge(sources, Path(folder)).verdict(name, wanted))
    return found


def main() -> str:
    repository = clone("opalj/JCG")
    rows, lines = [], []
    for kind in KINDS:
        text = run(repository, "git", "show", f"{COMMIT}:{_FOLDER}/{kind}.md")
        found = verdicts(text)
        sound, precise = (sum(not getattr(each, what) for each in found) for what in ("missed", "wrong"))
        rows.append([kind, str(len(found)), str(sound), str(precise)])
        lines += [f"- {each.name} misses {', '.join(each.missed)}\n" for each in found if each.missed]
        lines += [f"- {each.name} has {', '.join(each.wrong)}\n" for each in found if each.wrong]
    rows.append(["**all**", *(str(sum(int(row[at]) for row in rows)) for at in (1, 2, 3))])
    return (
        f"# JCG's Java cases\n\n{date.today().isoformat()}, bearings at {revision()}, JCG at {COMMIT}. "
        f"Made by `python -m benchmarks jcg`.\n\n{_ABOUT}\n{table(['kind', 'cases', 'sound', 'precise'], rows)}\n"
        + "".join(lines)
    )


_ABOUT = """\
A case is sound if a call leads to each method that it must lead to, those that override the declared one included, and
precise if to none that it must not. `benchmarks/jcg.py` has the mapping, which was written before the first score.
Reflection, class loading, proxies, serialization, method handles and `Unsafe` are out of scope. What is not reached:
methods that are called through a library's class (`toString` of an `Object`), and what a class not in the sources could
connect. The authors list what Soot, WALA, DOOP and OPAL reach in a paper (doi:10.1145/3293882.3330555), not in the
repository; these read bytecode, and trace which classes are made.
"""
