"""A peer: what a server over HTTP counts its callers by, and what one of them may do."""

from dataclasses import dataclass
from pathlib import Path

from bearings.tool import Tool

NAMED = "token "
"""How the key of a named token begins; no address does."""


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

    @property
    def is_named(self) -> bool:
        """Whether the peer is a named token, not an address."""
        return self.key.startswith(NAMED)

    def may_use_session_of(self, opener: "Peer") -> bool:
        """Whether the SDK lets this peer use a session of `opener`: only a named peer's sessions are its own."""
        return self.key == opener.key or not (self.is_named or opener.is_named)

    def sees(self, tool: Tool) -> bool:
        """Whether `tool` is among those that the peer was given, whatever it does."""
        return self.toolsets is None or tool.name in self.toolsets

    def may_call(self, tool: Tool) -> bool:
        """Whether a call of `tool` is answered."""
        return self.sees(tool) and (tool.effects.read_only or not self.no_writes)


ANYBODY = Peer("", "anybody")
"""The one client of a server over stdio."""
