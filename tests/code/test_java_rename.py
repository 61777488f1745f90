"""coderef_rename and coderef_remove in Java, whose names are followed by edges; a sign stands before each place."""

import pytest

from tests.code.named_by_edges import (
    check_in_comment,
    check_refused,
    check_removed,
    check_removed_with_imports,
    check_renamed,
)

_JOBS = (
    "package a;\n\ninterface Job { void §old(); }\n\nclass Jobs {\n  int old;\n"
    "  Job one = new Job() {\n    public void §old() { }\n  };\n"
    "  Runnable all(int old) { one.§old(); this.old = old; return one::§old; }\n"
    "  class Alpha { public void §old() { } }\n"
    "  class Both extends Alpha implements Job { }\n"
    "  static class Other { void old() { } }\n  void run(Other other) { other.old(); }\n}\n"
)
RENAMED = {
    "a method, what overrides it without a name, and what a class below brings together": (
        "Job.old", {"a/Jobs.java": _JOBS}
    ),
    "a field beside a method, a parameter and a local of its name": (
        "Cart.old:4",
        {
            "a/Cart.java": (
                "package a;\n\nclass Cart {\n  int §old;\n  int old() { return §old; }\n"
                "  Cart(int old) { this.§old = old; }\n  void add() {\n    §old++;\n"
                '    new Object() { int old = 1; int f() { return old; } };\n    String text = "old";\n  }\n'
                "  int f(Cart other) {\n    int old = 2;\n    return other.§old + old + other.old();\n  }\n}\n"
            ),
        },
    ),
    "a nested class with its constructors and imports": (
        "Cart.Old",
        {
            "a/Cart.java": "package a;\n\npublic class Cart {\n  public static class §Old {\n    public §Old() { }\n"
            "    §Old(int x) { this(); }\n  }\n  <Old> Old f(Old x) { return x; }\n}\n",
            "b/Use.java": "package b;\n\nimport a.Cart.§Old;\n\nclass Use extends §Old {\n"
            "  a.Cart.§Old one = new §Old();\n  Class<?> two = §Old.class;\n}\n",
        },
    ),
    "a constant of an enum, in cases and by a static import": (
        "Op.OLD",
        {
            "a/Op.java": "package a;\n\npublic enum Op {\n  §OLD, NEW;\n"
            "  int f() {\n    switch (this) {\n      case §OLD: return 1;\n      default: return 2;\n    }\n  }\n}\n",
            "b/Use.java": "package b;\n\nimport a.Op;\nimport static a.Op.§OLD;\n\nclass Use {\n"
            "  Op one = §OLD;\n  Op two = Op.§OLD;\n}\n",
        },
    ),
    "a field that a class above has, too": (
        "Low.old", {"Top.java": "class Top {\n  private int old;\n}\n\nclass Low extends Top {\n  int §old;\n}\n"}
    ),
    "a method of an enum and of its constants, on one line": (
        "Op.old", {"Op.java": "enum Op { ADD { int §old() { return 1; } }; int §old() { return 0; } }\n"}
    ),
    "a method of a class that a known type of the library is above": (
        "Task.old",
        {"Task.java": "class Task implements Runnable {\n  public void run() { §old(); }\n  void §old() { }\n}\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("element", "files"), RENAMED.values(), ids=RENAMED)
def test_every_place_of_the_element_is_renamed_and_back(tmp_path, element, files):
    check_renamed(tmp_path, element, files)


_BOX = "class Box {\n  void old() { }\n"
REFUSED = {
    "a method that the language calls": ("class Box {\n  public int hashCode() { return 1; }\n}\n", "Box.hashCode", 2),
    "a base of a library": ("class Box extends Thread {\n  void old() { }\n}\n", "Box.old", 1),
    "a base of a library above a class below": (
        f"{_BOX}}}\n\nclass Low extends Box implements Job {{ }}\n",
        "Box.old", 5,
    ),
    "a known type that declares it": ("class Box implements Runnable {\n  public void run() { }\n}\n", "Box.run", 1),
    "a class without a name below a library's": (
        "class Box {\n  Job f() {\n    return new Job() {\n      public void old() { }\n    };\n  }\n}\n",
        "Box.f.old",
        4,
    ),
    "a class whose file has its name": ("public class Box { }\n", "Box", 1),
    "a name that reflection takes": (
        f'{_BOX}  Object f() {{\n    return getClass().getMethod("old");\n  }}\n}}\n',
        "Box.old", 4,
    ),
    "a member of an annotation": ("@interface Box {\n  int old();\n}\n\n@Box(old = 1)\nclass Use { }\n", "Box.old", 5),
    "another method of the new name below": (
        f"{_BOX}}}\n\nclass Low extends Box {{\n  void anew() {{ }}\n}}\n",
        "Box.old", 6,
    ),
    "a local of the new name": ("class Box {\n  int old;\n  int f(int anew) { return old; }\n}\n", "Box.old", 3),
    "another class of the package": ("class Boxes { }\nclass Old { }\nclass anew { }\n", "Old", 3),
}  # fmt: skip


@pytest.mark.parametrize(("source", "element", "line"), REFUSED.values(), ids=REFUSED)
def test_a_doubtful_place_is_shown_and_nothing_written(tmp_path, source, element, line):
    check_refused(tmp_path, "Box.java", source, element, line)


def test_a_link_in_documentation_is_listed_and_renamed_with_comments(tmp_path):
    source = "class Box {\n  /** See {@link #old}. */\n  int f;\n  int old;\n}\n"
    check_in_comment(tmp_path, "Box.java", source, "Box.old", "anew", "{@link #anew}")


REMOVED = {
    "a method with its documentation and annotation": (
        "Box.old",
        "class Box {\n  int a;\n\n  /** Old. */\n  @Deprecated\n  private void old() { old(); }\n}\n",
        "class Box {\n  int a;\n}\n",
    ),
    "a field beside a method of its name": (
        "Box.old:2", "class Box {\n  private int old = 1; // Old.\n  int old() { return 1; }\n}\n",
        "class Box {\n  int old() { return 1; }\n}\n",
    ),
    "a field": (
        "Box.old", "class Box {\n  int a;\n  private static final int old = 1;\n}\n", "class Box {\n  int a;\n}\n"
    ),
    "one field of two in a declaration": ("Box.old", "class Box {\n  private int a, old;\n}\n", None),
    "a method that a class below has, too": (
        "Box.old", "class Box {\n  void old() { }\n}\n\nclass Low extends Box {\n  void old() { }\n}\n", None
    ),
}  # fmt: skip


@pytest.mark.parametrize(("element", "before", "after"), REMOVED.values(), ids=REMOVED)
def test_an_unused_element_goes_or_is_refused(tmp_path, element, before, after):
    check_removed(tmp_path, "Box.java", element, before, after)


def test_a_class_goes_with_its_imports(tmp_path):
    before = {
        "a/Box.java": "package a;\n\npublic class Box { }\n\nclass Old {\n  Old() { }\n}\n",
        "a/Use.java": (
            "package a;\n\nimport a.Box;\nimport a.Old;\nimport java.util.List;\n\nclass Use extends Box { }\n"
        ),
    }
    after = {
        "a/Box.java": "package a;\n\npublic class Box { }\n",
        "a/Use.java": "package a;\n\nimport a.Box;\nimport java.util.List;\n\nclass Use extends Box { }\n",
    }
    check_removed_with_imports(tmp_path, "Old", before, after)
