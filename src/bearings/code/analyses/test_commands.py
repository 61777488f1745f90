"""How a project's tests are run, as far as its manifests tell."""

from collections.abc import Sequence

from bearings.code.answers.changes import ProposedTests
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, spec_of

_MOST = 12
"""Files on one command line: who runs more runs them all."""


def commands(snapshot: Snapshot, tests: Sequence[ProposedTests]) -> tuple[str, ...]:
    """A command for each group's first tests, in their order; none where nobody said how a language's are run."""
    files: dict[str, list[str]] = {}
    for row in tests:
        spec = spec_of(row.file)
        if spec is not None:
            files.setdefault(spec.group, []).append(row.file)
    commands = {spec.group: spec.test_command for spec in SPECS.values() if spec.test_command is not None}
    return tuple(
        command(files[group][:_MOST], snapshot.project.manifests)
        for group, command in commands.items()
        if group in files
    )
