"""The sizes of installations on disk, as a table: `make sizes`. Installs into a scratch folder."""

import subprocess
import sys
import tempfile
from pathlib import Path

from bearings.places.atlas.edition import file_name
from bearings.places.atlas.store import CORE_PATH
from bearings.places.settings import PlacesSettings

ROOT = Path(__file__).parents[1]
LIMITS_MB = {"runtime, without pip and the full atlas": 200, "core atlas": 8, "full atlas": 260}


def main() -> int:
    """Prints a row for each; the exit status is 1 if one is over its limit."""
    full = PlacesSettings().cache_dir / file_name()
    sizes = {
        "runtime, without pip and the full atlas": runtime(),
        "core atlas": CORE_PATH.stat().st_size,
        "full atlas": full.stat().st_size if full.is_file() else 0,
    }
    sizes |= {path.name: path.stat().st_size for path in sorted((ROOT / "dist").glob("*.whl"))}
    lines = ["| | MB | at most |", "| --- | ---: | ---: |"]
    lines += [f"| {name} | {size / 1e6:.1f} | {LIMITS_MB.get(name, '–')} |" for name, size in sizes.items()]
    print("\n".join(lines))  # noqa: T201
    return int(any(sizes[name] > limit * 1e6 for name, limit in LIMITS_MB.items()))


def runtime() -> int:
    """Bytes of an environment with the program and all that it needs, compiled modules too, as they are allocated."""
    with tempfile.TemporaryDirectory() as scratch:
        environment = Path(scratch) / "environment"
        run("venv", "--without-pip", str(environment))
        python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        install = ("pip", "--python", str(python), "--disable-pip-version-check", "install", "--quiet", "--no-deps")
        run(*install, "--require-hashes", "--requirement", str(ROOT / "packaging" / "runtime.lock"))
        run("hatchling", "build", "--target", "wheel", "--directory", scratch)
        run(*install, "--no-index", *map(str, Path(scratch).glob("*.whl")))
        return sum(allocated(path) for path in environment.rglob("*") if not path.is_symlink())


def run(module: str, *arguments: str) -> None:
    """Runs a module of this environment."""
    command = [sys.executable, "-m", module, *arguments]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603


def allocated(path: Path) -> int:
    """Bytes on disk, as `du` counts them; the length where the system does not tell."""
    found = path.stat()
    return getattr(found, "st_blocks", -(-found.st_size // 512)) * 512


if __name__ == "__main__":
    sys.exit(main())
