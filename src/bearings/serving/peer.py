"""A peer: the unit by which a server over HTTP counts its callers, and its permissions."""

from dataclasses import dataclass
from pathlib import Path

from bearings.tool import Tool

NAMED = "token "
"""The first characters of a named token's key; no address has them."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A caller. Budgets count by `key`; metrics use `label`, which has few values.

    `toolsets` and `roots` narrow the server's offer; None: no limit of the peer's own. `no_writes` is the reason why
    the peer may not call a tool that writes, with a remedy; "": it may.
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
        """Whether the peer's toolsets include `tool`, whatever the tool does."""
        return self.toolsets is None or tool.name in self.toolsets

    def may_call(self, tool: Tool) -> bool:
        """Whether the peer may call `tool`."""
        return self.sees(tool) and (tool.effects.read_only or not self.no_writes)


ANYBODY = Peer("", "anybody")
"""The one client of a server over stdio."""
