"""TOML and JSON of strangers: what takes too long, or can't be walked or written, is refused in a sentence."""

import json

import pytest

from bearings import parsing

TOML = [
    ("a." * 40_000 + "b = 1", "parts"),
    ("[" + "a . " * 40_000 + "b]", "parts"),
    ('"a b".' * 30_000 + "c = 1", "parts"),
    ('"a\\".b".' * 30_000 + "c = 1", "parts"),
    ("x = {y = 1, " + "'a.b'\t." * 30_000 + "c = 1}", "parts"),
    ("a." * 20 + "b = 1", "parts"),
    ("a = " + "[" * 12_000, "deep"),
    ("a = " + "[" * 200 + "]" * 200, "deep"),
    ("a = " + "{b = " * 200 + "1" + "}" * 200, "deep"),
    ("a." * 15 + ("b = {" + "a." * 15) * 20 + "b = 1" + "}" * 20, "deep"),
    ("a = " + "9" * 60_000, "digits"),
    ("a = 0x" + "f" * 60_000, "bits"),
    ("a = [1, [0o" + "7" * 60_000 + "]]", "bits"),
    ("#" * (parsing.MOST_CHARACTERS + 1), "characters"),
    ("a = 1\na = 2\n", "line 2"),
]


@pytest.mark.parametrize(("text", "problem"), TOML)
def test_costly_toml_is_refused(text: str, problem: str):
    with pytest.raises(ValueError, match=problem):
        parsing.toml(text)


def test_ordinary_toml_is_read():
    text = '\ufeff[tool.x."y.z"]\r\nsays = "... 1.2.3 a.b.c"\r\nn.o.p = [[1], {q = 0xff}]\r\n'
    assert parsing.toml(text)["tool"]["x"]["y.z"]["n"] == {"o": {"p": [[1], {"q": 255}]}}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[" * 100_000, "deep"),
        ("[" * 200 + "]" * 200, "deep"),
        ('{"a":' * 200 + "1" + "}" * 200, "deep"),
        ("9" * 60_000, "digits"),
        ("[" + "9" * 100 + "]", "bits"),
        ("{", "line 1"),
    ],
)
def test_costly_json_is_refused(text: str, problem: str):
    for one in (text, text.encode()):
        with pytest.raises(ValueError, match=problem):
            parsing.from_json(one)
    with pytest.raises(ValueError, match=problem):
        parsing.from_json(text, json.JSONDecoder())


def test_ordinary_json_is_read():
    assert parsing.from_json('{"a": [1e400, -1, true, null, {"b": 18446744073709551616}]}')["a"][1] == -1
