"""The rules of a language, each by its name: shared modules ask for a rule, never for a language.

One instance for each family of languages that resolve alike stands in `<family>/semantics.py`; `families.py` says which
language belongs to which. A rule that is False or empty does not exist in that family.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from bearings.code.models import ProjectFiles
from bearings.code.resolve.strategy import ModuleFinder
from bearings.code.resolve.type_texts import Form

_NO_NAMES: frozenset[str] = frozenset()


class ResolvedBy(Enum):
    """How the uses of a file are resolved; `strategies.py` has the implementation of each."""

    SCOPES = 0
    """Names through the scopes and imports of a file, members through types."""
    PACKAGES = 1
    """Names through scopes, then through all files of a folder; interfaces are implemented without being named."""
    NAMES = 2
    """Calls by their names alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Semantics:
    """How names, types and calls work in a family of languages.

    Languages of one `family` find each other's modules, by the finder that `modules` makes for a tree of files.
    """

    family: str
    resolved_by: ResolvedBy
    modules: Callable[[ProjectFiles], ModuleFinder]
    type_form: Callable[[str], Form | None]
    """Reads a type as written."""

    # Names and scopes
    builtins: frozenset[str] = _NO_NAMES
    """Names that are bound everywhere without an import."""
    class_scope_hides_names: bool = False
    """Functions inside a class do not see the names of its body."""
    comprehensions_run_in_place: bool = False
    """A block inside a function sees what was bound above it, as the line around it does."""
    binding_begins_next_line: bool = False
    """In `x = f(x)` the second `x` is still the former one."""
    earlier_definitions_stand_in: bool = False
    """A name may be defined twice, for another case: `try: import … except ImportError: …`."""
    declarations_merge: bool = False
    """Interfaces, classes and namespaces of one name in one file are one thing."""
    this_is_parameter: bool = False
    """A method names its object itself (`self`); `this` is a name like any other."""
    super_is_function: bool = False
    """`super()` gives an object of the base; elsewhere it calls the base's constructor."""

    # Modules
    package_files: tuple[str, ...] = ()
    """Files that make their folder a package, whose modules are importable by name from it."""
    modules_offer_all_names: bool = False
    """What a module binds at its top is importable; elsewhere what it exports is."""
    star_imports_bind_names: bool = False
    """`from module import *` binds the names of that module in this file."""
    exports_is_module: bool = False
    """The name `exports` is the module itself, as in CommonJS."""
    import_functions: frozenset[str] = _NO_NAMES
    """Functions whose calls are imports: the facts list them among imports, too."""
    files_share_names: bool = False
    """A file sees what other files of its package declare, without an import."""

    # Types
    types_have_names_of_their_own: bool = False
    """A type and a value may have the same name; elsewhere a type is a value, and an alias is an assignment."""
    types_may_be_quoted: bool = False
    """A name in quotes inside a type is a name."""
    type_variables_have_no_scope: bool = False
    """A type variable is a module's variable, and stands for what a call or a class is given for its name."""
    function_type: str = ""
    """The name of the type of functions, whose last argument is what they give."""
    async_annotation_wraps_in: str = ""
    """What calling an async function gives, around the type that is annotated; empty where the annotation has it."""
    maps_give_keys: bool = False
    """A loop over a map gives its keys; elsewhere pairs."""
    map_views: Mapping[str, str] = field(default_factory=dict)
    """Methods of maps → the type that they give, of a `{key}` and a `{value}`."""

    # Classes, objects and functions
    classes_extend_object: bool = False
    """A class without bases extends one that is built in."""
    classes_take_arguments: bool = False
    """`Class[Argument]` is the class."""
    class_bodies_run_in_place: bool = False
    """What stands around a class calls what its body calls."""
    class_members_are_shared: bool = False
    """A member of a class is seen on the class and on its objects, except for what its methods assign."""
    overrides_inherit_parameters: bool = False
    """A parameter without a type is what the same parameter is in the method that is overridden."""
    has_special_methods: bool = False
    """Calling, looping over, indexing and awaiting an object ask its methods `__call__`, `__iter__` and so on."""
    decorators_replace_functions: bool = False
    """A decorated function is what its decorator gives."""
    functions_hold_members: bool = False
    """`function.name = …` makes a member, so that names inside the function's body must be told from members."""
    returns_may_be_unknown: bool = False
    """Nothing has types: what a function gives is unknown where one of its return statements is."""
    variables_take_members: bool = False
    """Members may be assigned to a variable that the type in its comment does not have."""
