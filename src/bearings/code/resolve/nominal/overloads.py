"""Chooses what a call means of the methods of one name: by the number of its arguments, then by their types."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from bearings.code.expressions import Expression, Function, last_name, receiver
from bearings.code.file_facts import SPLAT, CallSite, Trait
from bearings.code.models import Confidence, EdgeKind
from bearings.code.resolve.nominal.fitting import NEVER, PERHAPS, distance, fits, is_below
from bearings.code.resolve.nominal.members import MOST_OVERLOADS, Member, Members
from bearings.code.resolve.nominal.types import FUNCTION, NULL, Type, nearest
from bearings.code.symbol_keys import MARK


class Called(NamedTuple):
    """What a call means: methods; none if it `is_outside` of the project, or if nothing is known of it."""

    methods: tuple[Member, ...] = ()
    is_outside: bool = False
    confidence: Confidence = Confidence.EXACT
    receiver: Type | None = None
    is_extension: bool = False
    """Whether the receiver is the first argument."""
    is_function: bool = False
    """Whether the value of a variable is called, of the type of the receiver."""
    field: Member | None = None
    """The field that is this variable."""


class Overloads(Members, ABC):
    """The choice among the methods of a name, for one set of facts."""

    @abstractmethod
    def value(self, file: str, scope: int, expression: Expression | None, line: int) -> Type | None:
        """The type of an expression's value, or the class that it names; None if it is not known."""

    def _extensions_for(self, file: str, site: CallSite, name: str, type_: Type) -> Sequence[Member]:
        """The methods that a value of a type has by what the file imports."""
        package = self.view(file).package_at(site.scope)
        found = self.answers.answer("extensions", self._extensions, file, package, name, type_) or ()
        return [each for each in found if self._takes(each, with_receiver(site))]

    def _extensions(self, file: str, package: str, name: str, type_: Type) -> Sequence[Member]:
        self.answers.consulted.add(self._declaring.cell(file, name))
        keys = self._declaring.extensions(file, name)
        if len(keys) > MOST_OVERLOADS:
            return ()
        seen = self.seen(file, package)
        classes: dict[str, dict[str, list[Member]]] = {}
        for key in keys:
            path = key.partition(MARK)[0]
            view = self.view(path)
            index = view.index_of(key)
            scope = view.facts.shapes[index].scope
            if view.is_class(scope):
                whole, around = view.whole_name(view.bodies[scope]), view.package_at(scope)
                is_seen = around in seen or whole in seen
                first = self.parameters(Member(self.own_type(path, scope), index))[0] if is_seen else None
                if is_seen and distance(self, type_, first) > NEVER:
                    classes.setdefault(whole, {}).setdefault(path, []).append(Member(self.own_type(path, scope), index))
        found = [each for paths in classes.values() for each in paths[nearest(file, paths)]]
        compiled = [each for each in found if not self._is_conditional(each)]
        return compiled or found

    def _is_conditional(self, member: Member) -> bool:
        """Whether a method is only compiled if a symbol is defined: it may stand for one of a library."""
        return bool(self.view(member.owner.file).facts.shapes[member.symbol].traits & Trait.CONDITIONAL)

    def _takes(self, member: Member, site: CallSite) -> bool:
        """Whether a method may be called with so many arguments."""
        head = self._head(member)
        if head is None or SPLAT in site.keywords:
            return True
        if site.types and site.kind is EdgeKind.CALL and len(site.types) != head.generics:
            return False
        return all(word in head.names for word in site.keywords if word) and fits(
            len(head.names), len(site.arguments), takes_more=head.takes_more, optional=head.optional
        )

    def _places(self, member: Member, words: Sequence[str]) -> Sequence[int]:
        """For each argument, by the word before it, the place of its parameter."""
        head = self._head(member)
        names = head.names if head is not None else ()
        last = len(names) - 1
        return [names.index(word) if word and word in names else min(place, last) for place, word in enumerate(words)]

    def _picked(self, file: str, site: CallSite, members: Sequence[Member], type_: Type | None) -> Called:
        """Of some overloads those that a call may mean, by the number of its arguments, then by their types."""
        if not members:
            component = self._component(type_, last_name(site.callee)) if not site.arguments else None
            if component is not None:
                return Called((component,), receiver=type_)
            return Called(is_outside=True, receiver=type_)
        if len(members) > MOST_OVERLOADS:
            return Called()
        fitting = [each for each in members if self._takes(each, site)]
        if not fitting and self.rules.extensions:  # a member that every object has
            return Called(is_outside=True, receiver=type_)
        if len(fitting) == 1:
            return Called(tuple(fitting), receiver=type_)
        if SPLAT not in site.keywords and len(fitting) > 1:
            given = tuple([self.value(file, site.scope, each, site.line) for each in site.arguments])
            counts = tuple([self._count(file, each) for each in site.arguments]) if FUNCTION in given else ()
            best = self.answers.answer("best", self._best, tuple(fitting), given, counts, site.words)
            fitting = [*(best or fitting)]
        return Called(tuple(fitting or members), confidence=Confidence.STRONG, receiver=type_)

    def _best(
        self,
        members: Sequence[Member],
        given: Sequence[Type | None],
        counts: Sequence[int | None],
        words: Sequence[str],
    ) -> Sequence[Member]:
        """The members that arguments of some types fit best; `counts`: the parameters of those that are functions."""
        scores = [self._score(each, given, counts, words) for each in members]
        best = max(scores)
        fitting = [each for each, score in zip(members, scores, strict=True) if score == best]
        if len(fitting) > 1 and best[0]:
            return self._most_specific(fitting, given, words, is_plain=best[1])
        return fitting

    def _score(
        self, member: Member, given: Sequence[Type | None], counts: Sequence[int | None], words: Sequence[str]
    ) -> tuple[bool, bool, float, bool]:
        """Whether all arguments fit, whether without putting some into an array, how surely, and without boxing."""
        types, scores, is_plain, is_same = self.parameters(member), list[float](), not self._takes_more(member), True
        for place, (at, argument) in enumerate(zip(self._places(member, words), given, strict=True)):
            wanted = types[at] if types else None
            if not is_plain and place >= len(types) - 1 and wanted is not None:
                is_plain = (
                    len(given) == len(types)
                    and argument is not None
                    and (argument == NULL or argument.dimensions == wanted.dimensions)
                )
                wanted = wanted if is_plain else wanted.element()
            if argument == FUNCTION and wanted is not None:
                scores.append(self._of_function(wanted, counts[place]))
            else:
                scores.append(distance(self, argument, wanted))
            if argument is not None and wanted is not None and argument.name:
                is_same = is_same and self.rules.is_primitive(argument) == self.rules.is_primitive(wanted)
        if all(score > NEVER for score in scores):
            return True, is_plain, -float(scores.count(PERHAPS)), is_same
        return False, False, sum(scores), False

    def _most_specific(
        self, members: Sequence[Member], given: Sequence[Type | None], words: Sequence[str], *, is_plain: bool
    ) -> Sequence[Member]:
        """Of overloads that fit those whose parameters take least, as far as the arguments are known."""

        def wanted(member: Member) -> list[Type | None]:
            types = [*self.parameters(member)]
            if types and types[-1] is not None and not is_plain and self._takes_more(member):
                types[-1] = types[-1].element()
            places = zip(self._places(member, words), given, strict=True)
            known = (at for at, each in places if each is not None and (each.name or each.file))
            return [types[at] if types else None for at in known]

        takes = {each: wanted(each) for each in members}

        def is_narrower(one: Member, other: Member) -> bool:
            return all(is_below(self, left, right) for left, right in zip(takes[one], takes[other], strict=True))

        best = members[0]
        for each in members[1:]:
            best = each if is_narrower(each, best) else best
        found = [each for each in members if not is_narrower(best, each) or is_narrower(each, best)]
        least = min(map(self._left_out, found))
        return [each for each in found if self._left_out(each) == least]

    def _left_out(self, member: Member) -> tuple[int, bool]:
        """Of overloads that fit alike the one is meant that has least of these: parameters, then type parameters."""
        if not self.rules.by_arity:
            return 0, False
        has_generics = bool(self.view(member.owner.file).generics.get(self._inner(member)))
        return (0 if self._takes_more(member) else len(self.parameters(member))), has_generics

    def _count(self, file: str, given: Expression | None) -> int | None:
        """The number of parameters of a function without a name; None for another value."""
        is_written = type(given) is Function and given.returns is None
        return self.view(file).counts.get(given.scope, 0) if type(given) is Function and is_written else None

    def _of_function(self, wanted: Type, count: int | None) -> float:
        """How well a function without a name fits a parameter: by the number of what it takes."""
        if wanted.dimensions or self.rules.is_primitive(wanted) or wanted.name in self.rules.finals:
            return NEVER
        method = self._function_of(wanted) if wanted.is_inside else None
        if method is None:
            return NEVER if wanted.is_inside else PERHAPS
        return 2.0 if count is None or count == len(self.parameters(method)) else NEVER


def with_receiver(site: CallSite) -> CallSite:
    """A call with its receiver as the first argument."""
    return replace(site, arguments=(receiver(site.callee), *site.arguments))
