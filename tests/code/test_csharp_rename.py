"""coderef_rename and coderef_remove in C#, whose names are followed by edges; a sign stands before each place."""

import pytest

from tests.code.named_by_edges import check_in_comment, check_refused, check_removed, check_renamed
from tests.code.test_rename import rename
from tests.code.trees import write

_JOBS = (
    "namespace A;\n\npublic interface IJob { int §Old { get; } }\n\npublic class Jobs : IJob {\n"
    "  int IJob.§Old => 1;\n  public virtual int §Old { get; set; }\n"
    "  int All(IJob one, int Old) => one.§Old + this.§Old + Old;\n}\n"
    "class Low : Jobs {\n  public override int §Old => base.§Old;\n}\n"
    "static class Other { public static int Old; static int F() => Old + Other.Old; }\n"
)
RENAMED = {
    "a property of an interface with what implements and overrides it": ("IJob.Old", {"Jobs.cs": _JOBS}),
    "a method in all its forms": (
        "Cart.Old",
        {
            "Cart.cs": "using System;\nnamespace A;\npublic class Cart {\n  event Action Done;\n"
            "  public void §Old(int count = 1) { Done += Old2; }\n  void §Old(string text) => §Old(count: 2);\n"
            '  void Old2() { }\n  string Name() => nameof(§Old) + nameof(Cart.§Old) + $"{nameof(§Old)} Old";\n}\n',
            "Use.cs": "namespace A.B;\nclass Use {\n  void F(Cart cart) {\n    cart.§Old();\n    cart?.§Old(\"Old\");\n"
            "    System.Action<string> f = cart.§Old;\n    var old = new { Old = 1 };\n  }\n"
            "  void F(int Old) { F(Old: Old); }\n}\n",
        },
    ),
    "a field beside parameters and locals of its name": (
        "Cart.old",
        {
            "Cart.cs": "class Cart {\n  private int §old;\n  Cart(int old) { this.§old = old; }\n"
            "  int F(Cart other) {\n    int old = 2;\n    return other.§old + old;\n  }\n"
            "  int G(object o) => o is int old ? old : 1;\n  int H() {\n    §old++;\n"
            "    foreach (var old in F()) { G(old); }\n  }\n}\n",
        },
    ),
    "a partial class with its constructors, in several files": (
        "A.cs#Old",
        {
            "A.cs": "namespace A {\n  public partial class §Old {\n    public §Old() { }\n    ~§Old() { }\n"
            "    static §Old One = new §Old();\n  }\n}\n",
            "B.cs": "using A;\nusing Other = A.§Old;\nusing static A.§Old;\n"
            "namespace A {\n  partial class §Old : IOld {\n"
            "    §Old Two => new §Old { Next = typeof(§Old) };\n"
            "    T F<T>(object o) where T : §Old => o is §Old ? (T)o : null;\n"
            "    Other Three = new();\n  }\n  interface IOld { }\n}\n",
            "C.cs": "namespace C {\n  class Old { }\n  class Use {\n    Old Mine = new Old();\n"
            "    A.§Old Theirs = new A.§Old();\n  }\n}\n",
        },
    ),
    "a class behind a sign": (
        "A.cs#Old", {"A.cs": "class §Old { }\n", "B.cs": "class Use {\n  @§Old F(§Old one) => new @§Old();\n}\n"}
    ),
    "a value of an enum": (
        "State.Old",
        {
            "State.cs": "enum State {\n  §Old = 1,\n  Closed = §Old << 1,\n}\n"
            "class Use {\n  State State { get; set; }\n"
            "  int F(State s) => s switch { State.§Old => 1, _ => 2 };\n"
            "  int G(State s) { switch (s) { case State.§Old: return 1; default: return 2; } }\n}\n",
        },
    ),
    "an extension method": (
        "Texts.Old",
        {
            "Texts.cs": "namespace A;\nstatic class Texts {\n  internal static int §Old(this int n) => n;\n"
            "  static int F() => 1.§Old() + §Old(2) + Texts.§Old(3);\n}\nclass Other { int Old() => Old(); }\n",
        },
    ),
    "a property in initializers and patterns": (
        "Cart.Old",
        {
            "Cart.cs": "class Cart {\n  public int §Old { get; init; } = 1;\n  Cart Next => new Cart { §Old = 2 };\n"
            "  bool F(Cart c) => c is { §Old: 1 };\n  object G(Cart c) => new { Other = c.§Old };\n}\n",
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize(("element", "files"), RENAMED.values(), ids=RENAMED)
def test_every_place_of_the_element_is_renamed_and_back(tmp_path, element, files):
    check_renamed(tmp_path, element, files)


_BOX = "class Box {\n  public void Old() { }\n"
REFUSED = {
    "a method that the language calls": (
        "class Box {\n  public override int GetHashCode() => 1;\n}\n", "Box.GetHashCode", 2
    ),
    "a method with which a program begins": ("class Box {\n  static void Main() { }\n}\n", "Box.Main", 2),
    "a base of a library": ("class Box : Controller {\n  public void Old() { }\n}\n", "Box.Old", 1),
    "a base of a library above a class below": (f"{_BOX}}}\n\nclass Low : Box, IJob {{ }}\n", "Box.Old", 5),
    "a known type that declares it": ("class Box : IDisposable {\n  public void Dispose() { }\n}\n", "Box.Dispose", 1),
    "a name that reflection takes": (
        f'{_BOX}  object F() {{\n    return GetType().GetMethod("Old");\n  }}\n}}\n', "Box.Old", 4,
    ),
    "a member behind a sign": ("class Box {\n  int Old;\n  int F() =>\n    this.@Old;\n}\n", "Box.Old", 4),
    "a value of an enum that is read from text": (
        'enum Box { Old }\nclass Use {\n  object F() => Enum.Parse(typeof(Box), "Old");\n}\n', "Box.Old", 3
    ),
    "a member that an attribute names": (
        'class Box {\n  static object[] Old;\n\n  [MemberData("Old")]\n  void F() { }\n}\n', "Box.Old", 4
    ),
    "a property of an object without a class": (
        "class Box {\n  public int Old;\n  object F() => new { this.Old };\n}\n", "Box.Old", 3
    ),
    "a property of the name of its type": (
        "enum Old { A }\nclass Box {\n  public Old Old;\n  bool F() => Old == Old.A;\n}\n", "Box.Old", 4
    ),
    "a component of a record, which arguments may name": ("record Box(int Old);\n", "Box.Old", 1),
    "a property of an attribute": (
        "class BoxAttribute : Attribute {\n  public int Old;\n}\n[Box(Old = 1)] class Use { }\n", "BoxAttribute.Old", 4
    ),
    "a class by whose name a framework makes routes": (
        "[Route(\"[controller]\")]\nclass BoxController { }\n", "BoxController", 1
    ),
    "an attribute that a use names without its ending": (
        "class OldAttribute : Attribute { }\n[Old]\nclass Use { }\n", "OldAttribute", 2
    ),
    "another member of the new name": ("class Box {\n  public int Old;\n  void anew() { }\n}\n", "Box.Old", 3),
    "a member of the new name in another part": (
        "partial class Box {\n  int Old;\n}\npartial class Box {\n  int anew;\n}\n", "Box.Old", 5
    ),
    "a local of the new name": ("class Box {\n  int Old;\n  int F(int anew) => Old;\n}\n", "Box.Old", 3),
    "another class of the namespace": ("class Boxes { }\nclass Old { }\nclass anew { }\n", "Old", 3),
    "a value of unknown type": (f"{_BOX}  void F(dynamic d) {{\n    d.Old();\n  }}\n}}\n", "Box.Old", 4),
    "a local function": ("class Box {\n  void F() {\n    int Old() => 1;\n    Old();\n  }\n}\n", "Box.F.Old", 3),
}  # fmt: skip


@pytest.mark.parametrize(("source", "element", "line"), REFUSED.values(), ids=REFUSED)
def test_a_doubtful_place_is_shown_and_nothing_written(tmp_path, source, element, line):
    check_refused(tmp_path, "Box.cs", source, element, line)


def test_a_name_in_a_template_is_a_place_that_may_use_the_element(tmp_path):
    root = write(
        tmp_path, {"Box.razor.cs": "partial class Box { void Old() { } }\n", "Box.razor": '<a @onclick="Old" />\n'}
    )
    assert [(place.file, place.line) for place in rename(root, "Box.Old", "Anew").refused] == [("Box.razor", 1)]


def test_a_rename_says_which_libraries_may_read_a_property_by_its_name(tmp_path):
    source = "using AutoMapper;\nclass Box {\n  public int Old { get; set; }\n  private int older;\n}\n"
    root = write(tmp_path, {"Box.cs": source})
    assert "AutoMapper" in (rename(root, "Box.Old", "Anew").note or "")
    assert "AutoMapper" not in (rename(root, "Box.older", "anew").note or "")


def test_a_reference_in_documentation_is_listed_and_renamed_with_comments(tmp_path):
    source = 'class Box {\n  /// <see cref="Old"/>\n  int f;\n  private int Old;\n}\n'
    check_in_comment(tmp_path, "Box.cs", source, "Box.Old", "Anew", '<see cref="Anew"/>')


REMOVED = {
    "a method with its documentation and attribute": (
        "Box.Old",
        "class Box {\n  int a;\n\n  /// Old.\n  [Obsolete]\n  private void Old() { Old(); }\n}\n",
        "class Box {\n  int a;\n}\n",
    ),
    "a field": (
        "Box.Old", "class Box {\n  int a;\n  private static readonly int Old = 1;\n}\n", "class Box {\n  int a;\n}\n"
    ),
    "one field of two in a declaration": ("Box.Old", "class Box {\n  private int a, Old;\n}\n", None),
    "a method that a class below has, too": (
        "Box.Old", "class Box {\n  public virtual void Old() { }\n}\n\n"
        "class Low : Box {\n  public override void Old() { }\n}\n", None
    ),
    "a method that a template may call": ("Box.Old", "class Box : ComponentBase {\n  public void Old() { }\n}\n", None),
    "a class": ("Old", "class Box { }\n\nclass Old {\n  Old() { }\n}\n", "class Box { }\n"),
}  # fmt: skip


@pytest.mark.parametrize(("element", "before", "after"), REMOVED.values(), ids=REMOVED)
def test_an_unused_element_goes_or_is_refused(tmp_path, element, before, after):
    check_removed(tmp_path, "Box.cs", element, before, after)
