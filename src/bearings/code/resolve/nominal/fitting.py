"""How well an argument fits a parameter, by their types."""

from typing import Final

from bearings.code.resolve.nominal.names import TypeNames
from bearings.code.resolve.nominal.types import NULL, NominalRules, Type

NEVER: Final = -9.0
_SAME: Final = 3.0
_BELOW: Final = 2.0
_ANY: Final = 1.0
PERHAPS: Final = 0.8
"""The fit of a class from outside whose bases are not known."""


def fits(parameters: int, arguments: int, *, takes_more: bool, optional: int = 0) -> bool:
    """Whether a method may be called with so many arguments; `optional` is the number of parameters to leave out."""
    if takes_more:
        return arguments >= parameters - 1 - optional
    return parameters - optional <= arguments <= parameters


def distance(types: TypeNames, given: Type | None, wanted: Type | None) -> float:
    """The more, the better an argument fits a parameter; NEVER or less for one that can't be passed."""
    if given is None or wanted is None or (not given.name and not given.file):
        return _ANY
    if given == NULL:
        return NEVER if types.rules.is_primitive(wanted) else _ANY
    if wanted.is_variable:
        return _to_variable(types, given, wanted)
    given = types.bound(given) or given
    rules = types.rules
    if (given.name, given.file, given.dimensions) == (wanted.name, wanted.file, wanted.dimensions):
        return _SAME
    if not wanted.file and not wanted.dimensions and wanted.name == rules.top:
        return 0.5 if rules.is_primitive(given) else _ANY
    if given.dimensions or wanted.dimensions:
        held = given._replace(dimensions=0), wanted._replace(dimensions=0)
        if not wanted.dimensions and not wanted.file and wanted.name in rules.finals.get("[]", ()):
            return _BELOW - 0.2
        if given.dimensions != wanted.dimensions or any(map(rules.is_primitive, held)):
            return NEVER
        fit = distance(types, *held)
        return fit + 0.2 if fit > NEVER else NEVER  # rather the array than Object
    if rules.is_primitive(given) or rules.is_primitive(wanted):
        return _primitive(rules, given, wanted)
    above = types.supers(given)
    for place, each in enumerate(above):
        if (each.name, each.file) == (wanted.name, wanted.file):
            return _BELOW - 0.01 * place
    if wanted.file:
        return NEVER
    known = rules.bases_of(given)
    if known is not None:
        return _BELOW - 0.1 if wanted.name in known else NEVER
    return PERHAPS if any(not each.file for each in above) and wanted.name not in rules.finals else NEVER


def is_below(types: TypeNames, one: Type | None, other: Type | None) -> bool:
    """Whether each value of a type is one of another type, without a change."""
    one, other = types.bound(one), types.bound(other)
    if one is None or other is None or one.erased == other.erased:
        return True
    rules = types.rules
    if rules.is_primitive(one) or rules.is_primitive(other):
        return not other.file and other.name in rules.wider.get(one.name, ())
    if (other.name, other.file, other.dimensions) == (rules.top, "", 0):
        return True
    if one.dimensions or other.dimensions:
        held = one._replace(dimensions=0), other._replace(dimensions=0)
        return one.dimensions == other.dimensions and not any(map(rules.is_primitive, held)) and is_below(types, *held)
    return any((each.name, each.file) == (other.name, other.file) for each in types.supers(one)) or (
        not other.file and other.name in (rules.bases_of(one) or ())
    )


def _to_variable(types: TypeNames, given: Type, wanted: Type) -> float:
    if wanted.dimensions > given.dimensions:
        return NEVER
    if wanted.dimensions:
        return NEVER if types.rules.is_primitive(given._replace(dimensions=0)) else _ANY
    limit = types.bound(wanted)
    is_any = limit is None or limit.name == types.rules.top or limit.is_variable
    fit = _ANY if is_any or limit is None else distance(types, given, limit)
    return min(fit, 0.5 if types.rules.is_primitive(given) else 1.1)


def _primitive(rules: NominalRules, given: Type, wanted: Type) -> float:
    if rules.is_primitive(given) and rules.is_primitive(wanted):
        wider = rules.wider.get(given.name, ())
        return 2.5 - 0.1 * wider.index(wanted.name) if wanted.name in wider else NEVER
    if rules.is_primitive(given):
        box = rules.boxes[given.name]
        if wanted.file:
            return NEVER
        return 1.5 if wanted.name == box else 1.2 if wanted.name in rules.finals.get(box, ()) else NEVER
    return 1.5 if not given.file and given.name == rules.boxes[wanted.name] else NEVER
