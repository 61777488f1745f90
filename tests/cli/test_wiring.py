"""The services that the settings compose."""

import pytest

from bearings.cli.wiring import WIRING, places_wing, tools_named
from bearings.errors import InvalidInput
from tests.places.remote.server import says, serving


@pytest.mark.anyio
@pytest.mark.parametrize(("backend", "fallbacks"), [("nominatim", []), ("auto", ["gazetteer"])])
async def test_a_nominatim_chosen_by_name_has_an_adviser_and_no_stand_in(
    backend: str, fallbacks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(says([])) as server:
        monkeypatch.setenv("GEOCODER_BACKEND", backend)
        monkeypatch.setenv("NOMINATIM_BASE_URL", server.url)
        monkeypatch.setenv("GEOCODER_ATLAS", "core")
        wing = places_wing()
        tools = {tool.name: tool for tool in wing.tools}
        status, _ = await tools["geocoder_status"].run({})
        assert status.structured()["fallbacks"] == fallbacks
        reply, _ = await tools["geocode"].run({"query": "Germani"})
        said = reply.structured()
        assert (said["results"], said["source"]["backend"]) == ([], "nominatim")
        assert ("Germany", "gazetteer") in [(one["name"], one["backend"]) for one in said["suggestions"]]
        await wing.aclose()


@pytest.mark.parametrize(
    ("names", "there", "gone"),
    [
        (["core"], {"coderef_query", "coderef_symbol", "coderef_impact", "coderef_changes", "coderef_map"},
         {"coderef_scan", "coderef_tag", "coderef_validate", "coderef_drift"}),
        (["seed"], {"coderef_scan", "coderef_tag", "coderef_diagram"}, {"coderef_symbol", "coderef_export"}),
        (["edit"], {"coderef_tag"}, {"coderef_query"}),
        (["edit,core", " coderef_scan "], {"coderef_tag", "coderef_map", "coderef_scan"}, {"coderef_export"}),
        (["core,all"], {"coderef_export"}, set()),
    ],
)  # fmt: skip
def test_a_set_stands_for_its_tools(names: list[str], there: set[str], gone: set[str]) -> None:
    chosen = tools_named(names, WIRING.code(None).tools)
    assert chosen is not None
    assert there <= chosen
    assert not gone & chosen


def test_the_seed_set_has_the_former_servers_tools() -> None:
    code, places = WIRING.code(None).tools, WIRING.places().tools
    assert len(tools_named(["seed"], code) or ()) == 11
    assert len(tools_named(["seed"], places) or ()) == 7
    assert tools_named(["", " , "], code) is None
    assert tools_named([], places) is None


@pytest.mark.parametrize("names", [["cores"], ["edit"], ["geocode,coderef_scan"]])
def test_a_name_that_no_tool_of_the_server_has_is_refused(names: list[str]) -> None:
    with pytest.raises(InvalidInput, match="is no tool of this server") as caught:
        tools_named(names, WIRING.places().tools)
    assert "core, seed, edit, all" in caught.value.hint
