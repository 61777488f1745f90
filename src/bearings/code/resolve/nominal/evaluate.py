"""Evaluates expressions to types, and calls to the methods that they mean.

cart.items().get(0).price()     by the declared types of `cart`, of the result of `items`, of its elements
total(cart, 2)                  of the methods `total` of the class, those above and around it, the overload that fits
carts.each(c -> c.total())      `c` is what the one method without a body of the parameter's type takes
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from bearings.code.expressions import (
    SUPER,
    Expression,
    Function,
    Item,
    Listed,
    Parameter,
    Properties,
    Result,
    Step,
    Take,
    Typed,
    last_name,
    receiver,
    split,
)
from bearings.code.file_facts import SPLAT, Binding, CallSite, Trait
from bearings.code.models import Confidence, EdgeKind, SymbolKind
from bearings.code.resolve.nominal.classes import METHODS, VALUES
from bearings.code.resolve.nominal.fitting import NEVER, PERHAPS, distance, fits, is_below
from bearings.code.resolve.nominal.names import TypeNames
from bearings.code.resolve.nominal.types import FUNCTION, NULL, Type, nearest, substituted
from bearings.code.symbol_keys import MARK
from bearings.code.type_expressions import IndexedType

_NEW = EdgeKind.NEW
_GUESS = Confidence.HEURISTIC
_MOST_OVERLOADS = 200
"""Overloads of a name to choose from by types; a call of one of more is left to a guess by name."""
FROM_ARGUMENTS = frozenset({"@given", "@holding", "@class", "@mapped", "@returned"})
"""Results that depend on the arguments of a call, not on its object."""
OUTSIDE = Type("")
"""A type from outside of which nothing is known."""


class Member(NamedTuple):
    """A member of a class: the class, with its arguments, and the index of its symbol in the file of the class."""

    owner: Type
    symbol: int


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


class Evaluator(TypeNames):
    """Evaluates expressions for one set of facts."""

    def value(self, file: str, scope: int, expression: Expression | None, line: int) -> Type | None:
        """The type of an expression's value, or the class that it names; None if it is not known."""
        if expression is None or not self.answers.enter():
            return None
        root, steps = split(expression)
        found: Type | None = None
        if type(root) is str:
            found, steps = self._name(file, scope, root, steps, line)
        elif type(root) is Typed:
            if isinstance(root.type, IndexedType):
                place = root.type.key if isinstance(root.type.key, int) else 0
                found = self._parameter_of(self.resolved(file, scope, root.type.base), place)
            else:
                found = self.resolved(file, scope, root.type)
        elif type(root) is Result:
            found = self.result(file, root.site)
        elif type(root) is Parameter:
            found = self._passed(file, root)
        elif type(root) is Function:
            found = FUNCTION
        elif type(root) is Properties:
            found = self.own_type(file, root.scope)
        elif type(root) is Listed:
            found = self._element(file, scope, root, steps[0], line) if steps else None
            steps = steps[1:]
        for step in steps:
            found = self._step(found, step)
        self.answers.leave()
        return found

    def _name(
        self, file: str, scope: int, name: str, steps: Sequence[Step], line: int
    ) -> tuple[Type | None, Sequence[Step]]:
        """The type of a name, and the steps from there: a package has several names."""
        if name in ("this", "super"):
            return self._this(file, scope), steps
        known = self.named_value(file, scope, name, line)
        if isinstance(known, Binding):
            return self._row(file, known), steps
        if known is not None:
            return self.field_type(known), steps
        found = self.type_named(file, scope, name)
        if found.file or not steps:
            is_method = self.rules.extensions and not found.file and self.named_methods(file, scope, name)
            return FUNCTION if is_method else found, steps
        names = [name]
        for place, step in enumerate(steps):
            if type(step) is not str:
                break
            names.append(step)
            whole = self.qualified(file, ".".join(names))
            if whole is not None:
                return whole, steps[place + 1 :]
        return found, steps

    def named_methods(self, file: str, scope: int, name: str) -> Sequence[Member]:
        """The methods that a name alone means: of the functions and classes around it, or imported."""
        view = self.view(file)
        for current in self._scopes(file, scope):
            own = self.own_type(file, current)
            is_class = view.is_class(current)
            methods = self.methods(own, name) if is_class else tuple(self._members((own,), name, METHODS))
            if methods or (is_class and self._component(own, name) is not None):
                return methods
        owners = (self.methods(owner, name) for owner in self.imported_owners(file, name))
        return next((methods for methods in owners if methods), ())

    def named_value(self, file: str, scope: int, name: str, line: int) -> "Binding | Member | None":
        """The local or the field that a name alone means."""
        view = self.view(file)
        for current in self._scopes(file, scope):
            row = view.local(current, name, line)
            if row is not None:
                return row
            field = self.field(self.own_type(file, current), name) if view.is_class(current) else None
            if field is not None:
                return field
        fields = (self.field(owner, name) for owner in self.imported_owners(file, name))
        return next((field for field in fields if field is not None), None)

    def _scopes(self, file: str, scope: int) -> Iterator[int]:
        scopes = self.view(file).facts.scopes
        while scope >= 0:
            yield scope
            scope = scopes[scope].parent

    def imported_owners(self, file: str, name: str) -> Iterator[Type]:
        """The classes whose members a file can name alone: by the imports of a name, and of all names."""
        for entry in self.view(file).imports.get(name, ()):
            owner = self.qualified(file, entry.module.rpartition(".")[0]) if entry.name else None
            if owner is not None:
                yield owner
        cached = self.answers.ask(("stars", file))
        if cached is not None:
            yield from cached.value or ()
        else:
            found = (self.qualified(file, module) for module in self.stars(file))
            yield from self.answers.close(tuple(owner for owner in found if owner is not None))

    def _row(self, file: str, row: Binding) -> Type | None:
        cached = self.answers.ask(("row", file, row.scope, row.name, row.line))
        if cached is not None:
            known: Type | None = cached.value
            return known
        if row.type is not None:
            return self.answers.close(self.resolved(file, row.scope, row.type))
        return self.answers.close(self.value(file, row.scope, row.value, row.line))

    def field(self, type_: Type, name: str) -> Member | None:
        """The field of a class, or of one above it."""
        view = self.view(type_.file) if type_.is_inside else None
        for index in view.members.get((type_.scope, name), ()) if view is not None else ():
            if view is not None and view.facts.symbols[index].kind in VALUES:
                return Member(type_, index)
        cached = self.answers.ask(("field", type_, name))
        found: Member | None = cached.value if cached is not None else self.answers.close(self._field(type_, name))
        return found

    def _field(self, type_: Type, name: str) -> Member | None:
        return next(self._members(self.supers(type_), name, VALUES), None)

    def _members(self, types: Sequence[Type], name: str, kinds: Collection[SymbolKind]) -> Iterator[Member]:
        """The members of a name and of some kinds in each of some classes."""
        for each in types:
            if each.is_inside:
                view = self.view(each.file)
                for index in view.members.get((each.scope, name), ()):
                    if view.facts.symbols[index].kind in kinds:
                        yield Member(each, index)

    def field_type(self, field: Member) -> Type | None:
        """The type of a field."""
        owner, index = field
        shape = self.view(owner.file).facts.shapes[index]
        return substituted(self.resolved(owner.file, shape.scope, shape.type), self.arguments_of(owner))

    def _step(self, type_: Type | None, step: Step) -> Type | None:
        if isinstance(step, Item):
            return self._taken(type_, step) if type_ is not None else None
        type_ = self.bound(type_)
        if type_ is None:
            return None
        if not type_.is_inside:
            names = type_.name[1:].split(",") if type_.name[:1] == "(" else ()  # a tuple's type has their names
            if step in names:
                return type_.arguments[names.index(step)]
            known = self.rules.values.get(step)
            is_known = known is not None and not (type_.dimensions and known[:1] == "@")
            return self._of_object(known, type_) if known is not None and is_known else OUTSIDE
        field = self.field(type_, step)
        return self.field_type(field) if field is not None else self.inner_type(type_, step) or OUTSIDE

    def _element(self, file: str, scope: int, listed: Listed, step: Step, line: int) -> Type | None:
        """The type of an element of a list of values, or of their sum: see languages/shared/nominal.py."""
        found: Type | None = None
        for each in (listed.element, *listed.also):
            type_ = self.value(file, scope, each, line)
            if isinstance(step, Item) and step.key:
                if type_ is None:
                    return None
                found = type_ if found is None else self.rules.sum(found, type_)
            elif found is None or type_ is None or found.erased == type_.erased:
                found = found or type_
            else:
                shared = {one.erased for one in self.supers(type_)}
                above = next((one for one in self.supers(found) if one.erased in shared), None)
                found = above or self.rules.sum(found, type_)
                if found is None:
                    return None
        return found

    def _container(self, type_: Type) -> Type | None:
        """The class from outside with arguments that a type is, or that is above it."""
        return next((each for each in self.supers(type_) if not each.file and each.arguments), None)

    def _taken(self, type_: Type, step: Item) -> Type | None:
        """What a loop, an index, `await` or a pattern takes from a value."""
        if step.take is Take.AWAITED:
            promise = self._container(type_)
            is_promise = promise is not None and promise.name in self.rules.promises
            return promise.arguments[-1] if is_promise and promise is not None else type_
        if type_.dimensions:
            return type_.element()
        if type_.arguments and step.index >= 0:
            return type_.arguments[step.index] if step.index < len(type_.arguments) else None
        if step.take is Take.EACH:
            return self._held(type_)
        if not self.rules.pair:
            return None
        type_ = self.bound(type_) or type_
        indexer = next(self._members(self.supers(type_), "this", METHODS), None)
        if indexer is not None:
            shape = self.view(indexer.owner.file).facts.shapes[indexer.symbol]
            result = shape.head.result if shape.head is not None else None
            return substituted(self.resolved(indexer.owner.file, shape.inner, result), self.arguments_of(indexer.owner))
        container = self._container(type_)
        return container.arguments[-1] if container is not None else None

    def _held(self, type_: Type) -> Type | None:
        """What a loop takes from an array or from a container from outside."""
        if type_.dimensions:
            return type_.element()
        container = self._container(self.bound(type_) or type_)
        if container is None:
            return None
        is_pair = len(container.arguments) == 2 and self.rules.pair and container.name != "IGrouping"
        return Type(self.rules.pair, arguments=container.arguments) if is_pair else container.arguments[-1]

    # Calls

    def result(self, file: str, number: int) -> Type | None:
        """The type of what a call returns, or of the object that it constructs."""
        cached = self.answers.ask(("result", file, number), deeper=True)
        if cached is not None:
            known: Type | None = cached.value
            return known
        found = self.answers.close(self._result(file, number))
        self.answers.leave()
        return found

    def _result(self, file: str, number: int) -> Type | None:
        site = self.view(file).facts.sites[number]
        called = self.call(file, number)
        if not called.methods:
            return self._outside_result(file, site, called) if called.is_outside else None
        site = _with_receiver(site) if called.is_extension else site
        first, *others = (self._returned(file, site, each) for each in called.methods)
        if any(other is None or first is None or other.erased != first.erased for other in others):
            return None  # overloads that give different types
        return first

    def _returned(self, file: str, site: CallSite, member: Member) -> Type | None:
        """The type of what a call of a method or of a record's component gives."""
        owner, index = member
        facts = self.view(owner.file).facts
        shape = facts.shapes[index]
        if facts.symbols[index].kind in VALUES:
            return self.field_type(member)
        found = self.resolved(owner.file, shape.inner, shape.head.result) if shape.head is not None else None
        found = substituted(found, self.arguments_of(owner))
        found = substituted(found, self._inferred(file, site, member))
        if found is not None and found.is_variable and (found.file, found.scope) == (owner.file, shape.inner):
            row = self.view(found.file).variable(found.scope, found.name)
            return self.bound(found) if row is not None and row.type is not None else None
        return found

    def _outside_result(self, file: str, site: CallSite, called: Called) -> Type | None:
        """The type of the result of a method from outside."""
        name, owner = last_name(site.callee), called.receiver
        known = self.rules.results.get(name, "")
        if called.is_function and owner is not None:
            return self._given_back(owner)
        if owner is not None and name not in self.rules.results and all(one.is_inside for one in self.supers(owner)):
            return None  # a tool writes the method, when the project is built
        if known == "@collected":  # by the collector
            inner = site.arguments[0] if site.arguments else None
            callee = self.view(file).facts.sites[inner.site].callee if type(inner) is Result else ""
            known = self.rules.results.get(last_name(callee), "")
        if known in FROM_ARGUMENTS:
            return self._from_arguments(file, site, known) or OUTSIDE
        return self._of_object(known, owner)

    def _of_object(self, known: str, owner: Type | None) -> Type | None:
        """A type by its name, or what a rule takes of the arguments of an object's type."""
        if known[:1] != "@":
            return Type(known)
        if known[:5] == "@each":
            each = self._held(owner) if owner is not None else None
            return each if known == "@each" else Type("", arguments=(each,))
        container = self._container(owner) if owner is not None else None
        if container is None:  # of an array, or of an enumeration
            return OUTSIDE if owner is None else owner._replace(dimensions=owner.dimensions + (known == "@lasts"))
        first, last = container.arguments[0], container.arguments[-1]
        held = {"@first": (first,), "@last": (last,), "@firsts": (first,), "@lasts": (last,)}.get(known)
        if held is not None:
            return Type("", arguments=held) if known[-1] == "s" else held[0]
        return Type("", arguments=(Type("", arguments=container.arguments),)) if known == "@pairs" else owner

    def _from_arguments(self, file: str, site: CallSite, known: str) -> Type | None:
        """The type of the result of a method from outside, by its arguments: see NominalRules."""
        given = site.arguments[0] if site.arguments else None
        if known in ("@mapped", "@returned"):
            found = self._returned_by(file, given) if type(given) is Function else None
        elif known == "@class":
            types = (self.value(file, site.scope, each, site.line) for each in site.arguments)
            named = next((each for each in types if each is not None and each.name == self.rules.class_of), None)
            return named.arguments[0] if named is not None and named.arguments else None
        else:
            found = self.value(file, site.scope, given, site.line)
        if known in ("@mapped", "@holding") and found is not None:
            return Type("", arguments=(self.rules.boxed(found),))
        return found

    def call(self, file: str, number: int) -> Called:
        """What a call means, or a construction: its constructors."""
        cached = self.answers.ask(("call", file, number))
        found: Called | None = cached.value if cached is not None else self.answers.close(self._call(file, number))
        return found or Called()

    def _call(self, file: str, number: int) -> Called:
        site = self.view(file).facts.sites[number]
        name, left = last_name(site.callee), receiver(site.callee)
        if site.kind is _NEW:
            if type(site.callee) is str:
                type_ = self.type_named(file, site.scope, site.callee, arity=len(site.types))
            else:
                type_ = self.value(file, site.scope, site.callee, site.line) or OUTSIDE
            makers = self.view(type_.file).constructors.get(type_.scope, ()) if type_.is_inside else ()
            return self._picked(file, site, [Member(type_, index) for index in makers], type_)
        if left is None:
            return self._bare(file, site, name)
        if left == "super":
            above = self.supers(self._this(file, site.scope))[1:]
            return self._picked(file, site, self._methods(above, name), None)
        if type(left) is str and left.startswith(SUPER):  # of an interface, or of a class around: of what is above it
            named = self.type_named(file, site.scope, left[len(SUPER) : -1])
            is_around = any(self.own_type(file, each) == named for each in self._scopes(file, site.scope))
            return self._picked(file, site, self._methods(self.supers(named)[is_around:], name), None)
        given = self.value(file, site.scope, left, site.line)
        if given is None:
            return Called()
        limits = self.limits(given) if given.is_variable and not given.dimensions else (given,)
        owner = next((limit for limit in limits if self.methods(limit, name)), limits[0] if limits else None)
        if owner is None:
            return Called()
        methods = self.methods(owner, name)
        if self.rules.extensions and not any(self._takes(each, site) for each in methods):
            extended = self._extensions_for(file, site, name, owner)
            if extended:
                called = self._picked(file, _with_receiver(site), extended, owner)
                is_known = not owner.is_inside and name in self.rules.results
                is_guess = is_known or any(map(self._is_conditional, called.methods))
                return called._replace(is_extension=True, confidence=_GUESS if is_guess else called.confidence)
        return self._picked(file, site, methods, owner)

    def _extensions_for(self, file: str, site: CallSite, name: str, type_: Type) -> Sequence[Member]:
        """The methods that a value of a type has by what the file imports."""
        package = self.view(file).package_at(site.scope)
        cached = self.answers.ask(("extensions", file, package, name, type_))
        found: Sequence[Member] = (
            cached.value if cached is not None else self.answers.close(self._extensions(file, package, name, type_))
        )
        return [each for each in found or () if self._takes(each, _with_receiver(site))]

    def _extensions(self, file: str, package: str, name: str, type_: Type) -> Sequence[Member]:
        self.answers.consulted.add(self._declaring.cell(file, name))
        keys = self._declaring.extensions(file, name)
        if len(keys) > _MOST_OVERLOADS:
            return ()
        seen, stars = self.packages(package), set(self.stars(file))
        classes: dict[str, dict[str, list[Member]]] = {}
        for key in keys:
            path = key.partition(MARK)[0]
            view = self.view(path)
            index = view.index_of(key)
            scope = view.facts.shapes[index].scope
            if view.is_class(scope):
                whole, around = view.whole_name(view.bodies[scope]), view.package_at(scope)
                is_seen = around in seen or not stars.isdisjoint((around, whole))
                first = self.parameters(Member(self.own_type(path, scope), index))[0] if is_seen else None
                if is_seen and distance(self, type_, first) > NEVER:
                    classes.setdefault(whole, {}).setdefault(path, []).append(Member(self.own_type(path, scope), index))
        found = [each for paths in classes.values() for each in paths[nearest(file, paths)]]
        compiled = [each for each in found if not self._is_conditional(each)]
        return compiled or found

    def _is_conditional(self, member: Member) -> bool:
        """Whether a method is only compiled if a symbol is defined: it may stand for one of a library."""
        return bool(self.view(member.owner.file).facts.shapes[member.symbol].traits & Trait.CONDITIONAL)

    def _this(self, file: str, scope: int) -> Type:
        view = self.view(file)
        own = next((each for each in self._scopes(file, scope) if view.is_class(each)), -1)
        return self.own_type(file, own) if own >= 0 else OUTSIDE

    def _bare(self, file: str, site: CallSite, name: str) -> Called:
        """The call of a method by its name alone: of the classes around it, of those above them, or imported."""
        methods = self.named_methods(file, site.scope, name)
        if methods:
            return self._picked(file, site, methods, methods[0].owner)
        for current in self._scopes(file, site.scope):
            own = self.own_type(file, current) if self.view(file).is_class(current) else None
            if self._component(own, name) is not None:
                return self._picked(file, site, (), own)
        function = self.named_value(file, site.scope, name, site.line) if self.rules.extensions else None
        if function is not None:
            type_ = self._row(file, function) if isinstance(function, Binding) else self.field_type(function)
            return Called(is_outside=True, receiver=type_, is_function=True)
        return Called(is_outside=True)

    def _component(self, type_: Type | None, name: str) -> Member | None:
        """The component of a record that a method of its name reads."""
        field = self.field(type_, name) if type_ is not None else None
        if field is None or not self.view(field.owner.file).facts.shapes[field.symbol].traits & Trait.ACCESSOR:
            return None
        return field

    def methods(self, type_: Type, name: str) -> Sequence[Member]:
        """The methods of a name in a class and those above it, without those that an earlier one overrides."""
        cached = self.answers.ask(("methods", type_, name))
        found: Sequence[Member] | None = (
            cached.value if cached is not None else self.answers.close(self._methods(self.supers(type_), name))
        )
        return found or ()

    def _methods(self, types: Sequence[Type], name: str) -> Sequence[Member]:
        found: list[Member] = []
        for owner in types:
            own = []
            for member in self._members((owner,), name, METHODS):
                traits = self.view(owner.file).facts.shapes[member.symbol].traits
                is_other = owner[::3] != types[0][::3]  # another name or arguments: no part of the same class
                is_hidden = traits & Trait.EXPLICIT or (traits & Trait.PRIVATE and is_other)
                if not is_hidden and not any(self._overrides(other, member) for other in found):
                    own.append(member)
                if len(own) > _MOST_OVERLOADS:
                    break
            found += own
            if len(found) > _MOST_OVERLOADS:
                break
        return tuple(found)

    def _overrides(self, one: Member, other: Member) -> bool:
        mine, others = self.parameters(one), self.parameters(other)
        return len(mine) == len(others) and all(
            left is None or right is None or right.is_variable or left.is_variable or left.erased == right.erased
            for left, right in zip(mine, others, strict=True)
        )

    def parameters(self, member: Member) -> Sequence[Type | None]:
        """The types of the parameters of a method."""
        owner, index = member
        cached = self.answers.ask(("parameters", owner.file, index))
        if cached is None:
            shape = self.view(owner.file).facts.shapes[index]
            given = shape.head.parameters if shape.head is not None else ()
            types: Sequence[Type | None] = self.answers.close(
                tuple(self.resolved(owner.file, shape.inner, each.type) for each in given)
            )
        else:
            types = cached.value or ()
        arguments = self.arguments_of(owner)
        return [substituted(each, arguments) for each in types] if arguments else types

    def _takes(self, member: Member, site: CallSite) -> bool:
        """Whether a method may be called with so many arguments."""
        head = self.view(member.owner.file).facts.shapes[member.symbol].head
        if head is None or SPLAT in site.keywords:
            return True
        if site.types and site.kind is EdgeKind.CALL and len(site.types) != len(head.generics):
            return False
        optional = sum(each.optional for each in head.parameters)
        count, names = len(site.arguments), [each.name for each in head.parameters]
        return all(word in names for word in site.keywords if word) and fits(
            len(names), count, takes_more=self._takes_more(member), optional=optional
        )

    def _places(self, member: Member, site: CallSite) -> Sequence[int]:
        """For each argument the place of its parameter."""
        head = self.view(member.owner.file).facts.shapes[member.symbol].head
        names = [each.name for each in head.parameters] if head is not None and any(site.keywords) else []
        last = len(head.parameters) - 1 if head is not None else -1
        return [
            names.index(word) if word and word in names else min(place, last) for place, word in enumerate(site.words)
        ]

    def _inner(self, member: Member) -> int:
        """The scope of a method."""
        return self.view(member.owner.file).facts.shapes[member.symbol].inner

    def _takes_more(self, member: Member) -> bool:
        """Whether the last parameter of a method takes all further arguments."""
        head = self.view(member.owner.file).facts.shapes[member.symbol].head
        return head is not None and bool(head.parameters) and head.parameters[-1].rest

    def _picked(self, file: str, site: CallSite, members: Sequence[Member], type_: Type | None) -> Called:
        """Of some overloads those that a call may mean, by the number of its arguments, then by their types."""
        if not members:
            component = self._component(type_, last_name(site.callee)) if not site.arguments else None
            if component is not None:
                return Called((component,), receiver=type_)
            return Called(is_outside=True, receiver=type_)
        if len(members) > _MOST_OVERLOADS:
            return Called()
        fitting = [each for each in members if self._takes(each, site)]
        if not fitting and self.rules.extensions:  # a member that every object has
            return Called(is_outside=True, receiver=type_)
        if len(fitting) == 1:
            return Called(tuple(fitting), receiver=type_)
        if SPLAT not in site.keywords and len(fitting) > 1:
            given = [self.value(file, site.scope, each, site.line) for each in site.arguments]
            scores = [self._score(file, each, given, site) for each in fitting]
            best = max(scores)
            fitting = [each for each, score in zip(fitting, scores, strict=True) if score == best]
            if len(fitting) > 1 and best[0]:
                fitting = [*self._most_specific(fitting, given, site, is_plain=best[1])]
        return Called(tuple(fitting or members), confidence=Confidence.STRONG, receiver=type_)

    def _score(
        self, file: str, member: Member, given: Sequence[Type | None], site: CallSite
    ) -> tuple[bool, bool, float, bool]:
        """Whether all arguments fit, whether without putting some into an array, how surely, and without boxing."""
        types, scores, is_plain, is_same = self.parameters(member), list[float](), not self._takes_more(member), True
        for place, (at, argument) in enumerate(zip(self._places(member, site), given, strict=True)):
            wanted = types[at] if types else None
            if not is_plain and place >= len(types) - 1 and wanted is not None:
                is_plain = (
                    len(given) == len(types)
                    and argument is not None
                    and (argument == NULL or argument.dimensions == wanted.dimensions)
                )
                wanted = wanted if is_plain else wanted.element()
            if argument == FUNCTION and wanted is not None:
                scores.append(self._of_function(file, wanted, site.arguments[place]))
            else:
                scores.append(distance(self, argument, wanted))
            if argument is not None and wanted is not None and argument.name:
                is_same = is_same and self.rules.is_primitive(argument) == self.rules.is_primitive(wanted)
        if all(score > NEVER for score in scores):
            return True, is_plain, -float(scores.count(PERHAPS)), is_same
        return False, False, sum(scores), False

    def _most_specific(
        self, members: Sequence[Member], given: Sequence[Type | None], site: CallSite, *, is_plain: bool
    ) -> Sequence[Member]:
        """Of overloads that fit those whose parameters take least, as far as the arguments are known."""

        def wanted(member: Member) -> list[Type | None]:
            types = [*self.parameters(member)]
            if types and types[-1] is not None and not is_plain and self._takes_more(member):
                types[-1] = types[-1].element()
            places = zip(self._places(member, site), given, strict=True)
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

    def _of_function(self, file: str, wanted: Type, given: Expression | None) -> float:
        """How well a function without a name fits a parameter: by the number of what it takes."""
        if wanted.dimensions or self.rules.is_primitive(wanted) or wanted.name in self.rules.finals:
            return NEVER
        method = self._function_of(wanted) if wanted.is_inside else None
        if method is None:
            return NEVER if wanted.is_inside else PERHAPS
        is_written = type(given) is Function and given.returns is None
        count = self.view(file).counts.get(given.scope, 0) if type(given) is Function and is_written else None
        return 2.0 if count is None or count == len(self.parameters(method)) else NEVER

    # Functions without a name, and what they are given

    def _function_of(self, type_: Type) -> Member | None:
        """The one method without a body of an interface."""
        for each in self.supers(type_):
            view = self.view(each.file) if each.is_inside else None
            whole = view.bodies.get(each.scope) if view is not None else None
            if view is not None and whole is not None and view.facts.shapes[whole].head is not None:
                return Member(each, whole)  # the type of functions
            for index in view.of_class(each.scope) if view is not None else ():
                symbol, shape = (view.facts.symbols[index], view.facts.shapes[index]) if view else (None, None)
                is_method = symbol is not None and symbol.kind is SymbolKind.METHOD
                if is_method and shape is not None and shape.traits & Trait.ABSTRACT:
                    return Member(each, index)
        return None

    def _parameter_of(self, type_: Type | None, position: int) -> Type | None:
        """What a function of a type takes as a parameter."""
        type_ = self._unwrapped(type_)
        if type_ is None:
            return None
        if type_.is_inside:
            method = self._function_of(type_)
            types = self.parameters(method) if method is not None else []
            return types[position] if position < len(types) else None
        return type_.arguments[min(position, len(type_.arguments) - 1)] if type_.arguments else None

    def _unwrapped(self, type_: Type | None) -> Type | None:
        """The type of a function, without the class from outside that takes it."""
        type_ = self.bound(type_)
        is_wrapper = type_ is not None and not type_.file and type_.name in self.rules.wrappers
        return type_.arguments[0] if is_wrapper and type_ is not None and type_.arguments else type_

    def _given_back(self, type_: Type) -> Type | None:
        """What a function of a type gives back."""
        found = self._unwrapped(type_)
        if found is None or not found.is_inside:
            return found.arguments[-1] if found is not None and found.arguments else None
        method = self._function_of(found)
        head = self.view(method.owner.file).facts.shapes[method.symbol].head if method is not None else None
        if method is None or head is None:
            return None
        inner = self.view(method.owner.file).facts.shapes[method.symbol].inner
        return substituted(self.resolved(method.owner.file, inner, head.result), self.arguments_of(method.owner))

    def _passed(self, file: str, parameter: Parameter) -> Type | None:
        """What the method that a call means gives to a function that is its argument, or expects as the argument."""
        site = self.view(file).facts.sites[parameter.site]
        called = self.call(file, parameter.site)
        site = _with_receiver(site) if called.is_extension else site
        for member in called.methods:
            types = self.parameters(member)
            places = self._places(member, site)
            argument = parameter.argument + called.is_extension
            wanted = types[places[argument]] if types and argument < len(places) else None
            wanted = substituted(wanted, self._inferred(file, site, member, by_functions=False))
            if parameter.position < 0:
                return wanted
            if wanted is not None and wanted.dimensions and self._takes_more(member):
                wanted = wanted.element()
            found = self._parameter_of(wanted, parameter.position)
            if found is not None:
                return found
        if called.is_outside:
            container = self._container_around(file, parameter.site, called)
            if parameter.position < 0:
                return container.arguments[-1] if container is not None else None
            if self.rules.pair and called.receiver is not None:
                return self._held(called.receiver)
            if container is not None:
                place = self.rules.passed[min(parameter.position, len(self.rules.passed) - 1)]
                return container.arguments[min(place, len(container.arguments) - 1)]
        return None

    def _container_around(self, file: str, number: int, called: Called) -> Type | None:
        """The container of a call, or of the call of which its result is an argument: `collect(counting(x -> …))`."""
        for _ in range(3):
            container = self._container(called.receiver) if called.receiver is not None else None
            if container is not None:
                return container
            number = self.view(file).call_around(number)
            if number < 0:
                return None
            called = self.call(file, number)
        return None

    def _returned_by(self, file: str, function: Function) -> Type | None:
        """The type of what a function without a name returns."""
        for row in self.view(file).returns.get(function.scope, ()):
            found = self.value(file, row.within, row.value, row.line)
            if found is not None and found != NULL:
                return found
        return None

    def _inferred(
        self, file: str, site: CallSite, member: Member, *, by_functions: bool = True
    ) -> Mapping[tuple[str, int, str], Type | None]:
        """The arguments of a method's own type parameters, by the arguments of a call: functions are the last ones."""
        owner, inner = member.owner, self._inner(member)
        found: dict[tuple[str, int, str], Type | None] = {}
        generics = self.view(owner.file).generics.get(inner)
        if generics and len(site.types) == len(generics):
            given_types = (self.resolved(file, site.scope, each) for each in site.types)
            return {(owner.file, inner, row.name): type_ for row, type_ in zip(generics, given_types, strict=True)}
        types = self.parameters(member) if generics else ()
        if types:
            functions, place, takes_more = list[tuple[Type, Function]](), (owner.file, inner), self._takes_more(member)
            for at, argument in zip(self._places(member, site), site.arguments, strict=True):
                wanted = types[at]
                if type(argument) is Function:
                    if wanted is not None and (wanted.file or wanted.name in self.rules.returning):
                        functions.append((wanted, argument))
                    continue
                given = self.value(file, site.scope, argument, site.line)
                if wanted is not None and takes_more and at == len(types) - 1:
                    is_array = given is not None and given.dimensions >= wanted.dimensions
                    wanted = wanted if is_array else wanted.element()
                self._match(wanted, given, place, found)
            for wanted, function in functions if by_functions else ():
                self._match(self._given_back(wanted), self._returned_by(file, function), place, found)
        return found

    def _match(
        self,
        wanted: Type | None,
        given: Type | None,
        place: tuple[str, int],
        found: dict[tuple[str, int, str], Type | None],
    ) -> None:
        if wanted is None or given is None or given == NULL or (not given.name and not given.file):
            return
        if wanted.is_variable:
            if (wanted.file, wanted.scope) == place and given.dimensions >= wanted.dimensions:
                whole = given._replace(dimensions=given.dimensions - wanted.dimensions)
                found.setdefault((*place, wanted.name), self.rules.boxed(given) if given == whole else whole)
            return
        for each in self.supers(given):
            if (each.name, each.file) == (wanted.name, wanted.file):
                for part, argument in zip(wanted.arguments, each.arguments, strict=False):
                    self._match(part, argument, place, found)
                return


def _with_receiver(site: CallSite) -> CallSite:
    """A call with its receiver as the first argument."""
    return replace(site, arguments=(receiver(site.callee), *site.arguments))
