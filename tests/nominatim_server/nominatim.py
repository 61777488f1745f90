"""Imports a file into a database of its own, and serves it over HTTP on 127.0.0.1."""

import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.nominatim_server import cluster
from tests.nominatim_server.machine import (
    DISTRIBUTIONS,
    USER,
    Failed,
    Work,
    owned_directory,
    owners_environment,
    run,
)

# Beside the OSM file, if they are there: countries and phrases of its own.
SIDECARS: Final = ("country_settings.yaml", "special_phrases.csv")
IMPORT_SECONDS: Final = 3600.0
START_SECONDS: Final = 60.0
END_SECONDS: Final = 10.0
KEPT: Final = 4  # imports; each takes some 100 MB
GRID: Final = """
    INSERT INTO country_osm_grid (country_code, area, geometry)
    SELECT country_code, ST_Area(geometry), geometry FROM placex
    WHERE rank_search = 4 AND osm_type = 'R' AND country_code NOT IN (SELECT country_code FROM country_osm_grid)
"""
DATE: Final = "INSERT INTO import_status (lastimportdate, indexed) VALUES ('{}', true)"
STARTED: Final[dict[int, "subprocess.Popen[bytes]"]] = {}  # servers that are children of this process, to be waited for
RECIPE: Final = "4"  # raise it when an import is to be made anew though its files are the same


@dataclass(frozen=True, slots=True)
class Project:
    """One imported file: its directory and its database share a name."""

    directory: Path

    @property
    def database(self) -> str:
        """The name of its database."""
        return self.directory.name

    @property
    def imported(self) -> Path:
        """The mark that the import came to its end."""
        return self.directory / "imported"

    @property
    def address(self) -> Path:
        """Port and process of the server, while one runs."""
        return self.directory / "server.json"


def project_of(work: Work, osm: Path) -> Project:
    """The project of a file's content. Raises `Failed` if it can't be read."""
    try:
        parts = [osm.read_bytes(), *(path.read_bytes() for path in sidecars(osm))]
    except OSError as error:
        raise Failed(f"{osm} can't be read: {error.strerror}") from error
    digest = hashlib.sha256(" ".join([RECIPE, *DISTRIBUTIONS]).encode())
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    projects = owned_directory(work.root / "projects")
    return Project(projects / f"osm_{digest.hexdigest()[:16]}")


def sidecars(osm: Path) -> list[Path]:
    return [path for name in SIDECARS if (path := osm.parent / name).exists()]


def import_file(work: Work, osm: Path) -> Project:
    """The project, imported unless it was. PostgreSQL must run. Raises `Failed`."""
    project = project_of(work, osm)
    if project.imported.exists():
        return project
    cluster.drop(work, project.database)
    shutil.rmtree(project.directory, ignore_errors=True)
    owned_directory(project.directory)
    file = project.directory / ("extract" + "".join(osm.suffixes[-2:]))
    shutil.copy(osm, file)
    for path in sidecars(osm):
        copy_sidecar(work, path, project.directory)
    (project.directory / ".env").write_text(
        f'NOMINATIM_DATABASE_DSN="{cluster.connection(work, project.database)}"\nNOMINATIM_DATABASE_WEBUSER="{USER}"\n'
    )
    # Offline: it would ask openstreetmap.org for the date of the newest object.
    command(work, project, "import", "--osm-file", str(file), "--offline")
    complete(work, project, osm)
    phrases = project.directory / "special_phrases.csv"
    if phrases.exists():
        command(work, project, "special-phrases", "--import-from-csv", str(phrases))
    file.unlink()
    project.imported.touch()
    forget_old(work)
    return project


def forget_old(work: Work) -> None:
    """Removes the oldest imports but a few; what is being served stays."""
    by_age = sorted(projects(work), key=lambda project: project.directory.stat().st_mtime)
    for project in by_age[:-KEPT]:
        if address_of(project) is None:
            cluster.drop(work, project.database)
            shutil.rmtree(project.directory)


def complete(work: Work, project: Project, osm: Path) -> None:
    """Adds data that an offline import of one invented country lacks and a server of the whole world has.

    Nominatim knows the outlines of the real countries from a grid of its own, which it asks before the map: without a
    place in it, a country has no postcodes and is not found by its coordinates.
    """
    cluster.execute(work, project.database, GRID)
    command(work, project, "refresh", "--postcodes")
    if newest := max(re.findall(rb' timestamp="([0-9T:-]+Z)"', osm.read_bytes()), default=b""):
        cluster.execute(work, project.database, DATE.format(newest.decode("ascii")))


def copy_sidecar(work: Work, path: Path, directory: Path) -> None:
    """Countries are added to Nominatim's own list, which a file of that name would replace."""
    text = path.read_text(encoding="utf-8")
    if path.name == "country_settings.yaml":
        [builtin] = work.venv.glob("lib/python3*/site-packages/nominatim_db/resources/settings/country_settings.yaml")
        text = f"{builtin.read_text(encoding='utf-8')}\n{text}"
    (directory / path.name).write_text(text, encoding="utf-8")


def command(work: Work, project: Project, *words: str) -> None:
    """Runs `nominatim` in a project; it logs to a file there."""
    jobs = ["-j", str(min(4, os.cpu_count() or 1))]
    log = project.directory / "nominatim.log"
    run([work.tool("nominatim"), *words, *jobs], seconds=IMPORT_SECONDS, owned=True, cwd=project.directory, log=log)


def serve(work: Work, project: Project, port: int = 0) -> str:
    """The base URL of the project's server, which is started unless it runs. Port 0: any that is free.

    It goes on when this process ends. Raises `Failed`.
    """
    known = address_of(project)
    if known and (port in (0, known[0])):
        return f"http://127.0.0.1:{known[0]}"
    end(project)
    log = project.directory / "server.log"
    # The server inherits a bound socket: a free port that is only looked up may be another's by the time it starts.
    with socket.socket() as bound, log.open("wb") as output:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", port))
        port = int(bound.getsockname()[1])
        words = ["--factory", "nominatim_api.server.falcon.server:run_wsgi", "--fd", str(bound.fileno())]
        process = subprocess.Popen(
            # The port is there for `address_of` to know the process by.
            [work.tool("uvicorn"), *words, "--port", str(port), "--log-level", "warning"],
            cwd=project.directory, env=owners_environment(), pass_fds=[bound.fileno()],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            user=USER, group=USER, extra_groups=[],
        )  # fmt: skip
    STARTED[process.pid] = process
    project.address.write_text(json.dumps({"port": port, "pid": process.pid}))
    await_answer(process, f"http://127.0.0.1:{port}", log)
    return f"http://127.0.0.1:{port}"


def await_answer(process: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    """Until it tells its status. Raises `Failed` when it ends before, or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{url}/status", timeout=5) as reply:
                if reply.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    process.kill()
    process.wait()
    raise Failed(
        "Nominatim's server does not answer:\n" + "\n".join(log.read_text(errors="replace").splitlines()[-20:])
    )


def address_of(project: Project) -> tuple[int, int] | None:
    """Port and process id of the project's server, if it runs."""
    try:
        known = json.loads(project.address.read_text())
        words = Path(f"/proc/{known['pid']}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError, KeyError):
        return None
    # A process id may have been given to another since.
    return (known["port"], known["pid"]) if str(known["port"]).encode() in words and b"--factory" in words else None


def end(project: Project) -> None:
    """Ends the project's server, if it runs: asked first, killed after a while."""
    known = address_of(project)
    if known:
        os.kill(known[1], signal.SIGTERM)
        deadline = time.monotonic() + END_SECONDS
        while alive(known[1]) and time.monotonic() < deadline:
            time.sleep(0.05)
        if alive(known[1]):
            os.kill(known[1], signal.SIGKILL)
        if known[1] in STARTED:
            STARTED.pop(known[1]).wait(timeout=END_SECONDS)
    project.address.unlink(missing_ok=True)


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be counted by its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def projects(work: Work) -> list[Project]:
    return [Project(path) for path in sorted((work.root / "projects").glob("osm_*"))]
