"""How complex each function of a file is, read off the captures of the one query.

Cyclomatic complexity (T. J. McCabe, "A Complexity Measure", IEEE TSE 2(4), 1976) is 1 + the decisions of a function
without those of functions inside it, counted as radon 6 does for Python, as ESLint 10's rule `complexity` does for
TypeScript and JavaScript, and as gocyclo does for Go: conditions of loops, branches and cases, handlers, short-circuit
operators, defaults.

Cognitive complexity (G. A. Campbell, "Cognitive Complexity: a new way of measuring understandability", SonarSource,
2018-2023) adds 1 for each break of the linear flow, 1 more for each level that it is nested in, and 1 for each
sequence of like logical operators; functions inside a function count for it, one level deeper, unless all that the
outer one does is to hold them. Recursion is known only when names are resolved: it is not in here.

Nesting is the depth of statements as ESLint's rule `max-depth` has it: `else if` is no deeper than its `if`.
"""

from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from bearings.code.languages import SPECS
from bearings.code.languages.line_conventions import Measuring
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.marks import CodeLines
from bearings.code.languages.shared.parameters import parameters
from bearings.code.languages.shared.source_text import first
from bearings.code.languages.shared.trees import Captures
from bearings.code.models import Measure

_NEST, _BARRIER, _FUNCTION, DECISION, _STRUCTURE, _DEPTH, _FLAT, _AND, _OR = (1 << bit for bit in range(9))
"""What an event says, and does. Of those with the same extent the ones with the lowest sum are the outermost."""

_FREE = _FLAT | _AND | _OR

_SIMPLE: Mapping[str, int] = {
    "m.elif": DECISION | _FLAT,
    "m.loop": DECISION | _STRUCTURE | _DEPTH,
    "m.switch": _STRUCTURE | _DEPTH,
    "m.case": DECISION,
    "m.catch": DECISION | _STRUCTURE,
    "m.try": _DEPTH,
    "m.with": _DEPTH,
    "m.ternary": DECISION | _STRUCTURE,
    "m.decision": DECISION,
    "m.jump": _FLAT,
    "m.loopelse": DECISION | _FLAT,
    "m.barrier": _BARRIER,
}
_INNER: Mapping[str, tuple[str, ...]] = {
    "m.if": ("consequence",),
    "m.elif": ("consequence",),
    "m.loop": ("body",),
    "m.switch": ("body",),
    "m.ternary": ("consequence", "alternative"),
}
"""The fields in which one is nested."""

_LOGICAL = frozenset({"binary_expression", "boolean_operator"})
_DECIDING = frozenset({"&&", "||", "??"})
_RUNS = {"&&": _AND, "and": _AND, "||": _OR, "or": _OR}
"""Operators whose sequences count; `??` is shorthand, and free."""

Event = tuple[int, int, int, int]
"""Start, minus end (so that the outermost come first), what it is, and which of the captured functions."""


class Tally:
    """What is counted of one function, or of the module: the parts that its measures are made of."""

    __slots__ = (
        "and_runs", "cyclomatic", "deepest", "flat", "function", "level", "nested", "or_runs", "outer", "structures",
    )  # fmt: skip

    def __init__(self, function: int = -1, outer: "Tally | None" = None, level: int = 0) -> None:
        self.function = function  # which of the captured ones; -1 for the module, or code that runs by itself
        self.outer = outer
        self.level = level  # how deep it is nested in the outer one
        self.cyclomatic = 1
        self.structures = self.nested = self.flat = 0  # `nested` is what structures get for their nesting
        self.and_runs = self.or_runs = 0
        self.deepest = 0

    @property
    def cognitive(self) -> int:
        """Its own, without the functions inside it."""
        return self.structures + self.nested + self.flat + self.and_runs + self.or_runs


def measured(into: Builder, captures: Captures) -> tuple[Measure, ...]:
    """The measures of each function that is a symbol, and of the module if any of its own code decides something."""
    functions = captures.of("function")
    known = into.functions
    symbols = [known.get(node.byte_range, -1) for node in functions]
    tallies = tallied(into, captures)
    totals = _with_inner(tallies, functions, _measuring(into))
    nameless = _nameless(tallies, symbols)
    decides = tallies[0].cyclomatic > 1 or nameless[0] > 0
    if not decides and max(symbols, default=0) <= 0:
        return ()  # nothing but declarations: no comments need be counted
    lines = CodeLines(into, captures.spans("m.comment"))
    rows: dict[int, Measure] = {}
    if decides:
        rows[0] = Measure(0, tallies[0].cyclomatic, totals[0], tallies[0].deepest, 0, lines.all(), nameless[0])
    for index, tally in enumerate(tallies):
        if tally.function >= 0 and (symbol := symbols[tally.function]) > 0:
            node = functions[tally.function]
            rows[symbol] = Measure(
                symbol,
                tally.cyclomatic,
                totals[index],
                tally.deepest,
                parameters(node, into.source),
                lines.of(node),
                nameless[index],
            )
    return tuple(rows.values())


def tallied(into: Builder, captures: Captures) -> list[Tally]:
    """The tallies of the module and of every captured function, outermost first."""
    module = Tally()
    tallies = [module]
    end, nesting, depth, tally = len(into.source) + 1, 0, 0, module  # levels of nesting and of statements up to there
    around: list[tuple[int, int, int, Tally]] = []  # the same of what is around
    for start, minus_end, code, function in sorted(_events(into, captures)):
        while end <= start:
            end, nesting, depth, tally = around.pop()
        if code & _NEST:
            around.append((end, nesting, depth, tally))
            end, nesting = -minus_end, nesting + 1
        elif code & (_FUNCTION | _BARRIER):
            around.append((end, nesting, depth, tally))
            tally = Tally(function, tally, nesting)
            tallies.append(tally)
            end, nesting, depth = -minus_end, 0, 0
        else:
            if code & DECISION:
                tally.cyclomatic += 1
            if code & _STRUCTURE:
                tally.structures += 1
                tally.nested += nesting
            elif code & _FREE:
                _count(tally, code)
            if code & _DEPTH:
                around.append((end, nesting, depth, tally))
                end, depth = -minus_end, depth + 1
                tally.deepest = max(tally.deepest, depth)
    return tallies


def _count(tally: Tally, code: int) -> None:
    """Takes what is not nested: a jump, an `else`, a run of operators."""
    if code & _FLAT:
        tally.flat += 1
    elif code & _AND:
        tally.and_runs += 1
    elif code & _OR:
        tally.or_runs += 1


def _measuring(into: Builder) -> Measuring:
    measuring = SPECS[into.language].measuring
    return _PLAIN if measuring is None else measuring()


def _holds_at_top(_: Node | None, at_top: bool, structures: int) -> bool:
    """A function at the top without structures of its own (Campbell's exception for JavaScript's missing classes)."""
    return at_top and not structures


_PLAIN = Measuring(only_holds=_holds_at_top)
"""Of a language that says nothing of its own."""


def _with_inner(tallies: list[Tally], functions: list[Node], measuring: Measuring) -> list[int]:
    """Cognitive complexity with the functions inside: each of their structures is one level deeper, and where it is.

    Not deeper inside a function that only holds others.
    """
    place = {id(tally): index for index, tally in enumerate(tallies)}
    totals = [tally.cognitive for tally in tallies]
    structures = [tally.structures for tally in tallies]
    for index in range(len(tallies) - 1, 0, -1):
        outer = tallies[index].outer
        if outer is None or outer is tallies[0]:  # what stands in the module is nested in nothing
            continue
        node = functions[outer.function] if outer.function >= 0 else None
        holds = measuring.only_holds(node, outer.outer is tallies[0], outer.structures)
        into = place[id(outer)]
        totals[into] += totals[index] + structures[index] * (tallies[index].level + (not holds))
        structures[into] += structures[index]
    return totals


def _nameless(tallies: list[Tally], symbols: list[int]) -> list[int]:
    """Decisions in the functions inside that have no name of their own, so that no other row tells of them."""
    place = {id(tally): index for index, tally in enumerate(tallies)}
    found = [0] * len(tallies)
    for index in range(len(tallies) - 1, 0, -1):
        tally = tallies[index]
        if tally.outer is not None and (tally.function < 0 or symbols[tally.function] < 0):
            found[place[id(tally.outer)]] += found[index] + tally.cyclomatic - 1
    return found


def _events(into: Builder, captures: Captures) -> list[Event]:
    events: list[Event] = []
    for name, code in _SIMPLE.items():
        events += [(start, -end, code, -1) for start, end in captures.spans(name)]
    for name, fields in _INNER.items():
        for field in fields:
            events += nests(captures.spans(name, field))
    events += nests(node.named_children[-1].byte_range for node in captures.of("m.catch") if node.named_child_count)
    events += nests(captures.spans("m.inside"))
    events += _branches(captures)
    logical = [*captures.of("m.logical"), *_logical(captures.of("m.binary"))]
    events += [(start, -end, DECISION, -1) for start, end in [node.byte_range for node in logical]]
    events += _sequences(logical)
    measuring = _measuring(into)
    events += measuring.events(into, captures) if measuring.events is not None else ()
    for index, node in enumerate(captures.of("function")):
        body = node.child_by_field_name("body") if measuring.body_alone else None
        start, end = (body or node).byte_range
        events.append((start, -end, _FUNCTION, index))
    return events


def _branches(captures: Captures) -> list[Event]:
    """The events of `if`, which is flat as the only thing after `else`, and of `else`."""
    events: list[Event] = []
    else_ifs = set()
    for node in captures.of("m.else"):
        chained = [child.byte_range for child in node.named_children if child.type == "if_statement"]
        else_ifs.update(chained)
        if not chained:
            events += [(node.start_byte, -node.end_byte, code, -1) for code in (_FLAT, _NEST)]
    for node in captures.of("m.elseblock"):
        events += [(node.start_byte, -node.end_byte, code, -1) for code in (_FLAT, _NEST)]
    else_ifs.update(captures.spans("m.elseif"))
    for start, end in captures.spans("m.if"):
        code = _FLAT if (start, end) in else_ifs else _STRUCTURE | _DEPTH
        events.append((start, -end, DECISION | code, -1))
    return events


def nests(spans: Iterable[tuple[int, int]]) -> list[Event]:
    """Events that nest what is at some extents."""
    return [(start, -end, _NEST, -1) for start, end in spans]


def _logical(nodes: Iterable[Node]) -> Iterator[Node]:
    """Those of binary expressions that decide."""
    for node in nodes:
        operator = node.child_by_field_name("operator")
        if operator is not None and operator.type in _DECIDING:
            yield node


def _sequences(nodes: Iterable[Node]) -> list[Event]:
    """One event for each run of like operators, in the order in which they are read; parentheses don't end a run."""
    group_of: dict[tuple[int, int], int] = {}
    groups: list[list[tuple[int, str]]] = []
    starts: list[tuple[int, int]] = []
    for node in sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte)):
        group = group_of.get(node.byte_range)
        if group is None:
            group = len(groups)
            groups.append([])
            starts.append((node.start_byte, -node.end_byte))
        operator = node.child_by_field_name("operator")
        if operator is not None:
            groups[group].append((operator.start_byte, operator.type))
        for field in ("left", "right"):
            child = _bare(node.child_by_field_name(field))
            if child is not None and child.type in _LOGICAL:
                group_of[child.byte_range] = group
    return [
        (*place, _RUNS[operator], -1)
        for place, group in zip(starts, groups, strict=True)
        for operator in _runs(sorted(group))
        if operator in _RUNS
    ]


def _bare(node: Node | None) -> Node | None:
    """What is inside the parentheses, if there are any."""
    while node is not None and node.type == "parenthesized_expression":
        node = first(node)
    return node


def _runs(operators: list[tuple[int, str]]) -> list[str]:
    kinds = [kind for _, kind in operators]
    return [kind for index, kind in enumerate(kinds) if index == 0 or kinds[index - 1] != kind]
