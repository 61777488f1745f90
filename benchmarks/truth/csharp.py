"""C#'s calls and fields beside mcs: `python -m benchmarks truth.csharp`, with mono-mcs and libmono-cecil-cil installed.

mcs compiles the sources of an application, and `csharp_checker/Uses.cs` reads what its IL calls, reads and writes, with
Mono.Cecil. Names are compared: `Namespace.Class.Method`, overloads as one. The IL names no constants and no members of
enums, and what a statement calls without a name (`foreach`, `using`, `await`, operators, indexers) has no edge, so
these are not judged. Of de4dot nobody reads what is missed: it was drawn first, by `random.Random(54)`, of a list of
14 applications, and fetched before any was scored.

`python -m benchmarks.truth.csharp keepass2 nunit` lists what differs.
"""

import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.models import Confidence, Edge, EdgeKind, Language, Symbol, SymbolKind
from benchmarks.declared import Package, fetched
from benchmarks.localisation import clone
from benchmarks.measure import progress, revision, table
from benchmarks.truth.checkout import CACHE
from benchmarks.truth.processes import run

HERE = CACHE / "truth" / "csharp"
_CECIL = Path("/usr/lib/mono-cecil")
_CHECKER = Path(__file__).with_name("csharp_checker") / "Uses.cs"
_LARGEST = 2_000_000
_FRAMEWORK = ",".join(
    f"System.{name}" for name in "Core Data Drawing Security Windows.Forms Xml Runtime.Remoting Configuration".split()
)


class Assembly(NamedTuple):
    """What one call of mcs compiles: files and those below folders, but for those left out; it uses earlier ones."""

    name: str
    places: tuple[str, ...]
    uses: tuple[str, ...] = ()
    left_out: str = "/AssemblyInfo"
    is_judged: bool = True
    options: tuple[str, ...] = ()


class Application(NamedTuple):
    """An application: its repositories with their commits, the first the judged one, and its assemblies."""

    label: str
    set: str
    sources: tuple[tuple[str, str], ...]
    assemblies: tuple[Assembly, ...]


_OLD = ("-sdk:4",)  # in which names of the framework are free that later versions took
_BLOCKS, _DECRYPT, _DATA, _CODE = "de4dot.blocks", "de4dot.mdecrypt", "AssemblyData", "de4dot.code"
_NUNIT = "nunit.core.interfaces", "nunit.core", "nunit.util", "nunit.uiexception", "nunit.uikit"
_AT = "nunit-2.6.4/src"
_ASYNC = [f"{_AT}/NUnitFramework/framework/Async{name}.cs" for name in ("InvocationRegion", "SynchronizationContext")]
_CLR = (*_OLD, "-d:CLR_4_0")
APPLICATIONS = (
    Application(
        "keepass2",
        "looked into",
        (("debian", "keepass2"),),
        (Assembly("keepass", ("KeePass", "KeePassLib")),),
    ),
    Application(
        "de4dot",
        "unseen",
        (
            ("de4dot/de4dot", "f93384321722edb55eec2ba129bc46184135b522"),
            ("0xd4d/dnlib", "832b0b2a0fea2facced00cde11d9cd5b37412500"),
        ),
        (
            Assembly("dnlib", ("../dnlib/src",), is_judged=False, options=_OLD),
            Assembly(_BLOCKS, (_BLOCKS,), ("dnlib",), options=_OLD),
            Assembly(_DECRYPT, (_DECRYPT,), ("dnlib", _BLOCKS), options=_OLD),
            Assembly(_DATA, (_DATA,), ("dnlib", _BLOCKS, _DECRYPT), options=_OLD),
            Assembly(_CODE, (_CODE,), ("dnlib", _BLOCKS, _DECRYPT, _DATA), options=_OLD),
            Assembly("de4dot.cui", ("de4dot.cui",), ("dnlib", _BLOCKS, _DECRYPT, _DATA, _CODE), options=_OLD),
        ),
    ),
    Application(
        "nunit",
        "looked into",
        (("debian", "nunit"),),
        (
            Assembly(
                _NUNIT[0],
                (f"{_AT}/NUnitCore/interfaces", f"{_AT}/NUnitFramework/framework/ITestCaseData.cs"),
                options=_CLR,
            ),
            Assembly(
                _NUNIT[1], (f"{_AT}/NUnitCore/core", *_ASYNC), _NUNIT[:1], "/AssemblyInfo|core/AsyncI", options=_CLR
            ),
            Assembly(
                _NUNIT[2], (f"{_AT}/ClientUtilities/util",), _NUNIT[:2], "/AssemblyInfo|ClientExtensions", options=_CLR
            ),
            Assembly(_NUNIT[3], (f"{_AT}/GuiException/UiException",), _NUNIT[:3], "/AssemblyInfo|/data/", options=_CLR),
            Assembly(
                _NUNIT[4], (f"{_AT}/GuiComponents/UiKit",), _NUNIT[:4], "/AssemblyInfo|SimpleTextDisplay", options=_CLR
            ),
            Assembly("nunit-gui", (f"{_AT}/GuiRunner/nunit-gui",), _NUNIT, options=_CLR),
            Assembly("nunit-console", (f"{_AT}/ConsoleRunner/nunit-console",), _NUNIT[:3], options=_CLR),
        ),
    ),
)
Pair = tuple[str, str]
"""The names of a user and of what it uses."""
Access = tuple[str, str, str]
"""`read`, `write` or, for events, `use`, with a pair."""
_NAMELESS = frozenset({"GetEnumerator", "MoveNext", "Current", "Dispose", "Add", "GetAwaiter", "GetResult"})
"""Members that statements use without naming them."""
_USERS = frozenset({"method", "property", "indexer", "class", "struct"})
_ACCESSES = {EdgeKind.READ: "read", EdgeKind.WRITE: "write", EdgeKind.CALL: "read"}
"""What an edge does to a field; a call is of its delegate."""


class Scored(NamedTuple):
    """The uses that edges should have, those that they may have, and our edges."""

    wanted: Set[Any]
    right: Set[Any]
    ours: Mapping[Any, Edge]

    def cells(self) -> list[str]:
        found, wrong = len(self.wanted & self.ours.keys()), len(self.ours.keys() - self.right)
        recall, precision = found / max(1, len(self.wanted)), 1 - wrong / max(1, len(self.ours))
        return [
            *map(str, (len(self.wanted), found)),
            f"{recall:.4f}",
            *map(str, (len(self.ours), wrong)),
            f"{precision:.4f}",
        ]


# Sources and truth


def folder(application: Application) -> Path:
    """The checkout of an application: the files that mcs compiles, alone."""
    home = HERE / application.label
    if not home.exists():
        for place, (source, commit) in enumerate(application.sources):
            root = home / (application.label if place == 0 else source.rpartition("/")[2])
            root.mkdir(parents=True)
            if source == "debian":
                fetched(Package(Language.CSHARP, "source", commit), home, root)
            else:
                run(root, "git", "clone", "-q", "--no-checkout", str(clone(source)), ".")
                run(root, "git", "checkout", "-q", commit, "--", ".")
        root = home / application.label
        compiled = {path for each in application.assemblies for path in _files(root, each)}
        for path in root.rglob("*"):
            if path.is_file() and path not in compiled and ".git" not in path.parts:
                path.unlink()
    return home / application.label


def _files(root: Path, assembly: Assembly) -> list[Path]:
    found = [path for each in assembly.places for path in (root / each, *sorted((root / each).rglob("*")))]
    return [path for path in found if path.suffix == ".cs" and not re.search(assembly.left_out, path.as_posix())]


def truth(application: Application) -> list[list[str]]:
    """The rows of the checker, computed once."""
    root = folder(application)
    home = root.parent
    stored = home / "rows.tsv"
    if not stored.exists():
        for assembly in application.assemblies:
            made = [f"-r:{home / name}.dll" for name in assembly.uses]
            files = [os.path.relpath(path, root) for path in _files(root, assembly)]
            command = "mcs -d:DEBUG,TRACE -unsafe -target:library -nowarn:1587,1591".split()
            out = f"-out:{home / assembly.name}.dll"
            run(root, *command, *assembly.options, f"-r:{_FRAMEWORK}", *made, out, *files)
        parts = [f"-r:{_CECIL}/Mono.Cecil.dll"]
        run(home, "mcs", *parts, "-out:Uses.exe", str(_CHECKER))
        judged = [f"{home / each.name}.dll" for each in application.assemblies if each.is_judged]
        rows = run(home, "mono", "Uses.exe", *judged, env={**os.environ, "MONO_PATH": str(_CECIL)})
        stored.write_text(rows, encoding="utf-8")
    return [line.split("\t") for line in stored.read_text(encoding="utf-8").splitlines()]


class Judge:
    """Scores the edges of one application."""

    def __init__(self, application: Application) -> None:
        self.root = folder(application).resolve()
        self.kinds, self._bases, self._outside = dict[str, str](), dict[str, str](), set[Pair]()
        self._uses = defaultdict[str, set[Pair]](set)
        for what, *cells in truth(application):
            if what == "member":
                self.kinds[cells[1]] = cells[0]
            elif what == "override":
                self._bases[cells[0]] = cells[1]
            elif what == "outside":
                self._outside.add((cells[0], cells[1]))
        for what, *cells in truth(application):
            if what == "use" and self._is_judged(cells[2]):
                self._uses[cells[0]].add((cells[1], self._first(cells[2])))
        self._text, self._spaces = cache(self._lines), cache(self._namespaces)
        self._graph = Index(self.root, NoFacts(), _LARGEST).refresh().graph
        self.lines = sum(path.read_bytes().count(b"\n") for path in self.root.rglob("*.cs"))

    def _lines(self, file: str) -> list[str]:
        return (self.root / file).read_text(encoding="utf-8-sig", errors="replace").splitlines()

    def _is_judged(self, name: str) -> bool:
        owner, _, member = name.rpartition(".")
        return member not in _NAMELESS and self.kinds.get(owner) != "delegate"

    def _first(self, name: str) -> str:
        """The first declaration of an overridden member: compilers name now this, now the override."""
        while (base := self._bases.get(name, "outside")) not in ("outside", name):
            name = base
        return name

    # Our names

    def _namespaces(self, file: str) -> list[tuple[int, str]]:
        found = (re.match(r"\s*namespace\s+([\w.]+)", line) for line in self._text(file))
        return [(number, match[1]) for number, match in enumerate(found, 1) if match]

    def _name(self, symbol: Symbol) -> str:
        space = next((name for line, name in reversed(self._spaces(symbol.file)) if line <= symbol.line), "")
        return f"{space}.{symbol.qualified_name}" if space else symbol.qualified_name

    def _user(self, name: str) -> str:
        """The method or property that a symbol is in; the class, for constructors, initializers and operators."""
        symbol = self._graph.symbols.get(name)
        while symbol is not None and symbol.kind is not SymbolKind.MODULE:
            whole = self._name(symbol)
            if self.kinds.get(whole) in _USERS and symbol.kind is not SymbolKind.CONSTRUCTOR:
                return whole
            symbol = self._graph.symbols.get(symbol.parent)
        return ""

    @cached_property
    def _edges(self) -> list[tuple[str, str, Edge]]:
        """Our edges without guesses, between names that the assembly has."""
        found = list[tuple[str, str, Edge]]()
        for edge in self._graph.resolution.edges:
            target = self._graph.symbols.get(edge.target)
            if target is None or edge.confidence is Confidence.HEURISTIC:
                continue
            name = self._name(target)
            if target.kind is SymbolKind.CONSTRUCTOR:
                name = name.rpartition(".")[0]
            user = self._user(edge.source)
            is_outside = self._bases.get(name) == "outside" and (user, target.name) in self._outside
            if user and name in self.kinds and self._is_judged(name) and not is_outside:
                found.append((user, self._first(name), edge))
        return found

    def _ours(self, kinds: Iterable[EdgeKind], members: Iterable[str]) -> dict[Pair, Edge]:
        return {
            (user, name): edge for user, name, edge in self._edges if edge.kind in kinds and self.kinds[name] in members
        }

    # Scores

    def calls(self) -> Scored:
        ours = self._ours([EdgeKind.CALL], ["method"])
        return Scored(self._uses["call"], self._uses["call"] | self._uses["value"], ours)

    def values(self) -> Scored:
        """Methods that are given to a delegate, and not called by the same method."""
        called = self._uses["call"]
        wanted = {pair for pair in self._uses["value"] - called if self.kinds[pair[1]] == "method"}
        ours = self._ours([EdgeKind.REFERENCE], ["method"])
        return Scored(wanted, wanted, {pair: edge for pair, edge in ours.items() if pair not in called})

    def constructions(self) -> Scored:
        """`new` of classes: of structs and delegates the IL has other instructions."""
        wanted = {(user, name) for user, name in self._uses["new"] if self.kinds[name] == "class"}
        return Scored(wanted, wanted, self._ours([EdgeKind.NEW], ["class"]))

    def accesses(self) -> Scored:
        """Reads and writes of fields and properties, uses of events. No initializer is wanted."""
        right = {self._access(kind, *pair) for kind in ("read", "write") for pair in self._uses[kind]}
        wanted = {row for row in right if row[0] != "read" or ("write", *row[1:]) not in right}  # `+=` reads as well
        given = self._uses["address"]
        right |= {(kind, *pair) for kind in ("read", "write") for pair in given}
        right |= {("write", *pair) for pair in self._uses["initial"]}
        ours = dict[Access, Edge]()
        for user, name, edge in self._edges:
            if edge.kind in _ACCESSES and self.kinds[name] in ("field", "property", "event"):
                ours[self._access(_ACCESSES[edge.kind], user, name)] = edge
        for pair in given:  # `ref` reads and writes
            if not any((kind, *pair) in wanted for kind in ("read", "write")):
                wanted.add(("write" if ("write", *pair) in ours else "read", *pair))
        return Scored(wanted, right, ours)

    def _access(self, kind: str, user: str, name: str) -> Access:
        return "use" if self.kinds[name] == "event" else kind, user, name

    def misses(self) -> Iterator[str]:
        """What is missed and what is wrong, with the line of the edge."""
        for label, scored in self.scores():
            for row in sorted(scored.wanted - scored.ours.keys()):
                yield f"{label} missed {' '.join(row)}"
            for row in sorted(scored.ours.keys() - scored.right):
                edge = scored.ours[row]
                line = self._text(edge.file)[edge.line - 1].strip()
                yield f"{label} wrong {' '.join(row)} {edge.file}:{edge.line} {edge.confidence} | {line}"

    def scores(self) -> Iterator[tuple[str, Scored]]:
        yield "calls", self.calls()
        yield "fields", self.accesses()
        yield "constructions", self.constructions()
        yield "values", self.values()


def main() -> str:
    rows = []
    for application in APPLICATIONS:
        progress(f"{application.label} …")
        judge = Judge(application)
        for label, scored in judge.scores():
            rows.append([application.label, application.set, str(judge.lines), label, *scored.cells()])
    compiler = subprocess.run(("mcs", "--version"), check=True, capture_output=True, text=True).stdout.strip()
    heads = ["application", "set", "lines", "uses", "wanted", "found", "recall", "edges", "wrong", "precision"]
    return (
        f"# C#'s calls and fields beside mcs\n\n{date.today().isoformat()}, bearings at {revision()}; {compiler}. "
        f"Made by `python -m benchmarks truth.csharp`.\n\n{_ABOUT}\n" + table(heads, rows)
    )


_ABOUT = """\
A use counts once for each method or property (lambdas, iterators and async methods in it included; constructors and
initializers as their class) and what it calls, reads or writes, overloads as one. An overriding method counts as the
one that it overrides. Heuristic edges are left out. Fields: fields, properties and events; a member that the IL also
writes in the method needs no edge for its reads, as `+=` and `++` are writes here. Constructions: `new` of classes.
Values: methods given to a delegate, and not called there. Code that `#if` leaves out is judged as if it were there.
"""

if __name__ == "__main__":
    for application in APPLICATIONS:
        if application.label in sys.argv[1:] and application.set != "unseen":
            print(*Judge(application).misses(), sep="\n")
