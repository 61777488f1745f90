"""Whole paths of endpoints whose routers are mounted in other files."""

from bearings.code.graph.project_graph import Graph
from bearings.code.models import Symbol
from bearings.code.resolve.endpoints.mounts import whole_paths


def mounted_paths(graph: Graph, endpoint: Symbol) -> tuple[str, ...]:
    """The whole paths of an endpoint, in order, without its method; none if no other file gives it a prefix."""
    paths = {path for edge in graph.edges_to(endpoint.id) for path in whole_paths(edge.reason)}
    return tuple(sorted(paths - {endpoint.detail.path if endpoint.detail else ""}))
