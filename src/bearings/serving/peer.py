"""A peer: what a server over HTTP counts its callers by, and what one of them may do."""

from dataclasses import dataclass
from pathlib import Path

from bearings.tool import Tool


@dataclass(frozen=True, slots=True)
class Peer:
    """A caller. Budgets are counted by `key`; metrics name it `label`, of which there are few.

    `toolsets` and `roots` narrow what the server offers; None: no limit of the peer's own. `no_writes` says why the
    peer may not call a tool that writes, and what to do about it; empty: it may.
    """

    key: str
    label: str
    toolsets: frozenset[str] | None = None
    roots: tuple[Path, ...] | None = None
    no_writes: str = ""

    def sees(self, tool: Tool) -> bool:
        """Whether `tool` is among those that the peer was given, whatever it does."""
        return self.toolsets is None or tool.name in self.toolsets

    def may_call(self, tool: Tool) -> bool:
        """Whether a call of `tool` is answered."""
        return self.sees(tool) and (tool.effects.read_only or not self.no_writes)


ANYBODY = Peer("", "anybody")
"""The one client of a server over stdio."""
