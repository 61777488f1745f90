"""Our complexity of every function of some packages beside radon's, lizard's, ESLint's and SonarJS's.

No speed is measured here: a difference is either explained by a construct that a peer is known to count otherwise,
which the function contains, or it counts as unexplained.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from tree_sitter import Node, Parser, QueryCursor

from bearings.code.languages import language_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.grammars import grammar, query
from bearings.code.languages.shared.metrics import tallied
from bearings.code.languages.shared.trees import LibraryReader
from benchmarks.measure import progress, table

PYTHON = ("rich", "click", "pydantic", "anyio")
NPM_SOURCES = ("rxjs@7.8.2", "zod@4.1.12")
NPM_PEERS = ("eslint@10.15.0", "eslint-plugin-sonarjs@4.2.2", "@typescript-eslint/parser@8", "typescript@5.9.3")
HERE = Path(__file__).parent


_TEXTS = {
    "keyword": re.compile(r"\.(?:case|catch|if|for|while)\b|\b(?:case|catch|if|for|while)\??:"),
    "conditional type": re.compile(r"\bextends\b[^;{]*\?"),
    "in parentheses": re.compile(r"\((?:[^()]|\([^()]*\))*(?:\|\||&&|\?[^.:?])"),
}
"""Syntax in a function's text that lizard is known to count differently."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function as our sweep has it; offsets are in characters of UTF-16, as ESLint counts them."""

    file: str
    line: int
    end_line: int
    start: int
    end: int
    cyclomatic: int
    own_cognitive: int
    alternatives: int
    inside: frozenset[str]


def main() -> str:
    with tempfile.TemporaryDirectory() as folder:
        modules = _installed(Path(folder), (*NPM_SOURCES, *NPM_PEERS))
        scripts = [path for name in NPM_SOURCES for path in _scripts(modules / name.partition("@")[0] / "src")]
        rows = [*_eslint(Path(folder), scripts), _lizard("TypeScript", scripts)]
    pythons = [path for name in PYTHON for path in _pythons(name)]
    rows += [_radon(pythons), _lizard("Python", pythons)]
    columns = ["figure", "peer", "functions", "equal", "explained", "unexplained", "by what it is explained"]
    peers = ", ".join([f"{name} {version(name)}" for name in ("radon", "lizard")] + [*NPM_PEERS])
    sources = ", ".join([*NPM_SOURCES, *(f"{name} {version(name)}" for name in PYTHON)])
    return (
        f"# Complexity\n\nMade by `python -m benchmarks complexity`. Peers: {peers}. Sources: {sources}.\n\n"
        + table(columns, rows)
        + "\nLizard reads tokens, not syntax: where it differs from us in TypeScript it differs from ESLint, too.\n"
    )


def _installed(folder: Path, packages: Iterable[str]) -> Path:
    progress("installing packages with npm …")
    command = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", *packages]
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=True, timeout=300)
    return folder / "node_modules"


def _scripts(source: Path) -> list[Path]:
    return sorted(path for path in source.rglob("*.ts") if not path.name.endswith(".d.ts"))


def _pythons(package: str) -> list[Path]:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return sorted(Path(spec.origin).parent.rglob("*.py"))


def functions(path: Path) -> Iterator[Function]:
    """Every function of a file, those without a name too."""
    language = language_of(str(path))
    assert language is not None
    source = path.read_bytes()
    captures = QueryCursor(query(language)).captures(Parser(grammar(language)).parse(source).root_node)
    nodes = captures.get("function", [])
    inside = _inside(nodes, captures)
    tree = LibraryReader(language).parse(source, sys.maxsize)
    assert tree is not None
    for tally in tallied(Builder(str(path), language, source, tree), tree.captures()):
        if tally.function >= 0:
            node = nodes[tally.function]
            yield Function(
                str(path),
                node.start_point[0] + 1,
                node.end_point[0] + 1,
                _utf16(source, node.start_byte),
                _utf16(source, node.end_byte),
                tally.cyclomatic,
                tally.cognitive,
                tally.or_runs,
                inside[node.byte_range],
            )


def _utf16(source: bytes, offset: int) -> int:
    head = source[:offset]
    return offset if head.isascii() else len(head.decode("utf-8", "replace").encode("utf-16-le")) // 2


def _inside(nodes: list[Node], captures: dict[str, list[Node]]) -> dict[tuple[int, int], frozenset[str]]:
    """The names of the captures in each function, and what its source says of constructs that have none."""
    found: dict[tuple[int, int], frozenset[str]] = {}
    extents = {node.byte_range for node in nodes}
    for node in nodes:
        start, end = node.byte_range
        names = {
            name
            for name, others in captures.items()
            for other in others
            if start <= other.start_byte and other.end_byte <= end and other.byte_range != (start, end)
        }
        branches = (child for other in captures.get("m.ternary", ()) for child in other.named_children)
        if any(
            start < child.start_byte and child.end_byte <= end and child.byte_range in extents for child in branches
        ):
            names.add("branch")
        text = (node.text or b"").decode("utf-8", "replace")
        names |= {
            word for word in ("finally", "?.", "??", "assert ", "else:", "match ", "lambda", "?:", "${") if word in text
        }
        names |= {name for name, pattern in _TEXTS.items() if pattern.search(text)}
        body = node.child_by_field_name("body")
        if body is not None and body.type != "statement_block":
            names.add("no braces")
        found[start, end] = frozenset(names)
    return found


def _eslint(folder: Path, paths: list[Path]) -> list[list[str]]:
    """Matched by where a function ends: ESLint begins a method at its parameters."""
    progress("ESLint and SonarJS …")
    output = subprocess.run(
        ["node", str(HERE / "eslint_peers.cjs"), str(folder)],
        input="\n".join(map(str, paths)), capture_output=True, text=True, check=True, timeout=600,
    ).stdout  # fmt: skip
    theirs: dict[tuple[str, int], list[dict[str, int]]] = {}
    for row in map(json.loads, output.splitlines()):
        theirs.setdefault((row["file"], row["end"]), []).append(row)
    cyclomatic, cognitive = Comparison(), Comparison()
    for path in paths:
        ours: dict[int, list[Function]] = {}
        for function in functions(path):
            ours.setdefault(function.end, []).append(function)
        for end, mine in ours.items():
            others = sorted(theirs.get((str(path), end), ()), key=lambda row: row["start"])
            if len(others) == len(mine):
                for function, row in zip(sorted(mine, key=lambda one: one.start), others, strict=True):
                    cyclomatic.add(function, function.cyclomatic, row["cyclomatic"], {})
                    cognitive.add(
                        function, function.own_cognitive, row["cognitive"], _without_sonars_own(function, row)
                    )
    return [
        cyclomatic.row("cyclomatic, TypeScript", "ESLint `complexity`"),
        cognitive.row("cognitive without functions inside, TypeScript", "SonarJS S3776"),
    ]


def _without_sonars_own(function: Function, row: dict[str, int]) -> dict[str, int]:
    """Our figure, with what SonarJS does and the paper doesn't say."""
    without = function.own_cognitive - function.alternatives
    known = {"sequences of `||`, which SonarJS takes for defaults": without}
    if "branch" in function.inside:
        known["a function as a branch of `?:`, whose level SonarJS keeps for the rest of the outer one"] = row[
            "cognitive"
        ]
    return known


class Comparison:
    """Counts functions whose figures are equal, differ by what is known, or differ."""

    def __init__(self) -> None:
        self.equal = 0
        self.why: Counter[str] = Counter()
        self.unexplained: list[tuple[Function, int, int]] = []

    def add(self, function: Function, ours: int, theirs: int, definitions: dict[str, int]) -> None:
        """`definitions`: what our figure is with a difference of definition taken out of it."""
        if ours == theirs:
            self.equal += 1
        elif reason := next((name for name, figure in definitions.items() if figure == theirs), ""):
            self.why[reason] += 1
        else:
            self.unexplained.append((function, ours, theirs))

    def row(self, figure: str, peer: str) -> list[str]:
        total = self.equal + self.why.total() + len(self.unexplained)
        for function, ours, theirs in self.unexplained:
            progress(f"  {peer}: {function.file}:{function.line} ours {ours}, theirs {theirs}")
        reasons = "; ".join(f"{name}: {count}" for name, count in self.why.most_common())
        return [figure, peer, str(total), str(self.equal), str(self.why.total()), str(len(self.unexplained)), reasons]


def _radon(paths: list[Path]) -> list[str]:
    from radon.visitors import ComplexityVisitor

    progress("radon …")
    comparison = Comparison()
    for path in paths:
        visitor = ComplexityVisitor.from_code(path.read_text("utf-8"))
        theirs = {block.lineno: block.complexity for block in _radon_functions(visitor)}
        lines = Counter(function.line for function in functions(path))
        for function in functions(path):
            if function.line in theirs and lines[function.line] == 1:
                asserts = (
                    {"conditions in `assert`, which radon skips": theirs[function.line]}
                    if "assert " in function.inside
                    else {}
                )
                comparison.add(function, function.cyclomatic, theirs[function.line], asserts)
    return comparison.row("cyclomatic, Python", "radon")


def _radon_functions(visitor) -> Iterator:
    """Functions, methods and closures, each with its own complexity alone."""
    waiting = [*visitor.functions, *(method for class_ in visitor.classes for method in class_.methods)]
    waiting += [method for class_ in visitor.classes for inner in class_.inner_classes for method in inner.methods]
    while waiting:
        function = waiting.pop()
        yield function
        waiting.extend(function.closures)


_LIZARD = {
    "Python": {
        "finally": "`finally`, which lizard counts", "assert ": "`assert`, which lizard doesn't count",
        "m.loopelse": "`else` of a loop or `try`", "else:": "`else` of a loop or `try`", "match ": "`case _`",
        "function": "functions inside, which lizard counts in", "lambda": "`lambda` of several lines",
    },
    "TypeScript": {
        "?.": "`?.`, which lizard doesn't count", "function": "functions inside, which lizard splits otherwise",
        "??": "`??=`, which lizard doesn't count", "?:": "optional parameters and types, which lizard counts",
        "m.decision": "default values, which lizard doesn't count",
        "keyword": "properties called `catch`, `case` and the like, keywords to lizard",
        "${": "templates, into which lizard doesn't look",
        "conditional type": "conditional types, whose `?` lizard counts",
        "in parentheses": "decisions in parentheses that lizard takes for parameters",
        "no braces": "an arrow function without braces, whose body on the next line lizard leaves out",
    },
}  # fmt: skip


def _lizard(language: str, paths: list[Path]) -> list[str]:
    import lizard

    progress("lizard …")
    comparison = Comparison()
    for path in paths:
        try:
            theirs = {function.start_line: function for function in lizard.analyze_file(str(path)).function_list}
        except IndexError:  # lizard 1.24.3 loses its way in some files
            progress(f"  lizard can't read {path}")
            continue
        mine = list(functions(path))
        lines = Counter(function.line for function in mine)
        for function in mine:
            other = theirs.get(function.line)
            if other is not None and lines[function.line] == 1:
                reason = next((why for name, why in _LIZARD[language].items() if name in function.inside), None)
                if function.end_line != other.end_line:
                    reason = "functions that lizard ends at another line"
                known = {} if reason is None else {reason: other.cyclomatic_complexity}
                comparison.add(function, function.cyclomatic, other.cyclomatic_complexity, known)
    return comparison.row(f"cyclomatic, {language}", "lizard")
