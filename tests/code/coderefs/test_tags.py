"""Tags: where they go, that nothing else changes, and that they all come out again."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.coderefs.tags import Style, tagged
from bearings.code.languages import language_of
from bearings.code.models import Language
from bearings.code.notation.parsing import parse
from bearings.code.parse import parse_file

PYTHON = '''\
#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Doc."""
A = 1


@deco
@other(
    1
)
class K:
    """k"""

    x: int = 3

    def __init__(self): pass

    # pylint: disable-next=foo
    @property
    def p(self):
        def inner(): pass
        return inner

    @overload
    def o(self, a: int): ...
    @overload
    def o(self, a: str): ...

    def _q(self): pass
'''

TYPESCRIPT = """\
"use strict";
/** Doc. */
export default class K<T> {
  /**
   * Long doc.
   */
  @dec()
  public m(): void {}
  private hidden() {}
  // eslint-disable-next-line foo
  field = () => 1;
  #secret() {}
}
export function over(a: string): void;
export function over(a: number): void;
export function over(a: any) {}
// a word about x
export const x = 1, y = () => 2;
"""

JSX = """\
export const App = () => (
  <p>
    text {[1].map(
      function inner() { return 1 })}
  </p>
);
const text = `
function no() {}
${ (() => {
  function yes() {}
})() }
`;
"""


def language(path: str) -> Language:
    found = language_of(path)
    assert found is not None
    return found


def run(path: str, source: str | bytes, **style) -> bytes:
    data = source if isinstance(source, bytes) else source.encode()
    return tagged(path, language(path), data, Style(**style)).data


def tags_of(data: bytes) -> list[str]:
    """Each tag, `>` and the line below it."""
    lines = data.decode().splitlines()
    return [
        f"{line.strip().lstrip('/# ')} > {lines[number + 1].strip()}"
        for number, line in enumerate(lines)
        if re.match(r"\s*(?://|#) @\w+/", line)
    ]


def test_what_belongs_to_a_python_declaration_stays_with_it():
    assert tags_of(run("a.py", PYTHON)) == [
        "@V/a.py#A:5 > A = 1",
        "@Cl/a.py#K:13 > @deco",
        "@M/a.py#K.__init__:19 > def __init__(self): pass",
        "@M/a.py#K.p:24 > # pylint: disable-next=foo",
        "@M/a.py#K.o:32 > @overload",
    ]
    assert run("a.py", PYTHON).startswith(b"#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n")


def test_what_belongs_to_a_typescript_declaration_stays_with_it():
    tags = tags_of(run("src/k.ts", TYPESCRIPT))
    assert tags[:3] == [
        "@Cl/src/k.ts#K:4 > /** Doc. */",
        "@M/src/k.ts#K.m:10 > /**",
        "@M/src/k.ts#K.field:14 > // eslint-disable-next-line foo",
    ]
    assert "@V/src/k.ts#x:23 > export const x = 1, y = () => 2;" in tags
    assert "@Fn/src/k.ts#over:20 > export function over(a: any) {}" in tags


def test_private_is_left_out_unless_asked_for():
    assert not any(name in "".join(tags_of(run("a.py", PYTHON))) for name in ("_q", "inner"))
    private = "".join(tags_of(run("a.py", PYTHON, include_private=True)))
    assert all(name in private for name in ("K._q", "inner"))
    private = "".join(tags_of(run("k.ts", TYPESCRIPT, include_private=True)))
    assert all(name in private for name in ("K.hidden", "K.#secret"))


def test_a_tag_that_would_be_no_comment_is_not_written():
    jsx = "export const a = () => <p>\n  {f(() => 1)}\n  text\n</p>;\n"
    for path, source in (("a.tsx", JSX), ("a.jsx", jsx)):
        data = run(path, source, include_private=True)
        before, after = (parse_file(path, language(path), text) for text in (source.encode(), data))
        assert [s.qualified_name for s in after.symbols] == [s.qualified_name for s in before.symbols]
        assert after.errors == before.errors
        assert b"\nfunction no() {}" in data or path == "a.jsx"


def test_a_tag_never_becomes_a_coding_cookie():
    source = b"def coding(): pass\n\ndef other(): pass\n"
    result = tagged("a.py", language("a.py"), source, Style())
    assert result.refused == ("a.py#coding:1",)
    assert tags_of(result.data) == ["@Fn/a.py#other:4 > def other(): pass"]


def test_bytes_of_any_encoding_stay():
    latin = "# coding: latin-1\ndef caf\xe9(): pass\ndef plain(): return '\xe9'\n".encode("latin-1")
    data = run("a.py", latin)
    assert b"# @Fn/a.py:3\n" in data
    assert b"# @Fn/a.py#plain:5\n" in data
    assert run("a.py", data, remove=True) == latin
    assert "# @Fn/a.py#caf\xe9:2".encode() in run("a.py", "def caf\xe9(): pass\n")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"def f(): pass", b"# @Fn/a.py#f:2\ndef f(): pass"),
        (b"x = 1\r\ndef f(): pass", b"# @V/a.py#x:2\r\nx = 1\r\n# @Fn/a.py#f:4\r\ndef f(): pass"),
        (b"\xef\xbb\xbfdef f(): pass\n", b"\xef\xbb\xbf# @Fn/a.py#f:2\ndef f(): pass\n"),
        (b"class A:\n\tdef f(_): 1\r\n", b"# @Cl/a.py#A:2\nclass A:\n\t# @M/a.py#A.f:4\r\n\tdef f(_): 1\r\n"),
        (b"def f(): pass\rdef g(): pass\r", b"# @Fn/a.py#f:2\rdef f(): pass\r# @Fn/a.py#g:4\rdef g(): pass\r"),
        (b"", b""),
        (b"\n\n", b"\n\n"),
    ],
)  # fmt: skip
def test_line_ends_marks_and_indentation_are_kept(source, expected):
    assert run("a.py", source) == expected
    assert run("a.py", expected) == expected
    assert run("a.py", expected, remove=True) == source


class TestExistingTags:
    STALE = "x = 1\n\n# @Fn/old/place#f:99{status=active}\ndef f(): pass\n\ndef g(): pass\n"

    def test_are_left_as_they_are(self):
        data = run("a.py", self.STALE).decode()
        assert "# @Fn/old/place#f:99{status=active}\ndef f()" in data
        assert data.count("@") == 3

    def test_get_their_lines_corrected_on_request(self):
        assert "# @Fn/old/place#f:5{status=active}\n" in run("a.py", self.STALE, update_lineno=True).decode()

    def test_are_written_anew_by_force_but_keep_their_metadata(self):
        assert "# @Fn/a.py#f:5{status=active}\n" in run("a.py", self.STALE, force=True).decode()

    def test_are_found_above_and_below_what_belongs_to_the_declaration(self):
        source = "@a\n# @Fn/a.py#f:3\ndef f(): pass\n"
        assert run("a.py", source) == source.encode()

    def test_all_come_out(self):
        assert (
            run("a.py", self.STALE, remove=True)
            == self.STALE.replace("# @Fn/old/place#f:99{status=active}\n", "").encode()
        )

    def test_what_only_looks_like_one_stays(self):
        source = (
            'TEXT = """\n# @Fn/a.py#f:3\n"""\n# see @Fn/a.py#f:3\n# @Fn/a.py#f:3 and more\n# @param/x\n'
            "y = 1  # @Fn/a.py#f:3\n# @F/a//b\n# @Fn/\n"
        )
        assert run("a.py", source, remove=True) == source.encode()

    def test_one_of_nothing_stays_and_counts(self):
        source = b"# @Fn/gone.py#f:3\n\nimport os\n"
        assert run("a.py", source) == source
        assert tagged("a.py", language("a.py"), source, Style()).kept == 1


PIECES = [
    PYTHON, TYPESCRIPT, JSX, "class A { m() {} }", "// @Fn/x#y:3\nfunction y() {}", "# @V/x\nx = 1", "\t\n", "\\",
    "def f():\n\tdef g(): pass", "if (x) { function z() {} }", "'''", "`", "export default () => 1", "A = [", "}",
]  # fmt: skip


@pytest.mark.slow
@given(
    st.sampled_from(["a.py", "b/c d.ts", "[x].tsx", "e.js"]),
    st.lists(st.sampled_from(PIECES), max_size=4),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "\ufeff"]),
    st.booleans(),
    st.binary(max_size=3),
)
def test_of_any_source_they_come_out_again_and_go_in_once(path, pieces, end, bom, private, noise):
    source = (bom + end.join(pieces).replace("\n", end)).encode() + noise
    plain = run(path, source, remove=True)
    data = run(path, plain, include_private=private)
    assert run(path, data, remove=True) == plain
    assert run(path, data, include_private=private) == data
    assert run(path, data, include_private=private, force=True, update_lineno=True) == data
    before, after = (parse_file(path, language(path), text) for text in (plain, data))
    assert [s.qualified_name for s in before.symbols] == [s.qualified_name for s in after.symbols]
    lines = {(s.qualified_name, s.line) for s in after.symbols}
    for line in tagged(path, language(path), plain, Style(include_private=private)).added.values():
        ref = parse(str(line)).ref
        assert not ref.element or (ref.element, ref.start) in lines
