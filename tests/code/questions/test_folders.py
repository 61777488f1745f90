"""The folders that say where a project's elements are."""

from hypothesis import given
from hypothesis import strategies as st

from bearings.code.questions.scan.compute import by_folder

NAMES = st.lists(st.sampled_from("abc"), max_size=4)
SIZES = st.dictionaries(NAMES.map(lambda parts: "/".join([*parts, "x.py"])), st.integers(0, 50))


def test_the_largest_folder_gives_way_to_those_in_it():
    sizes = {"src/api/a.py": 5, "src/api/b.py": 4, "src/db/c.py": 3, "src/main.py": 2, "setup.py": 1}
    assert by_folder(sizes) == {"src/api/": 9, "src/db/": 3, "src/*": 2, "*": 1}
    assert by_folder(sizes, most=3) == {"src/": 14, "*": 1}
    assert by_folder(sizes, most=1) == {"*": 15}
    assert by_folder({"deep/er/x.py": 7}) == {"deep/er/": 7}
    assert by_folder({}) == {}
    assert by_folder({"empty.py": 0}) == {}


@given(SIZES, st.integers(1, 12))
def test_every_element_is_counted_once_and_in_a_few_folders(sizes: dict[str, int], most: int):
    found = by_folder(sizes, most)
    assert sum(found.values()) == sum(sizes.values())
    assert len(found) <= most
    assert list(found.values()) == sorted(found.values(), reverse=True)
