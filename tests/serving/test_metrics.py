"""`/metrics`, read by Prometheus' own parser."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from mcp import Client
from mcp.client.sse import sse_client
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from bearings.serving.http import http_app
from bearings.settings import ServeSettings
from tests.serving import fixture_server
from tests.serving.conftest import running_http
from tests.serving.test_http import status

pytestmark = pytest.mark.anyio

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("echo", {"text": "a"}),
    ("echo", {"text": "b"}),
    ("echo", {"nonsense": 1}),
    ("fail", {"how": "not_found"}),
    ("fail", {"how": "bug"}),
]

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def samples(text: bytes) -> Samples:
    families = text_string_to_metric_families(text.decode())
    return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


def of(found: Samples, name: str, **labels: str) -> float | None:
    return found.get((name, frozenset(labels.items())))


async def scraped(url: str) -> Samples:
    code, body = await asyncio.to_thread(status, f"{url}/metrics")
    assert code == 200
    return samples(body)


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_calls_are_counted_by_how_they_ended_and_timed(transport: str):
    words = ["--sse"] if transport == "sse" else []
    with running_http(*words) as url:
        target: Any = f"{url}/mcp" if transport == "http" else sse_client(f"{url}/sse")
        async with Client(target, mode="legacy") as client:
            for tool, arguments in CALLS:
                await client.call_tool(tool, arguments)
        found = await scraped(url)
    counted = {
        (tool, how): of(found, "bearings_calls_total", tool=tool, outcome=how)
        for tool, how in [
            ("echo", "ok"), ("echo", "invalid_input"), ("fail", "not_found"), ("fail", "internal"), ("fail", "ok")
        ]
    }  # fmt: skip
    assert list(counted.values()) == [2, 1, 1, 1, None]
    assert of(found, "bearings_call_seconds_count", tool="echo") == 3
    assert of(found, "bearings_call_seconds_bucket", tool="echo", le="+Inf") == 3
    assert 0 < (of(found, "bearings_call_seconds_sum", tool="echo") or 0) < 60
    assert (of(found, "process_resident_memory_bytes") or 1) > 0


def test_the_parts_counters_are_current():
    async def readings() -> Mapping[str, Mapping[str, float]]:
        return {"attic": {"index_age_s": next(ages), "cache_size": 3}, "cellar": {"cache_size": 4}}

    ages = iter([1.5, 2.5])
    spec = fixture_server.spec()
    app = http_app(spec.__class__(**{**vars(spec), "readings": readings}), ServeSettings(), "127.0.0.1")
    client = TestClient(app, base_url="http://127.0.0.1:8010")
    for age in (1.5, 2.5):
        found = samples(client.get("/metrics").content)
        assert of(found, "bearings_index_age_s", part="attic") == age
    assert of(found, "bearings_cache_size", part="attic") == 3
    assert of(found, "bearings_cache_size", part="cellar") == 4


@pytest.mark.slow
async def test_metrics_are_no_business_of_strangers():
    with running_http(BEARINGS_TOKEN="s3cret") as url:
        assert (await asyncio.to_thread(status, f"{url}/metrics"))[0] == 401
        allowed = {"Authorization": "Bearer s3cret"}
        assert (await asyncio.to_thread(status, f"{url}/metrics", None, **allowed))[0] == 200
        foreign = {**allowed, "Host": "evil.example"}
        assert (await asyncio.to_thread(status, f"{url}/metrics", None, **foreign))[0] == 421
