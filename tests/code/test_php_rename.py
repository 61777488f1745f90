"""coderef_rename and coderef_remove in PHP, whose names are followed by edges; a sign stands before each place."""

import pytest

from tests.code.named_by_edges import check_refused, check_removed, check_removed_with_imports, check_renamed
from tests.code.test_remove import remove
from tests.code.test_rename import contents, rename
from tests.code.trees import write

RENAMED = {
    "a method of an interface, of its classes and traits, by callables": (
        "Job.old",
        {
            "src/Jobs.php": (
                "<?php\nnamespace A;\n\ninterface Job { public function §old(): int; }\n"
                "trait Runs {\n  public function §old(): int { return 1; }\n}\n"
                "class One implements Job {\n  use Runs;\n  public $old = 1;\n  const old = 2;\n"
                "  function f(int $old) { $this->old = ['old' => $old]; self::old; return $this->§old(); }\n}\n"
                "class Two implements Job {\n  use Runs { Runs::§old as aged; }\n  public function §old(): int {\n"
                "    array_map([$this, '§old'], []);\n    return self::§old() + old();\n  }\n}\n"
                "class Other { function old() { return new Other; } }\nfunction old() { return (new Other)->old(); }\n"
            ),
        },
    ),
    "a property, in texts and by its class": (
        "Cart.old",
        {
            "src/Cart.php": (
                "<?php\nclass Cart {\n  protected ?Cart $§old = null;\n  protected static $older;\n"
                "  function f(Cart $cart, $old) {\n    $this->§old->§old = $old;\n    f(old: 1);\n"
                '    return "a {$cart->§old} $cart->§old old $old[old]";\n  }\n'
                "  function old() { return $this->old(); }\n}\n"
                "class Low extends Cart {\n  protected ?Cart $§old = null;\n}\n"
            ),
        },
    ),
    "a property that a constructor declares, with the parameter": (
        "Cart.old",
        {
            "src/Cart.php": (
                "<?php\nclass Cart {\n  public function __construct(private int $§old, int $other) {\n"
                "    $f = function () use ($§old, &$other) { return $§old; };\n    $g = fn () => $§old;\n"
                "    $h = function ($old) { return $old; };\n  }\n"
                "  function f($old) { return $this->§old + $old; }\n}\n"
            ),
        },
    ),
    "a property in braces of a text, with the parameter": (
        "Cart.old",
        {
            "src/Cart.php": (
                "<?php\nclass Cart {\n  function __construct(private $§old) {\n"
                '    return "${§old} ${§old[1]} $§old[0] $x[old] old";\n  }\n'
                '  function f($old) { return "${old}"; }\n}\n'
            ),
        },
    ),
    "a static property": (
        "Cart.old",
        {"src/Cart.php": "<?php\nclass Cart {\n  static $§old = 1;\n  function f() { return self::$§old; }\n}\n"},
    ),
    "a constant and a case": (
        "Suit.OLD",
        {
            "src/Suit.php": "<?php\nnamespace A;\nenum Suit {\n  case §OLD;\n  const NEW = self::§OLD;\n}\n",
            "src/Use.php": "<?php\nuse A\\Suit;\nfunction f() { return Suit::§OLD === \\A\\Suit::§OLD; }\n",
        },
    ),
    "a function of a namespace": (
        "old",
        {
            "src/functions.php": "<?php\nnamespace A;\n\nfunction §old() { return §old() + \\A\\§old(); }\n",
            "src/Use.php": "<?php\nnamespace B;\nuse function A\\§old;\n\nfunction f($old) { return §old($old); }\n",
        },
    ),
    "a class in a file of another name": (
        "Old",
        {
            "src/all.php": "<?php\nnamespace A;\n\nclass §Old { }\nclass Low extends §Old { function old() { } }\n",
            "src/Use.php": (
                "<?php\nnamespace B;\nuse A\\§Old;\nuse A\\§Old as Other;\n\n"
                "function f(?§Old $old, Other $x): §Old {\n  try { return new §Old; } catch (\\A\\§Old $e) { }\n"
                "  return $old instanceof §Old ? §Old::class : §Old::f();\n}\n"
            ),
        },
    ),
}


@pytest.mark.parametrize(("element", "files"), RENAMED.values(), ids=RENAMED)
def test_every_place_of_the_element_is_renamed_and_back(tmp_path, element, files):
    check_renamed(tmp_path, element, files)


_BOX = "<?php\nclass Box {\n  function old() { }\n"
REFUSED = {
    "a method that the language calls": ("<?php\nclass Box {\n  function __toString() { }\n}\n", "Box.__toString", 3),
    "a base of a library": ("<?php\nclass Box extends Model {\n  function old() { }\n}\n", "Box.old", 2),
    "a field below a base of a library": ("<?php\nclass Box extends Model {\n  protected $old;\n}\n", "Box.old", 2),
    "a base of a library above a class that has a trait": (
        "<?php\ntrait Box {\n  function old() { }\n}\nclass Low extends Model { use Box; }\n", "Box.old", 5
    ),
    "a known type that declares it": (
        "<?php\nclass Box implements Countable {\n  function count() { }\n}\n", "Box.count", 2
    ),
    "a class whose file has its name": ("<?php\nclass Box { }\n", "Box", 2),
    "a method that a text names": (f"{_BOX}}}\nroute('Box@old');\n", "Box.old", 5),
    "a method of an unknown object in a callable": (f"{_BOX}}}\nusort($x, [$y, 'old']);\n", "Box.old", 5),
    "a method that is looked up": (f"{_BOX}}}\nmethod_exists($y, 'old');\n", "Box.old", 5),
    "a method of an unknown object": (f"{_BOX}}}\nfunction f($x) {{ $x->old(); }}\n", "Box.old", 5),
    "a function that a text calls": ("<?php\nfunction old() { }\narray_map('old', []);\n", "old", 3),
    "a use in a template": (f"{_BOX}}}\n?>\n<p>{{{{ $box->old() }}}}</p>\n", "Box.old", 6),
    "a named argument": (
        "<?php\nclass Box {\n  function __construct(public $old) { }\n}\n$box = new Box(old: 1);\n", "Box.old", 5
    ),
    "a parameter of the new name": (
        "<?php\nclass Box {\n  function __construct(public $old,\n    $anew) { }\n}\n", "Box.old", 4
    ),
    "another method of the new name below": (
        f"{_BOX}}}\nclass Low extends Box {{\n  function anew() {{ }}\n}}\n", "Box.old", 6
    ),
    "a member of a class that composes names": (
        f"{_BOX}}}\nclass Low extends Box {{\n  function f($x) {{ $this->{{'o' . $x}}(); }}\n}}\n", "Box.old", 3
    ),
    "a text of its own file that is no key": (
        "<?php\nclass Box {\n  public $old;\n  function f() { return ['old' => $x['old']]; }\n"
        "  function g() { return ['old', 'other']; }\n}\n",
        "Box.old",
        5,
    ),
    "a method of a class without a name below a library's": (
        "<?php\nreturn new class extends Migration {\n  function old() { }\n};\n", "old", 3
    ),
    "a method of a class that frameworks find": (
        "<?php\nclass BoxObserver {\n  function old() { }\n}\n", "BoxObserver.old", 3
    ),
    "a method that frameworks call": ("<?php\nclass Box {\n  function handle() { }\n}\n", "Box.handle", 3),
    "a property of a class that reads one by a variable": (
        "<?php\nclass Box {\n  public $old;\n  function f($x) { return $this->$x; }\n}\n", "Box.old", 3
    ),
    "a provider of data that a comment names": (
        "<?php\nclass BoxTest {\n  /** @dataProvider old */\n  function testA() { }\n  function old() { }\n}\n",
        "BoxTest.old", 3
    ),
    "a call in other letters": (f"{_BOX}  function f() {{\n    return $this->OLD();\n  }}\n}}\n", "Box.old", 5),
    "a class in other letters": ("<?php\nclass Old { }\nfunction f() {\n  return new OLD;\n}\n", "Old", 4),
    "a method below in other letters": (
        f"{_BOX}}}\nclass Low extends Box {{\n  function Old() {{ }}\n}}\n", "Box.old", 6
    ),
    "another method of the new name in other letters": (f"{_BOX}  function Anew() {{ }}\n}}\n", "Box.old", 4),
    "another class of the new name": (f"{_BOX}}}\nclass Low {{ }}\nclass anew {{ }}\n", "Low", 6),
}  # fmt: skip


@pytest.mark.parametrize(("source", "element", "line"), REFUSED.values(), ids=REFUSED)
def test_a_doubtful_place_is_shown_and_nothing_written(tmp_path, source, element, line):
    check_refused(tmp_path, "Box.php", source, element, line)


def test_other_elements_in_other_letters_are_no_uses(tmp_path):
    files = {
        "a.php": "<?php\nnamespace A;\nclass Box {\n  function old() { }\n}\nclass Old {\n  public $OLD;\n}\n",
        "b.php": (
            "<?php\nnamespace B;\nuse Other\\OLD;\nclass Low {\n  const OLD = 1;\n  function OLD() { }\n"
            "  function f(OLD $old) { return $this->OLD() . self::OLD . new OLD; }\n}\n"
        ),
    }
    root = write(tmp_path, files)
    assert rename(root, "Box.old", "anew").written
    assert rename(root, "a.php#Old", "Anew").written
    assert contents(root)["b.php"] == files["b.php"]


def test_a_method_that_is_called_in_other_letters_stays(tmp_path):
    source = f"{_BOX}  function f() {{ return $this->OLD(); }}\n}}\n"
    assert 4 in [place.line for place in remove(write(tmp_path, {"Box.php": source}), "Box.old").refused]


def test_settings_and_templates_that_name_a_method_forbid(tmp_path):
    files = {
        "src/Box.php": "<?php\nnamespace A;\nclass Box {\n  function old() { }\n}\n",
        "config/routes.yaml": "home:\n  controller: A\\Box::old\n  name: old\n",
        "templates/box.html.twig": "<p>{{ box.old }}</p>\n<p>old</p>\n",
    }
    root = write(tmp_path, files)
    refused = [(place.file, place.line) for place in rename(root, "Box.old", "anew").refused]
    assert refused == [("config/routes.yaml", 2), ("templates/box.html.twig", 1)]
    assert contents(root) == files


def test_a_text_beside_a_call_by_a_computed_name_forbids(tmp_path):
    other = "<?php\n$name = 'old';\n$x = ['old' => 1];\n"
    files = {"Box.php": f"{_BOX}}}\n", "a.php": f"{other}(new Box)->$name();\n", "b.php": other}
    root = write(tmp_path, files)
    assert [(place.file, place.line) for place in rename(root, "Box.old", "anew").refused] == [("a.php", 2)]
    assert contents(root) == files


def test_documentation_and_other_texts_are_listed(tmp_path):
    source = "<?php\n/** @method old() See Box::old(). */\nclass Box {\n  function old() { return ['old' => 1]; }\n}\n"
    root = write(tmp_path, {"Box.php": source})
    left = [(place.line, place.why) for place in rename(root, "Box.old", "anew", dry_run=True).left]
    assert left == [(2, "a comment"), (4, "a string")]


REMOVED = {
    "a method with its documentation and attribute": (
        "Box.old",
        "<?php\nclass Box {\n  public $a;\n\n  /** Old. */\n  #[Override]\n  private function old() { }\n}\n",
        "<?php\nclass Box {\n  public $a;\n}\n",
    ),
    "a property": (
        "Box.old",
        "<?php\nclass Box {\n  private $a;\n  private $old = 1;\n}\n",
        "<?php\nclass Box {\n  private $a;\n}\n",
    ),
    "one property of two": ("Box.old", "<?php\nclass Box {\n  private $a, $old;\n}\n", None),
    "a property that a constructor declares": (
        "Box.old", "<?php\nclass Box {\n  function __construct(private $old) { }\n}\n", None
    ),
    "a constant": (
        "Box.OLD",
        "<?php\nclass Box {\n  private const OLD = 1;\n  public $a;\n}\n",
        "<?php\nclass Box {\n  public $a;\n}\n",
    ),
    "a method that a class below has, too": (
        "Box.old",
        "<?php\nclass Box {\n  function old() { }\n}\nclass Low extends Box {\n  function old() { }\n}\n",
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("element", "before", "after"), REMOVED.values(), ids=REMOVED)
def test_an_unused_element_goes_or_is_refused(tmp_path, element, before, after):
    check_removed(tmp_path, "Box.php", element, before, after)


def test_a_class_goes_with_its_imports(tmp_path):
    before = {
        "a/Box.php": "<?php\nnamespace A;\n\nclass Box { }\n\nclass Old { }\n",
        "b/Use.php": (
            "<?php\nnamespace B;\nuse A\\Box;\nuse A\\Old;\nuse A\\{Old, Box as Boxes};\n\nclass Low extends Box { }\n"
        ),
    }
    after = {
        "a/Box.php": "<?php\nnamespace A;\n\nclass Box { }\n",
        "b/Use.php": "<?php\nnamespace B;\nuse A\\Box;\nuse A\\{Box as Boxes};\n\nclass Low extends Box { }\n",
    }
    check_removed_with_imports(tmp_path, "Old", before, after)
