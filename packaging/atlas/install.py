"""Makes the full atlas, in an environment of its own: the second half of `make install`.

Two stages, each kept once it is finished: the environment `.venv-atlas`, from packaging/atlas.lock, and the atlas, in
the user's cache directory. Without a network, or if a stage fails, the core atlas goes on answering: this says so, and
the exit status is 0 all the same. `--strict` makes it 1. `--environment` makes the environment alone.

The layer of postcodes follows, from packaging/postcodes.lock. If that fails, the atlas goes without, and this says so.
"""

import contextlib
import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

from filelock import FileLock

from bearings.places.atlas import postcodes
from bearings.places.atlas.edition import file_name
from bearings.places.atlas.store import readable
from bearings.places.settings import PlacesSettings

ROOT = Path(__file__).parents[2]
LOCK, POSTCODES_LOCK = ROOT / "packaging" / "atlas.lock", ROOT / "packaging" / "postcodes.lock"
ENVIRONMENT = ROOT / ".venv-atlas"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
MARKER, POSTCODES_MARKER = ENVIRONMENT / ".installed", ENVIRONMENT / ".postcodes"
"""Each holds the hash of the lock that was installed; there is none while an installation is under way."""

PIP = [
    sys.executable, "-m", "pip", "--python", str(PYTHON), "--disable-pip-version-check", "--retries", "2", "install",
    "--quiet", "--no-compile", "--no-deps", "--require-hashes", "--only-binary", ":all:",
]  # fmt: skip


class Failed(Exception):
    """A stage did not end well."""


def main() -> int:
    """Does what is missing."""
    options = set(sys.argv[1:])
    cache = PlacesSettings().cache_dir
    is_made = readable(cache / file_name()) and postcodes.readable(cache / postcodes.file_name())
    if "--environment" not in options and is_made:
        return 0
    try:
        with FileLock(ROOT / ".venv-atlas.lock"):
            install()
            install_postcodes()
        if "--environment" not in options:
            build()
    except (Failed, OSError) as error:
        if "--environment" not in options and readable(cache / file_name()):
            say(f"The atlas goes without postcodes: {error}. `make atlas` tries again.")
            return 0
        say(f"The full atlas was not made: {error}. The core atlas answers; `make atlas` tries again.")
        return 1 if options else 0
    return 0


def install() -> None:
    """The environment, unless it is there with this lock's versions."""
    wanted = digest(LOCK)
    if is_marked(MARKER, wanted):
        return
    say("Installing what the full atlas is made from into .venv-atlas …")
    started = time.monotonic()
    run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(ENVIRONMENT)])
    run([*PIP, "--requirement", str(LOCK)])
    MARKER.write_text(wanted, "ascii")
    say(f"  took {time.monotonic() - started:.0f} s")


def install_postcodes() -> None:
    """What the layer of postcodes is made from, into the same environment. A failure is said."""
    wanted = digest(POSTCODES_LOCK)
    if not is_marked(POSTCODES_MARKER, wanted):
        try:
            run([*PIP, "--requirement", str(POSTCODES_LOCK)])
            POSTCODES_MARKER.write_text(wanted, "ascii")
        except (Failed, OSError) as error:
            say(f"The atlas goes without postcodes: {error}. `make atlas` tries again.")


def digest(lock: Path) -> str:
    """The hash of a lock."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def is_marked(marker: Path, wanted: str) -> bool:
    """Whether the lock of this hash was installed."""
    with contextlib.suppress(OSError):
        return marker.read_text("ascii") == wanted
    return False


def build() -> None:
    """The atlas and its postcodes, by the builder in the environment, which draws a bar on a terminal."""
    say("Making the full atlas …")
    started = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    run([str(PYTHON), "-m", "bearings", "places", "atlas", "build"], environment)
    say(f"  took {time.monotonic() - started:.0f} s")


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Runs a command in this terminal. Raises Failed."""
    done = subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False)  # noqa: S603
    if done.returncode:
        raise Failed(f"`{' '.join(command[:4])} …` ended with status {done.returncode}")


def say(line: str) -> None:
    """To the person who waits."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
