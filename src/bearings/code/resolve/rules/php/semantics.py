"""The rules of PHP: the table of names, and types that the code or a comment declares."""

from bearings.code.resolve.nominal.types import NominalRules
from bearings.code.resolve.rules.by_name.modules import FAMILY, DeclaredModules
from bearings.code.resolve.rules.semantics import ResolvedBy, Semantics

_RESULTS = {
    "@class": """app resolve make get mock partialMock spy prophesize createMock createStub createPartialMock getMock
        getMockForAbstractClass instance newInstance""",
    "@last": """first last find findOrFail firstOrFail sole random pop shift pull offsetGet current next previous end
        firstWhere""",
    "@self": """from tryFrom filter values reject unique sort sortBy sortByDesc sortDesc reverse take skip slice each
        tap merge concat keyBy push add prepend shuffle diff intersect where whereIn whereNotNull whereNull only
        except getIterator fresh refresh""",
    "@lasts": "cases all toArray",
    "string": "__toString trim substr str_replace sprintf implode strtolower strtoupper json_encode format",
    "int": "count strlen time",
    "bool": "isEmpty isNotEmpty contains has exists is_null in_array method_exists",
}

PHP = Semantics(
    family=FAMILY,
    resolved_by=ResolvedBy.NAMES,
    modules=DeclaredModules,
    nominal=NominalRules(
        top="object",
        wider={},
        boxes={},
        class_of="class-string",
        separator="\\",
        whole_names=True,
        before_names=rb"(?<!->)(?<!::)",
        is_dynamic=True,
        passed=(-1, 0),
        results={name: result for result, names in _RESULTS.items() for name in names.split()},
    ),
)
