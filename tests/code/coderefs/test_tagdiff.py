"""The difference that tagging makes: a unified diff, which gives what was written when it is applied."""

import re

import pytest

from bearings.code.coderefs.tagdiff import difference
from bearings.code.coderefs.tags import Style, tagged
from bearings.code.models import Language

PYTHON = b"import os\n\n\n" + b"".join(
    b"def f%d(x):\n    y = x\n\n\n    z = y\n    return z\n\n\n" % n for n in range(5)
) + b"\x0cclass A:\n    def g(self):\n        return '\xe2\x80\xa8'\n"  # fmt: skip
TYPESCRIPT = b"export class A {\r\n  go(): void {}\r\n}\r\nexport const b = 1"


def applied(before: bytes, diff: str) -> bytes:
    """A file after `patch`."""
    old = [line.decode("utf-8", "replace") for line in before.splitlines(keepends=True)]
    body = re.sub(r"\n\\ No newline at end of file\n", "", diff)
    made: list[str] = []
    here = 0
    for hunk in re.split(r"^@@ ", body, flags=re.MULTILINE)[1:]:
        head, _, lines = hunk.partition("\n")
        start, count = (int(number) for number in (re.match(r"-(\d+)(?:,(\d+))?", head)).groups("1"))
        first = start - bool(count)
        made += old[here:first]
        kept = re.findall(r"^([ +-])([^\n]*\n|[^\n]+\Z)", lines, flags=re.MULTILINE)
        assert [text for sign, text in kept if sign in " -"] == old[first : first + count]
        made += [text for sign, text in kept if sign in " +"]
        here = first + count
    return "".join(made + old[here:]).encode()


@pytest.mark.parametrize(("language", "source"), [(Language.PYTHON, PYTHON), (Language.TYPESCRIPT, TYPESCRIPT)])
def test_a_difference_gives_what_was_written(language: Language, source: bytes):
    done = tagged("a", language, source, Style())
    assert applied(source, "".join(difference("a", source, done))) == done.data
    moved = done.data.replace(b"import os\n", b"import os\nimport re\n").replace(
        b"export class", b"// x\r\nexport class"
    )
    mended = tagged("a", language, moved, Style(update_lineno=True))
    assert mended.updated
    assert applied(moved, "".join(difference("a", moved, mended))) == mended.data
    bare = tagged("a", language, done.data, Style(remove=True))
    assert bare.data == source
    assert applied(done.data, "".join(difference("a", done.data, bare))) == source


def test_its_heads_are_a_unified_diffs():
    source = b"def f():\n    pass\n"
    assert "".join(difference("a.py", source, tagged("a.py", Language.PYTHON, source, Style()))) == (
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,3 @@\n+# @Fn/a.py#f:2\n def f():\n     pass\n"
    )
