"""Measures the complexity of each function of a file from the captures of its query.

Cyclomatic complexity (T. J. McCabe, "A Complexity Measure", IEEE TSE 2(4), 1976) is 1 + the decisions of a function,
without the decisions of inner functions. Decisions are counted as by radon 6 for Python, ESLint 10's rule `complexity`
for TypeScript and JavaScript, and gocyclo for Go: conditions of loops, branches and cases, handlers, short-circuit
operators, defaults.

Cognitive complexity (G. A. Campbell, "Cognitive Complexity: a new way of measuring understandability", SonarSource,
2018-2023) adds 1 for each break of the linear flow, 1 more for each level that it is nested in, and 1 for each
sequence of like logical operators. Inner functions count for the outer function, one level deeper, unless the outer
function only wraps them. Recursion doesn't count, because it is known only after names are resolved.

Nesting is the depth of statements as in ESLint's rule `max-depth`: `else if` is no deeper than its `if`.

Captures become events, which are sorted by position and replayed with a stack of the enclosing functions and levels.
"""

from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from bearings.code.file_facts import Measure
from bearings.code.languages import SPECS
from bearings.code.languages.line_conventions import Measuring
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.captures import Captures
from bearings.code.languages.shared.marks import CodeLines
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.parameters import parameters

_NEST, _BARRIER, _FUNCTION, DECISION, _STRUCTURE, _DEPTH, _FLAT, _AND, _OR = (1 << bit for bit in range(9))
"""The effects of an event, as bits. Of events with the same span, the one with the lowest code is the outermost."""

_UNNESTED = _FLAT | _AND | _OR

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
"""The fields of a capture whose code is nested one level deeper."""

_LOGICAL = frozenset({"binary_expression", "boolean_operator"})
_DECIDING = frozenset({"&&", "||", "??"})
_RUNS = {"&&": _AND, "and": _AND, "||": _OR, "or": _OR}
"""Operators whose sequences add to cognitive complexity; `??` is shorthand, and adds nothing."""

Event = tuple[int, int, int, int]
"""Start, minus end (so that outer events sort first), code, index of the captured function or -1."""


class Tally:
    """The counts of one function, or of the module, from which its measures are computed."""

    __slots__ = (
        "and_runs", "cyclomatic", "deepest", "flat", "function", "level", "nested", "or_runs", "outer", "structures",
    )  # fmt: skip

    def __init__(self, function: int = -1, outer: "Tally | None" = None, level: int = 0) -> None:
        self.function = function  # index of the captured function; -1 for the module, or code that runs by itself
        self.outer = outer
        self.level = level  # levels of nesting inside the outer function
        self.cyclomatic = 1
        self.structures = self.nested = self.flat = 0  # `nested`: the sum of the nesting levels of the structures
        self.and_runs = self.or_runs = 0
        self.deepest = 0

    @property
    def cognitive(self) -> int:
        """The cognitive complexity without inner functions."""
        return self.structures + self.nested + self.flat + self.and_runs + self.or_runs


def measured(builder: Builder, captures: Captures) -> tuple[Measure, ...]:
    """Return the measures of each function that is a symbol, and of the module if its own code has any decision."""
    functions = captures.of("function")
    known = builder.functions
    symbols = [known.get(node.byte_range, -1) for node in functions]
    tallies = tallied(builder, captures)
    totals = _with_inner(tallies, functions, _measuring(builder))
    nameless = _nameless_decisions(tallies, symbols)
    decides = tallies[0].cyclomatic > 1 or nameless[0] > 0
    if not decides and max(symbols, default=0) <= 0:
        return ()  # only declarations: don't count their comment lines
    lines = CodeLines(builder, captures.spans("m.comment"))
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
                parameters(node, builder.source),
                lines.of(node),
                nameless[index],
            )
    return tuple(rows.values())


def tallied(builder: Builder, captures: Captures) -> list[Tally]:
    """Return the tallies of the module and of every captured function, outermost first."""
    module = Tally()
    tallies = [module]
    end, nesting, depth, tally = len(builder.source) + 1, 0, 0, module  # the current state, valid up to byte `end`
    enclosing: list[tuple[int, int, int, Tally]] = []  # the states to return to
    for start, minus_end, code, function in sorted(_events(builder, captures)):
        while end <= start:
            end, nesting, depth, tally = enclosing.pop()
        if code & _NEST:
            enclosing.append((end, nesting, depth, tally))
            end, nesting = -minus_end, nesting + 1
        elif code & (_FUNCTION | _BARRIER):
            enclosing.append((end, nesting, depth, tally))
            tally = Tally(function, tally, nesting)
            tallies.append(tally)
            end, nesting, depth = -minus_end, 0, 0
        else:
            if code & DECISION:
                tally.cyclomatic += 1
            if code & _STRUCTURE:
                tally.structures += 1
                tally.nested += nesting
            elif code & _UNNESTED:
                _count(tally, code)
            if code & _DEPTH:
                enclosing.append((end, nesting, depth, tally))
                end, depth = -minus_end, depth + 1
                tally.deepest = max(tally.deepest, depth)
    return tallies


def _count(tally: Tally, code: int) -> None:
    """Count an event that costs the same at every level: a jump, an `else`, a run of operators."""
    if code & _FLAT:
        tally.flat += 1
    elif code & _AND:
        tally.and_runs += 1
    elif code & _OR:
        tally.or_runs += 1


def _measuring(builder: Builder) -> Measuring:
    measuring = SPECS[builder.language].measuring
    return _PLAIN if measuring is None else measuring()


def _holds_at_top(_: Node | None, at_top: bool, structures: int) -> bool:
    """Whether a function is at the top level and has no structures of its own.

    This is Campbell's exception for functions that stand in for classes in JavaScript.
    """
    return at_top and not structures


def _holds_never(_: Node | None, at_top: bool, structures: int) -> bool:  # noqa: ARG001 - as Measuring says
    return False


ALL_NEST = Measuring(only_holds=_holds_never)
"""The rules of a language in which every inner function is nested one level deeper."""
_PLAIN = Measuring(only_holds=_holds_at_top)
"""The rules of a language without rules of its own."""


def _with_inner(tallies: list[Tally], functions: list[Node], measuring: Measuring) -> list[int]:
    """Return each function's cognitive complexity with its inner functions.

    Each structure of an inner function also counts the inner function's own nesting level, and 1 unless the outer
    function only wraps others.
    """
    index_of = {id(tally): index for index, tally in enumerate(tallies)}
    totals = [tally.cognitive for tally in tallies]
    structures = [tally.structures for tally in tallies]
    only_holds: dict[int, bool] = {}
    for index in range(len(tallies) - 1, 0, -1):
        outer = tallies[index].outer
        if outer is None or outer is tallies[0]:  # a function in the module is not nested
            continue
        around = index_of[id(outer)]
        if around not in only_holds:
            node = functions[outer.function] if outer.function >= 0 else None
            only_holds[around] = measuring.only_holds(node, outer.outer is tallies[0], outer.structures)
        holds = only_holds[around]
        totals[around] += totals[index] + structures[index] * (tallies[index].level + (not holds))
        structures[around] += structures[index]
    return totals


def _nameless_decisions(tallies: list[Tally], symbols: list[int]) -> list[int]:
    """Return the decisions in each function's nameless inner functions, which have no measures of their own."""
    index_of = {id(tally): index for index, tally in enumerate(tallies)}
    decisions = [0] * len(tallies)
    for index in range(len(tallies) - 1, 0, -1):
        tally = tallies[index]
        if tally.outer is not None and (tally.function < 0 or symbols[tally.function] < 0):
            decisions[index_of[id(tally.outer)]] += decisions[index] + tally.cyclomatic - 1
    return decisions


def _events(builder: Builder, captures: Captures) -> list[Event]:
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
    measuring = _measuring(builder)
    events += measuring.events(builder, captures) if measuring.events is not None else ()
    for index, node in enumerate(captures.of("function")):
        body = node.child_by_field_name("body") if measuring.body_alone else None
        start, end = (body or node).byte_range
        events.append((start, -end, _FUNCTION, index))
    return events


def _branches(captures: Captures) -> list[Event]:
    """Return the events of `if` and `else`. An `else if` is one flat branch, not an `if` nested in an `else`."""
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
    """Return events that nest the code in the spans one level deeper."""
    return [(start, -end, _NEST, -1) for start, end in spans]


def _logical(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the binary expressions whose operator short-circuits."""
    for node in nodes:
        operator = node.child_by_field_name("operator")
        if operator is not None and operator.type in _DECIDING:
            yield node


def _sequences(nodes: Iterable[Node]) -> list[Event]:
    """Return one event for each run of like operators, in the order of the source; parentheses don't end a run."""
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
        (*span, _RUNS[operator], -1)
        for span, group in zip(starts, groups, strict=True)
        for operator in _runs(sorted(group))
        if operator in _RUNS
    ]


def _bare(node: Node | None) -> Node | None:
    """Return an expression without the parentheses around it."""
    while node is not None and node.type == "parenthesized_expression":
        node = first(node)
    return node


def _runs(operators: list[tuple[int, str]]) -> list[str]:
    kinds = [kind for _, kind in operators]
    return [kind for index, kind in enumerate(kinds) if index == 0 or kinds[index - 1] != kind]
