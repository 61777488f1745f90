"""Lookups of uses that were not followed."""

from bearings.code.graph.project_graph import Graph


class Sites:
    """The uses without an edge, by their source and by their name."""

    def __init__(self, graph: Graph) -> None:
        self.by_source = graph.outside_by_source
        self.by_name = graph.unresolved_by_name
