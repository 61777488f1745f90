"""Evaluates expressions to types, and calls to the methods that they mean.

cart.items().get(0).price()     by the declared types of `cart`, of the result of `items`, of its elements
total(cart, 2)                  of the methods `total` of the class, those above and around it, the overload that fits
carts.each(c -> c.total())      `c` is what the one method without a body of the parameter's type takes
"""

from collections.abc import Iterator, Mapping, Sequence

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
from bearings.code.file_facts import Binding, CallSite
from bearings.code.models import Confidence, EdgeKind
from bearings.code.resolve.nominal.classes import METHODS
from bearings.code.resolve.nominal.fitting import NEVER
from bearings.code.resolve.nominal.members import Member
from bearings.code.resolve.nominal.overloads import Called, Overloads, with_receiver
from bearings.code.resolve.nominal.types import FUNCTION, NULL, Type, substituted
from bearings.code.resolve.referents import HOLDERS
from bearings.code.type_expressions import TUPLE, IndexedType

_NEW = EdgeKind.NEW
_GUESS = Confidence.HEURISTIC
FROM_ARGUMENTS = frozenset({"@given", "@holding", "@class", "@mapped", "@returned"})
"""Results that depend on the arguments of a call, not on its object."""
OUTSIDE = Type("")
"""A type from outside of which nothing is known."""


class Evaluator(Overloads):
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
        """The local or the field that a name alone means: one that no local has means the same all over a class."""
        view = self.view(file)
        if name in view.inner_names:
            return self._value_named(file, scope, name, line)
        return self.answers.answer("named", self._value_named, file, view.class_around(scope), name, 0)

    def _value_named(self, file: str, scope: int, name: str, line: int) -> "Binding | Member | None":
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
        yield from self.answers.answer("stars", self._star_owners, file) or ()

    def _star_owners(self, file: str) -> Sequence[Type]:
        found = (self.qualified(file, module) for module in self.stars(file))
        return tuple(owner for owner in found if owner is not None)

    def _row(self, file: str, row: Binding) -> Type | None:
        cached = self.answers.ask(("row", file, row.scope, row.name, row.line))
        if cached is not None:
            known: Type | None = cached.value
            return known
        if row.type is not None:
            return self.answers.close(self.resolved(file, row.scope, row.type))
        return self.answers.close(self.value(file, row.scope, row.value, row.line))

    def _step(self, type_: Type | None, step: Step) -> Type | None:
        if isinstance(step, Item):
            return self._taken(type_, step) if type_ is not None else None
        type_ = self.bound(type_)
        if type_ is None:
            return None
        if not type_.is_inside:
            names = type_.name[1:].split(",") if type_.name.startswith(TUPLE) else ()
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
        return self.answers.answer("result", self._result, file, number, deeper=True)

    def _result(self, file: str, number: int) -> Type | None:
        site = self.view(file).facts.sites[number]
        called = self.call(file, number)
        if not called.methods:
            return self._outside_result(file, site, called) if called.is_outside else None
        site = with_receiver(site) if called.is_extension else site
        first, *others = (self._returned(file, site, each) for each in called.methods)
        if any(other is None or first is None or other.erased != first.erased for other in others):
            return None  # overloads that give different types
        return first

    def _returned(self, file: str, site: CallSite, member: Member) -> Type | None:
        """The type of what a call of a method or of a record's component gives."""
        owner, index = member
        facts = self.view(owner.file).facts
        shape = facts.shapes[index]
        if facts.symbols[index].kind in HOLDERS:
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
        return self.answers.answer("call", self._call, file, number) or Called()

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
                called = self._picked(file, with_receiver(site), extended, owner)
                is_known = not owner.is_inside and name in self.rules.results
                is_guess = is_known or any(map(self._is_conditional, called.methods))
                return called._replace(is_extension=True, confidence=_GUESS if is_guess else called.confidence)
        if self.rules.invoking and not methods:
            field = self.field(owner, name)
            is_own = name == self.rules.invoking and bool(owner.file or owner.arguments)
            function = self.field_type(field) if field is not None else owner if is_own else None
            if function is not None and self._of_function(function, None) > NEVER:
                return Called(is_outside=True, receiver=function, is_function=True, field=field)
        return self._picked(file, site, methods, owner)

    def _this(self, file: str, scope: int) -> Type:
        return self.this(file, scope) or OUTSIDE

    def _bare(self, file: str, site: CallSite, name: str) -> Called:
        """The call of a method by its name alone: of the classes around it, of those above them, or imported."""
        methods = self.named_methods(file, site.scope, name)
        if methods:
            return self._picked(file, site, methods, methods[0].owner)
        for current in self._scopes(file, site.scope):
            own = self.own_type(file, current) if self.view(file).is_class(current) else None
            if self._component(own, name) is not None:
                return self._picked(file, site, (), own)
        function = self.named_value(file, site.scope, name, site.line) if self.rules.invoking else None
        if function is not None:
            type_ = self._row(file, function) if isinstance(function, Binding) else self.field_type(function)
            is_called = type_ is not None and self._of_function(type_, None) > NEVER
            field = function if is_called and isinstance(function, Member) else None
            return Called(is_outside=True, receiver=type_, is_function=True, field=field)
        return Called(is_outside=True)

    # Functions without a name, and what they are given

    def _passed(self, file: str, parameter: Parameter) -> Type | None:
        """What the method that a call means gives to a function that is its argument, or expects as the argument."""
        site = self.view(file).facts.sites[parameter.site]
        called = self.call(file, parameter.site)
        site = with_receiver(site) if called.is_extension else site
        for member in called.methods:
            types = self.parameters(member)
            places = self._places(member, site.words)
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
            for at, argument in zip(self._places(member, site.words), site.arguments, strict=True):
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
