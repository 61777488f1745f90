"""The address, and the connection: what is shown of it, and how it behaves while the server is gone."""

import logging
import sys

import anyio
import pytest

from bearings.clock import SystemClock
from bearings.errors import InvalidInput, Unsupported
from bearings.places.remote.shared.connection import Connection, Gone
from bearings.places.remote.shared.location import located
from tests.places.remote.conftest import FakeClock
from tests.places.remote.server import serving
from tests.places.remote.shared.conftest import Connect
from tests.redis_server import PASSWORD, QUOTED, RedisServer

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("given", "url", "name", "password"),
    [
        ("redis://h", "redis://h", "redis://h:6379/0", ""),
        (" valkey://me:p%2Fw@Host:7000/2 ", "redis://me:p%2Fw@Host:7000/2", "redis://host:7000/2", "p/w"),
        ("valkeys://:pw@[::1]", "rediss://:pw@[::1]", "rediss://[::1]:6379/0", "pw"),
        ("rediss://h/1?ssl_ca_certs=/ca.pem", "rediss://h/1?ssl_ca_certs=/ca.pem", "rediss://h:6379/1", ""),
        ("unix:///run/redis.sock?db=1&password=pw", "unix:///run/redis.sock?db=1&password=pw",
         "unix:///run/redis.sock", "pw"),
    ],
)  # fmt: skip
def test_an_address_has_a_name_without_credentials(given: str, url: str, name: str, password: str) -> None:
    location = located(given)
    assert (location.url, location.name, location.password) == (url, name, password)
    assert "pw" not in repr(location)


@pytest.mark.parametrize(
    "given",
    [
        "", "h:6379", "http://me:pw@h", "redis://", "redis://:pw@", "redis:me:pw@h", "redis://me:p#pw@h", "redis://h/pw",
        "redis://me:pw@h:70000", "redis://me:p/pw@h:6379/0", "redis://h?protocol=pw", "unix://pw", "redis://me:pw@h h",
        "redis://[pw", "redis://h#pw", "unix://?password=pw",
    ],
)  # fmt: skip
def test_another_address_is_refused_and_not_shown(given: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        located(given)
    assert "BEARINGS_SHARED" in caught.value.error
    assert "pw" not in f"{caught.value.error} {caught.value.hint}"


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(Unsupported) as caught:
        Connection(located("redis://me:pw@h"), SystemClock())
    assert "pip install '.[redis]'" in caught.value.hint
    assert "pw" not in f"{caught.value.error} {caught.value.hint}"


async def test_a_password_and_tls_are_used(connect: Connect, guarded_redis: RedisServer) -> None:
    assert await connect(guarded_redis).command("PING")


async def test_a_socket_of_the_machine_is_used(connect: Connect, redis_server: RedisServer) -> None:
    assert await connect(redis_server.socket_url).command("PING")


@pytest.mark.parametrize("url", ["", "?ssl_ca_certs={ca}"], ids=["unknown authority", "wrong password"])
async def test_a_server_that_can_t_be_trusted_or_refuses_us_is_gone_and_the_password_is_shown_nowhere(
    connect: Connect, guarded_redis: RedisServer, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    whole = guarded_redis.url
    given = whole.partition("?")[0] if not url else whole.replace(QUOTED, "wrong-secret")
    connection = connect(given)
    with pytest.raises(Gone) as caught:
        await connection.command("PING")
    said = f"{caught.value} {connection.trouble} {caplog.text} {caught.value.__cause__}"
    assert ("credentials" in said) == bool(url)
    assert not any(word in said for word in (PASSWORD, QUOTED, "wrong-secret"))


async def test_after_a_failure_one_question_a_second_is_let_through(
    connect: Connect, own_redis: RedisServer, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    connection = connect(own_redis, clock)
    await connection.command("PING")
    own_redis.kill()
    for _ in range(50):
        with pytest.raises(Gone, match="can't be reached"):
            await connection.command("PING")
    assert connection.faults == 1
    clock.time += 1
    for _ in range(50):
        with pytest.raises(Gone):
            await connection.command("PING")
    assert connection.faults == 2
    own_redis.start()
    clock.time += 1
    assert await connection.command("PING")
    assert connection.trouble is None
    assert [record.getMessage() for record in caplog.records] == [
        f"{own_redis.name} can't be reached",
        f"{own_redis.name} answers again",
    ]


async def test_a_server_that_was_restarted_between_two_questions_is_asked_anew(
    connect: Connect, own_redis: RedisServer
) -> None:
    connection = connect(own_redis)
    await connection.run("recall", ["a"], ["b", "c", 1])
    own_redis.kill()
    own_redis.start()
    assert await connection.run("recall", ["a"], ["b", "c", 1])
    assert connection.faults == 0


@pytest.mark.slow
async def test_a_server_that_hangs_is_waited_for_a_second(connect: Connect, own_redis: RedisServer) -> None:
    connection = connect(own_redis)
    await connection.command("PING")
    own_redis.stop()
    with anyio.fail_after(30), pytest.raises(Gone, match="in time"):
        await connection.command("PING")
    own_redis.go_on()


@pytest.mark.slow
async def test_a_server_of_another_kind_is_gone(connect: Connect) -> None:
    async def chatter(asked: object, writer: object) -> None:
        raise AssertionError

    async with serving(chatter) as other:
        connection = connect(other.url.replace("http", "redis"))
        with anyio.fail_after(30), pytest.raises(Gone):
            await connection.command("PING")


async def test_a_cancelled_question_does_not_confuse_the_next(connect: Connect, redis_server: RedisServer) -> None:
    connection = connect(redis_server)
    for number in range(50):
        with anyio.move_on_after(0.0002):
            await connection.command("ECHO", f"cancelled {number}")
        assert await connection.command("ECHO", str(number)) == str(number).encode()
    assert connection.faults == 0


async def test_many_questions_at_once_take_turns(connect: Connect, redis_server: RedisServer) -> None:
    connection, got = connect(redis_server), []

    async def ask(number: int) -> None:
        got.append(await connection.command("ECHO", str(number)))

    async with anyio.create_task_group() as group:
        for number in range(300):
            group.start_soon(ask, number)
    assert {int(one) for one in got} == set(range(300))
    with redis_server.client() as client:
        assert len(client.client_list()) <= 8 + 20
