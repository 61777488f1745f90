"""Each wrong call is answered as intended, or refused with a call that works."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bearings.code.engine.native import NativeEngine
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from bearings.errors import BearingsError
from tests.code.trees import repository
from tests.code.wrong_calls import CALLS, SHOP, Wrong


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The reply of each call, and the reply of the call that a refusal proposes."""
    base = tmp_path_factory.mktemp("wrong").resolve()
    root = repository(base / "shop", SHOP)
    return asyncio.run(asked(root, base / "cache"))


async def asked(root: Path, cache: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    service = CodeService(NativeEngine(timeout_s=60, cache_dir=cache, max_file_bytes=1_000_000))
    tools = {tool.name: tool for tool in CodeTools(service).tools()}
    found = []
    try:
        for call in CALLS:
            first = await answer(tools[call.tool], {"project_path": str(root), **call.arguments})
            again = await answer(tools[call.tool], first["call"]) if "call" in first else {}
            found.append((first, again))
    finally:
        await service.aclose()
    return found


async def answer(tool, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        reply, _ = await tool.run(arguments)
    except BearingsError as error:
        body: dict[str, Any] = error.body()
        return body
    structured: dict[str, Any] = reply.structured()
    return structured


def test_there_are_enough_wrong_calls():
    assert len(CALLS) >= 40


@pytest.mark.parametrize(("number", "call"), list(enumerate(CALLS)), ids=[json.dumps(call.arguments) for call in CALLS])
def test_a_wrong_call_is_understood_or_refused_with_one_that_works(outcomes, number: int, call: Wrong):
    first, again = outcomes[number]
    if call.refused:
        assert first.get("code") == call.refused, first
        if call.proposes is not None:
            assert {name: first.get("call", {}).get(name) for name in call.proposes} == call.proposes, first
            assert call.proposes or "call" not in first, first
            if not call.proposes:
                return
        assert again.get("success") is True, (first, again)
        return
    assert first["success"], first
    assert meant(first) in ("", call.means) or not call.means, first
    assert {name: first.get(name) for name in call.replies} == call.replies
    assert call.notes in (first.get("note") or "")


def meant(reply: dict[str, Any]) -> str:
    """The id of the element in a reply."""
    element = reply.get("target") or reply.get("element") or reply.get("focus") or ""
    if not isinstance(element, dict):
        return element
    return (
        f"{element['file']}#{element['qualified_name']}:{element['line']}"
        if element["type"] != "module"
        else element["file"]
    )


@pytest.mark.anyio
async def test_an_error_proposes_no_call_that_is_long_or_has_hidden_characters(tmp_path):
    service = CodeService(NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=1_000_000))
    try:
        scan = next(tool for tool in CodeTools(service).tools() if tool.name == "coderef_scan")
        symbol = next(tool for tool in CodeTools(service).tools() if tool.name == "coderef_symbol")
        here = {"project_path": str(repository(tmp_path / "shop", SHOP))}
        for path in ("a" * 999, "shop"):
            languages = [path] * 10
            body = await answer(scan, {**here, "limit": 0, "path": path, "languages": languages})
            assert ("call" in body) == (path == "shop"), body
        assert "call" not in await answer(scan, {**here, "limit": 0, "path": "a\u202eb"})
        assert "call" not in await answer(symbol, {"project_path": str(tmp_path / "nowhere")})
    finally:
        await service.aclose()
