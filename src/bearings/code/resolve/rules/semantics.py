"""The rules of a language, each by its name: shared modules test a rule, never a language.

`<family>/semantics.py` has the instance of each family of languages with the same rules; `families.py` assigns each
language to its family. A rule that is False or empty does not exist in that family.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from bearings.code.models import ProjectFiles
from bearings.code.resolve.modules.module_finder import ModuleFinder
from bearings.code.resolve.nominal.types import NominalRules
from bearings.code.type_expressions import TypeExpression

_NO_NAMES: frozenset[str] = frozenset()


class ResolvedBy(Enum):
    """The way to resolve the uses of a file; `strategies.py` has the implementations."""

    SCOPES = 0
    """Names through scopes and imports, members through types."""
    PACKAGES = 1
    """Names through scopes, then through all files of a folder; interfaces are implemented without naming them."""
    NAMES = 2
    """Calls by name only."""


class Implied(NamedTuple):
    """What calls a method, the methods that stand in for it where a type lacks it, and the one called after it.

    `is_guess`: it is only likely that the call happens.
    """

    by: str
    others: tuple[str, ...] = ()
    then: str = ""
    is_guess: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Semantics:
    """The rules for names, types and calls in a family of languages.

    Languages of one `family` find each other's modules, with the finder that `modules` makes for a tree of files.
    """

    family: str
    resolved_by: ResolvedBy
    modules: Callable[[ProjectFiles], ModuleFinder]
    nominal: NominalRules | None = None
    """The rules of declared types, in languages whose classes differ by name."""
    extended_settings: Callable[[Mapping[str, bytes]], frozenset[str]] | None = None
    """(manifests) → paths of other files that they extend, which may be there, below installed packages too."""

    # Names and scopes
    builtins: frozenset[str] = _NO_NAMES
    """Names that are bound everywhere without an import."""
    global_objects: Mapping[str, str] = field(default_factory=dict)
    """Such names that hold an object → its type, which a project may add members to; empty for what is global."""
    class_scope_hides_names: bool = False
    """Functions inside a class do not see the names of its body."""
    comprehensions_run_in_place: bool = False
    """A block inside a function sees the names bound above it, as the line around it does."""
    binding_begins_next_line: bool = False
    """In `x = f(x)` the second `x` is still the previous one."""
    earlier_definitions_stand_in: bool = False
    """A name may be defined twice, for two cases: `try: import … except ImportError: …`."""
    declarations_merge: bool = False
    """Interfaces, classes and namespaces with one name in one file are one declaration."""
    this_is_parameter: bool = False
    """A method names its object itself (`self`); `this` is an ordinary name."""
    super_is_function: bool = False
    """`super()` returns an object of the base; otherwise it calls the base's constructor."""

    # Modules
    package_files: tuple[str, ...] = ()
    """Files that make their folder a package, whose modules can be imported by name from it."""
    modules_offer_all_names: bool = False
    """All names at a module's top can be imported, also by stars, which bind them; otherwise only its exports."""
    exports_is_module: bool = False
    """The name `exports` is the module itself, as in CommonJS."""
    import_functions: frozenset[str] = _NO_NAMES
    """Functions whose calls are imports: the facts list them as imports too."""
    configured_modules: Mapping[str, str] = field(default_factory=dict)
    """Objects that a library makes of modules which configuration names, or their types; to those modules."""
    has_ambient_names: bool = False
    """Files may see names of others without an import, by conventions of the project."""
    components_have: str = ""
    """The property of a component that is a class, which holds what it is given."""
    components_take_exports: tuple[str, ...] = ()
    """Ends of the paths of components that take what their scripts export."""
    templates_with_hyphens: str = ""
    """The end of the paths of components whose templates may write a property `rowTitle` as `row-title`."""
    template_properties: str = ""
    """The parameter of a component whose properties its template names alone."""
    template_attributes: Mapping[str, str] = field(default_factory=dict)
    """Properties of such a component → the attribute by which templates give them without their name."""
    component_options: str = ""
    """Where a component's file holds its methods, if its script has no functions: a variable and a property."""
    virtual_modules: frozenset[str] = _NO_NAMES
    """Specifiers of modules without a file, which export the names that files see without an import."""
    files_share_names: bool = False
    """A file sees the declarations of its package's other files without an import."""

    fixture_module: str = ""
    """The module whose fixtures are visible to the tests beside and below it."""
    fixture_runner: str = ""
    """The program that runs fixtures, by the names of the parameters of tests."""

    # Types
    types_have_names_of_their_own: bool = False
    """A type and a value may have the same name; otherwise a type is a value, and an alias is an assignment."""
    type_variables_have_no_scope: bool = False
    """A type variable is a module's variable, and stands for the type argument of a call or class."""
    function_type: str = ""
    """The name of the type of functions, whose last argument is their result."""
    async_annotation_wraps_in: str = ""
    """The type around the annotated result of an async function; empty if the annotation includes it."""
    maps_give_keys: bool = False
    """A loop over a map yields its keys; otherwise pairs."""
    map_views: Mapping[str, Callable[[TypeExpression, TypeExpression], TypeExpression]] = field(default_factory=dict)
    """Methods of maps → the type of their result, by the types of key and value."""

    unions_have_members_of_all: bool = False
    """A member of a value of one of several types is a member of each, where no test says which type it is."""

    # Classes, objects and functions
    classes_extend_object: bool = False
    """A class without bases extends a built-in one."""
    classes_take_arguments: bool = False
    """`Class[Argument]` is the class."""
    class_bodies_run_in_place: bool = False
    """Calls in a class's body belong to the code around the class."""
    bases_declare_types: bool = False
    """A class that assigns to an attribute uses the declaration of a base that has a type for it."""
    class_members_are_shared: bool = False
    """A member of a class is visible on the class and on its objects, except members that methods assign."""
    overrides_inherit_parameters: bool = False
    """A parameter without a type has the type of the same parameter in the overridden method."""
    enum_members: str = ""
    """The attribute of an enumeration that maps names to its members, which are objects of it."""
    class_attribute: str = ""
    """The attribute of an object that is its class."""
    class_function: str = ""
    """The function that returns the class of an object."""
    has_special_methods: bool = False
    """Calls, loops, indexing and awaiting on an object use its methods `__call__`, `__iter__` and so on."""
    told_of_subclasses: str = ""
    """The method of a class that is called for each of its subclasses."""
    bases_without_members: frozenset[str] = frozenset()
    """Library classes, each with its module, that give their subclasses no members to name."""
    implied_calls: Mapping[str, Implied] = field(default_factory=dict)
    """Methods that the language calls without naming them, which `mentions` of kind CALL end with."""
    decorators_replace_functions: bool = False
    """A decorated function is the result of its decorator."""
    functions_hold_members: bool = False
    """`function.name = …` makes a member, so names inside the function's body are distinguished from members."""
    functions_of_same: frozenset[str] = _NO_NAMES
    """Functions of the standard library, by their modules and names, whose result is like their first argument."""
    methods_of_same: Mapping[str, str] = field(default_factory=dict)
    """Methods that a library's class gives those that extend it, and that return an object of their class.

    A method whose name others have too is mapped to the library.
    """
    invoking: frozenset[str] = frozenset()
    """Methods of functions that call them: `total.call(cart)`."""
    objects_attribute: str = ""
    """What gives the members of a class's objects: `Cart.prototype`."""
    methods_of_functions: Mapping[str, str] = field(default_factory=dict)
    """Methods that a framework's decorator gives a function, and that have it called; to the framework."""
    types_in_comments: bool = False
    """Types are written in comments alone: `mentions` of kind TYPE, each on its line."""
    returns_may_be_unknown: bool = False
    """Without types, a function's result is unknown if one of its return statements is."""
    variables_take_members: bool = False
    """A variable may be assigned members that the type in its comment lacks."""
