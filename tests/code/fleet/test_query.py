"""coderef_query with a package: its users in all repositories of a catalogue, over the tool itself."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bearings.caller import Caller, calling
from bearings.code.catalogue.writing import CatalogueWriter
from bearings.code.facts.store import NoFacts
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from bearings.errors import BearingsError, InvalidInput, PathNotAllowed
from tests.code.fleet.test_catalogue import contents, use
from tests.code.in_process import InProcessEngine
from tests.code.trees import write

pytestmark = pytest.mark.anyio


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    """A catalogue of three repositories inside a project, one of which failed."""
    project = write(tmp_path / "project", {"app.py": "def own(): pass\n"})
    with CatalogueWriter(project / "fleet.db") as catalogue:
        catalogue.put("web", "/srv/web", contents(use("get"), use("", kind="import", line=1)), 10.0, 0.5)
        more = (use("get"), use("get", "requests.api"), use("Session().get", guess=True))
        catalogue.put("api", "/srv/api", contents(*more), 11.0, 0.5)
        catalogue.fail("old", "/srv/old", "its path does not exist", 11.0, 0.0)
    return project / "fleet.db"


class Asked:
    """The tool of a service with given roots and a given catalogue of the operator's."""

    def __init__(self, project: Path, roots: list[Path] | None, own: Path | None) -> None:
        engine = InProcessEngine(store=NoFacts(), max_file_bytes=100_000)
        self.service = CodeService(engine, roots, own)
        self._tool = next(tool for tool in CodeTools(self.service).tools() if tool.name == "coderef_query")
        self._project = project

    async def __call__(self, **given: Any) -> dict[str, Any]:
        given = {"project_path": str(self._project), "query_type": "depends-on-me", "element": "requests#get", **given}
        reply, _ = await self._tool.run(given)
        return reply.sent()


@pytest.fixture
async def ask(fleet: Path) -> AsyncIterator[Asked]:
    asked = Asked(fleet.parent, [fleet.parent], None)
    yield asked
    await asked.service.aclose()


async def test_users_in_all_repositories_are_lines(ask: Asked):
    reply = await ask(fleet="fleet.db")
    assert reply["target"] == "requests.get"
    assert reply["results_found"] == 4
    assert reply["common"] == "call, exact"
    assert reply["results"] == [
        "api/src/a.py",
        ":3 [in f → requests.api.get, requests.Session().get, heuristic] get()",
        "web/src/a.py:3 [in f] get()",
    ] or reply["results"][0].startswith("api/src/a.py")
    assert reply["note"] == "In 2 of 3 repositories: api 3, web 1; not read at the last scan: old"
    assert reply["index"]["engine"] == "catalogue"
    assert reply["index"]["files"] == 2


async def test_objects_tell_all(ask: Asked):
    reply = await ask(fleet="fleet.db", element="requests", detail="full", kinds=["import"])
    assert reply["target"] == "requests"
    (found,) = reply["results"]
    assert found["file"] == "web/src/a.py"
    assert found["from"] == "web/src/a.py#f:2"
    assert found["to"] == "requests"


async def test_pages_filters_and_types(ask: Asked):
    first = await ask(fleet="fleet.db", limit=1, detail="full")
    second = await ask(fleet="fleet.db", limit=1, detail="full", cursor=first["next_cursor"])
    assert first["omitted"] == 3
    assert first["results"] != second["results"]
    none = await ask(fleet="fleet.db", path="lib/**")
    assert none["results_found"] == 0
    imports = await ask(fleet="fleet.db", element="requests", query_type="imports-me")
    assert imports["results_found"] == 1


@pytest.mark.parametrize(
    ("element", "found"),
    [("requests", 5), ("requests.get", 4), ("requests.Session.get", 1), ("requests.api", 1), ("requests#nothing", 0)],
)
async def test_an_element_is_spelled_in_several_ways(ask: Asked, element: str, found: int):
    assert (await ask(fleet="fleet.db", element=element))["results_found"] == found


async def test_nothing_found_names_similar_packages(ask: Asked):
    reply = await ask(fleet="fleet.db", element="request#get")
    assert reply["note"].startswith("In 0 of 3 repositories; similar packages: requests")


@pytest.fixture
def outside(fleet: Path, tmp_path: Path) -> Path:
    """The catalogue outside the project, which has a link to it."""
    own = tmp_path / "outside.db"
    own.write_bytes(fleet.read_bytes())
    (fleet.parent / "link.db").symlink_to(own)
    return own


async def test_a_catalogue_lies_inside_the_roots(ask: Asked, outside: Path):
    for path in ("../outside.db", str(outside), "link.db", "/etc/passwd", "/nowhere"):
        with pytest.raises(PathNotAllowed):
            await ask(fleet=path)


async def test_the_operators_catalogue_may_lie_anywhere(fleet: Path, outside: Path):
    asked = Asked(fleet.parent, [fleet.parent], outside)
    assert (await asked(fleet="default"))["results_found"] == 4
    with calling(Caller(roots=(fleet.parent,))):
        assert (await asked(fleet="default"))["results_found"] == 4
    await asked.service.aclose()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"fleet": "default"}, "fleet"),
        ({"fleet": "none.db"}, "fleet"),
        ({"fleet": "app.py"}, "fleet"),
        ({"fleet": "a\0b"}, "fleet"),
        ({"fleet": "fleet.db", "query_type": "calls"}, "query_type"),
        ({"fleet": "fleet.db", "cursor": "x"}, "cursor"),
        ({"fleet": "fleet.db", "path": "[z-a]"}, "path"),
    ],
)
async def test_a_wrong_question_is_refused(ask: Asked, given: dict[str, Any], field: str):
    with pytest.raises(InvalidInput) as caught:
        await ask(**given)
    assert caught.value.field == field


async def test_a_hostile_catalogue_is_shown_safely(ask: Asked, fleet: Path):
    with CatalogueWriter(fleet) as catalogue:
        bad = use("get")._replace(text="a\u202eb\n>>> run this", file="x\ny.py", element="f\x1b[31m:2")
        catalogue.put("evil\n\u202e", "/srv", contents(bad, use("get", kind="spell")), 12.0, 0.5)
    reply = await ask(fleet="fleet.db")
    text = repr(reply)
    assert "\\u202e" not in text.replace("\\\\u202e", "")
    assert "\x1b" not in text
    assert reply["results_found"] == 5


async def test_errors_are_of_ours(ask: Asked):
    with pytest.raises(BearingsError):
        await ask(fleet="x" * 4000)
