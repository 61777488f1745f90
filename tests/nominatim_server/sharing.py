"""A running Nominatim, shared: the first that wants it starts it, and the last that leaves stops it.

Users are processes, each known by a file that bears its id; one that was killed is struck off by the next.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.nominatim_server import cluster, nominatim
from tests.nominatim_server.machine import Work, install, work_directory
from tests.nominatim_server.nominatim import Project

TOWN: Final = Path(__file__).parents[1] / "data" / "town" / "town.osm"


@contextmanager
def running_nominatim(osm: Path = TOWN, *, port: int = 0, work_dir: str | None = None) -> Iterator[str]:
    """The base URL of a Nominatim over an OSM file, installed, imported and started as far as need be.

    Raises `CannotRun` where the machine can't, and `Failed` where it should have.
    """
    work = work_directory(work_dir)
    with work.locked():
        install(work)
        cluster.start(work)
        try:
            project = nominatim.import_file(work, osm)
            url = nominatim.serve(work, project, port)
            mine = enrol(project)
        except BaseException:
            rest(work)
            raise
    try:
        yield url
    finally:
        with work.locked():
            mine.unlink(missing_ok=True)
            if not users(project):
                nominatim.end(project)
            rest(work)


def enrol(project: Project) -> Path:
    """This process uses a project's server from now on."""
    directory = project.directory / "users"
    directory.mkdir(exist_ok=True)
    number = sum(1 for path in directory.glob(f"{os.getpid()}-*"))
    mine = directory / f"{os.getpid()}-{number}"
    mine.touch()
    return mine


def users(project: Project) -> list[Path]:
    """The users that are still alive."""
    known = list((project.directory / "users").glob("*-*"))
    for path in known:
        if not nominatim.alive(int(path.name.split("-")[0])):
            path.unlink(missing_ok=True)
    return [path for path in known if path.exists()]


def rest(work: Work) -> None:
    """PostgreSQL stops once no server needs it."""
    if not any(nominatim.address_of(project) for project in nominatim.projects(work)):
        cluster.stop(work)


def stop_all(work: Work) -> None:
    """Ends every server, and PostgreSQL."""
    for project in nominatim.projects(work):
        nominatim.end(project)
    cluster.stop(work)
