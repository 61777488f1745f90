"""The rules of Python; rules/semantics.py explains each. One that is missing here is off."""

import builtins

from bearings.code.framework_facts import DJANGO_SETTINGS
from bearings.code.resolve.rules.python.implied import IMPLIED_CALLS
from bearings.code.resolve.rules.python.modules import PythonModules
from bearings.code.resolve.rules.semantics import ResolvedBy, Semantics
from bearings.code.type_expressions import ArrayType, TupleType

PYTHON = Semantics(
    family="python",
    resolved_by=ResolvedBy.SCOPES,
    modules=PythonModules,
    builtins=frozenset(dir(builtins)),
    class_scope_hides_names=True,
    comprehensions_run_in_place=True,
    binding_begins_next_line=True,
    earlier_definitions_stand_in=True,
    this_is_parameter=True,
    super_is_function=True,
    package_files=("__init__.py", "__init__.pyi"),
    modules_offer_all_names=True,
    configured_modules=dict.fromkeys(
        ("django.conf.settings", "django.conf.LazySettings", "pytest_django.fixtures.SettingsWrapper"), DJANGO_SETTINGS
    ),
    fixture_module="conftest",
    fixture_runner="pytest",
    type_variables_have_no_scope=True,
    function_type="Callable",
    async_annotation_wraps_in="Promise",  # the resolver's name for a coroutine: see PROMISES in types/builtin_types.py
    maps_give_keys=True,
    map_views={
        "values": lambda _, value: ArrayType(value),
        "keys": lambda key, _: ArrayType(key),
        "items": lambda key, value: ArrayType(TupleType((key, value))),
    },
    classes_extend_object=True,
    classes_take_arguments=True,
    class_bodies_run_in_place=True,
    bases_declare_types=True,
    class_members_are_shared=True,
    overrides_inherit_parameters=True,
    enum_members="__members__",
    class_attribute="__class__",
    class_function="type",
    has_special_methods=True,
    told_of_subclasses="__init_subclass__",
    bases_without_members=frozenset(
        """abc.ABC object typing.Generic typing.Protocol typing_extensions.Generic typing_extensions.Protocol""".split()
    ),
    implied_calls=IMPLIED_CALLS,
    decorators_replace_functions=True,
    methods_of_same={  # of named tuples, and of Pydantic's models
        **dict.fromkeys("_make _replace from_orm model_construct model_copy model_validate".split(), ""),
        **dict.fromkeys("model_validate_json model_validate_strings parse_obj".split(), ""),
        **dict.fromkeys(("construct", "parse_file", "parse_raw"), "pydantic"),
    },
    methods_of_functions={
        **dict.fromkeys(("delay", "apply_async", "apply", "s", "si", "signature", "subtask"), "Celery"),
        **dict.fromkeys(("send", "send_with_options"), "Dramatiq"),
    },
)
