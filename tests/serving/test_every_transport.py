"""Properties of every transport in both protocol eras."""

import json
from pathlib import Path

import anyio
import jsonschema
import pytest
from mcp import Client, MCPError

from tests.fields import fields_of
from tests.serving.conftest import Connect, text_of

pytestmark = pytest.mark.anyio


@pytest.mark.slow
async def test_tools_are_listed_with_schemas_and_annotations(connect: Connect):
    async with connect() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == ["echo", "count", "wait_for_cancel", "block", "fail", "tell", "write"]
    schema = tools["echo"].input_schema
    assert "additionalProperties" not in schema  # what a call may not pass is refused all the same
    assert schema["required"] == ["text"]
    assert schema["properties"]["times"] == {
        "type": "integer", "maximum": 9, "default": 1, "description": "How often, 1 to 9.",
    }  # fmt: skip
    assert tools["echo"].annotations.read_only_hint is True
    assert tools["write"].annotations.read_only_hint is False
    assert "progress" not in tools["count"].input_schema["properties"]


@pytest.mark.slow
async def test_a_reply_is_compact_json_and_fits_its_output_schema(connect: Connect):
    async with connect() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        result = await client.call_tool("echo", {"text": "hé", "numbers": [1, 2.5], "times": 2})
    assert not result.is_error
    assert result.structured_content == {"success": True, "text": "héhé", "numbers": [1, 2.5]}
    assert text_of(result) == '{"success":true,"text":"héhé","numbers":[1.0,2.5]}'
    jsonschema.validate(result.structured_content, tools["echo"].output_schema)


async def test_text_mode_sends_the_text_alone(connect: Connect):
    async with connect() as client:
        result = await client.call_tool("echo", {"text": "x", "output_mode": "text"})
    assert text_of(result) == "x []"
    assert result.structured_content == {"text": "x []"}


BAD: list[tuple[dict[str, object], str]] = [
    ({}, "text = None: is required"),
    ({"text": 5}, "text = 5"),
    ({"text": "x" * 20_000}, "at most 50"),
    ({"text": "a\0b"}, "NUL"),
    ({"text": "x", "times": 0}, "times = 0"),
    ({"text": "x", "times": 10}, "times = 10"),
    ({"text": "x", "times": "many"}, "times = 'many'"),
    ({"text": "x", "times": True}, "boolean"),
    ({"text": "x", "times": 1.5}, "times = 1.5"),
    ({"text": "x", "numbers": "[1,"}, "numbers = '[1,'"),
    ({"text": "x", "numbers": {"a": 1}}, "numbers"),
    ({"text": "x", "numbers": [1, "two"]}, "numbers.1"),
    ({"text": "x", "corner": {"lat": 91, "lon": 0}}, "corner.lat = 91"),
    ({"text": "x", "corner": {"lat": 1, "lon": 0, "alt": 5}}, "corner.alt = 5"),
    ({"text": "x", "corner": {"lat": 1, "lon": 2, "a" * 100_000: 5}}, "corner.aaaa"),
    ({"text": "x", "corner": {"lat": 1, "lon": 2, "a\n\u202eb": 5}}, r"corner.a\n\u202eb = 5"),
    ({"text": "x", "numbers": "[" * 100_000}, "numbers = '[[["),
    ({"text": "x", "corner": '{"lat": 1, "lon": 2, "\\u0000": 5}'}, "NUL"),
    ({"text": "x", "tiems": 2}, "tiems"),
    ({"text": "x", "output_mode": "xml"}, "output_mode = 'xml'"),
]


@pytest.mark.slow
async def test_bad_arguments_name_the_field_and_the_value(connect: Connect):
    async with connect() as client:
        for arguments, said in BAD:
            result = await client.call_tool("echo", arguments)
            body = result.structured_content
            assert result.is_error, arguments
            assert (body["success"], body["code"]) == (False, "invalid_input")
            assert said in body["error"]
            assert len(body["error"]) < 300
            assert json.loads(text_of(result)) == body
        alive = await client.call_tool("echo", {"text": "alive"})
    assert not alive.is_error


async def test_an_unknown_argument_is_answered_with_the_nearest(connect: Connect):
    async with connect() as client:
        result = await client.call_tool("echo", {"text": "x", "tiems": 2})
    assert result.structured_content["hint"].startswith("Did you mean times?")


async def test_a_json_string_of_an_array_is_an_array(connect: Connect):
    async with connect() as client:
        result = await client.call_tool("echo", {"text": "x", "numbers": "[3, 4]", "corner": '{"lat": 1, "lon": 2}'})
    assert result.structured_content == {"success": True, "text": "x@1.0", "numbers": [3, 4]}


@pytest.mark.parametrize(
    ("how", "body"),
    [
        ("not_found", {"code": "not_found", "error": "nothing there", "hint": "look elsewhere", "retryable": False}),
        (
            "rate_limited",
            {"code": "rate_limited", "error": "too fast", "hint": "wait", "retryable": True, "retry_after_s": 2.5},
        ),
        (
            "ambiguous",
            {
                "code": "ambiguous",
                "error": "'x' names 2 elements",
                "hint": "Ask again with one of the candidates:\n  a#x\n  b#x",
                "retryable": False,
                "candidates": ["a#x", "b#x"],
            },
        ),
    ],
)
async def test_an_error_keeps_its_code_and_hint(connect: Connect, how: str, body: dict[str, object]):
    async with connect() as client:
        result = await client.call_tool("fail", {"how": how})
    assert result.is_error
    assert result.structured_content == {"success": False, **body}


async def test_a_reply_and_an_error_both_fit_the_output_schema(connect: Connect):
    # clients made with the TypeScript SDK check errors against the schema too, and show a validation failure instead
    async with connect() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        replies = [
            ("echo", await client.call_tool("echo", {"text": "x"})),
            ("echo", await client.call_tool("echo", {"text": 5})),
            ("count", await client.call_tool("count", {"output_mode": "text"})),
            *[("fail", await client.call_tool("fail", {"how": how})) for how in ("rate_limited", "ambiguous", "crash")],
        ]
    for name, result in replies:
        jsonschema.validate(result.structured_content, tools[name].output_schema)


async def test_an_output_schema_names_the_fields_at_the_top_and_text_and_requires_none(connect: Connect):
    async with connect() as client:
        schemas = {tool.name: tool.output_schema or {} for tool in (await client.list_tools()).tools}
    anything = {"not": {"type": "null"}}
    assert fields_of(schemas["echo"]) == {
        "text": {"type": "string"}, "numbers": anything,
    }  # fmt: skip
    assert all("text" in fields_of(schema) and "required" not in schema for schema in schemas.values())


async def test_text_that_utf8_cannot_carry_is_answered_with_question_marks(connect: Connect):
    async with connect() as client:
        reply = await client.call_tool("tell", {"what": "half a pair"})
        text = await client.call_tool("tell", {"what": "half a pair in text", "output_mode": "text"})
        error = await client.call_tool("fail", {"how": "half a pair"})
        alive = await client.call_tool("echo", {"text": "alive"})
    assert reply.structured_content["name"] == ["a?b", "ü"]
    assert text_of(text) == "a?b"
    assert error.structured_content.get("error") == "no file a?b"
    assert not alive.is_error


async def test_a_number_outside_json_is_an_internal_error_and_never_sent(connect: Connect):
    async with connect() as client:
        for number in ("nan", "inf"):
            result = await client.call_tool("tell", {"what": number})
            assert result.is_error
            assert json.loads(text_of(result)) == result.structured_content
            assert result.structured_content["code"] == "internal"


async def test_a_crash_is_masked_and_the_server_lives(connect: Connect):
    async with connect() as client:
        result = await client.call_tool("fail", {"how": "crash"})
        alive = await client.call_tool("echo", {"text": "alive"})
    assert result.is_error
    assert result.structured_content["code"] == "internal"
    assert "secret" not in text_of(result)
    assert "Traceback" not in text_of(result)
    assert not alive.is_error


async def test_an_unknown_tool_is_a_protocol_error_that_lists_the_tools(connect: Connect):
    async with connect() as client:
        with pytest.raises(MCPError, match=r"Unknown tool: 'ecko'.*echo, count"):
            await client.call_tool("ecko", {})


@pytest.mark.slow
async def test_progress_reaches_a_client_that_asks_and_grows(connect: Connect):
    seen: list[tuple[float, float | None, str | None]] = []

    async def on_progress(progress: float, total: float | None = None, message: str | None = None) -> None:
        seen.append((progress, total, message))

    async with connect() as client:
        await client.call_tool("count", {"upto": 30}, progress_callback=on_progress)
        silent = await client.call_tool("count", {"upto": 2})
        await client.call_tool("echo", {"text": "after"})
    assert not silent.is_error
    assert seen
    assert [done for done, _, _ in seen] == sorted({done for done, _, _ in seen})
    assert all(total == 30 for _, total, _ in seen)
    assert all(message == f"at {int(done)}" for done, _, message in seen)


async def test_a_slow_call_delays_no_other(connect: Connect, tmp_path: Path):
    marker = tmp_path / "blocked"
    async with connect() as client, anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "block", {"marker": str(marker)})
        await until(marker.exists)
        with anyio.fail_after(5):
            result = await client.call_tool("echo", {"text": "quick"})
        Path(f"{marker}.release").touch()  # noqa: ASYNC240 - at once
    assert not result.is_error


async def test_cancelling_a_call_reaches_its_work(connect: Connect, tmp_path: Path):
    marker = tmp_path / "cancelled"
    async with connect() as client:
        await start_and_cancel(client, marker)
        with anyio.fail_after(5):
            await until(marker.exists)
        alive = await client.call_tool("echo", {"text": "alive"})
    assert not alive.is_error


async def start_and_cancel(client: Client, marker: Path) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "wait_for_cancel", {"marker": str(marker)})
        await until(Path(f"{marker}.started").exists)
        group.cancel_scope.cancel()


async def until(condition) -> None:
    """Return once `condition` holds; the event loop turns meanwhile."""
    while not condition():  # noqa: ASYNC110 - the condition is another process's file
        await anyio.sleep(0.01)
