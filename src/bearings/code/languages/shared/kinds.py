"""The members of the enums that visitors use, as constants.

In CPython 3.11 the lookup of an enum's member takes as long as creating a row of facts, because the enum's class has a
`__getattr__`. A module compiled with mypyc reads these constants directly in any version.
"""

from typing import Final

from bearings.code.file_facts import BindingKind, ScopeKind
from bearings.code.models import EdgeKind, SymbolKind


class Symbols:
    """The members of SymbolKind."""

    MODULE: Final = SymbolKind.MODULE
    FUNCTION: Final = SymbolKind.FUNCTION
    CLASS: Final = SymbolKind.CLASS
    COMPONENT: Final = SymbolKind.COMPONENT
    HOOK: Final = SymbolKind.HOOK
    METHOD: Final = SymbolKind.METHOD
    CONSTRUCTOR: Final = SymbolKind.CONSTRUCTOR
    CONSTANT: Final = SymbolKind.CONSTANT
    VARIABLE: Final = SymbolKind.VARIABLE
    INTERFACE: Final = SymbolKind.INTERFACE
    TYPE: Final = SymbolKind.TYPE
    ENUM: Final = SymbolKind.ENUM
    PROPERTY: Final = SymbolKind.PROPERTY
    DECORATOR: Final = SymbolKind.DECORATOR
    ENDPOINT: Final = SymbolKind.ENDPOINT
    SCHEMA: Final = SymbolKind.SCHEMA


class Scopes:
    """The members of ScopeKind."""

    MODULE: Final = ScopeKind.MODULE
    FUNCTION: Final = ScopeKind.FUNCTION
    ARROW: Final = ScopeKind.ARROW
    CLASS: Final = ScopeKind.CLASS
    BLOCK: Final = ScopeKind.BLOCK


class Bindings:
    """The members of BindingKind."""

    SYMBOL: Final = BindingKind.SYMBOL
    IMPORT: Final = BindingKind.IMPORT
    PARAMETER: Final = BindingKind.PARAMETER
    LOCAL: Final = BindingKind.LOCAL
    TYPE: Final = BindingKind.TYPE
    TYPE_PARAMETER: Final = BindingKind.TYPE_PARAMETER
    OUTER: Final = BindingKind.OUTER
    NARROWED: Final = BindingKind.NARROWED


class Edges:
    """The members of EdgeKind."""

    IMPORT: Final = EdgeKind.IMPORT
    EXPORT: Final = EdgeKind.EXPORT
    CALL: Final = EdgeKind.CALL
    NEW: Final = EdgeKind.NEW
    JSX: Final = EdgeKind.JSX
    EXTENDS: Final = EdgeKind.EXTENDS
    IMPLEMENTS: Final = EdgeKind.IMPLEMENTS
    REFERENCE: Final = EdgeKind.REFERENCE
    TYPE: Final = EdgeKind.TYPE
    READ: Final = EdgeKind.READ
    WRITE: Final = EdgeKind.WRITE
    REQUEST: Final = EdgeKind.REQUEST
