"""The commands that run a project's tests, from its manifests."""

from collections.abc import Sequence

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, spec_of
from bearings.code.replies.changes import ProposedTests

_MOST = 12
"""The most files on one command line."""


def commands(snapshot: Snapshot, tests: Sequence[ProposedTests]) -> tuple[str, ...]:
    """A command for the first tests of each group, in their order; none for languages without a known runner."""
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
