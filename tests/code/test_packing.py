"""Packed values: unpacking returns what was packed, `forget` makes it unpack again, damage is reported."""

import sys

import pytest

from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.facts.packing import Damaged, Packed, inflated, pack, unpack_facts, unpack_outline
from bearings.code.models import Language
from bearings.code.parse import parse_file

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FACTS = parse_file("a.py", Language.PYTHON, b"class A:\n    def f(self): pass\n    def g(self): pass\n")


def test_unpacked_facts_are_equal_and_share_one_string_for_their_path():
    facts = unpack_facts(pack(FACTS))
    assert facts == FACTS
    assert {id(symbol.file) for symbol in facts.symbols} == {id(facts.path)}


def test_a_packed_map_caches_unpacked_values_until_forget():
    packed_map: PackedMap[object] = PackedMap()
    packed_map.update({"a.py": Packed(pack(FACTS), unpack_facts)})
    glanced = packed_map.glance("a.py")
    assert glanced == FACTS
    first = packed_map.copy()["a.py"]
    assert first is not glanced
    assert packed_map["a.py"] is first is packed_map.glance("a.py"), "what a copy has unpacked, the other has too"
    packed_map.forget()
    assert packed_map["a.py"] is not first
    assert packed_map["a.py"] == first


def test_an_outline_is_unpacked_without_the_rest_of_the_facts():
    outline = unpack_outline(pack(FACTS))
    assert (outline.path, outline.lines, outline.symbols) == (FACTS.path, FACTS.lines, FACTS.symbols)
    packed_map: PackedMap[object] = PackedMap()
    packed_map.update({"a.py": Packed(pack(FACTS), unpack_facts), "b.py": Packed(b"no", unpack_facts), "c.py": FACTS})
    assert packed_map.part("a.py", unpack_outline) == outline
    assert packed_map.part("a.py", unpack_outline) is not packed_map.part("a.py", unpack_outline)
    facts = packed_map["a.py"]
    assert packed_map.part("a.py", unpack_outline) is facts, "what is at hand is not unpacked again"
    assert packed_map.part("c.py", unpack_outline) is FACTS
    with pytest.raises(Lost, match=r"b\.py"):
        packed_map.part("b.py", unpack_outline)


def test_a_value_is_packed_when_its_bytes_are_read_or_it_is_forgotten():
    packed = Packed(None, unpack_facts, FACTS)
    packed_map: PackedMap[object] = PackedMap()
    packed_map.update({"a.py": packed})
    assert packed.get(keep=False) is packed.value is packed_map.part("a.py", unpack_outline) is FACTS
    assert packed_map.packed("a.py") is None
    assert packed_map.weight("a.py") == len(pack(FACTS))
    assert packed.data == packed_map.packed("a.py") == pack(FACTS)
    packed = Packed(None, unpack_facts, FACTS)
    packed.forget()
    assert packed.value is None
    assert packed.get() == FACTS


@pytest.mark.parametrize("data", [b"", b"no", pack(FACTS)[:-1], pack("no facts"), pack(FACTS)[4:]])
def test_damaged_bytes_raise_damaged_and_lost_in_a_packed_map(data):
    packed = Packed(data, unpack_facts)
    with pytest.raises(Damaged):
        packed.get()
    packed_map: PackedMap[object] = PackedMap()
    packed_map.update({"a.py": packed})
    with pytest.raises(Lost, match=r"a\.py"):
        packed_map["a.py"]


@pytest.mark.slow
def test_a_bomb_is_damaged_before_it_takes_much_memory():
    bomb = zstd.compress(bytes(2**28))
    assert len(bomb) < 20_000
    for data in (bomb, bomb[:-9], pack(FACTS)[:-1], b""):
        with pytest.raises(Damaged):
            inflated(data)
    assert inflated(zstd.compress(bytes(2**25))) == bytes(2**25)
    with pytest.raises(Damaged):
        unpack_facts(zstd.compress(b"\x91" * 1_000_000))
