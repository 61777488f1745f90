"""Finds references that do not match the source."""

from collections import Counter
from collections.abc import Iterator

from bearings.code.coderefs.reference_search import found_in, is_export
from bearings.code.coderefs.reference_targets import Places
from bearings.code.coderefs.validate import faults_of
from bearings.code.index.snapshot import Snapshot
from bearings.code.project.file_pattern import Pattern
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_with
from bearings.code.questions.validate import NO_REFERENCE, FindingPart, Validate, ValidateReply
from bearings.code.replies.element import not_indexed
from bearings.code.replies.pages import page_of
from bearings.code.replies.tidying import all_escaped
from bearings.code.search.view import WholeGraph

_MAX_TEXT = 2_000_000


def compute(question: Validate, view: WholeGraph) -> ValidateReply:
    """A page of `most` faults of the references in every text file that matches.

    Raises InvalidInput for a bad pattern or cursor.
    """
    snapshot = view.snapshot
    identity = ("validate", question.pattern, snapshot.revision)
    page_of(identity, 0, question.cursor)  # a cursor that is not of this list is refused before files are read
    pattern = Pattern(question.pattern, "pattern")
    places = Places(snapshot)
    counts: Counter[str] = Counter()
    findings: list[FindingPart] = []
    for path, data in _texts(snapshot, pattern):
        counts["files"] += 1
        for reference in found_in(path, data):
            faults = faults_of(reference, places)
            severities = {fault.severity for fault in faults}
            counts["references"] += 1
            counts["invalid"] += "error" in severities
            counts["warned"] += severities == {"warning"}
            findings += [
                FindingPart(
                    file=path,
                    line=reference.line,
                    column=reference.column + 1,
                    reference=reference.text,
                    severity="error" if fault.severity == "error" else "warning",
                    code=fault.code,
                    error=fault.message,
                    suggestions=list(fault.suggestions),
                    fixable=fault.fixable,
                )
                for fault in faults
            ]
    page = page_of(identity, len(findings), question.cursor)
    return ValidateReply(
        files_checked=counts["files"],
        references_found=counts["references"],
        valid=counts["references"] - counts["invalid"],
        invalid_found=counts["invalid"],
        warned_found=counts["warned"],
        invalid=[],
        note=None if counts["references"] else NO_REFERENCE,
        index=not_indexed(),
        _findings=all_escaped(findings[page.offset : page.offset + question.most]),
        _page=page,
    )


def _texts(snapshot: Snapshot, pattern: Pattern) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each matching text file, in order; files that an export wrote are left out."""
    with snapshot.tree.reading() as reader:
        for path in sorted(snapshot.project.paths | snapshot.facts.keys()):
            source = read_with(reader, path, _MAX_TEXT) if pattern.matches(path) else None
            if isinstance(source, Source) and not is_export(source.data):
                yield path, source.data
