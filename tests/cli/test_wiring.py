"""What the settings put together."""

import pytest

from bearings.cli.wiring import places_wing
from tests.places.nominatim.server import says, serving


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
