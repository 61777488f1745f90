"""The C module, `native/`, built into a copy of the package: `python packaging/native.py FOLDER [OPTION …]`.

FOLDER holds `bearings`: `src` for an editable install. Where the module can't be built, this says why and exits with 0,
as the program runs without it; with `--required` it exits with 1. CFLAGS and CC are taken as setuptools takes them;
`--quick` leaves optimisations out.

tree-sitter's runtime is compiled beside it, from the pinned source distribution, which is downloaded unless
BEARINGS_TREE_SITTER names a folder with it.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULE = "bearings.code.languages.syntax"
RUNTIME = "tree-sitter==0.26.1 --hash=sha256:9919cbaf02d17fa9a4cd0e6da496aecf901b758e6eacf122eee393e3ef08aacd"
"""The source distribution that has the runtime: that of the version in requirements.lock."""

WITHOUT = "Without it, bearings takes longer to read files, and gives up generated ones of the deepest kind."


def build(folder: Path, level: str = "2") -> Path:
    """Builds the module at a `level` of optimisation, in a process of its own; the library that was made.

    Raises CalledProcessError where there is no C compiler, no runtime, or either fails.
    """
    place = folder / Path(*MODULE.split(".")[:-1])
    for old in libraries(place):
        old.unlink()
    command = (sys.executable, str(Path(__file__).resolve()), "--build", str(folder.resolve()), str(runtime()), level)
    with tempfile.TemporaryDirectory() as temporary:  # setuptools reads the settings of the folder that it runs in
        subprocess.run(command, cwd=temporary, check=True)  # noqa: S603 - ourselves
    return libraries(place)[0]


def libraries(place: Path) -> list[Path]:
    """The module's libraries in a folder: one for each Python that it was built for."""
    return sorted(path for path in place.glob("syntax.*") if path.suffix in (".so", ".pyd"))


def runtime() -> Path:
    """The sources of tree-sitter's runtime: a folder that has `include` and `src`."""
    given = os.environ.get("BEARINGS_TREE_SITTER")
    name, _, version = RUNTIME.partition(" ")[0].partition("==")
    folder = Path(given) if given else ROOT / "build" / f"{name}-{version}"
    if not given and not folder.exists():
        _download(folder)
    for place in (folder, folder / "lib", folder / "tree_sitter" / "core" / "lib"):
        if (place / "src" / "lib.c").is_file():
            return place.resolve()
    raise FileNotFoundError(f"{folder} does not have tree-sitter's src/lib.c")


def _download(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        wanted = Path(temporary, "wanted")
        wanted.write_text(RUNTIME, "utf-8")
        options = ("--quiet", "--no-deps", "--no-binary=:all:", "--no-build-isolation", "--dest", temporary)
        command = (sys.executable, "-m", "pip", "download", *options, "--requirement", str(wanted))
        subprocess.run(command, check=True)  # noqa: S603 - pip, for one pinned file
        shutil.unpack_archive(next(Path(temporary).glob("*.tar.gz")), temporary)  # its hash was checked
        folder.parent.mkdir(exist_ok=True)
        shutil.move(next(path for path in Path(temporary).iterdir() if path.is_dir()), folder)


def _build(folder: Path, library: Path, level: str) -> None:
    from setuptools import Extension, setup

    options = ["/std:c11"] if sys.platform == "win32" else ["-std=c11", f"-O{level}", "-fvisibility=hidden"]
    if platform.machine() == "aarch64":
        options += ["--param=early-inlining-insns=9"]  # as tree-sitter's own setup.py has it, for a bug of GCC's
    here = Path.cwd()
    shutil.copytree(ROOT / "native", here / "native")  # setuptools writes objects beside what it is given
    shutil.copytree(library, here / "lib")
    module = Extension(
        MODULE,
        ["native/syntax.c", "lib/src/lib.c"],
        include_dirs=["lib/include", "lib/src"],
        define_macros=[
            ("TREE_SITTER_HIDE_SYMBOLS", None),
            ("_DEFAULT_SOURCE", None),
            ("_POSIX_C_SOURCE", "200809L"),
        ],
        extra_compile_args=options,
    )
    setup(name="bearings", packages=[], ext_modules=[module], script_args=["-q", "build_ext", "-b", str(folder)])


def main(folder: Path, *, required: bool, level: str) -> int:
    """Builds, and says so or why not; the exit status."""
    try:
        sys.stdout.write(f"Built {build(folder, level).name}, which reads files sooner.\n")
    except (OSError, subprocess.CalledProcessError) as error:
        sys.stderr.write(
            f"The C module can't be built: {error}\nIt needs a C compiler and Python's headers. {WITHOUT}\n"
        )
        return int(required)
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "--build":
        _build(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
    else:
        options = sys.argv[2:]
        sys.exit(main(Path(sys.argv[1]), required="--required" in options, level="0" if "--quick" in options else "2"))
