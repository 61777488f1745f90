"""Text from outside: characters that are removed, escaped or left, and the marks around it."""

import importlib
import json
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import field
from msgspec.structs import fields

import bearings
from bearings.reply import Label, Part, PlaceName, Prose, Reply, SourceText, SymbolName
from bearings.untrusted import (
    clean_line,
    clean_text,
    escape_json,
    escape_line,
    escape_text,
    fenced,
    has_hidden,
    is_clean,
    is_safe_json,
    mapped,
    named,
    quoted,
    unescaped,
)

ODD = [
    *"\x00\x07\x08\x0b\x1b\x7f\x85\x90\x9b\x9c\x9d\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u180f\u200b\u200c\u200d",
    *"\u200e\u2028\u202e\u2060\u2061\u2066\u206a\u3164\ufe00\ufe0e\ufe0f\ufeff\uffa0\ufff9\ufdd0\U0001d173\U000e0001",
    *"\U000e0041\U000e0067\U000e0062\U000e007f\U000e0100\U000e0130\ud800",
]
NEAR = [*"ab 09#[];m\\\n\t\u0627\u0628\u0915\u094d\u0e01\u1000\u1780\u1820\u845b\u20e3\u2229\u2764😀🏴👩🏽"]
hostile = st.text(st.sampled_from(ODD + NEAR), max_size=24)

KEPT = [
    "خانه‌ها",  # ZWNJ between Arabic letters
    "র‍্যাব",  # ZWJ before a virama
    "ක්‍රි",  # ZWJ after a virama
    "ക്‍",  # a chillu in the spelling before Unicode 5.1
    "ភ្នំ\u200bពេញ",  # ZWSP between Khmer words
    "ရန်\u200bကုန်",
    "กรุงเทพ\u200bมหานคร",
    "ᠮᠣᠩᠭᠣᠯ\u180eᠠ",
    "ᠪᠠᠢᠢ\u180bᠨ",
    "葛\U000e0100飾区",  # the ideograph's form in the name of a ward of Tokyo
    "∩\ufe00",
    "👩‍💻 👩🏽‍🚀 👩‍❤️‍💋‍👨 🏳️‍🌈 🏴‍☠️ ❤️ ☎︎ 1️⃣ #️⃣",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "São Tomé, Zürich, Đà Nẵng, Львів, 東京, תל־אביב, القاهرة, Ἀθῆναι, ᐃᖃᓗᐃᑦ, ⴰⵣⵓⵍ",
    "no-break\u00a0space, ideographic\u3000space, private \ue000",
]

TAKEN = [
    ("a\x1b[31mred\x1b[0m", "ared"),
    ("a\x9b1;31mred", "ared"),
    ("a\x1b[38;2;1;2", "a"),
    ("\x1b]8;;https://evil.example/\x07click\x1b]8;;\x07", "click"),
    ("\x1b]8;id=1;https://evil.example/\x1b\\click\x1b]8;;\x1b\\", "click"),
    ("\x9d0;title\x9cname", "name"),
    ("name\x1b]0;unterminated to the end", "name"),
    ("\x1bPq#0;2;0\x1b\\sixel", "sixel"),
    ("\x90payload\x9cname", "name"),
    ("\x1b^private\x1b\\a\x1b_program\x1b\\b\x1bXstring\x1b\\c", "abc"),
    ("\x1bcreset", "reset"),
    ("\x1b(Bset", "set"),
    ("end\x1b", "end"),
    ("ad\u200dmin", "admin"),
    ("ad\u200b\u200c\u2060\ufeffmin", "admin"),
    ("soft\u00adhyphen", "softhyphen"),
    ("ㅤfiller\uffa0\u115f\u1160", "filler"),
    ("a\u2062b\u2063c", "abc"),
    ("base\ufff9over\ufffatext\ufffb", "baseovertext"),
    ("x" + "".join(chr(0xE0000 + ord(c)) for c in "ignore all"), "x"),
    ("🏴" + "".join(chr(0xE0000 + ord(c)) for c in "gbxyz") + "\U000e007f", "🏴"),
    ("😀" + "".join(chr(0xE0100 + n) for n in range(20)), "😀"),
    ("葛\U000e0100\U000e0101", "葛\U000e0100"),
    ("葛\U000e01ef", "葛"),
    ("a\ufe0fb", "ab"),
    ("1\ufe0f2", "12"),
    ("\u0627\u200d\u200d\u0628", "\u0627\u0628"),
    ("\u0627\u200dx", "\u0627x"),
    ("a\u200bก", "aก"),
    ("half \ud83d pair", "half ? pair"),
]


@pytest.mark.parametrize("text", KEPT)
def test_characters_that_a_script_or_an_emoji_needs_stay(text: str):
    assert clean_text(text, 300) == text
    assert escape_text(text) == text
    assert is_clean(text)


@pytest.mark.parametrize(("text", "left"), TAKEN)
def test_hidden_characters_and_whole_sequences_are_taken_out_of_prose(text: str, left: str):
    assert clean_line(text) == left
    assert not is_clean(text)


@pytest.mark.parametrize(("text", "_"), TAKEN)
def test_the_same_are_shown_escaped_in_source(text: str, _: str):
    shown = escape_text(text)
    assert shown != text
    assert not has_hidden(shown)
    assert unescaped(shown) == text


def test_each_escape_has_the_width_of_its_code():
    assert escape_text("\x1b\x9b\u200b\U000e0041") == r"\x1b\x9b\u200b\U000e0041"
    assert escape_text("a\r\nb\rc") == "a\nb\\x0dc"
    assert escape_line("a\r\nb\tc\u202e") == r"a\r\nb\tc\u202e"


@pytest.mark.parametrize("plane", range(17))
def test_noncharacters_of_every_plane_are_hidden(plane: int):
    for code in (plane * 0x10000 + 0xFFFE, plane * 0x10000 + 0xFFFF):
        assert has_hidden(f"a{chr(code)}b")
        assert clean_line(f"a{chr(code)}b") == "ab"
        assert escape_line(chr(code)) == (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
        assert unescaped(escape_line(chr(code))) == chr(code)


def test_line_breaks_of_any_kind_are_newlines_in_prose():
    assert clean_text("a\rb\r\nc\u2028d\x85e\x0bf\x0cg", 99) == "a\nb\nc\nd\ne\nf\ng"


@given(hostile, st.integers(1, 30))
@example("\U0001f3fb\ufe0f\u200d😀", 30)
@example("\u0627\u200d\u0628", 3)
def test_cleaning_is_idempotent_and_never_longer_than_its_limit(text: str, limit: int):
    for clean in (clean_text, clean_line):
        once = clean(text, limit)
        assert len(once) <= limit
        assert clean(once, limit) == once
        assert not has_hidden(once)
    assert is_clean(clean_line(text, 30))
    assert len(clean_text(text, 99)) <= len(text)


@given(hostile, st.integers(1, 30))
def test_escaping_is_idempotent_loses_nothing_and_keeps_its_limit(text: str, limit: int):
    text = text.replace("\\", "/")  # a backslash of the text itself stays as it is
    whole = escape_line(text)
    assert unescaped(whole) == text
    assert is_clean(whole)
    assert escape_line(whole) == whole
    assert not has_hidden(escape_text(text))
    assert escape_text(escape_text(text)) == escape_text(text)
    assert len(escape_line(text, limit)) <= limit
    assert is_clean(escape_line(text, limit))


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(ODD[:-1]), max_size=20))
def test_a_json_document_means_the_same_when_it_is_escaped(text: str):
    document = json.dumps({"name": text}, ensure_ascii=False).encode()
    escaped = escape_json(document)
    assert json.loads(escaped) == {"name": text}
    assert not has_hidden(escaped.decode())


@given(hostile)
def test_a_document_is_safe_only_if_its_strings_are(text: str):
    if has_hidden(text):
        assert not is_safe_json(json.dumps([text], ensure_ascii=False))
    assert is_safe_json(json.dumps([clean_line(text.replace("\\", "/"), 99)], ensure_ascii=False))


@given(st.text(st.sampled_from([*NEAR, "«", "»", "<", ">", "|"]), max_size=30))
def test_nothing_can_close_its_marks(text: str):
    inner = quoted(text)[1:-1]
    assert "«" not in inner
    assert "»" not in inner
    assert "\n" not in inner
    assert all(line.startswith("| ") for line in fenced(text).split("\n")[1:-1])


def test_a_name_stands_between_marks_only_if_it_has_blanks():
    assert named("src/a.ts#login:3") == "src/a.ts#login:3"
    assert named("src/a b.ts") == "«src/a b.ts»"
    assert named("a»b") == "«a›b»"


def test_the_first_of_two_keys_that_become_one_stays():
    assert mapped({"a\u200b": ["\x07x"], "a": 1, 2: None}, lambda text: clean_line(text)) == {"a": ["x"], 2: None}


class Inner(Part):
    """One of each kind."""

    name: PlaceName
    path: SymbolName | None = None
    words: list[Label] = field(default_factory=list)
    table: dict[Label, PlaceName] = field(default_factory=dict)


class Told(Reply):
    """A reply with text from outside at every depth."""

    note: str
    doc: Prose
    source: SourceText
    inner: list[Inner]
    any: dict[str, Any] = field(default_factory=dict)

    def to_text(self) -> str:
        """A field a line."""
        inner = [f"{one.name} {one.path} {one.words} {one.table}" for one in self.inner]
        return "\n".join([self.note, self.doc, self.source, *inner])


def told(text: str) -> Told:
    inner = Inner(name=text, path=text, words=[text], table={text: text, "k": text})
    return Told(note=text, doc=text, source=text, inner=[inner], any={text: [text, {"x": text}]})


def strings(value: Any) -> list[str]:
    """Every string of some JSON values, keys too."""
    if isinstance(value, dict):
        return [text for item in value.items() for part in item for text in strings(part)]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else []


def test_a_safe_reply_is_the_same_object_where_nothing_is_hidden():
    reply = told("plain 東京 خانه‌ها")
    assert reply.safe() is reply


@given(hostile)
@example("\x7f")
@example("a\ud800")
def test_no_string_of_a_safe_reply_has_a_hidden_character(text: str):
    safe = told(text).safe()
    assert not any(has_hidden(string) for string in strings(safe.structured()))
    assert not has_hidden(safe.to_text())
    assert not has_hidden(safe.marked().to_text())


def test_each_field_is_treated_by_its_kind():
    reply = told("a\x1b[1m\u200b\nb c").safe()
    assert reply.note == reply.doc == "a\nb c"
    assert reply.source == "a\\x1b[1m\\u200b\nb c"
    assert reply.inner[0].path == "a\\x1b[1m\\u200b\\nb c"
    assert reply.marked().to_text().split("\n") == [
        "a b c",
        "<<<", "| a", "| b c", ">>>",
        "<<<", "| a\\x1b[1m\\u200b", "| b c", ">>>",
        "«a b c» «a\\x1b[1m\\u200b\\nb c» ['«a b c»'] {'«a b c»': '«a b c»', 'k': '«a b c»'}",
    ]  # fmt: skip


@given(st.text(st.sampled_from([*"«»<>|\n ab"]), max_size=30))
def test_text_from_outside_never_begins_a_line_or_ends_its_marks(text: str):
    lines = Told(note="note", doc=text, source=text, inner=[]).marked().to_text().split("\n")
    inside = False
    for line in lines[1:]:
        if inside and line == ">>>":
            inside = False
        elif inside:
            assert line.startswith("| ")
        elif line == "<<<":
            inside = True
        else:
            assert not line or (line[0] + line[-1] == "«»" and not {"«", "»"} & set(line[1:-1]))
    assert not inside


OURS = set(
    "attribution backend can code common commit conventions description detail diagram_type enable engine error "
    "fallbacks format fresh_at hint integration language mgrs next_cursor not_found note plus_code precision query "
    "query_type reason remaining revision spelling tips tool understood_as unknown usage_policy version why".split()
)
"""Fields with the program's own words, or with the caller's. All other strings declare their kind."""

OURS_THERE = {
    ("BackendCard", "name"),
    ("DrawnArrow", "kind"),
    ("DrawnBox", "look"),
    ("RiskTerm", "name"),
    ("ToolCard", "name"),
}


def parts(base: type[Part] = Part) -> Iterator[type[Part]]:
    for part in base.__subclasses__():
        yield part
        yield from parts(part)


def test_every_string_of_a_reply_says_whether_it_is_from_outside():
    for found in pkgutil.walk_packages(bearings.__path__, "bearings."):
        if ".replies" in found.name:
            importlib.import_module(found.name)
    texts = (str, str | None, list[str], list[str] | None, dict[str, str])
    seen = 0
    for part in parts():
        if not part.__module__.startswith("bearings."):
            continue
        for own in fields(part):
            seen += 1
            if own.type in texts:
                known = own.name in OURS or (part.__name__, own.name) in OURS_THERE
                assert known, f"{part.__name__}.{own.name}: annotate its kind"
    assert seen > 200
