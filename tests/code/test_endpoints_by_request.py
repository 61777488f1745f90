"""An endpoint is named as one types a request, as the procedure of a router, or as the field of a GraphQL type."""

from pathlib import Path

import pytest

from bearings.code.service import CodeService
from bearings.errors import ElementNotFound
from tests.code.asked import query
from tests.code.trees import write

APP = """const express = require("express");
const app = express();
app.get("/users/:id", show);
app.get("/users/me", show);
app.all("/api/traces/:traceId", show);
function show(req, res) {}
"""
TRACES = """import { initTRPC } from "@trpc/server";
const t = initTRPC.create();
export const tracesRouter = t.router({ byId: t.procedure.query(() => 1) });
"""
SCHEMA = """import graphene


class OrderCancel(graphene.Mutation):
    pass


class OrderQueries(graphene.ObjectType):
    def resolve_order_by_token(self, info):
        return None


class OrderMutations(graphene.ObjectType):
    order_cancel = OrderCancel.Field()


def order_cancel(client):
    return client
"""
GO = """package graph

type queryResolver struct{}

func (r *queryResolver) Invoice() int { return 1 }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    manifest = '{"dependencies": {"express": "4", "@trpc/server": "11"}}'
    files = {"app.js": APP, "traces.ts": TRACES, "schema.py": SCHEMA, "graph/schema.resolvers.go": GO}
    return write(tmp_path.resolve() / "project", {"package.json": manifest, **files})


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("typed", "endpoint"),
    [
        ("GET /users/5", "GET /users/:id:3"),
        ("/users/{id}", "GET /users/:id:3"),
        ("https://shop.example/users/7?x=1", "GET /users/:id:3"),
        ("GET /users/me", "GET /users/me:4"),
        ("GET /api/traces/{traceId}", "ANY /api/traces/:traceId:5"),
        ("traces.byId", "GET /byId:3"),
        ("api.traces.byId", "GET /byId:3"),
        ("Query.orderByToken", "OrderQueries.resolve_order_by_token:9"),
        ("Mutation.orderCancel", "OrderMutations.order_cancel:14"),
        ("Query.invoice", "queryResolver.Invoice:5"),
    ],
)
async def test_a_request_names_its_endpoint(service: CodeService, project: Path, typed: str, endpoint: str):
    reply = await query(service, project, query_type="depends-on-me", element=typed)
    assert reply.target.partition("#")[2].strip("»") == endpoint


@pytest.mark.anyio
@pytest.mark.parametrize(
    "typed", ["DELETE /users/5", "/home/users/none.js", "posts.byId", "byId", "Traces.byId", "Query.orderCancel"]
)
async def test_another_request_names_none(service: CodeService, project: Path, typed: str):
    with pytest.raises(ElementNotFound):
        await query(service, project, query_type="depends-on-me", element=typed)
