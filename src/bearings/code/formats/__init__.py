"""File formats: exports of the graph, diagrams, coverage reports."""
