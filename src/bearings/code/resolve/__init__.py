"""Facts → edges. Takes facts, never a store; one module a strategy."""

from collections.abc import Mapping

from bearings.code.models import FileFacts, ProjectFiles, Resolution
from bearings.code.resolve.evaluate import Evaluator
from bearings.code.resolve.uses import Uses


def resolve(facts: Mapping[str, FileFacts], project: ProjectFiles) -> Resolution:
    """Every use in `facts`, either as an edge between two of their symbols or as one that leads outside. Pure.

    Modules are looked for among `project.paths`; one that is there but not in `facts` counts as unresolved. Edges come
    in the order of the files given, each once.
    """
    uses = Uses(Evaluator(facts, project))
    for path in facts:
        uses.of_file(path)
    return Resolution(tuple(uses.edges), tuple(uses.outside))
