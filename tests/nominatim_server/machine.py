"""The scripts' access to the machine: a work directory, packages, commands with time limits, one lock."""

import fcntl
import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# Not below the user's home: PostgreSQL refuses to be root, and its own user must be able to get there.
DEFAULT_WORK: Final = "/var/cache/bearings-nominatim"
USER: Final = "postgres"  # owns the cluster and runs every process of ours
DEBIAN_PYTHON: Final = "/usr/bin/python3"  # the one that python3-icu was built for; PyICU from source takes 90 s
PACKAGES: Final = (
    "postgresql-15", "postgresql-15-postgis-3", "postgresql-15-postgis-3-scripts", "osm2pgsql", "python3-icu",
    "python3-venv",
)  # fmt: skip
# Exact, so that replies recorded today come again tomorrow.
DISTRIBUTIONS: Final = (
    "nominatim-db==5.3.3", "nominatim-api==5.3.3", "falcon==4.4.0", "uvicorn==0.54.0", "psycopg[binary]==3.3.9",
    "SQLAlchemy==2.1.9",
)  # fmt: skip


class CannotRun(Exception):
    """This machine can't have a Nominatim: no root, no apt, no packages to be had."""


class Failed(Exception):
    """A command that should work here failed; the message ends with its output."""


@dataclass(frozen=True, slots=True)
class Work:
    """The directory that everything is kept in."""

    root: Path

    @property
    def venv(self) -> Path:
        """Nominatim's own Python environment."""
        return self.root / "venv"

    def tool(self, name: str) -> str:
        """A command of that environment."""
        return str(self.venv / "bin" / name)

    @contextmanager
    def locked(self, seconds: float = 900) -> Iterator[None]:
        """One process at a time installs, imports, starts and stops. Raises `Failed` after so many seconds."""
        with (self.root / "lock").open("w") as lock:
            deadline = time.monotonic() + seconds
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise Failed(f"another process has held {lock.name} for {seconds:.0f} s") from None
                    time.sleep(0.1)
            yield


def work_directory(path: str | None = None) -> Work:
    """The one named here, else by `BEARINGS_NOMINATIM_DIR`, else the usual one. Raises `CannotRun` without root."""
    if os.geteuid() != 0:
        raise CannotRun("a real Nominatim needs root, to install packages and to become PostgreSQL's user")
    root = Path(path or os.environ.get("BEARINGS_NOMINATIM_DIR") or DEFAULT_WORK).resolve()
    root.mkdir(parents=True, exist_ok=True)
    return Work(root)


def install(work: Work) -> None:
    """Packages and Python environment, where they are missing. Raises `CannotRun`."""
    missing = [name for name in PACKAGES if not has_package(name)]
    if missing:
        apt_install(missing)
    run_as_owner = ["test", "-x", str(work.root)]
    if subprocess.run(run_as_owner, user=USER, group=USER, extra_groups=[], check=False).returncode:
        raise CannotRun(f"{work.root} can't be reached by the user {USER}: choose another with BEARINGS_NOMINATIM_DIR")
    wanted = hashlib.sha256(" ".join(DISTRIBUTIONS).encode()).hexdigest()
    done = work.venv / ".installed"
    if done.exists() and done.read_text() == wanted:
        return
    shutil.rmtree(work.venv, ignore_errors=True)
    try:
        run([DEBIAN_PYTHON, "-m", "venv", "--system-site-packages", str(work.venv)], seconds=120)
        run([work.tool("pip"), "install", "--quiet", "--disable-pip-version-check", *DISTRIBUTIONS], seconds=600)
    except Failed as error:
        raise CannotRun(f"Nominatim could not be installed: {error}") from error
    done.write_text(wanted)


def has_package(name: str) -> bool:
    if shutil.which("dpkg-query") is None:
        raise CannotRun("a real Nominatim is installed by apt, and this is no Debian")
    state = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${db:Status-Status}", name],
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    return state.stdout == "installed"


def apt_install(names: Sequence[str]) -> None:
    # Runlevel 1: Debian would start a cluster of its own after installing.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    apt = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    try:
        with (Path(tempfile.gettempdir()) / "bearings-apt.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # `update` waits for no other
            run([*apt, "update"], seconds=300, environment=environment)
            run([*apt, "install", "-y", "--no-install-recommends", *names], seconds=900, environment=environment)
    except Failed as error:
        raise CannotRun(f"packages could not be installed: {error}") from error


def run(
    command: Sequence[str], *, seconds: float, environment: dict[str, str] | None = None, owned: bool = False,
    cwd: Path | None = None, log: Path | None = None,
) -> str:  # fmt: skip
    """Runs a command to its end and gives back what it wrote (the log does, if there is one). Raises `Failed`.

    `owned` runs it as PostgreSQL's user, in a clean environment.
    """
    with log.open("ab") if log else nullcontext(subprocess.PIPE) as output:
        try:
            done = subprocess.run(
                list(command), cwd=cwd, timeout=seconds, check=False,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                env=owners_environment() if owned else environment,
                user=USER if owned else None, group=USER if owned else None, extra_groups=[] if owned else None,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Failed(f"`{command[0]}` took more than {seconds:.0f} s{ending(log)}") from None
        except OSError as error:
            raise Failed(f"`{command[0]}` does not start: {error}") from error
    text = log.read_text(errors="replace") if log else done.stdout.decode(errors="replace")
    if done.returncode:
        tail = "\n".join(text.splitlines()[-20:])
        raise Failed(f"`{' '.join(command[:3])} …` ended with status {done.returncode}:\n{tail}")
    return text


def ending(log: Path | None) -> str:
    return f"; see {log}" if log else ""


def owners_environment() -> dict[str, str]:
    """The environment of PostgreSQL's processes: without the caller's variables, proxies and registries included."""
    return {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"}


def owned_directory(path: Path) -> Path:
    """A directory that belongs to PostgreSQL's user and that no one else may enter."""
    path.mkdir(mode=0o700, exist_ok=True)
    owner = pwd.getpwnam(USER)
    os.chown(path, owner.pw_uid, owner.pw_gid)
    return path
