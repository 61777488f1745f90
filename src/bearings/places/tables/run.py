"""Runs a table: reads batches of rows, has their questions answered, writes them in order, and can go on after any end.

Each distinct question is asked once. Answers come back in the order of the questions, whoever gave them, so that a
table made by many machines equals one made here, and one that was stopped equals one that was not.
"""

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

from bearings.cluster import Workers
from bearings.errors import BadResponse, BearingsError, Blocked, DeadlineExceeded, RateLimited, Unavailable, Unsupported
from bearings.places.tables import files
from bearings.places.tables.answering import Answer, Answered, QuestionOptions, Subject
from bearings.places.tables.columns import NUMBERS, default_columns
from bearings.places.tables.draft import Draft
from bearings.places.tables.journal import Journal, Key, State, identity_of, journal_of, key_of
from bearings.places.tables.pace import Pace
from bearings.places.tables.questions import Fault, Query
from bearings.places.tables.rows import Batch, Format, Reader, Writer, added_names
from bearings.places.tables.workers import QuestionBatch, Sources, answered
from bearings.progress import Progress
from bearings.settings import without_credentials

BATCHES_OF_A_BLOCK = 4
"""Batches whose points are answered together: what a block costs whatever its size is small by then."""

_SAVED_EVERY_S = 1.0
"""Seconds of work that a kill may undo."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table to make: what is read, asked and written. `piece` limits the questions of one task."""

    path: Path
    out: Path
    query: Query
    options: QuestionOptions
    sources: Sources
    piece: int
    delimiter: str | None = None
    decimal: str = "."
    is_local: bool = False

    @property
    def keeps_answers(self) -> bool:
        """Whether the journal keeps answers. An embedded source finds those to points as fast as they are read."""
        return bool(self.query.columns) or not self.is_local

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that each row gains."""
        return (*default_columns(points=not self.query.columns), *self.options.columns)

    @property
    def form(self) -> Format:
        """The format of what is written."""
        return Format.of("out", self.out)

    @property
    def is_columnar(self) -> bool:
        """Whether columns are passed on as they are, so that rows need only what is asked about."""
        columnar = (Format.PARQUET, Format.GEOPARQUET)
        return self.form in columnar and Format.of("in", self.path) in columnar

    @property
    def draft(self) -> Path:
        """The unfinished file."""
        return self.out.with_name(f"{self.out.name}.part")

    @property
    def journal(self) -> Path:
        """The file that notes the rows done so far."""
        return journal_of(self.out)

    def identity(self) -> str:
        """A digest of all that the answers depend on: input, query, options, data."""
        # "manner" is the options' name in journals of earlier versions: a run that they began goes on.
        facts = {"query": asdict(self.query), "manner": asdict(self.options), "delimiter": self.delimiter}
        facts["decimal"] = self.decimal
        settings = {name: str(value) for name, value in self.sources.places if name not in ("cache_dir", "index_dir")}
        server = without_credentials(str(dict(self.sources.server).get("base_url", "")))
        return identity_of(self.path, {**facts, "settings": settings, "server": server})


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcome of a run and of those before it that were stopped; `seconds`, `went_on_at` (row) are of this one."""

    state: State
    seconds: float
    went_on_at: int


def run(table: Table, reader: Reader, workers: Workers, progress: Progress) -> Summary:
    """Make the table. Raises BearingsError if a source fails; the same call then goes on where this one ended."""
    began = time.monotonic()
    journal = Journal(table.journal, table.identity())
    went_on_at = journal.state.rows
    try:
        if not (journal.state.is_done and table.out.exists() and not table.draft.exists()):
            length = journal.state.length if journal.goes_on else None
            journal.save()
            draft = Draft(table.draft, length)
            added = added_names(reader.columns.keys, table.columns)
            numbers = [number for number, name in enumerate(table.columns) if name in NUMBERS]
            writer = files.writer(table.form, draft, reader, added, numbers, table.delimiter, table.decimal)
            try:
                table_run = _Run(table, reader, journal, writer, progress)
                try:
                    table_run.make_rows(workers)
                finally:
                    table_run.save()
                writer.finish(table.out)
            finally:
                writer.close()
    except BaseException:
        journal.close()
        raise
    journal.remove()
    return Summary(journal.state, time.monotonic() - began, went_on_at)


@dataclass(frozen=True, slots=True)
class _BatchQuestions:
    """A batch of rows, and the question of each row, or why it has none: an empty cell, a line that is no JSON."""

    batch: Batch
    subjects: Sequence[Subject | Fault]

    def keys(self, key: Callable[[Subject], Hashable]) -> list[Any]:
        """The keys of the questions, by row; None for a row that has none."""
        return [None if isinstance(subject, Fault) else key(subject) for subject in self.subjects]


@dataclass(frozen=True, slots=True)
class _Pending:
    """Questions that a worker has, by their keys; `completes` are the batches of which these are the last ones."""

    keys: Sequence[Any]
    completes: Sequence[_BatchQuestions]


class _Run:
    """One run of a table: the questions that workers have, the time of the last save, the pace."""

    def __init__(self, table: Table, reader: Reader, journal: Journal, writer: Writer, progress: Progress) -> None:
        self._table = table
        self._reader = reader
        self._journal = journal
        self._writer = writer
        self._report = Pace(reader.size, journal.state, progress)
        self._under_way: deque[_Pending] = deque()
        self._asked: set[Key] = set()
        self._saved = time.monotonic()
        self._is_half_written = False
        self._columns = attrgetter(*default_columns(points=not table.query.columns)), len(table.options.columns)
        self._key: Callable[[Subject], Hashable] = key_of if table.keeps_answers else lambda subject: subject

    def make_rows(self, workers: Workers) -> None:
        """Make all rows that are not made yet. Raises BearingsError."""
        for reply in workers.results(answered, self._questions()):
            pending = self._under_way.popleft()
            self._store(pending, reply)
            known: Mapping[Any, Answer] = dict(zip(pending.keys, reply.answers, strict=True))
            for questions in pending.completes:
                # Write a batch whose answers are all there.
                keys = questions.keys(self._key)
                if self._table.keeps_answers:
                    known = self._journal.known(list({key for key in keys if key is not None}))
                answers = [
                    Answer(error=subject.error) if isinstance(subject, Fault) else known[key]
                    for key, subject in zip(keys, questions.subjects, strict=True)
                ]
                # A write that fails leaves a draft longer than the journal says: the next run cuts it there.
                self._is_half_written = True
                self._writer.write(questions.batch, [answer.values(*self._columns) for answer in answers])
                self._journal.state.add(answers, questions.batch.end)
                self._is_half_written = False
                self._report.wrote()
            if time.monotonic() - self._saved >= _SAVED_EVERY_S:
                self.save()
        self._journal.state.is_done = True

    def save(self) -> None:
        """Bring to the disk what was done; of rows whose writing failed, the answers."""
        if not self._is_half_written:
            self._journal.state.length = self._writer.sync()
        self._journal.save()
        self._saved = time.monotonic()

    def _questions(self) -> Iterator[QuestionBatch]:
        """The new questions of each batch, in pieces. A batch without any has an empty piece."""
        table = self._table
        needs = table.query.needs if table.is_columnar else None
        batches = iter(self._reader.batches(self._journal.state.position, needs))
        while not table.keeps_answers and (block := list(islice(batches, BATCHES_OF_A_BLOCK))):
            several = [_BatchQuestions(batch, table.query.subjects(batch)) for batch in block]
            points = list(dict.fromkeys(key for each in several for key in each.keys(self._key) if key is not None))
            self._under_way.append(_Pending(points, several))
            yield QuestionBatch(tuple(points), table.options, table.sources)
        for batch in batches:
            questions = _BatchQuestions(batch, table.query.subjects(batch))
            # The distinct questions that have no answer, and are not under way.
            pairs = zip(questions.keys(self._key), questions.subjects, strict=True)
            distinct = {key: subject for key, subject in pairs if key is not None and not isinstance(subject, Fault)}
            missing = self._journal.missing(distinct.keys() - self._asked)
            self._asked |= missing
            new = [(key, subject) for key, subject in distinct.items() if key in missing]
            # One empty piece where nothing is new: with its answer the batch is written.
            for start in range(0, max(1, len(new)), table.piece):
                some = new[start : start + table.piece]
                is_last = start + table.piece >= len(new)
                self._under_way.append(_Pending([key for key, _ in some], [questions] if is_last else []))
                yield QuestionBatch(tuple(subject for _, subject in some), table.options, table.sources)

    def _store(self, pending: _Pending, reply: Answered) -> None:
        """Keep the answers. Raises the error of a source that failed."""
        state = self._journal.state
        if self._table.keeps_answers:
            self._journal.add(zip(pending.keys, reply.answers, strict=False))
        self._asked.difference_update(pending.keys)
        state.asked += len(reply.answers)
        if reply.failure is not None:
            raise failed(*reply.failure, f"{state.rows:,} rows are done: the same command goes on.")
        state.editions = state.editions or reply.editions
        if reply.editions != state.editions:
            raise Unsupported(
                f"the data differ: {'; '.join(reply.editions)}, and {'; '.join(state.editions)}",
                "Use the same atlas and maps from the first row to the last; then begin anew: --overwrite.",
            )
        self._report.asked(len(reply.answers))


_KINDS: dict[str, type[BearingsError]] = {
    kind.code: kind for kind in (Unavailable, RateLimited, Blocked, BadResponse, DeadlineExceeded, Unsupported)
}


def failed(code: str, error: str, hint: str, more: str = "") -> BearingsError:
    """The error of a source that failed in a worker, with `more` of a hint."""
    return _KINDS.get(code, Unavailable)(error, f"{hint} {more}".strip())
