"""Evaluates expressions to referents where names are found through scopes and imports: the parts, composed."""

from collections.abc import Mapping
from typing import Final

from bearings.code.file_facts import FileFacts
from bearings.code.installed import is_installed, with_installed
from bearings.code.models import Symbol
from bearings.code.resolve.context import Context
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.names.exports import Exports
from bearings.code.resolve.names.flow import Flow
from bearings.code.resolve.parts import Parts
from bearings.code.resolve.referent import INSTANCE, OUTSIDE, Referent
from bearings.code.resolve.referents import holder_name, is_target
from bearings.code.resolve.types.annotated import Types
from bearings.code.resolve.types.calls import Calls
from bearings.code.resolve.types.elements import Elements
from bearings.code.resolve.types.library import LibraryCalls
from bearings.code.resolve.types.members import Members
from bearings.code.resolve.types.signatures import Signatures
from bearings.code.resolve.types.values import Values


class Evaluator:
    """The parts over one set of facts."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        context = Context(with_installed(facts, modules.installed))
        self.views: Final = context.views
        self.answers: Final = context.answers
        self.exports: Final = Exports(context, modules)
        self.members: Final = Members(context)
        self.types: Final = Types(context)
        self.values: Final = Values(context)
        self.elements: Final = Elements(context)
        self.calls: Final = Calls(context)
        self.signatures: Final = Signatures(context)
        self.flow: Final = Flow(context)
        parts = Parts(
            self.exports, self.members, self.types, self.values, self.elements, self.calls, self.signatures, self.flow,
            LibraryCalls(context),
        )  # fmt: skip
        for part in parts:
            part.join(parts)

    def symbol_of(self, referent: Referent | None) -> Symbol | None:
        """The symbol of a referent, or of the file of a MODULE; None for one without, or of an installed package."""
        if not is_target(referent) or is_installed(referent.file):
            return None
        return self.views[referent.file].facts.symbols[max(referent.symbol, 0)]

    def guessed(self, owner: Referent, name: str) -> tuple[Referent, str] | None:
        """The member of what a library gives, if that may be an object that one of its types holds; and why."""
        guess = self.members.possible_member(owner, name) if owner.kind == OUTSIDE else None
        if guess is None:
            return None
        member, held = guess
        view = self.views[held.file if held.kind == INSTANCE else member.file]
        shown = held.symbol if held.kind == INSTANCE else view.facts.shapes[member.symbol].parent
        return member, f"may be the {view.facts.symbols[shown].name} that {holder_name(owner)} holds"

    def close(self) -> None:
        """Drops all tables and answers. The parts hold each other, so that only the garbage collector frees them."""
        self.views.forget(())
        self.views.facts = {}
        self.answers.clear()

    def begin(self) -> None:
        """Begins with the uses of another file: clears the consulted files."""
        self.answers.begin()
        self.flow.begin()
