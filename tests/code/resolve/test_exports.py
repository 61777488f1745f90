"""Exports of modules: a part that knows files, not what expressions mean."""

from bearings.code.expressions import Expression
from bearings.code.file_facts import Binding, FileFacts
from bearings.code.models import Language, ProjectFiles, SymbolKind
from bearings.code.resolve.context import Context
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.names.exports import Exports
from bearings.code.resolve.referent import OUTSIDE, Referent
from bearings.code.resolve.referents import MISSING, symbol_at
from tests.code.resolve.written import Written, alone, word

FUNCTION, CLASS, CONSTANT = SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.CONSTANT


class Tops:
    """Flow and members that know the names at the top of modules alone."""

    def __init__(self) -> None:
        self.context: Context | None = None

    def expression(
        self, file: str, scope: int, expression: Expression, line: int, *, types: bool = False
    ) -> Referent | None:
        return self.own_member(file, 0, expression) if isinstance(expression, str) else None

    def name(self, file: str, scope: int, name: str, line: int, *, types: bool = False) -> Referent | None:
        return self.own_member(file, 0, name)

    def binding(self, file: str, row: Binding, *, types: bool = False) -> Referent | None:
        return self.own_member(file, 0, row.name)

    def member(self, referent: Referent, name: str, *, types: bool = False) -> Referent | None:
        return self.own_member(referent.file, referent.symbol, name)

    def own_member(self, file: str, symbol: int, name: str, *, types: bool = False) -> Referent | None:
        assert self.context is not None
        rows = self.context.views[file].members(symbol).get(name)
        return symbol_at(file, rows[0]) if rows else None


def exports(*files: Written) -> "tuple[Exports, Context, dict[str, FileFacts]]":
    tops = Tops()
    tops.context, parts, facts = alone(*files, flow=tops, members=tops)
    part = Exports(tops.context, Modules(ProjectFiles(frozenset(facts))))
    part.join(parts)
    return part, tops.context, facts


def exported(files: list[Written], path: str, name: str) -> str:
    part, _, facts = exports(*files)
    return word(facts, part.export(path, name))


def module(path: str, **symbols: SymbolKind) -> Written:
    file = Written(path)
    for name, kind in symbols.items():
        file.symbol(name, kind)
    return file


def test_an_export_means_its_local_name():
    file = module("a.ts", inside=FUNCTION)
    file.exports("outside", "inside")
    assert exported([file], "a.ts", "outside") == "a.ts#inside"
    assert exported([file], "a.ts", "inside") == "?"


def test_a_chain_of_renamed_exports_leads_to_the_declaration():
    a, b, c = module("a.ts", one=FUNCTION), Written("b.ts"), Written("c.ts")
    a.exports("one")
    b.exports("two", "one", "./a")
    c.exports("three", "two", "./b")
    assert exported([a, b, c], "c.ts", "three") == "a.ts#one"


def test_a_star_passes_every_name_on_but_the_default():
    a, b = module("a.ts", one=FUNCTION, two=FUNCTION), Written("b.ts")
    a.exports("one")
    a.exports("default", "two")
    b.exports("*", "*", "./a")
    assert exported([a, b], "b.ts", "one") == "a.ts#one"
    assert exported([a, b], "b.ts", "default") == "?"


def test_a_module_s_own_export_wins_over_a_star_before_it():
    a, b = module("a.ts", one=FUNCTION), module("b.ts", own=FUNCTION)
    a.exports("one")
    b.exports("*", "*", "./a")
    b.exports("one", "own")
    assert exported([a, b], "b.ts", "one") == "b.ts#own"


def test_a_star_under_a_name_is_the_module():
    a, b = module("a.ts", one=FUNCTION), Written("b.ts")
    b.exports("all", "*", "./a")
    assert exported([a, b], "b.ts", "all") == "module a.ts"


def test_a_circle_of_re_exports_ends():
    a, b = Written("a.ts"), Written("b.ts")
    a.exports("*", "*", "./b")
    b.exports("*", "*", "./a")
    a.exports("one", "one", "./b")
    assert exported([a, b], "b.ts", "one") == "?"
    assert exported([a, b], "b.ts", "two") == "?"


def test_modules_outside_and_missing_ones_are_told_apart():
    a = Written("a.ts")
    a.exports("one", "one", "library")
    a.exports("two", "two", "./gone")
    part, _, _ = exports(a)
    library, gone = part.export("a.ts", "one"), part.export("a.ts", "two")
    assert library is not None
    assert (library.kind, library.file) == (OUTSIDE, "external")
    assert gone == MISSING


def test_the_whole_of_a_commonjs_module_is_its_default_and_gives_its_members():
    a = Written("a.js", Language.JAVASCRIPT)
    whole = a.symbol("Whole", CLASS)
    a.symbol("part", FUNCTION, whole)
    a.exports("=", "Whole")
    assert exported([a], "a.js", "default") == "a.js#Whole"
    assert exported([a], "a.js", "part") == "a.js#Whole.part"


def test_what_a_call_wraps_is_exported_only_if_nothing_else_is_known():
    a = module("a.ts", View=FUNCTION, made=CONSTANT)
    a.exports("default", "unknown")
    a.exports("default", "View", wrapped=True)
    a.exports("known", "made")
    a.exports("known", "View", wrapped=True)
    assert exported([a], "a.ts", "default") == "a.ts#View"
    assert exported([a], "a.ts", "known") == "a.ts#made"


def test_only_functions_and_classes_are_taken_for_what_a_call_wraps():
    a = module("a.ts", options=CONSTANT)
    a.exports("default", "unknown")
    a.exports("default", "options", wrapped=True)
    assert exported([a], "a.ts", "default") == "?"


def python(path: str, *names: str) -> Written:
    file = Written(path, Language.PYTHON)
    for name in names:
        file.symbol(name, FUNCTION)
    return file


def test_a_module_of_python_offers_every_name_at_its_top():
    assert exported([python("m.py", "one")], "m.py", "one") == "m.py#one"


def test_a_package_offers_the_modules_below_it_unless_a_name_hides_one():
    files = [python("p/__init__.py", "two"), python("p/one.py"), python("p/two.py")]
    assert exported(files, "p/__init__.py", "one") == "module p/one.py"
    assert exported(files, "p/__init__.py", "two") == "p/__init__.py#two"


def test_a_star_import_brings_no_private_name():
    star = python("s.py")
    star.imports("m", "*")
    files = [star, python("m.py", "one", "_two")]
    assert exported(files, "s.py", "one") == "m.py#one"
    assert exported(files, "s.py", "_two") == "?"


def test_an_answer_depends_on_each_file_that_it_passed():
    a, b, c = module("a.ts", one=FUNCTION), Written("b.ts"), Written("c.ts")
    a.exports("one")
    b.exports("*", "*", "./a")
    c.exports("*", "*", "./b")
    part, context, _ = exports(a, b, c)
    for _ in range(2):  # the second answer is cached
        context.answers.consulted = set()
        part.export("c.ts", "one")
        assert context.answers.consulted == {"a.ts", "b.ts"}
