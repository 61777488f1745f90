"""A tool made from a typed function: its schemas, and its treatment of arguments. For bad ones see tests/serving."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import jsonschema
import msgspec
import pytest
from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from bearings.errors import InvalidInput
from bearings.progress import Progress
from bearings.reply import Part, Reply
from bearings.serving.app import answer_schema
from bearings.tool import Effects, Tool
from tests.fields import fields_of


class Corner(BaseModel):
    """Prose about a class costs a model tokens."""

    model_config = ConfigDict(extra="forbid")

    lat: float
    lon: float


class Peak(Part):
    """As it does in replies."""

    lat: float
    lon: float


class Mood(StrEnum):
    """As does prose about an enumeration."""

    CALM = "calm"


@dataclass
class Wind:
    force: int


class Answer(Reply):
    name: str
    score: float | None = None
    corners: list[Peak]


async def ask(
    query: Annotated[str, Field(description="What to ask.", max_length=20)],
    codes: str | list[str] | None = None,
    near: Corner | None = None,
    exact: bool = False,
    depth: Annotated[int, Field(ge=1)] = 3,
) -> Answer:
    """Ask something. Example: ask(query="x")."""
    return Answer(name=f"{query} {codes} {near.lat if near else None} {exact} {depth}", corners=[])


ASK = Tool.of(ask, title="Ask")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Branch(Part):
    twigs: list["Branch"]


class Tree(Reply):
    root: Branch
    here: Peak
    there: Peak
    mood: Mood


async def grow() -> Tree:
    return Tree(
        root=Branch(twigs=[Branch(twigs=[])]), here=Peak(lat=1, lon=2), there=Peak(lat=3, lon=4), mood=Mood.CALM
    )


@pytest.mark.anyio
async def test_a_reply_schema_defines_only_parts_used_twice_or_recursive():
    schema = Tool.of(grow, title="Grow").output_schema
    assert set(schema["$defs"]) == {"Branch", "Peak"}
    assert schema["properties"]["mood"]["enum"] == ["calm"]
    reply = (await grow()).structured()
    jsonschema.validate(reply, schema)
    reply["root"]["twigs"][0]["twigs"] = [{"leaf": 1}]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(reply, schema)


def test_the_input_schema_is_terse_and_closed():
    assert ASK.input_schema == {
        "$defs": {
            "Corner": {
                "type": "object",
                "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}},
                "required": ["lat", "lon"],
                "additionalProperties": False,
            }
        },
        "type": "object",
        "properties": {
            "query": {"type": "string", "maxLength": 20, "description": "What to ask."},
            "codes": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
            "near": {"$ref": "#/$defs/Corner"},
            "exact": {"type": "boolean", "default": False},
            "depth": {"type": "integer", "minimum": 1, "default": 3},
            "output_mode": {
                "type": "string", "enum": ["json", "text"], "default": "json",
                "description": "json, or text for reading.",
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    }  # fmt: skip


def test_a_reply_without_its_optional_fields_fits_the_output_schema():
    schema = ASK.output_schema
    assert schema["required"] == ["name", "corners"]
    reply = Answer(name="x", corners=[Peak(lat=1, lon=2)])
    jsonschema.validate(reply.structured(), schema)
    jsonschema.validate(reply.sent(), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"success": True, "name": "x", "corners": [], "extra": 1}, schema)


class Told(Reply):
    """Defaults of every kind."""

    count: int
    left: int = 0
    names: list[str] = msgspec.field(default_factory=list)
    branch: Branch | None = None
    sure: bool = False


def test_a_sent_reply_has_no_nulls_or_defaults_and_a_structured_one_has_the_defaults():
    assert Told(count=0).sent() == {"success": True, "count": 0}
    assert Told(count=0).structured() == {"success": True, "count": 0, "left": 0, "names": [], "sure": False}
    assert Told(count=1, names=["x"], sure=True).sent() == {"success": True, "count": 1, "names": ["x"], "sure": True}


@pytest.mark.anyio
async def test_a_tool_may_answer_with_one_of_several_replies():
    async def choose(many: bool = False) -> Answer | Told:
        """Choose."""
        return Told(count=2) if many else Answer(name="x", corners=[])

    tool = Tool.of(choose, title="Choose")
    for given in ({}, {"many": True}):
        reply, _ = await tool.run(given)
        jsonschema.validate(reply.sent(), tool.output_schema)
    assert set(fields_of(answer_schema(tool.output_schema))) == {
        "name", "score", "corners", "count", "left", "names", "branch", "sure", "text",
    }  # fmt: skip


def test_a_value_or_list_accepts_both_and_is_refused_by_its_own_type():
    one = Annotated[str, Field(min_length=1)]

    async def name(
        names: Annotated[
            Annotated[one, Tag("str")] | Annotated[Annotated[list[one], Field(max_length=2)], Tag("list")],
            Discriminator(lambda given: "list" if isinstance(given, list) else "str"),
        ],
    ) -> Answer:
        """Name."""
        return Answer(name=str(names), corners=[])

    tool = Tool.of(name, title="Name")
    assert [part["type"] for part in tool.input_schema["properties"]["names"]["anyOf"]] == ["string", "array"]
    assert tool.parse({"names": '["a", "b"]'}) == {"names": ["a", "b"], "output_mode": "json"}
    assert tool.parse({"names": "[id]/page.tsx"})["names"] == "[id]/page.tsx"
    for bad, field in (("", "names"), (["a", ""], "names.1"), (["a"] * 3, "names"), (5, "names")):
        with pytest.raises(InvalidInput) as caught:
            tool.parse({"names": bad})
        assert (caught.value.field, "more like it" in caught.value.error) == (field, False)


@pytest.mark.anyio
async def test_arguments_arrive_typed_and_defaults_are_filled_in():
    reply, mode = await ASK.run({"query": "x", "codes": "gb,fr", "near": '{"lat": 1, "lon": 2}', "depth": "4"})
    assert reply.structured()["name"] == "x gb,fr 1.0 False 4"
    assert mode == "json"
    reply, mode = await ASK.run({"query": "[x]", "codes": '["gb"]', "output_mode": "text"})
    assert reply.structured()["name"] == "[x] ['gb'] None False 3"
    assert mode == "text"


def test_classes_and_enumerations_keep_their_prose_to_themselves():
    async def sail(wind: Wind, mood: Mood = Mood.CALM) -> Answer:
        """Sail."""
        return Answer(name=f"{wind.force} {mood}", corners=[])

    tool = Tool.of(sail, title="Sail")
    assert tool.input_schema["$defs"] == {
        "Mood": {"type": "string", "enum": ["calm"]},
        "Wind": {
            "type": "object",
            "properties": {"force": {"type": "integer"}},
            "required": ["force"],
            "additionalProperties": False,
        },
    }
    assert tool.parse({"wind": '{"force": 3}'})["wind"] == Wind(3)


@pytest.mark.anyio
async def test_progress_is_handed_in_and_is_no_argument():
    taken = []

    async def work(progress: Progress) -> Answer:
        """Work."""
        progress.update(1, 2, "half")
        taken.append(progress)
        return Answer(name="done", corners=[])

    tool = Tool.of(work, title="Work", name="other", effects=Effects(read_only=False))
    assert tool.name == "other"
    assert not tool.effects.read_only
    await tool.run({})
    assert len(taken) == 1
    with pytest.raises(InvalidInput, match="progress"):
        await tool.run({"progress": 1})


@pytest.mark.parametrize(
    ("arguments", "field", "hint"),
    [
        ({"query": "x", "near": {"lat": 1}}, "near.lon", "Pass near.lon."),
        ({"query": "x", "deep": 3}, "deep", "Did you mean depth?"),
        ({"query": "x", "zzz": 3}, "zzz", "ask takes: query, codes"),
        ({"query": "x", "codes": {"a": 1}}, "codes", ""),
        ({"query": {"a\0": 1}}, "query", ""),
        ({"query": "x", "depth": 10**30}, "depth", ""),
        ({"query": "x", "near": {"lat": 1, "lon": -(10**30)}}, "near", ""),
        ({"query": "x", "near": f'{{"lat": 1, "lon": {10**30}}}'}, "near", ""),
        ({"query": "x", "near": '{"lat": 1, "lon": NaN}'}, "near", ""),
        ({"query": "x", "near": '{"a":' * 900 + "1" + "}" * 900}, "near", ""),
    ],
)
def test_a_refusal_names_the_field(arguments: dict[str, object], field: str, hint: str):
    with pytest.raises(InvalidInput) as caught:
        ASK.parse(arguments)
    assert caught.value.field == field
    assert hint in caught.value.hint


def test_several_problems_are_counted():
    with pytest.raises(InvalidInput, match=r"2 more like it"):
        ASK.parse({"query": 1, "exact": "perhaps", "depth": 0})
