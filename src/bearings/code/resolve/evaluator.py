"""Evaluates expressions to referents where names are found through scopes and imports: the parts, composed."""

from collections.abc import Mapping
from typing import Final

from bearings.code.file_facts import FileFacts
from bearings.code.models import Symbol
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.names.exports import Exports
from bearings.code.resolve.names.flow import Flow
from bearings.code.resolve.parts import Known, Parts
from bearings.code.resolve.referents import NO_SYMBOL, Referent, ReferentKind
from bearings.code.resolve.types.annotated import Types
from bearings.code.resolve.types.calls import Calls
from bearings.code.resolve.types.elements import Elements
from bearings.code.resolve.types.members import Members
from bearings.code.resolve.types.signatures import Signatures
from bearings.code.resolve.types.values import Values


class Evaluator:
    """The parts over one set of facts."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        known = Known(facts)
        self.views: Final = known.views
        self.memo: Final = known.memo
        self.exports: Final = Exports(known, modules)
        self.members: Final = Members(known)
        self.types: Final = Types(known)
        self.values: Final = Values(known)
        self.elements: Final = Elements(known)
        self.calls: Final = Calls(known)
        self.signatures: Final = Signatures(known)
        self.flow: Final = Flow(known)
        parts = Parts(
            self.exports, self.members, self.types, self.values, self.elements, self.calls, self.signatures, self.flow
        )
        for part in parts:
            part.join(parts)

    def symbol_of(self, referent: Referent | None) -> Symbol | None:
        """The symbol of a referent, or of the file of a MODULE; None for one without."""
        if referent is None or referent.kind in NO_SYMBOL:
            return None
        return self.views[referent.where].facts.symbols[max(referent.symbol, 0)]

    def guessed(self, owner: Referent, name: str) -> tuple[Referent, str] | None:
        """The member of what a library gives, if that may be an object that one of its types holds; and why."""
        found = self.members.of_held(owner, name) if owner.kind == ReferentKind.OUTSIDE else None
        if found is None:
            return None
        member, held = found
        view = self.views[held.where if held.kind == ReferentKind.INSTANCE else member.where]
        shown = held.symbol if held.kind == ReferentKind.INSTANCE else view.facts.shapes[member.symbol].parent
        return member, f"may be the {view.facts.symbols[shown].name} that {owner.env[0][1]} holds"

    def close(self) -> None:
        """Drops all tables and answers. The parts hold each other, so that only the garbage collector frees them."""
        self.views.forget(())
        self.views.facts = {}
        self.memo.clear()

    def begin(self) -> None:
        """Begins with the uses of another file: clears the consulted files."""
        self.memo.begin()
        self.flow.begin()
