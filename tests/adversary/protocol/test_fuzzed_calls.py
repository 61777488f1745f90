"""Made-up calls and lines to each server over stdio: all are answered, none as a fault of ours; memory is bounded."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bearings.cli.wiring import WIRING, both_spec
from tests.adversary.conftest import Tally, attempts
from tests.adversary.protocol.calls import Fuzzer
from tests.adversary.protocol.campaign import Campaign, run
from tests.adversary.protocol.peer import Peer

EXAMPLES = Path(__file__).parents[3] / "examples"

SEED = 15

WARM_UP = 300
"""Lines that fill caches before memory is measured."""

GROWTH_MB = 64
"""How much memory a campaign may add: caches have bounds, and a leak of 1 kB a call would show in the long campaign."""


@contextmanager
def places_server(errors: Path, cache: Path) -> Iterator[Peer]:
    """The places server over the gazetteer alone: no network."""
    words = ("places", "serve", "stdio")
    with Peer(*words, errors=errors, GEOCODER_BACKEND="gazetteer", GEOCODER_CACHE_DIR=str(cache)) as peer:
        peer.greet()
        yield peer


@contextmanager
def code_server(errors: Path, root: Path, cache: Path) -> Iterator[Peer]:
    """The code server, which may read and write below `root` alone."""
    words = ("code", "serve", "stdio", "--root", str(root))
    with Peer(*words, errors=errors, CODEREF_CACHE_DIR=str(cache)) as peer:
        peer.greet()
        yield peer


def tools_of(peer: Peer) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = peer.request("tools", "tools/list")["result"]["tools"]
    return tools


def known_values(peer: Peer, root: Path) -> dict[str, list[str]]:
    """Paths and elements that exist, so that calls get beyond the first check."""
    projects = [str(root / name) for name in ("ferry", "tides")]
    names = []
    for project in projects:
        call = {"name": "coderef_scan", "arguments": {"project_path": project, "detail": "full"}}
        reply = peer.request(f"scan {project}", "tools/call", call)["result"]["structuredContent"]
        names += [element["name"] for element in reply["elements"]]
    return {
        "project_path": projects,
        "path": [*projects, "src", "**/*.py"],
        "output_path": ["graph.json", "graph.dot"],
        **dict.fromkeys(("element", "target", "source", "focus"), names),
    }


def survive(peer: Peer, fuzzer: Fuzzer, name: str, tally: Tally) -> None:
    warm = run(peer, fuzzer, WARM_UP)
    campaign = run(peer, fuzzer, attempts(1_000, 50_000), first=WARM_UP + 1)
    print(campaign.summary(name))  # noqa: T201 - the figures of the long campaign
    check(warm)
    check(campaign)
    before, after = campaign.memory_mb
    assert after < before + GROWTH_MB
    assert peer.request("after all", "ping")["result"] == {}
    assert peer.close() == 0
    tried = warm.sent + campaign.sent
    tally(f"fuzzed calls and lines over stdio: {name}", tried, tried - len(warm.bad) - len(campaign.bad))


def check(campaign: Campaign) -> None:
    assert not campaign.bad, campaign.bad[:5]
    assert sum(campaign.outcomes.values()) == campaign.sent
    assert campaign.outcomes["answered"] > campaign.sent / 20  # the fuzzer gets beyond the first check


@pytest.mark.slow
def test_places_answers_everything(tmp_path: Path, places_cache: Path, tally: Tally):
    with places_server(tmp_path / "errors", places_cache) as peer:
        survive(peer, Fuzzer(SEED, tools_of(peer), {}), "places", tally)


@pytest.mark.slow
def test_code_answers_everything(tmp_path: Path, tally: Tally):
    root = tmp_path / "examples"
    shutil.copytree(EXAMPLES, root)
    with code_server(tmp_path / "errors", root, tmp_path / "cache") as peer:
        survive(peer, Fuzzer(SEED, tools_of(peer), known_values(peer, root)), "code", tally)


@pytest.mark.slow
def test_every_integer_that_a_tool_takes_has_bounds():
    """In the schema that calls are checked by; a listing leaves the usual ones out."""
    unbounded = [
        (tool.name, name)
        for tool in both_spec(WIRING, None).tools
        for name, field in tool.input_schema["properties"].items()
        if field.get("type") == "integer" and not {"minimum", "maximum"} <= set(field)
    ]
    assert not unbounded
