"""The reader of stdio: any bytes give messages or refusals, and valid messages pass through unchanged."""

import json
from collections.abc import Sequence

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, jsonrpc_message_adapter

from bearings.serving.lines import Incoming, Lines
from bearings.serving.messages import Refusal, messages_of
from bearings.serving.outline import KEPT_BYTES, MOST_IDS, MOST_MARKS, Outline

UNHURRIED = settings(suppress_health_check=[HealthCheck.too_slow])
"""A generous limit: other tests use the same machine."""

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)
IDS = st.integers(-(10**40), 10**40) | st.text()
ENVELOPES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": st.text()}, optional={"params": st.dictionaries(st.text(), VALUES)}
)
NEARLY = st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), VALUES) | VALUES

FRAGMENTS = st.lists(
    st.sampled_from([b"{", b"}", b"[", b"]", b'"', b"\\", b'"id":1,', b"x", b",", b":1 ", b"\n"]), max_size=30
).map(b"".join)


def written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


@pytest.mark.slow
@UNHURRIED
@given(ENVELOPES, IDS)
def test_a_valid_request_passes_through_equal(envelope: dict[str, object], request_id: int | str):
    text = written({**envelope, "id": request_id})
    [message] = messages_of(text)
    assert message == jsonrpc_message_adapter.validate_json(text)
    assert isinstance(message, JSONRPCRequest)
    assert message.id == request_id


@pytest.mark.slow
@UNHURRIED
@given(ENVELOPES)
def test_a_valid_notification_passes_through_equal(envelope: dict[str, object]):
    [message] = messages_of(written(envelope))
    assert message == jsonrpc_message_adapter.validate_json(written(envelope))
    assert isinstance(message, JSONRPCNotification)


@pytest.mark.parametrize(
    "response",
    [{"jsonrpc": "2.0", "id": 1, "result": {}}, {"jsonrpc": "2.0", "id": "a", "error": {"code": 1, "message": "m"}}],
)
def test_a_valid_response_passes_through_equal(response: dict[str, object]):
    assert messages_of(written(response)) == [jsonrpc_message_adapter.validate_python(response)]


@pytest.mark.slow
@UNHURRIED
@given(NEARLY)
def test_an_object_with_an_id_and_no_result_or_error_gets_exactly_one_message(value: object):
    messages = messages_of(written(value))
    if isinstance(value, dict) and "id" in value and ("method" in value or not {"result", "error"} & set(value)):
        assert len(messages) == 1
    for message in messages:
        assert json.loads(message.model_dump_json(by_alias=True, exclude_unset=True).encode())


@UNHURRIED
@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")), st.integers(1, 40))
def test_any_bytes_in_any_pieces_are_read(text: bytes, size: int):
    lines = Lines(limit=60)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    messages = [message for piece in pieces for message in lines.feed(piece)] + lines.end()
    whole = Lines(limit=60)
    assert messages == [*whole.feed(text), *whole.end()]
    for message in messages:
        assert message.model_dump_json().encode()


@pytest.mark.slow
@UNHURRIED
@given(ENVELOPES, IDS, st.data())
def test_an_id_is_found_in_the_rest_of_a_request(
    envelope: dict[str, object], request_id: int | str, data: st.DataObject
):
    text = json.dumps({"id": request_id, **envelope}).encode()
    cut = data.draw(st.integers(len(json.dumps(request_id)) + len('{"id": ,'), len(text) - 1))
    assert ids_in(text[:cut]) == [request_id]


@UNHURRIED
@given(NEARLY.map(written) | FRAGMENTS, st.integers(1, 9))
def test_pieces_do_not_matter_to_an_outline(text: bytes, size: int):
    assert ids_in(*(text[at : at + size] for at in range(0, len(text), size))) == ids_in(text)


@pytest.mark.slow
@UNHURRIED
@given(st.dictionaries(st.sampled_from(["id", "params", "x", '"id"']), VALUES))
def test_the_id_of_a_whole_object_is_found(value: dict[str, object]):
    expected = value.get("id")
    readable = isinstance(expected, str | int | float) and not isinstance(expected, bool)
    found = ids_in(json.dumps(value).encode())
    assert found == ([expected] if readable else [])


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (b'{"id":1}{"id":"b"}', [1, "b"]),
        (b'[{"id":1}', []),
        (b'{"a":{"id":1}', []),
        (b'{{"id":1},"id":2}', [2]),
        (b'{"a":"\\",\\"id\\":1,","id":2,', [2]),
        (b'{"id":1', []),
        (b'{"id":"a\\ud800"}', []),
        (b'{"id":1e999}', []),
        (b'{"id":--1}', []),
        (b'{"id":' + b"9" * 5000 + b"}", []),
        (b'}]{"id":1}', [1]),
        (b'{"a":"' + b"x" * KEPT_BYTES + b'","id":1}', []),
        (b'{"id":1}' * 100, [1] * MOST_IDS),
        (b"{}" * MOST_MARKS + b'{"id":1}', []),
        (b'{"a":' + b'{"a":[1' * MOST_MARKS + b"]}" * MOST_MARKS + b',"id":1}', []),
        (b'{"a":' + b"[[1,[2]]]" * 1_000 + b',"id":1}', [1]),
    ],
)
def test_only_ids_of_outermost_objects_are_read(text: bytes, ids: list[object]):
    assert ids_in(text) == ids


def test_memory_does_not_grow_with_a_line():
    lines = Lines(limit=1000)
    assert list(lines.feed(b'{"id":7,"a":"')) == []
    for _ in range(1000):
        assert list(lines.feed(b"x" * 1000)) == []
    assert not lines._line
    [message] = lines.feed(b'"}\n')
    assert isinstance(message, Refusal)
    assert message.id == 7
    assert "1,000 bytes" in message.error.message
    [after] = lines.feed(b'{"jsonrpc":"2.0","id":8,"method":"ping"}\n')
    assert isinstance(after, JSONRPCRequest)


def test_a_fraction_is_refused_under_its_own_id():
    [message] = messages_of(b'{"jsonrpc":"2.0","id":1.50,"method":"ping"}')
    assert isinstance(message, JSONRPCError)
    assert json.loads(message.model_dump_json(by_alias=True, exclude_unset=True))["id"] == 1.5


class Written:
    """A write stream that records its messages."""

    def __init__(self) -> None:
        self.sent: list[JSONRPCMessage] = []

    async def send(self, item: SessionMessage, /) -> None:
        await anyio.lowlevel.checkpoint()
        self.sent.append(item.message)


async def session(pieces: Sequence[bytes]) -> tuple[list[JSONRPCMessage], list[JSONRPCMessage], int]:
    """The session's messages for these pieces, the refusals, and the number of end notices."""
    rest, ends, replies = iter(pieces), [], Written()
    incoming = Incoming(lambda: next(rest, b""), lambda: ends.append(1))
    async with anyio.create_task_group() as tasks, incoming:
        tasks.start_soon(incoming.send_refusals, replies)
        messages = [item.message async for item in incoming]
    return messages, replies.sent, len(ends)


def test_a_session_sees_messages_and_the_client_refusals():
    messages, refused, ends = anyio.run(
        session, [b'{"jsonrpc":"2.0","id":1,"met', b'hod":"a"}\nx\n{"jsonrpc":"2.0","method":"b"}\n', b'{"id":2}']
    )
    assert [message.method for message in messages if not isinstance(message, JSONRPCError)] == ["a", "b"]
    assert [message.id for message in refused if isinstance(message, JSONRPCError)] == [None, 2]
    assert ends == 1


def ids_in(*pieces: bytes) -> list[object]:
    outline = Outline()
    for piece in pieces:
        outline.feed(piece)
    return [*outline.ids()]
