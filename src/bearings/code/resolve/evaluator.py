"""Evaluates expressions to referents where names are found through scopes and imports: the parts, composed."""

from collections.abc import Mapping
from typing import Final

from bearings.code.models import FileFacts
from bearings.code.resolve.calls import Calls
from bearings.code.resolve.elements import Elements
from bearings.code.resolve.exports import Exports
from bearings.code.resolve.flow import Flow
from bearings.code.resolve.members import Members
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.parts import Known, Parts
from bearings.code.resolve.signatures import Signatures
from bearings.code.resolve.types import Types


class Evaluator:
    """The parts over one set of facts."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        known = Known(facts)
        self.views: Final = known.views
        self.memo: Final = known.memo
        self.exports: Final = Exports(known, modules)
        self.members: Final = Members(known)
        self.types: Final = Types(known)
        self.elements: Final = Elements(known)
        self.calls: Final = Calls(known)
        self.signatures: Final = Signatures(known)
        self.flow: Final = Flow(known)
        parts = Parts(self.exports, self.members, self.types, self.elements, self.calls, self.signatures, self.flow)
        self.exports.join(parts)
        self.members.join(parts)
        self.types.join(parts)
        self.elements.join(parts)
        self.calls.join(parts)
        self.signatures.join(parts)
        self.flow.join(parts)

    def close(self) -> None:
        """Drops all tables and answers. The parts hold each other, so that only the garbage collector frees them."""
        self.views.forget(())
        self.views.facts = {}
        self.memo.clear()

    def begin(self) -> None:
        """Begins with the uses of another file: clears the consulted files."""
        self.memo.consulted = set()
        self.flow.begin()
