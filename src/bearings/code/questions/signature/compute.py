"""Plans a change of a signature: the heads of a family, the calls of it, and the places that forbid it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bearings.code.languages import language_of, spec_of
from bearings.code.languages.shared.occurrences import Part
from bearings.code.languages.shared.signatures import Listing, Role, SignatureRules, Site
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import HEIRS, IMPORTS, WRITTEN_CALLS, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.project.unread_languages import is_markup, is_unread
from bearings.code.questions.signature import Signature, SignatureReply
from bearings.code.questions.signature.bodies import Body, unknown_names
from bearings.code.questions.signature.change import Arguments, Change, Misfit, Unfit, change_of, parameters_of
from bearings.code.questions.signature.files import File, file_of
from bearings.code.questions.signature.forbidding import doubtful, forbidden
from bearings.code.questions.signature.lists import Draft, write_list
from bearings.code.questions.signature.lists import Part as NewItem
from bearings.code.questions.unused.public_api import is_offered
from bearings.code.refactoring.checking import damage
from bearings.code.refactoring.edits import by_path, edited
from bearings.code.refactoring.family import family
from bearings.code.refactoring.judging import NAME_READ
from bearings.code.refactoring.place import FilePlaces, Kind, Options, Place
from bearings.code.refactoring.places import Places
from bearings.code.refactoring.plans import Plan, Row
from bearings.code.refactoring.writing import carried_out
from bearings.code.replies.element import path_line
from bearings.code.search.members import constructed
from bearings.code.search.targets import find_element
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import free_names_of
from bearings.errors import InvalidInput, Unsupported

_FUNCTIONS = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.CONSTRUCTOR, SymbolKind.DECORATOR}
)
_DEFINING = frozenset({Part.BINDING, Part.HEAD, Part.DECLARED, Part.PATTERN, Part.KEY, Part.MEMBER})
_TEXTS = frozenset({Part.STRING, Part.COMMENT})
_SILENT = IMPORTS | HEIRS | {EdgeKind.TYPE, EdgeKind.REQUEST}
_EMPTY = Listing(0, 0, ())


def compute(question: Signature, view: WholeGraph) -> SignatureReply:
    """The plan, which is written unless it is refused or a dry run.

    Raises ElementNotFound, Ambiguous, InvalidInput, Unsupported, WriteFailed, Changed.
    """
    symbol = function_of(view, find_element(view.snapshot, question.element, together=True))
    draft, written = plan(view, symbol, question)
    what = f"the change of the parameters of {question.element}"
    others = {"parameters": path_line(written)}
    return carried_out(SignatureReply, view, symbol, draft, what, question.dry_run, question.max_chars, **others)


def plan(view: WholeGraph, symbol: Symbol, question: Signature) -> tuple[Plan, str]:
    """Return the plan for a function, and its parameters as they will be. Raises InvalidInput and Changed."""
    planner = _Planner(view, symbol, question)
    return planner.plan(), planner.written


def function_of(view: WholeGraph, symbol: Symbol) -> Symbol:
    """The element itself, or the constructor of a class. Raises InvalidInput, Unsupported."""
    spec = spec_of(symbol.file)
    if spec is None or spec.signature_rules is None:
        label = spec.label if spec is not None else "this language"
        raise Unsupported(
            f"signatures of {label} can't be changed", "Pass an element of Python, TypeScript or JavaScript."
        )
    rules = spec.signature_rules()
    if symbol.kind is SymbolKind.CLASS:
        own = view.snapshot.graph.members(symbol, rules.constructor)
        if not own:
            remedy = "Change the fields that it is made of, or the constructor that it inherits."
            raise InvalidInput("element", symbol.id, "has no constructor of its own", remedy)
        return own[0]
    if symbol.kind not in _FUNCTIONS:
        raise InvalidInput("element", symbol.id, f"is a {symbol.kind}", "Pass a function, a method or a class.")
    return symbol


class _Planner:
    def __init__(self, view: WholeGraph, symbol: Symbol, question: Signature) -> None:
        self._view, self._symbol, self._question = view, symbol, question
        self._snapshot = view.snapshot
        self._plan = Plan()
        self._files: dict[str, File] = {}
        self._is_made = symbol.kind is SymbolKind.CONSTRUCTOR
        self._family = family(self._snapshot, symbol)
        spec = spec_of(symbol.file)
        assert spec is not None
        assert spec.signature_rules is not None
        self._spec: LanguageSpec = spec
        self._rules: SignatureRules = spec.signature_rules()
        head = self._head_of(symbol)
        if head is None or head.listing is None or head.is_typed:
            is_typed = head is not None and head.is_typed
            problem = "has a type apart from its parameters" if is_typed else "has no list of parameters in brackets"
            raise InvalidInput("element", symbol.id, problem, "Change it by hand.")
        self._head = head
        self._change: Change = change_of(
            spec, self._rules, head, question.parameters, question.renamed or {}, question.values or {}
        )
        items = [*head.listing.items[: head.skipped], *(slot.item for slot in self._change.slots)]
        self.written = ", ".join(item.text for item in items)
        owner = self._snapshot.graph.symbols.get(symbol.parent)
        name = owner.name if self._is_made and owner is not None else symbol.name
        self._called = re.compile(rf"(?<![\w$]){re.escape(name)}\(")
        self._reordered = 0
        self._gone = set(self._change.renamed.values())
        """The words of arguments and parameters that do not stay as they are."""

    def plan(self) -> Plan:
        """The edits and the places that forbid them."""
        arguments = self._view, self._symbol, self._family, self._change
        self._plan.refused += forbidden(*arguments)
        self._doubtful.extend(doubtful(*arguments))
        for member in self._family.values():
            head = self._head_of(member)
            file = self._file(member.file)
            if head is None or file is None:
                self._refuse(member.file, member.line, "it has no list of parameters")
            else:
                file.heads.append(head)
                file.lines.add(head.line)
        targets = self._targets()
        for id_, members in targets.items():
            places = Places(self._view, self._snapshot.graph.symbols[id_], Options(), members)
            for found in places.files():
                self._sort(found)
            self._plan.note = self._plan.note or places.note
        self._unnamed({*self._family, *targets})
        for file in self._files.values():
            self._edit(file)
        self._finish()
        return self._plan

    def _targets(self) -> dict[str, Mapping[str, Symbol] | None]:
        """The elements whose names call the function, with what these names may mean: None for its family."""
        if not self._is_made:
            return {self._symbol.id: self._family}
        symbols = self._snapshot.graph.symbols
        return {id_: {id_: symbols[id_]} for id_ in constructed(self._snapshot, self._symbol)}

    def _refuse(self, path: str, line: int, why: str) -> None:
        self._plan.refused.append((path, line, why))

    @property
    def _doubtful(self) -> list[Row]:
        """The places that the caller may leave as they are."""
        return self._plan.left if self._question.leave_unsure else self._plan.refused

    def _doubt(self, row: Row, *, harmless: bool) -> None:
        (self._plan.left if harmless else self._doubtful).append(row)

    def _file(self, path: str) -> File | None:
        """A file; None for one of another language, or that can't be read."""
        if path not in self._files:
            file = file_of(self._view, path, self._rules)
            if file is None:
                return None
            self._files[path] = file
        return self._files[path]

    def _head_of(self, member: Symbol) -> Site | None:
        """The parameters of a member of the family."""
        file = self._file(member.file)
        for one in file.named(member.name) if file is not None else ():
            if member.line <= one.line <= member.end_line and one.part in _DEFINING and file is not None:
                site = file.reader.at(one.start, one.end)
                if site.role is Role.HEAD:
                    return site
        return None

    def _sort(self, places: FilePlaces) -> None:
        """Take in the places of a file."""
        for place in places.places:
            row = places.path, place.line, place.why
            if place.kind in (Kind.USE, Kind.DEFINITION, Kind.IMPORT):
                self._use(places, place)
            elif place.kind is Kind.UNSURE and not places.data:
                self._text(row)
            elif place.kind is Kind.UNSURE and place.why != NAME_READ and place.start < place.end:
                self._doubt(row, harmless=self._is_harmless(places, place))
            elif place.kind is Kind.OTHER and place.part in _TEXTS and self._shows_call(*row[:2], places, place):
                # run("f(1)"): the program may compose code of its own.
                is_code = place.part is Part.STRING and language_of(places.path) is not None
                is_code &= not places.data.startswith(b"()", places.shift + place.end)
                row = places.path, place.line, "a text that shows a call"
                self._doubt(row, harmless=self._change.harms_no_call or not is_code)

    def _text(self, row: Row) -> None:
        """Take in a line of a text that may use the function."""
        path, line, _ = row
        if self._shows_call(path, line) or language_of(path) is not None or is_markup(path):
            self._doubt(row, harmless=self._change.harms_no_call)
        else:  # [project.scripts] calls it without arguments, a batch file not at all
            is_called = not is_unread(path)
            self._doubt(row, harmless=not is_called or self._keeps(path, Site(Role.CALL, line, listing=_EMPTY)))

    def _shows_call(self, path: str, line: int, places: FilePlaces | None = None, place: Place | None = None) -> bool:
        """Whether a bracket follows the name in a text: `>>> add(1)`."""
        if places is not None and place is not None and place.end:
            return places.data.startswith(b"(", places.shift + place.end)
        return self._called.search(self._view.lines.at(path, line)) is not None

    def _is_harmless(self, places: FilePlaces, place: Place) -> bool:
        """Whether the change harms nothing that may be at a place."""
        file = self._file(places.path)
        site = file.reader.at(place.start, place.end) if file is not None else Site(Role.VALUE, place.line)
        is_harmless = self._change.harms_no_value or (site.role is Role.CALL and self._keeps(places.path, site))
        if file is not None and is_harmless:
            file.take(place.line, site)
        return is_harmless

    def _keeps(self, path: str, call: Site) -> bool:
        """Whether a call stays as it is, or can't be of the function."""
        try:
            return not self._differs(call, self._arguments(path, call))
        except Misfit:
            return self._spec.keyword_arguments
        except Unfit:
            return self._change.harms_no_call

    def _arguments(self, path: str, call: Site) -> list[NewItem]:
        """The new arguments of a call. Raises Unfit."""
        if call.listing is None:
            raise Unfit("its arguments can't be read")
        file = self._files.get(path)
        draft = file.draft if file is not None else Draft(b"")
        return Arguments(call.listing, self._skipped(path, call), self._change, draft).parts()

    @staticmethod
    def _differs(site: Site, parts: Sequence[NewItem]) -> bool:
        items = site.listing.items if site.listing is not None else ()
        return [*parts] != [NewItem(at, item.text) for at, item in enumerate(items)]

    def _use(self, places: FilePlaces, place: Place) -> None:
        file = self._file(places.path)
        if file is None:
            self._refuse(places.path, place.line, "a use in another language")
            return
        file.lines.add(place.line)
        if place.part is Part.STRING:
            self._string(places, place)
            return
        if place.kind is Kind.IMPORT or place.part in (Part.EXPORTED, Part.LISTED, Part.IMPORTED, Part.REEXPORTED):
            return
        if place.part is Part.KEY and place.kind is Kind.USE:
            self._plan.left.append((places.path, place.line, "something else may stand in for it here"))
            return
        site = file.reader.at(place.start, place.end)
        match site.role:
            case Role.HEAD if not self._is_made:
                file.heads += [site] if site not in file.heads else []
            case Role.CALL:
                file.calls[site.start] = site
                file.take(place.line, site)
            case Role.MOCK:
                self._plan.left.append((places.path, place.line, "a test looks at its calls"))
            case Role.VALUE if self._change.harms_no_value or place.kind is Kind.USE:
                why = "it is passed on here, so its calls are not known"
                self._doubt((places.path, place.line, why), harmless=self._change.harms_no_value)

    def _string(self, places: FilePlaces, place: Place) -> None:
        source = self._view.lines.at(places.path, place.line)
        if re.search(self._rules.replacing, source) or place.why:
            self._plan.left += [] if place.why else [(places.path, place.line, "something else stands in for it here")]
        elif not self._change.harms_no_value:
            self._doubtful.append((places.path, place.line, "a string that names it"))

    def _unnamed(self, ids: Iterable[str]) -> None:
        """Take in the uses that do not name the function: by an alias, by the class around."""
        edges = {edge for id_ in ids for edge in self._snapshot.graph.edges_to(id_) if edge.kind not in _SILENT}
        for edge in sorted(edges, key=lambda edge: (edge.file, edge.line)):
            file = self._file(edge.file)
            if file is not None and edge.line in (file.call_lines if edge.kind in WRITTEN_CALLS else file.lines):
                continue
            if not self._by_another_name(edge, file):
                harmless = self._change.harms_no_call if edge.kind in WRITTEN_CALLS else self._change.harms_no_value
                why = f"a {edge.kind} by another name: {edge.reason}"
                self._doubt((edge.file, edge.line, why), harmless=harmless)

    def _by_another_name(self, edge: Edge, file: File | None) -> bool:
        """Take in a call by an alias or through the class around; False if there is none."""
        if file is None or edge.kind not in WRITTEN_CALLS or edge.is_guess:
            return False
        names = {self._symbol.name} | (
            {self._snapshot.graph.symbols[self._symbol.parent].name} if self._is_made else set()
        )
        rows = self._snapshot.facts[edge.file].imports
        aliases = "|".join(re.escape(row.local) for row in rows if row.name in names and row.local)
        callee = "|".join(filter(None, (self._rules.constructions if self._is_made else "", aliases)))
        calls = file.reader.calls_on(edge.line, callee) if callee else []
        file.calls |= {call.start: call for call in calls}
        return bool(calls)

    def _edit(self, file: File) -> None:
        """Edit the heads and calls of a file, inner calls first."""
        uses: list[tuple[int, int, str]] = []
        for head in file.heads:
            if head.listing is None or head.is_typed:
                continue
            body = Body(file.named, file.text, head, self._change)
            uses += body.edit(file.draft)
            self._plan.left += [(file.path, line, "its documentation names what goes") for line in body.documented()]
        sites = *file.calls.values(), *file.heads
        for site in sorted(sites, key=lambda site: -(site.listing.start if site.listing else 0)):
            before = list(file.draft.edits)
            try:
                self._rewrite(file, site)
            except Unfit as unfit:
                rows = self._doubtful if unfit.is_unsure else self._plan.refused
                rows.append((file.path, site.line, str(unfit)))
            file.count += before != file.draft.edits
        for start, line, why in uses:
            if not any(first <= start < last for first, last in file.dropped):
                self._refuse(file.path, line, why)

    def _rewrite(self, file: File, site: Site) -> None:
        """Edit one head or one call. Raises Unfit."""
        change, rules = self._change, self._rules
        if site.role is Role.HEAD:
            others = [name for name in site.decorators if not re.fullmatch(rules.idle, name)]
            if others and not change.harms_no_value:
                raise Unfit(f"@{others[0]} may pass its arguments", is_unsure=True)
            parts = parameters_of(site, change)
        else:
            parts = self._arguments(file.path, site)
            if not self._differs(site, parts):
                return
            if site.listing is None or site.listing.start == site.end:
                raise Unfit("its arguments can't be written")
            if site.is_quoted and any(part.origin is None and re.search(r"['\"\\\n#]", part.text) for part in parts):
                raise Unfit("it stands in a string, which can't hold what it has to pass")
            given = site.listing.items
            order = [part.origin for part in parts if part.origin is not None and given[part.origin].has_effect]
            self._reordered += order != sorted(order)
        if site.listing is not None:
            origins, texts = {part.origin for part in parts}, {part.text for part in parts}
            for at, item in enumerate(site.listing.items):
                self._gone |= set() if item.text in texts else set(re.findall(r"[\w$]+", item.text))
                file.dropped += [] if at in origins else [(item.start, item.end)]
            write_list(file.draft, site.listing, parts, rules.comment)

    def _skipped(self, path: str, call: Site) -> int:
        """The arguments before the parameters: 1 if the call passes the object itself, `Cart.add(cart, 1)`.

        Raises Unfit.
        """
        if not self._head.skipped or not self._spec.keyword_arguments or "classmethod" in self._head.decorators:
            return 0
        if self._is_made and call.member != self._rules.constructor:
            return 0
        if re.fullmatch(self._rules.constructions, call.owner):
            return 1
        last = call.owner.rpartition(".")[2]
        aliased = (row.name for row in self._snapshot.facts[path].imports if row.local == last and row.name)
        name = next(aliased, last)
        if any(one.kind is SymbolKind.CLASS for one in self._snapshot.graph.called(name)):
            return 1
        if re.fullmatch(r"[A-Z]\w*", name) and not self._change.harms_no_call:
            raise Unfit(f"{name} may be a class, which is passed the object, too", is_unsure=True)
        return 0

    def _finish(self) -> None:
        """Apply the drafts, and refuse what they would break."""
        plan = self._plan
        for path, file in sorted(self._files.items()):
            if file.draft.edits:
                plan.changes.append(edited(path, file.data, file.draft.edits, file.shift))
                plan.places[path] = file.count
        if not plan.refused:
            plan.refused += self._broken()
        if self._reordered:
            plan.note += f" {self._reordered} calls evaluate arguments with effects in another order."
        if is_offered(self._snapshot, self._symbol):
            plan.note += " Its package offers it, so other projects may call it."
        plan.note = plan.note.strip()

    def _broken(self) -> Iterator[Row]:
        """The files that would have an error, and the uses that would be lost."""
        names, declared = (
            free_names_of(self._spec.language, text.encode(), 0, len(text.encode())).keys()
            for text in ("\n".join(self._change.values.values()), self._rules.head.format(self._question.parameters))
        )
        for change in self._plan.changes:
            shift, language = self._files[change.path].shift, language_of(change.path)
            assert language is not None
            before, after = ((data or b"")[shift:] for data in (change.before, change.after))
            missing = unknown_names(language, before, after, declared - names)
            self._plan.left += [(change.path, 1, f"{name} is not known here") for name in sorted(missing)]
            lacking = unknown_names(language, before, after, names)
            yield from ((change.path, 1, f"{name} of values is not known here") for name in sorted(lacking))
        found = damage(self._view, by_path(self._plan.changes))
        for path, line, why in found.all:
            # An argument or a type that goes, goes with what it uses.
            if self._gone.isdisjoint(re.findall(r"[\w$]+", why)):
                yield path, line, why
