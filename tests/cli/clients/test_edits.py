"""JSON, JSON with comments and TOML, edited as text: insertions and removals move no other byte."""

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.cli.clients import jsonc, toml
from bearings.cli.clients.jsonc import Broken

NEW = {"x": {"command": "c"}}

JSON = [
    ("{}", '{\n  "s": {\n    "x": {\n      "command": "c"\n    }\n  }\n}'),
    ('{"a":1}', '{"a":1, "s": {"x": {"command": "c"}}}'),
    ('{"s": {}, "a": 1}', '{"s": {"x": {"command": "c"}}, "a": 1}'),
    ('{"s": {"a": 1}}', '{"s": {"a": 1, "x": {"command": "c"}}}'),
    (
        '{\n\t"s": {\n\t\t"a": {}\n\t}\n}\n',
        '{\n\t"s": {\n\t\t"a": {},\n\t\t"x": {\n\t\t\t"command": "c"\n\t\t}\n\t}\n}\n',
    ),
    (
        '{\r\n    "s": {}\r\n}',
        '{\r\n    "s": {\r\n        "x": {\r\n            "command": "c"\r\n        }\r\n    }\r\n}',
    ),
]

COMMENTED = [
    (
        '{\n  "s": {\n    // "old": {}\n  }\n}\n',
        '{\n  "s": {\n    // "old": {}\n    "x": {\n      "command": "c"\n    }\n  }\n}\n',
    ),
    (
        '{\n  "s": {\n    "a": 1, // one\n    "b": 2 // two\n  },\n}\n',
        '{\n  "s": {\n    "a": 1, // one\n    "b": 2, // two\n    "x": {\n      "command": "c"\n    }\n  },\n}\n',
    ),
    (
        '{\n  "s": {\n    "b": 2, // two\n  }\n}\n',
        '{\n  "s": {\n    "b": 2, // two\n    "x": {\n      "command": "c"\n    },\n  }\n}\n',
    ),
    (
        '/* s: { */ {\n  "s": {\n    "a": "/*", /* } */\n  },\n}\n',
        '/* s: { */ {\n  "s": {\n    "a": "/*",\n    "x": {\n      "command": "c"\n    }, /* } */\n  },\n}\n',
    ),
]

TOML = [
    ("", '[s.x]\ncommand = "c"\n'),
    ("# mine\na = 1 # one\n", '# mine\na = 1 # one\n\n[s.x]\ncommand = "c"\n'),
    ("[s.a]\r\nb = 1\r\n", '[s.a]\r\nb = 1\r\n\r\n[s.x]\r\ncommand = "c"\r\n'),
    ("a = 1", 'a = 1\n\n[s.x]\ncommand = "c"\n'),
]


def is_x(key: str, _: Any) -> bool:
    return key == "x"


@pytest.mark.parametrize("comments", [False, True])
@pytest.mark.parametrize(("before", "after"), JSON)
def test_members_are_put_into_json_in_its_own_style(before: str, after: str, comments: bool):
    assert jsonc.inserted(before, ("s",), NEW, comments=comments) == after


@pytest.mark.parametrize(("before", "after"), COMMENTED)
def test_comments_stay_with_their_entries(before: str, after: str):
    assert jsonc.inserted(before, ("s",), NEW, comments=True) == after


@pytest.mark.parametrize(("before", "after"), TOML)
def test_tables_are_put_behind_everything_else(before: str, after: str):
    assert toml.inserted(before, "s", NEW) == after


@pytest.mark.parametrize(("before", "after"), [*JSON[2:], *COMMENTED[:3]])
def test_inserted_content_is_found_and_removed(before: str, after: str):
    assert jsonc.removed(after, ("s",), is_x, comments=True) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"s": {"x": 0, "a": 1}}', '{"s": {"a": 1}}'),
        ('{"s": {"a": 1, "x": 0, "b": 2}}', '{"s": {"a": 1, "b": 2}}'),
        ('{"s": {"a": 1, "x": 0, "y": 0}}', '{"s": {"a": 1}}'),
        ('{"s": {"x": 0, "y": 0}}', '{"s": {}}'),
        ('{\n  "s": {\n    "x": 0,\n    "a": 1\n  }\n}', '{\n  "s": {\n    "a": 1\n  }\n}'),
        ('{\r\n  "s": {\r\n    "x": 0\r\n  }\r\n}', '{\r\n  "s": {}\r\n}'),
        ('{"a": {"x": 0}}', '{"a": {"x": 0}}'),
        ('{"s": {"x": 1}, "s": {"x": 2, "a": 3}}', '{"s": {"x": 1}, "s": {"a": 3}}'),
    ],
)
def test_members_are_taken_out_wherever_they_stand(before: str, after: str):
    assert jsonc.removed(before, ("s",), lambda key, _: key in ("x", "y"), comments=True) == after


def test_a_table_is_taken_out_and_comments_are_kept():
    text = '# mine\na = 1 # one\n\n[s.x]\ncommand = "c"\n\n[p] # two\nq = [1, 2]\n'
    assert toml.removed(text, "s", {"x"}) == "# mine\na = 1 # one\n\n[p] # two\nq = [1, 2]\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("[s.x]\na = 1\n[s.x.env]\nb = 2\n\n# next\n\n[p]\n", "# next\n\n[p]\n"),
        ('\ufeff[ s . "x" ]\r\n# of x\r\na = 1\r\n', "\ufeff"),
        ("[s.xx]\na = 1\n[[s.x]]\n", "[s.xx]\na = 1\n[[s.x]]\n"),
        ("[s.x]\na = [\n  1,\n]\n# end\n", "# end\n"),
    ],
)
def test_tables_are_taken_out_of_any_layout(text: str, left: str):
    assert toml.removed(text, "s", {"x", "y"}) == left


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n"a": 1,\n}', "line 3"),
        ('{\n"a": [1\n}', "line 3"),
        ("[]", "no object"),
        ('{"a": NaN}', "NaN"),
        ("[" * 200_000, "deep"),
        ('{"a": ' * 200_000, "deep"),
        ('{\n// comment\n"a": 1}', "line 2"),
    ],
)
def test_a_text_that_is_no_json_object_is_refused_with_its_line(text: str, said: str):
    with pytest.raises(Broken, match=said):
        jsonc.parse(text, comments=False)


@pytest.mark.parametrize(("text", "said"), [("a = 1\nb = = 2\n", "line 2"), ("a = " + "[" * 100_000, "deep")])
def test_a_text_that_is_no_toml_is_refused_with_its_line(text: str, said: str):
    with pytest.raises(Broken, match=said):
        toml.parse(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ['{"a": ' + '"\\"' * 200_000, "{" + "/*" * 400_000, "{" + "," * 400_000 + " " * 400_000]
)
def test_a_hostile_text_is_read_in_one_pass(text: str):
    with pytest.raises(Broken):
        jsonc.parse(text, comments=True)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
indents = st.sampled_from([None, 0, 1, 2, 4, "\t"])


@pytest.mark.slow
@given(
    st.dictionaries(st.text(max_size=5), values, max_size=4), st.none() | st.dictionaries(st.text(), values), indents
)
def test_any_json_means_the_same_with_more_in_it_and_without_it_again(
    root: dict[str, Any], servers: dict[str, Any] | None, indent: int | str | None
):
    if servers is not None:
        root = {"first": 1, "s": servers, **{key: value for key, value in root.items() if key != "s"}}
    root = {key: value for key, value in root.items() if key != "s" or servers is not None}
    text = json.dumps(root, indent=indent)
    before = root.get("s", {})
    kept = {key: value for key, value in before.items() if key != "x"}
    bare = jsonc.removed(text, ("s",), is_x, comments=True)
    assert jsonc.parse(bare, comments=False).get("s", {}) == kept
    after = jsonc.inserted(bare, ("s",), NEW, comments=True)
    assert jsonc.parse(after, comments=False) == {**root, "s": {**kept, **NEW}}
    assert jsonc.parse(jsonc.removed(after, ("s",), is_x, comments=False), comments=False) == {**root, "s": kept}


@pytest.mark.slow
@given(st.dictionaries(st.text(max_size=5), st.text(max_size=8) | st.lists(st.integers(), max_size=3), max_size=4))
def test_any_words_in_an_entry_come_back_from_toml(entry: dict[str, Any]):
    text = toml.inserted("a = 1\n", "s", {"x": {**entry, "env": {"k": "v"}}})
    assert tomllib.loads(text) == {"a": 1, "s": {"x": {**entry, "env": {"k": "v"}}}}
