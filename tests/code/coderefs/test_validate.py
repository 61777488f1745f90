"""Validate: which references point to nothing, why, and what was meant."""

import pytest

from bearings.code.coderefs.reference_search import found_in
from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.questions.export import Export
from bearings.code.questions.validate import Validate, ValidateReply
from bearings.errors import InvalidInput
from bearings.paging import encode
from tests.code.questions.snapshots import answered
from tests.code.trees import write

TREE = {
    "src/auth/login.ts": "export function authenticate() {}\n\nexport class Session {\n  end() {}\n}\nexport default 3",
    "src/auth/index.ts": "export * from './login'\n",
    "src/user/index.ts": "export interface User { name: string }\n",
    "src/user/my page.tsx": "export const Page = () => <p/>\n",
    "config.yaml": "a: 1\n",
}


@pytest.fixture
def root(tmp_path):
    return write(tmp_path.resolve() / "app", TREE)


def snapshot_of(root) -> Snapshot:
    return Index(root, NoFacts(), 1_000_000).refresh()


def checked(root, text: str, **question) -> ValidateReply:
    write(root, {"notes.md": text})
    return answered(snapshot_of(root), Validate(**question))


@pytest.mark.parametrize(
    "reference",
    [
        "@Fn/src/auth/login.ts#authenticate:1",
        "@Fn/src/auth/login#authenticate:1{status=active}",
        "@Fn/auth/login#authenticate",
        "@M/src/auth/login.ts#Session.end:4",
        "@M/auth/login#end",
        "@Cl/src/auth/login.ts#Session:4",
        "@Fn/src/auth/login.ts#authenticate(a, b):1",
        "@Fn/src/auth/login.ts#default",
        "@F/src/auth/login.ts:3-5",
        "@F/src/user/my%20page.tsx",
        "@Cfg/config.yaml",
        "@Cfg/config",
        "@D/src/auth",
    ],
)
def test_what_points_to_something_is_valid(root, reference):
    page = checked(root, f"See {reference}.\n")
    assert [(f.code, f.error) for f in page.findings] == []
    assert (page.references_found, page.invalid_found) == (1, 0)


@pytest.mark.parametrize(
    ("reference", "code", "suggestions", "fixable"),
    [
        ("@Fn/src/auth/logn.ts#authenticate:9", "missing_file", ("@Fn/src/auth/login.ts#authenticate:1",), True),
        ("@F/src/auth/login.tsx", "missing_file", ("@F/src/auth/login.ts", "@F/src/auth/index.ts"), False),
        ("@F/nothing/like/it", "missing_file", (), False),
        ("@Fn/src/auth/login.ts#authentcate:1", "missing_element", ("@Fn/src/auth/login.ts#authenticate:1",), False),
        ("@I/src/auth/login.ts#User", "missing_element", ("@I/src/user/index.ts#User",), True),
        ("@Fn/src/user/index.ts#default", "missing_element", (), False),
        ("@F/index", "ambiguous", ("@F/src/auth/index.ts", "@F/src/user/index.ts"), False),
        ("@F/src/auth/login.ts:99", "missing_line", ("@F/src/auth/login.ts",), False),
        ("@F/src/auth/login.ts:0", "bad_line", ("@F/src/auth/login.ts",), True),
        ("@F/src//auth", "bad_path", ("@F/src/auth",), True),
        ("@F/a{x", "bad_metadata", ("@F/a",), False),
    ],
)
def test_what_points_to_nothing_says_why_and_what_was_meant(root, reference, code, suggestions, fixable):
    page = checked(root, f"a\nSee {reference}\n")
    (finding,) = page.findings
    assert (finding.file, finding.line, finding.column, finding.reference) == ("notes.md", 2, 5, reference)
    assert (finding.severity, finding.code) == ("error", code)
    assert (finding.suggestions, finding.fixable) == (list(suggestions), fixable)
    assert (page.references_found, page.invalid_found, page.warned_found) == (1, 1, 0)


@pytest.mark.parametrize(
    ("reference", "code", "suggestion"),
    [
        ("@Fn/src/auth/login.ts#authenticate:5", "stale_line", "@Fn/src/auth/login.ts#authenticate:1"),
        ("@Cl/src/auth/login.ts#authenticate:1", "wrong_type", "@Fn/src/auth/login.ts#authenticate:1"),
        ("@F/config.yaml{status=actve}", "unknown_status", "@F/config.yaml{status=active}"),
    ],
)
def test_what_is_odd_is_valid_with_a_warning(root, reference, code, suggestion):
    page = checked(root, reference)
    assert [(f.severity, f.code, f.suggestions, f.fixable) for f in page.findings] == [
        ("warning", code, [suggestion], True)
    ]
    assert (page.references_found, page.invalid_found, page.warned_found) == (1, 0, 1)


def test_the_pattern_chooses_files(root):
    write(root, {"docs/a.md": "@F/x.ts", "docs/b.txt": "@F/x.ts @F/y.ts"})
    assert checked(root, "").references_found == 3
    assert checked(root, "", pattern="*.md").references_found == 1
    assert checked(root, "", pattern="docs/b.txt").references_found == 2
    with pytest.raises(InvalidInput, match="pattern"):
        checked(root, "", pattern="!docs")


def test_exports_and_binaries_are_no_text(root):
    answered(snapshot_of(root), Export(format="index", output_path=".coderef-index.json"))
    write(root, {"x.bin": b"\0@F/x.ts"})
    assert checked(root, "").references_found == 0


def test_pages_hold_everything_once(root):
    text = "\n".join(f"@F/gone{number}" for number in range(7))
    whole = checked(root, text)
    first = checked(root, text, most=3)
    rest = checked(root, text, most=99, cursor=encode(3, first.page.identity))
    assert first.findings + rest.findings == whole.findings
    assert first.page.total == 7


@pytest.mark.parametrize(
    ("path", "line", "found"),
    [
        ("a.ts", "// @Fn/a#b:3", ["@Fn/a#b:3"]),
        ("a.ts", "  x(); // see @Fn/a#b:3, @F/c", ["@Fn/a#b:3", "@F/c"]),
        ("a.ts", " * @Fn/a#b:3", ["@Fn/a#b:3"]),
        ("a.ts", "const x = '// @Fn/a#b'", []),
        ("a.ts", "import x from '@F/a'", []),
        ("a.ts", "import x from '@angular/core' // @F/x", ["@F/x"]),
        ("a.ts", "// @babel/core, me@F/x, a/@F/x", []),
        ("a.ts", "// @Func/a#b:3", ["@Func/a#b:3"]),
        ("a.ts", "// uses @types/node:3", []),
        ("a.py", "x = '#' # @F/x", ["@F/x"]),
        ("a.py", 'call("# @F/x", "@F/y")', []),
        ("a.md", "`@F/x`, (@F/y) and **@F/z.**", ["@F/x", "@F/y", "@F/z"]),
        ("a.md", "x" * 3000 + " @F/x", []),
        ("a.md", '@Fn/a#f{note="a b"} end', ['@Fn/a#f{note="a b"}']),
    ],
)
def test_they_are_found_where_they_are_meant(path, line, found):
    assert [each.text for each in found_in(path, line.encode())] == found
