"""Packed entries are the same as sets of them, whatever is replaced."""

from hypothesis import given
from hypothesis import strategies as st

from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.rules.by_name.packed_entries import PackedEntries

ENDING = "/.name/"
NAMES = st.sampled_from(["f", "ff", "f.f", "C::f", "a/b", "#x", "ÿ", "þ\n", "\udcff", "\ud800"])
PATHS = st.sampled_from(["a.c", "a.cc", "dir/ÿ.c", "\udcfe.c"])


@st.composite
def edits(draw) -> tuple[str, frozenset[Entry]]:
    path = draw(PATHS)
    declared = draw(
        st.sets(st.tuples(st.sampled_from("cj"), NAMES, st.sampled_from(["", "K.", "K.L."]), st.integers(0, 2)))
    )
    return path, frozenset(
        (f"{family}/{name}{ENDING}", f"{path}\0{owner}{name}" + "\0n" * (number > 1), "AB"[number % 2])
        for family, name, owner, number in declared
    )


@given(st.lists(edits(), max_size=8))
def test_packed_entries_equal_sets_after_any_edits(replaced: list[tuple[str, frozenset[Entry]]]) -> None:
    packed, plain = PackedEntries(ENDING), dict[str, frozenset[Entry]]()
    for path, entries in replaced:
        before = plain.get(path, frozenset())
        plain[path] = entries
        assert packed.replace(path, entries) == {cell for cell, _, _ in before ^ entries}
    assert {path: frozenset(packed.of_file(path)) for path in packed.paths} == {p: e for p, e in plain.items() if e}
    assert packed.size == sum(map(len, plain.values()))
    for cell in {cell for _, entries in replaced for cell, _, _ in entries}:
        expected = sorted((path, entry) for path, entries in plain.items() for entry in entries if entry[0] == cell)
        assert packed.in_cell(cell) == expected
