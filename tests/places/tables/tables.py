"""What the tests of tables share: rows as files, workers over hand-made places, a run of a request."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import anyio

from bearings.cluster import Workers
from bearings.places.geocoder import Geocoder
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.settings import PlacesSettings
from bearings.places.source import PlaceSource
from bearings.places.tables.answering import Asker
from bearings.places.tables.request import TableRequest, prepared
from bearings.places.tables.run import Summary, run
from bearings.places.tables.workers import QuestionBatch
from bearings.progress import NoProgress
from tests.places.memory_source import MemorySource, Standstill

Task = TypeVar("Task")
Result = TypeVar("Result")

TOWNS = "city,people\nParis,2100000\nBoulder,108000\nParis,1\nAtlantis,0\n"


class Asked:
    """Workers that ask a source in this process. `until`: the number of tasks after which they are lost."""

    def __init__(self, source: PlaceSource | None = None, *, until: int | None = None) -> None:
        self.source = source or MemorySource()
        self.batches: list[QuestionBatch] = []
        self._until = until

    def results(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        asker = Asker(Geocoder(self.source, clock=Standstill()))
        for number, batch in enumerate(tasks):
            if number == self._until:
                raise KeyboardInterrupt
            assert isinstance(batch, QuestionBatch)
            self.batches.append(batch)
            yield anyio.run(asker.answered, batch.subjects, batch.options)  # type: ignore[misc]

    @property
    def subjects(self) -> list[Any]:
        return [subject for batch in self.batches for subject in batch.subjects]


def made(path: Path, out: Path, workers: Workers | None = None, **options: Any) -> Summary:
    """Run a request over hand-made places."""
    settings = PlacesSettings(_env_file=None, backend="gazetteer"), NominatimSettings(_env_file=None)
    table, reader = prepared(TableRequest(path, out, **options), *settings, elsewhere=False)
    return run(table, reader, workers or Asked(), NoProgress())


def lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON lines file."""
    return [json.loads(line) for line in path.read_text().splitlines()]
