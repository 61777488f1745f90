"""Whole paths of endpoints whose routers other files mount: in scans, details, explorations and maps of a project."""

from pathlib import Path

import pytest

from bearings.code.questions.context import AskContext
from bearings.code.questions.explore import Explore
from bearings.code.questions.symbol import Describe
from tests.code.asked import query, scan
from tests.code.trees import write

pytestmark = pytest.mark.anyio

SHOP = {
    "app.js": (
        'const express = require("express");\n'
        'const users = require("./users");\n'
        "const app = express();\n"
        'app.use("/api/users", users);\n'
        'app.use("/old", users);\n'
        'app.get("/health", (request, response) => response.end());\n'
    ),
    "users.js": (
        'const router = require("express").Router();\n'
        'router.get("/:id", show);\n'
        "function show(request, response) {}\n"
        "module.exports = router;\n"
    ),
    "client.js": 'export const load = () => fetch("/api/users/3");\n',
}
API = {
    "main.py": (
        "from fastapi import FastAPI\n"
        "from items import router\n"
        "from settings import settings\n"
        "app = FastAPI()\n"
        "app.include_router(router, prefix=settings.API_V1)\n"
    ),
    "settings.py": 'class Settings:\n    API_V1: str = "/api/v1"\n\n\nsettings = Settings()\n',
    "items.py": (
        'from fastapi import APIRouter\nrouter = APIRouter(prefix="/items")\n@router.get("/{id}")\ndef item(id): ...\n'
    ),
}
SHOW = "users.js#GET /:id:2"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop(tmp_path) -> Path:
    return write(tmp_path / "shop", SHOP)


async def test_a_scan_lists_whole_paths_beside_names(service, shop):
    reply = await scan(service, shop, types=["endpoint"])
    assert {one.name: one.mounted for one in reply.elements} == {
        "GET /health": None,
        "GET /:id": ("/api/users/:id", "/old/:id"),
    }
    assert "(express → show, as /api/users/:id, /old/:id)" in reply.to_text()


async def test_details_of_an_endpoint_have_its_whole_paths_and_who_mounts_it(service, shop):
    reply = await service.reply_to(str(shop), Describe(element=SHOW, detail="full"))
    assert reply.element.mounted == ("/api/users/:id", "/old/:id")
    assert {(use.file, use.line) for use in reply.references.items} == {("app.js", 4), ("app.js", 5), ("client.js", 1)}


async def test_a_request_by_a_whole_path_finds_the_endpoint_and_its_handler(service, shop):
    reply = await service.reply_to(str(shop), Explore(question="GET /api/users/42"))
    assert [found.element for found in reply.elements] == [SHOW, "users.js#show:3"]
    assert reply.elements[0].why == "the endpoint, mounted as /api/users/:id, /old/:id"


async def test_a_request_that_may_lead_elsewhere_is_among_the_uses_of_an_endpoint(service, shop):
    write(shop, {"web.js": "export const one = (api, id) => api.get(`/users/${id}`);\n"})
    reply = await service.reply_to(str(shop), Explore(question="GET /api/users/42"))
    assert (
        "web.js:1 [in one, guessed] export const one = (api, id) => api.get(`/users/${id}`);"
        in reply.elements[0].used_by
    )


async def test_a_request_below_another_prefix_finds_none(service, shop):
    reply = await service.reply_to(str(shop), Explore(question="GET /api/carts/42"))
    assert SHOW not in [found.element for found in reply.elements]


async def test_a_mount_that_goes_takes_its_paths_with_it(service, shop):
    await scan(service, shop, types=["endpoint"])
    write(shop, {"app.js": SHOP["app.js"].replace('app.use("/old", users);\n', "").replace("/api/users", "/people")})
    reply = await scan(service, shop, types=["endpoint"])
    assert [one.mounted for one in reply.elements if one.name == "GET /:id"] == [("/people/:id",)]
    requests = await query(service, shop, "depends-on-me", SHOW)
    assert [(one.file, one.line) for one in requests.results] == [("app.js", 4)]


async def test_entry_points_are_named_by_their_whole_paths(service, shop):
    reply = await service.reply_to(str(shop), AskContext())
    assert "- `users.js` registers 1 endpoints: GET /api/users/:id" in reply.to_text()


async def test_a_prefix_follows_the_constant_of_another_file(service, tmp_path):
    project = write(tmp_path / "api", API)
    for prefix in ("/api/v1", "/api/v2"):
        write(project, {"settings.py": API["settings.py"].replace("/api/v1", prefix)})
        (item,) = (await scan(service, project, types=["endpoint"])).elements
        assert item.mounted == (f"{prefix}/items/{{id}}",)
        reply = await service.reply_to(str(project), Explore(question=f"GET {prefix}/items/42"))
        assert reply.elements[0].why == f"the endpoint, mounted as {prefix}/items/{{id}}"
    write(project, {"settings.py": "settings = read()\n"})
    (item,) = (await scan(service, project, types=["endpoint"])).elements
    assert item.mounted == ("/<settings.API_V1>/items/{id}",)
