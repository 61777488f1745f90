"""Values as bytes: what is unpacked is what was packed, what is forgotten is unpacked anew, what is damaged is said."""

import pytest

from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.facts.packing import Damaged, Packed, pack, unpack_facts, unpack_outline
from bearings.code.models import Language
from bearings.code.parse import parse_file

FACTS = parse_file("a.py", Language.PYTHON, b"class A:\n    def f(self): pass\n    def g(self): pass\n")


def test_facts_come_back_as_they_were_with_one_text_for_the_name_of_their_file():
    facts = unpack_facts(pack(FACTS))
    assert facts == FACTS
    assert {id(symbol.file) for symbol in facts.symbols} == {id(facts.path)}


def test_a_shelf_keeps_what_it_unpacked_until_it_is_to_be_forgotten():
    shelf: PackedMap[object] = PackedMap()
    shelf.update({"a.py": Packed(pack(FACTS), unpack_facts)})
    glanced = shelf.glance("a.py")
    assert glanced == FACTS
    first = shelf.copy()["a.py"]
    assert first is not glanced
    assert shelf["a.py"] is first is shelf.glance("a.py"), "what a copy has unpacked, the other has too"
    shelf.forget()
    assert shelf["a.py"] is not first
    assert shelf["a.py"] == first


def test_a_part_of_what_is_packed_is_had_without_the_rest():
    outline = unpack_outline(pack(FACTS))
    assert (outline.path, outline.lines, outline.symbols) == (FACTS.path, FACTS.lines, FACTS.symbols)
    shelf: PackedMap[object] = PackedMap()
    shelf.update({"a.py": Packed(pack(FACTS), unpack_facts), "b.py": Packed(b"no", unpack_facts), "c.py": FACTS})
    assert shelf.part("a.py", unpack_outline) == outline
    assert shelf.part("a.py", unpack_outline) is not shelf.part("a.py", unpack_outline)
    facts = shelf["a.py"]
    assert shelf.part("a.py", unpack_outline) is facts, "what is at hand is not unpacked again"
    assert shelf.part("c.py", unpack_outline) is FACTS
    with pytest.raises(Lost, match=r"b\.py"):
        shelf.part("b.py", unpack_outline)


def test_what_is_not_packed_yet_is_when_its_bytes_are_asked_for_or_it_is_to_be_forgotten():
    packed = Packed(None, unpack_facts, FACTS)
    shelf: PackedMap[object] = PackedMap()
    shelf.update({"a.py": packed})
    assert packed.get(keep=False) is packed.value is shelf.part("a.py", unpack_outline) is FACTS
    assert shelf.packed("a.py") is None
    assert shelf.weight("a.py") == len(pack(FACTS))
    assert packed.data == shelf.packed("a.py") == pack(FACTS)
    packed = Packed(None, unpack_facts, FACTS)
    packed.forget()
    assert packed.value is None
    assert packed.get() == FACTS


@pytest.mark.parametrize("data", [b"", b"no", pack(FACTS)[:-1], pack("no facts"), pack(FACTS)[4:]])
def test_what_is_damaged_is_no_value_and_lost_to_a_shelf(data):
    packed = Packed(data, unpack_facts)
    with pytest.raises(Damaged):
        packed.get()
    shelf: PackedMap[object] = PackedMap()
    shelf.update({"a.py": packed})
    with pytest.raises(Lost, match=r"a\.py"):
        shelf["a.py"]
