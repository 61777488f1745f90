"""What the uses of a file mean, as far as declared types tell: elements, or something from outside.

A use of which nothing is known is left to others, which guess by its name.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import NamedTuple

from bearings.code.expressions import last_name, receiver
from bearings.code.file_facts import CallSite, FileFacts
from bearings.code.models import Confidence, EdgeKind
from bearings.code.resolve.nominal.dynamic import Dynamic
from bearings.code.resolve.nominal.evaluate import Evaluator
from bearings.code.resolve.nominal.members import Member
from bearings.code.resolve.nominal.names import Declaring
from bearings.code.resolve.nominal.types import NominalRules, Type

_CALL, _NEW, _REFERENCE, _READ = EdgeKind.CALL, EdgeKind.NEW, EdgeKind.REFERENCE, EdgeKind.READ
_STRONG = Confidence.STRONG
_BASES = frozenset({EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS})


class Meaning(NamedTuple):
    """The keys of the elements that a use means, none if they are outside of the project; whether they are fields."""

    targets: tuple[str, ...] = ()
    confidence: Confidence = Confidence.EXACT
    reason: str = ""
    is_field: bool = False


class NominalUses:
    """The meanings of uses for one set of facts."""

    def __init__(self, facts: Mapping[str, FileFacts], declaring: Declaring, rules: NominalRules) -> None:
        self._evaluator = (Dynamic if rules.is_dynamic else Evaluator)(facts, declaring, rules)
        self.answers = self._evaluator.answers
        self._meant: dict[Hashable, Meaning | None] = {}
        """The meanings of names in the file, by the class around them."""

    def begin(self) -> None:
        """Begins with the uses of another file."""
        self.answers.begin()
        self._meant.clear()

    def shed(self, but: Collection[str]) -> None:
        """Drops the tables of all other files, and all answers if they are many."""
        self._evaluator.forget(but)
        self.answers.shed()

    def meaning(self, path: str, number: int) -> Meaning | None:
        """What a use means; None if nothing is known of it."""
        view = self._evaluator.view(path)
        site = view.facts.sites[number]
        if site.kind is _CALL:
            called = self._evaluator.call(path, number)
            if called.field is not None:
                is_alone = receiver(site.callee) is None
                return self._field(called.field, "name in scope" if is_alone else "declared types")
            if not called.methods:
                return Meaning() if called.is_outside else None
            reason = "types of the arguments" if called.confidence is _STRONG else "declared types"
            return Meaning(tuple(map(self._key, called.methods)), called.confidence, reason)
        if type(site.callee) is not str or site.arguments:
            return self._name(path, site)
        is_inner = site.callee.partition(".")[0] in view.inner_names
        scope = site.scope if is_inner else view.class_around(site.scope)
        key = site.kind, site.callee, scope, site.line if is_inner else 0, site.types, site.keywords
        if key not in self._meant:
            self._meant[key] = self._name(path, site)
        return self._meant[key]

    def _name(self, path: str, site: CallSite) -> Meaning | None:
        """What a use means that is no call."""
        for ending in site.keywords if site.kind is not _NEW else ():
            word, dot, member = ending.partition(".")
            named = self._evaluator.type_named(path, site.scope, f"{site.callee}{word}", -1, len(site.types))
            if named.file and (not dot or self._evaluator.is_static(named, member)):
                return self._class(named)
        if site.kind is _REFERENCE:
            return self._reference(path, site)
        if type(site.callee) is not str:
            type_ = self._evaluator.value(path, site.scope, site.callee, site.line)
            return self._class(type_) if type_ is not None else None
        scope, own = site.scope, -1
        if site.kind in _BASES and self._evaluator.view(path).is_class(scope):
            scope, own = self._evaluator.view(path).around(scope), scope
        type_ = self._evaluator.type_named(path, scope, site.callee, own, len(site.types))
        if not type_.file and site.kind is _NEW:  # `outer.new Inner()`
            type_ = self._evaluator.value(path, scope, site.callee, site.line) or type_
        return self._class(type_)

    def imported(self, path: str, module: str) -> str:
        """The file of the class that an import names whole, if the file is called like it; empty for none."""
        rules = self._evaluator.rules
        type_ = self._evaluator.qualified(path, module.replace(rules.separator, ".")) if rules.whole_names else None
        file = type_.file if type_ is not None else ""
        return file if type_ is not None and f"/{file}".rpartition("/")[2].startswith(f"{type_.name}.") else ""

    def _class(self, type_: Type) -> Meaning:
        view = self._evaluator.view(type_.file) if type_.is_inside else None
        if view is None or type_.scope not in view.bodies:  # a class without a name has no element
            return Meaning()
        return Meaning((view.keys[view.bodies[type_.scope]],), reason="name of a type")

    def _reference(self, path: str, site: CallSite) -> Meaning | None:
        """A class or a field that is named as a value."""
        evaluator, callee = self._evaluator, site.callee
        left, name = receiver(callee), last_name(callee)
        if left is None:
            return self._named(path, site, name)
        type_ = evaluator.bound(evaluator.value(path, site.scope, left, site.line))
        is_package = type(callee) is str and (type_ is None or not type_.file) and not evaluator.rules.whole_names
        whole = evaluator.qualified(path, callee) if is_package and type(callee) is str else None
        if whole is not None:
            return self._class(whole)
        if type_ is None:
            return None
        field = evaluator.field(type_, name)
        if field is not None:
            return self._field(field, "declared types")
        inner = evaluator.inner_type(type_, name)
        if inner is not None:
            return self._class(inner)
        methods = evaluator.methods(type_, name)
        return self._group(methods) if methods else Meaning()

    def _group(self, methods: Sequence[Member]) -> Meaning:
        """Methods that are named as a value."""
        confidence = Confidence.EXACT if len(methods) == 1 else _STRONG
        return Meaning(tuple(map(self._key, methods)), confidence, reason="declared types")

    def access(self, path: str, site: CallSite) -> Meaning | None:
        """The field that a mention means, or the methods that are passed; None if nothing is known of it."""
        evaluator, left, name = self._evaluator, receiver(site.callee), last_name(site.callee)
        may_be_method = site.kind is _READ and bool(evaluator.rules.invoking)
        if left is None:
            found = self._field_named(path, site, name)
            methods = evaluator.named_methods(path, site.scope, name) if found is None and may_be_method else ()
            return self._group(methods) if methods else found
        type_ = evaluator.bound(evaluator.value(path, site.scope, left, site.line))
        field = evaluator.field(type_, name) if type_ is not None else None
        if field is not None:
            return self._field(field, "declared types")
        methods = evaluator.methods(type_, name) if type_ is not None and may_be_method else ()
        return self._group(methods) if methods else None

    def _field_named(self, path: str, site: CallSite, name: str) -> Meaning | None:
        """The field that a name alone means: of the tested value's enumeration, or in scope."""
        evaluator = self._evaluator
        tested = evaluator.value(path, site.scope, site.arguments[0], site.line) if site.arguments else None
        constant = evaluator.field(tested, name) if tested is not None else None
        if constant is not None:
            return self._field(constant, "declared types")
        found = evaluator.named_value(path, site.scope, name, site.line)
        if isinstance(found, Member):
            return self._field(found, "name in scope")
        return Meaning() if found is not None else None

    def _named(self, path: str, site: CallSite, name: str) -> Meaning | None:
        found = self._field_named(path, site, name)
        if found is not None or self._evaluator.rules.whole_names:
            return found
        type_ = self._evaluator.type_named(path, site.scope, name)
        methods = self._evaluator.named_methods(path, site.scope, name) if not type_.file else ()
        return self._group(methods) if methods else self._class(type_)

    def _field(self, member: Member, reason: str) -> Meaning:
        return Meaning((self._key(member),), reason=reason, is_field=True)

    def _key(self, member: Member) -> str:
        return self._evaluator.view(member.owner.file).keys[member.symbol]
