"""Tracebacks of every kind: the frames, the files that they mean, the libraries, and the errors."""

import re
from pathlib import Path

import pytest

from bearings.code.questions.explore.traces import trace_of
from bearings.code.search.printed_paths import Files

FILES = Files(
    """manage.py main.go index.js src/cart.ts src/main.ts src/cart.test.ts src/order.rs src/shop/__init__.py
    src/shop/cart.py src/shop/requests/models.py src/shop/logging/__init__.py src/app/(store)/[id]/page.tsx
    packages/ui/src/button/index.tsx pkg/store/store.go pkg/store/store_test.go cmd/till/main.go
    src/main/java/com/shop/Cart.java src/main/kotlin/till/Till.kt Shop/Basket.cs app/Models/Order.php
    lib/shop/order.rb tests/test_cart.py test/cart.test.js""".split(),
    "shop",
)
CASE = re.compile(r"^## ([^\n]+)\n\n```text\n(.*?)```\n\n```\n(.*?)```", re.MULTILINE | re.DOTALL)
CASES = CASE.findall((Path(__file__).parent / "tracebacks.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_frames_of_a_traceback_are_mapped_to_files_and_libraries(text: str, expected: str):
    trace = trace_of(text)
    read = []
    for place in trace.places:
        files, library = FILES.meant(place.path)
        known = f"{', '.join(files)}:{place.line} {place.name}".rstrip()
        read.append(known if files else f"library {library}" if library else "elsewhere")
    read += [f"ERROR {error.type}: {error.message}".rstrip() for error in trace.errors]
    assert read == expected.splitlines()
    assert trace.is_stack or "FAIL:" in text


def test_there_are_tracebacks_of_every_kind():
    assert len(CASES) >= 25
