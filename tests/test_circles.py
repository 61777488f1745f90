"""No module imports itself, by whatever way: imports for types and imports in functions count."""

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest


def test_no_module_imports_itself():
    graph = grimp.build_graph("bearings", cache_dir=None)
    modules = TopologicalSorter({module: graph.find_modules_directly_imported_by(module) for module in graph.modules})
    try:
        modules.prepare()
    except CycleError as circle:
        pytest.fail(" imports ".join(reversed(circle.args[1])))
