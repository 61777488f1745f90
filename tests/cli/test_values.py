"""Words as arguments: every shape of an argument, typed well and badly."""

import json

import pytest
from click.testing import Result

from tests.cli.conftest import Invoke

GOOD = [
    (["hello"], {"words": ["hello"]}),
    (["Paris, France", "Rome"], {"words": ["Paris, France", "Rome"]}),
    (['["a","b"]'], {"words": ["a", "b"]}),
    (["a", "--count", "5"], {"count": 5}),
    (["a", "--times", "5"], {"count": 5}),
    (["a", "--ratio", "-1.5"], {"ratio": -1.5}),
    (["-5", "-.5", "--", "-x"], {"words": ["-5", "-.5", "-x"]}),
    (["a", "--loud"], {"loud": True}),
    (["a", "--no-loud"], {"loud": False}),
    (["a", "--tags", "x, y", "--tags", "z"], {"tags": ["x", "y", "z"]}),
    (["a", "--tags", '["x,y"]'], {"tags": ["x,y"]}),
    (["a", "--kinds", "red,green"], {"kinds": ["red", "green"]}),
    (["a", "--box", "-1,-2,3,4.5"], {"box": [-1, -2, 3, 4.5]}),
    (["a", "--box", "[-1,-2,3,4.5]"], {"box": [-1, -2, 3, 4.5]}),
    (["a", "--corner", "-33.9,151.2"], {"corner": {"lat": -33.9, "lon": 151.2}}),
    (["a", "--corner", "lon=1,lat=2"], {"corner": {"lat": 2, "lon": 1}}),
    (["a", "--corner", '{"lat": 2, "lon": 1}'], {"corner": {"lat": 2, "lon": 1}}),
    (["a", "--parts", "street=1, Main St"], {"parts": {"street": "1, Main St"}}),
    (["a", "--parts", "city=Rome", "--parts", "country=Italy"], {"parts": {"city": "Rome", "country": "Italy"}}),
    (["a", "--mode", "b"], {"mode": "b"}),
]

BAD = [
    ([], "WORDS"),
    (["a", "--count", "0"], "--count '0': Input should be greater than or equal to 1"),
    (["a", "--count", "many"], "--count 'many': Input should be a valid integer"),
    (["a", "--ratio", "nan"], "--ratio 'nan'"),
    (["a", "--kinds", "blue"], "'red' or 'green'"),
    (["a", "--box", "1,two"], "valid number"),
    (["a", "--corner", "95,0"], "--corner lat '95': Input should be less than or equal to 90"),
    (["a", "--corner", "1,2,3"], "--corner '1,2,3': is neither JSON nor key=value"),
    (["a", "--corner", "{"], "--corner '{'"),
    (["a", "--parts", "Rome"], "--parts street=…"),
    (["a", "--parts", "town=Rome"], "town"),
    (["a", "--mode", "c"], "--mode 'c': Input should be 'a' or 'b'"),
    (["a", "--colour", "c"], "no such option"),
    (["a", "--project", "."], "no such option"),
    (["a\udce9"], "no text may have"),
]


def said(result: Result) -> dict[str, object]:
    assert result.exit_code == 0, result.output
    found: dict[str, object] = json.loads(result.stdout)["said"]
    return found


@pytest.mark.parametrize(("words", "want"), GOOD)
def test_words_become_arguments(invoke_odd: Invoke, words: list[str], want: dict[str, object]) -> None:
    assert said(invoke_odd("odd", "--json", *words)).items() >= want.items()


@pytest.mark.parametrize(("words", "want"), BAD)
def test_a_tool_s_refusal_is_bad_usage(invoke_odd: Invoke, words: list[str], want: str) -> None:
    result = invoke_odd("odd", *words)
    assert result.exit_code == 2
    assert want in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.output


def test_the_defaults_are_the_tools_own(invoke_odd: Invoke) -> None:
    assert said(invoke_odd("odd", "a", "--json")) == {"words": ["a"], "count": 3, "loud": False, "mode": "a"}


def test_help_shows_defaults_bounds_choices_and_aliases(invoke_odd: Invoke) -> None:
    help_text = " ".join(invoke_odd("odd", "--help").stdout.split())
    assert "--count, --times N How often. [default: 3; 1–9]" in help_text
    assert "--loud / --no-loud Shout. [default: no]" in help_text
    assert "--kinds A,B… Some kinds. Any of red, green." in help_text
    assert "--mode [a|b] Which. [default: a]" in help_text
    assert "--corner LAT,LON" in help_text
    assert "--parts KEY=VALUE" in help_text
    assert "--box N,N…" in help_text
