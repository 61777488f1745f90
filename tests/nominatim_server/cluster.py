"""A PostgreSQL cluster of our own: reached over one unix socket in its work directory, by its own user alone."""

from pathlib import Path
from typing import Final

from tests.nominatim_server.machine import USER, Failed, Work, owned_directory, run

BIN: Final = Path("/usr/lib/postgresql/15/bin")
PORT: Final = 5432  # names the socket; nothing listens on TCP
LONGEST_SOCKET: Final = 107  # bytes that the kernel allows in a socket's path
# A test bed may lose its data when the power goes: it is made anew in half a minute.
SETTINGS: Final = """
listen_addresses = ''
max_connections = 60
shared_buffers = 128MB
maintenance_work_mem = 128MB
max_wal_size = 1GB
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
autovacuum = off
jit = off
"""


def start(work: Work) -> None:
    """The cluster runs; it is made first where there is none. Raises `Failed`."""
    data = cluster_directory(work)
    if running(work):
        return
    if not (data / ".made").exists():
        make(work, data)
    log = data.parent / "postgresql.log"
    control = [str(BIN / "pg_ctl"), "-D", str(data), "-l", str(log), "-w", "-t", "60", "start"]
    try:
        run(control, seconds=90, owned=True, cwd=data.parent, log=data.parent / "pg_ctl.log")
    except Failed as error:
        raise Failed(f"PostgreSQL does not start; see {log}, or run `clean`. {error}") from error


def make(work: Work, data: Path) -> None:
    """Initialises the cluster; one that was left half made goes first."""
    run(["rm", "-rf", str(data)], seconds=60)
    initdb = [str(BIN / "initdb"), "-D", str(data), "-U", USER, "-A", "peer", "-E", "UTF8", "--locale=C.UTF-8", "-N"]
    run(initdb, seconds=120, owned=True, cwd=data.parent)
    socket = f"unix_socket_directories = '{data.parent}'\nport = {PORT}\n"
    with (data / "postgresql.conf").open("a") as settings:
        settings.write(SETTINGS + socket)
    (data / ".made").touch()


def stop(work: Work) -> None:
    """Ends the cluster, if it runs: clients are cut off, data is written."""
    if running(work):
        data = cluster_directory(work)
        run([str(BIN / "pg_ctl"), "-D", str(data), "-m", "fast", "-w", "-t", "60", "stop"], seconds=90, owned=True)


def running(work: Work) -> bool:
    data = cluster_directory(work)
    if not (data / "postmaster.pid").exists():
        return False
    try:
        run([str(BIN / "pg_ctl"), "-D", str(data), "status"], seconds=30, owned=True, cwd=data.parent)
    except Failed:
        return False
    return True


def drop(work: Work, database: str) -> None:
    """Removes a database, whoever uses it."""
    execute(work, "postgres", f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')


def execute(work: Work, database: str, sql: str) -> str:
    """Runs one statement, and gives back what it answers. Raises `Failed`."""
    host = cluster_directory(work).parent
    words = [
        "-h",
        str(host),
        "-p",
        str(PORT),
        "-X",
        "-q",
        "-A",
        "-t",
        "-v",
        "ON_ERROR_STOP=1",
        "-d",
        database,
        "-c",
        sql,
    ]
    return run([str(BIN / "psql"), *words], seconds=60, owned=True, cwd=host)


def connection(work: Work, database: str) -> str:
    """As Nominatim's settings want it."""
    return f"pgsql:dbname={database};host={cluster_directory(work).parent};port={PORT};user={USER}"


def cluster_directory(work: Work) -> Path:
    directory = owned_directory(work.root / "postgresql")
    if len(f"{directory}/.s.PGSQL.{PORT}".encode()) > LONGEST_SOCKET:
        raise Failed(f"{directory} is too long a path for a unix socket: choose another with BEARINGS_NOMINATIM_DIR")
    return directory / "data"
