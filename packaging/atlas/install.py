"""Makes the full atlas, in an environment of its own: the second half of `make install`.

Two stages, each kept once it is finished: the environment `.venv-atlas`, from packaging/atlas.lock, and the atlas, in
the user's cache directory. Without a network, or if a stage fails, the core atlas goes on answering: this says so, and
the exit status is 0 all the same. `--strict` makes it 1. `--environment` makes the environment alone.
"""

import contextlib
import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

from filelock import FileLock

from bearings.places.atlas.edition import file_name
from bearings.places.atlas.store import readable
from bearings.places.settings import PlacesSettings

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "packaging" / "atlas.lock"
ENVIRONMENT = ROOT / ".venv-atlas"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
MARKER = ENVIRONMENT / ".installed"
"""Holds the hash of the lock that was installed; there is none while an installation is under way."""


class Failed(Exception):
    """A stage did not end well."""


def main() -> int:
    """Does what is missing."""
    options = set(sys.argv[1:])
    if "--environment" not in options and readable(PlacesSettings().cache_dir / file_name()):
        return 0
    try:
        with FileLock(ROOT / ".venv-atlas.lock"):
            install()
        if "--environment" not in options:
            build()
    except (Failed, OSError) as error:
        say(f"The full atlas was not made: {error}. The core atlas answers; `make atlas` tries again.")
        return 1 if options else 0
    return 0


def install() -> None:
    """The environment, unless it is there with this lock's versions."""
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    with contextlib.suppress(OSError):
        if MARKER.read_text("ascii") == wanted:
            return
    say("Installing what the full atlas is made from into .venv-atlas …")
    started = time.monotonic()
    run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(ENVIRONMENT)])
    pip = [sys.executable, "-m", "pip", "--python", str(PYTHON), "--disable-pip-version-check", "--retries", "2"]
    hashed = ["--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--requirement", str(LOCK)]
    run([*pip, "install", *hashed])
    MARKER.write_text(wanted, "ascii")
    say(f"  took {time.monotonic() - started:.0f} s")


def build() -> None:
    """The atlas, by the builder in the environment, which draws a bar on a terminal."""
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
