"""`Framework` and `Container`: what registers endpoints and connects types, as plain data in a language's routes.py."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

_KEYS: Final = frozenset({"", "value", "path"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Framework:
    """What registers endpoints: attributes of methods, or calls. Files without any of the `signs` are skipped."""

    name: str
    signs: tuple[bytes, ...]
    prefix: str = ""
    """The attribute of a class that has the paths before those of its methods."""
    verbs: Mapping[str, str] = field(default_factory=dict)
    """Attributes of methods → the method of HTTP; empty if the argument `methods` has it."""
    path: str = ""
    """The attribute of a method that has its path, if the verb's has none."""
    keys: frozenset[str] = _KEYS
    """Names of the arguments that are paths; empty for one without a name."""
    methods: str = ""
    application: str = ""
    """The attribute of a class that gives a prefix to the endpoints of the application."""
    client: str = ""
    """The attribute of an interface whose methods send requests."""
    invoked: str = ""
    """The method that answers the path of a class without endpoints."""
    in_comments: bool = False
    """Attributes may stand in comments: `@Route("/x", methods={"GET"})`."""
    has_tokens: bool = False
    """`[controller]`, `[action]`, `[area]` stand for names, and a method's path that starts with `/` stands alone."""
    conventional: str = ""
    """The class that controllers extend whose methods have the path `Controller/action` if no attribute gives one."""
    inherits: bool = False
    """A class without a prefix has that of the class above it."""
    calls: Mapping[str, str] = field(default_factory=dict)
    """Calls → the method of HTTP; empty if an argument lists methods."""
    roots: re.Pattern[str] | None = None
    """What the receivers of calls start with."""
    chained: frozenset[str] = frozenset()
    """Calls whose argument is a prefix of what follows in the chain, and of what is inside its later calls."""
    grouping: frozenset[str] = frozenset()
    """Calls whose first argument is a prefix of what is inside its others."""
    controller: str = ""
    """The call in a chain whose argument has the handlers that are named alone."""
    resources: Mapping[str, Sequence[tuple[str, str, str]]] = field(default_factory=dict)
    """Calls that register several endpoints: method, end of the path, handler; `{}` is a parameter."""
    listed: int = 0
    """The place of the argument that lists methods."""
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Calls that name files of routes: argument → prefix. Every group may name one, too."""
    mounting: re.Pattern[str] | None = None
    """Calls of functions that add endpoints to the router which they are called on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """What gives objects to constructors, fields and methods, and messages to their handlers; see injections.py."""

    signs: tuple[bytes, ...]
    components: frozenset[str] = frozenset()
    """Attributes of classes that provide the types above them."""
    points: frozenset[str] = frozenset()
    """Attributes of fields, methods and constructors that get objects."""
    makers: frozenset[str] = frozenset()
    """Attributes of methods that make objects."""
    fields: frozenset[str] = frozenset()
    """Attributes of classes whose final fields get objects."""
    everywhere: bool = False
    """The constructor of any class gets objects."""
    registering: frozenset[str] = frozenset()
    """Calls with two types, of which the second provides the first."""
    handlers: Mapping[str, str] = field(default_factory=dict)
    """Types above a class → its method that handles messages of their type argument."""
    senders: frozenset[str] = frozenset()
    """Calls that send a message to its handler."""
