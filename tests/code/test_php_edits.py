"""PHP's types are found through namespaces, traits and comments: after any edits, the edges equal a clean build's."""

import pytest
from hypothesis import strategies as st

from bearings.code.models import Language
from tests.code.edits import check_any_edits, check_edit

FILES = ("a/A.php", "a/B.php", "lib/C.php", "lib/in/D.php", "test/a/A.php")
LINES = (
    "// nothing",
    "/** @template T */ class A { /** @return T */ function held() { } public B $b; "
    "function go($given) { $this->held(); $this->b->go(null); } }",
    "/** @extends B<C> */ class A extends B { use C; "
    "function go() { parent::go(); $this->held()->go(); C::make()->go(); } }",
    "class B extends A { function go(C $c) { $this->held()->run(); $this->b->b->go($c); } }",
    "class B { public A $a; private $late; function __construct() { $this->late = new A; } function go($any): ?C { "
    "$this->a->go(); $this->late->go(); return $this->run(); } }",
    "class C { static function make(): static { return new static; } "
    "function run() { self::make()->run(); return new A; } }",
    "trait C { abstract function run(); function make() { return $this->run(); } private function held() { } }",
    "trait D { function run() { $this->go(); } function make() { } }",
    "class V { use C, D { D::run insteadof C; C::make insteadof D; } "
    "function use(U $u) { $this->run()->go(); $this->make(); } }",
    "enum D: string { case One = 'o'; function go(): self { return self::One; } static function all(): array { return "
    "array_map(fn (D $d) => $d->go(), self::cases()); } }",
    "/** @mixin A\n * @property B $b\n * @method C made() */ class U { "
    "function go() { $this->b->go(1); $this->made()->run(); $this->held(); run(); C::class; } "
    "function __call($n, $g) { } }",
    "class Door extends Facade { static function getFacadeAccessor() { return C::class; } static function at() { "
    "Door::run(); Door::make()->run(); } }",
    "function run(): A { return new A(); } function go(A|B $x, $y) { run()->go(); $x->go(null); if ($y instanceof C) { "
    "$y->run(); } foreach ([new A, new B] as $z) { $z->go(null); } }",
    "class W { /** @var array<int, B> */ public array $all; function go() { foreach ($this->all as $b) $b->go(); "
    "[$this, 'go']; \\run(); \\lib\\run(); return $this->all; } }",
)  # fmt: skip
USES = ("use a\\A;", "use lib\\{C, in\\D};", "use function lib\\run;", "use lib\\C as B;", "")
_packages = st.sampled_from(["namespace a;", "namespace lib;", "namespace lib\\in;", ""])
_texts = st.tuples(
    _packages, st.sampled_from(USES), st.sampled_from(USES), st.lists(st.sampled_from(LINES), max_size=5)
).map(lambda parts: "\n".join(["<?php", *parts[:3], *parts[3]]))


@pytest.mark.slow
def test_after_any_edits_the_edges_are_those_of_a_clean_build():
    pytest.importorskip("tree_sitter_php")
    check_any_edits(FILES, _texts, Language.PHP)


AROUND = {
    "a/A.php": "<?php namespace a; class A { public function go() {} }",
    "a/B.php": "<?php namespace a; class B { public function go() {} }",
    "a/T.php": "<?php namespace a; trait T { private A $one; function two() { return $this->one; } }",
    "a/S.php": "<?php namespace a; class S { use T; }",
    "a/P.php": "<?php namespace a; /** @property A $told */ class P { /** @var A[] */ public $all; "
    "public $late; function __construct() { $this->late = new A; } function made() { return new A; } }",
    "a/run.php": "<?php namespace a; function run(): A { return new A; }",
    "a/N.php": "<?php namespace n; class A {} namespace a\\far; class N { function go() {} } function far() {}",
    "b/M.php": "<?php namespace b; use a\\far\\N; use function a\\far\\far; function m(N $n) { $n->go(); far(); }",
    "a/F.php": "<?php namespace a; class F extends Facade { static function getFacadeAccessor() { return A::class; } }",
    "a/V.php": "<?php namespace a; class V { function use(S $s, P $p) { $s->two()->go(); $p->told->go(); run()->go();\n"
    "$p->late->go(); $p->made()->go(); foreach ($p->all as $x) { $x->go(); }\nF::go(); } }",
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a/N.php", "<?php namespace n; class A {} namespace a\\near; class N { function go() {} } function far() {}"),
        ("a/N.php", "<?php namespace a\\far; class N { function go() {} } namespace n; function far() {}"),
        ("a/T.php", AROUND["a/T.php"].replace("A $one", "B $one")),
        ("a/S.php", "<?php namespace a; class S { use T; function two(): B { } }"),
        ("a/S.php", "<?php namespace a; class S { }"),
        ("a/P.php", AROUND["a/P.php"].replace("@property A", "@property B")),
        ("a/P.php", AROUND["a/P.php"].replace("@var A[]", "@var B[]")),
        ("a/P.php", AROUND["a/P.php"].replace("late = new A", "late = new B")),
        ("a/P.php", AROUND["a/P.php"].replace("return new A", "return new B")),
        ("a/P.php", None),
        ("a/run.php", "<?php namespace a; function run(): B { return new B; }"),
        ("a/run.php", "<?php function run(): a\\B { return new a\\B; }"),
        ("a/F.php", AROUND["a/F.php"].replace("A::class", "B::class")),
        ("a/A.php", "<?php namespace b; class A { public function go() {} }"),
        ("b/more.php", "<?php namespace a; class A { public function go() {} function run() {} }"),
    ],
)
def test_an_edit_reaches_files_that_do_not_name_what_it_changes(path, text):
    pytest.importorskip("tree_sitter_php")
    check_edit(AROUND, path, text, Language.PHP)
