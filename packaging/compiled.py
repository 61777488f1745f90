"""A copy of the package with its hot modules compiled: `python packaging/compiled.py FOLDER [--quick]`.

mypyc compiles what is Python as it stands; packaging/native.py what is C.

Compiled modules never stand beside the sources that people edit, where they would hide a later edit: the copy is
whole, and made anew when anything in it is behind. `PYTHONPATH=FOLDER` puts it before an installed package. `--quick`
leaves the C compiler's optimisations out: what is to be tested, not timed, is there in half of the time.
"""

import ast
import hashlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[1] / "src"

GROUPS = {
    "bearings_facts": ("code/parse.py", "code/languages/*/**/*.py"),
    "bearings_edges": ("code/resolve/**/*.py", "code/installed.py"),
}
"""The modules that take most of a first scan. Each group is one library, so that two processors compile at once."""

INTERPRETED = frozenset(
    {
        "__init__.py", "configured.py", "file_resolver.py", "file_summary.py", "file_uses.py", "library_table.py",
        "referent.py", "router_framework.py", "setting_values.py", "settings.py", "spec.py", "stored_uses.py",
    }
)  # fmt: skip
"""Packages' own modules, which only hand on names; specs of languages and configuration files, which are read once;
what msgspec decodes: mypyc forgets what a field's items are; and tables with slices, whose type mypyc looks for in
vain."""

MODELS = frozenset(
    f"code/{name}.py"
    for name in """expressions facts/encoded_map facts/packed_map facts/packing file_facts
    framework_facts grouping languages/line_conventions models symbol_keys symbol_tags type_expressions""".split()
)
"""What compiled modules import beside each other: data, which msgspec decodes. A hot module that is moved out of the
groups would be imported like these, and no longer be compiled: `_faults` finds it."""


def main(folder: Path, level: str = "2") -> list[Path]:
    """Sees to it that `folder` holds the package as it is, compiled at a `level` of optimisation; the libraries in it.

    Raises CalledProcessError where there is no C compiler, or it fails.
    """
    stamp, wanted = folder / "sources", _digest(level)
    if not (stamp.exists() and stamp.read_text("utf-8") == wanted):
        _make(folder, level)
        stamp.write_text(wanted, "utf-8")
    return sorted(path for path in folder.rglob("*") if path.suffix in (".so", ".pyd"))


def _make(folder: Path, level: str) -> None:
    partial = folder.with_name(folder.name + ".partial")
    for old in (folder, partial):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(
        SOURCE / "bearings", partial / "bearings", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    )
    environment = {**os.environ, "MYPYPATH": str(partial)}
    command = (sys.executable, str(Path(__file__).resolve()), "--build", str(partial), level)
    subprocess.run(command, cwd=partial, env=environment, check=True)  # noqa: S603 - ourselves
    for left in ("build", ".mypy_cache"):
        shutil.rmtree(partial / left, ignore_errors=True)
    options = ("--required", *(("--quick",) if level == "0" else ()))
    native = (sys.executable, str(Path(__file__).with_name("native.py")), str(partial), *options)
    subprocess.run(native, check=True)  # noqa: S603 - ours
    partial.rename(folder)


def _build(folder: Path, level: str) -> None:
    """The step that setuptools does, in a process of its own: it works in the current directory."""
    from setuptools import setup

    processors = str(min(len(GROUPS), os.cpu_count() or 1))
    setup(
        name="bearings",
        packages=[],
        ext_modules=_extensions(folder, level),
        script_args=["--quiet", "build_ext", "--inplace", "--parallel", processors],
    )


def _extensions(folder: Path, level: str) -> list[Any]:
    from mypyc.build import mypycify

    groups: list[tuple[list[str], str | None]] = [
        (list(modules(folder, patterns)), name) for name, patterns in GROUPS.items()
    ]
    options = ["--config-file=", "--python-version=3.11", "--namespace-packages", "--explicit-package-bases"]
    files = [file for group, _ in groups for file in group]
    said = io.StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):
            return mypycify(
                [*options, "--follow-imports=silent", *files],
                opt_level=level,
                debug_level="0",
                multi_file=True,
                separate=groups,
            )
    except SystemExit:
        sys.exit("".join(line for line in said.getvalue().splitlines(keepends=True) if ": warning: " not in line))


def modules(folder: Path, patterns: tuple[str, ...]) -> Iterator[str]:
    """The modules to compile, relative to `folder`. Raises SystemExit if one of their imports has left the groups."""
    package = folder / "bearings"
    paths = {path for pattern in patterns for path in package.glob(pattern) if path.name not in INTERPRETED}
    compiled = {path for patterns in GROUPS.values() for pattern in patterns for path in package.glob(pattern)}
    faults = [fault for path in sorted(paths) for fault in _faults(package, path, compiled)]
    if not paths or faults:
        sys.exit("\n".join(faults) or f"no module is {' or '.join(patterns)}: GROUPS is behind the sources")
    yield from sorted(str(path.relative_to(folder)) for path in paths)


def _faults(package: Path, path: Path, compiled: set[Path]) -> Iterator[str]:
    """The imports of a compiled module that are neither compiled nor known not to be."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bearings.code"):
            for name in (str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)):
                imported = package.parent / (name.replace(".", "/") + ".py")
                inside = str(imported.relative_to(package))
                known = imported in compiled or imported.name in INTERPRETED or inside in MODELS
                if imported.exists() and not known:
                    yield f"{path.relative_to(package)} imports {inside}, which is not compiled: see GROUPS"


def _digest(level: str) -> str:
    """A digest of the sources, of this script, and of the compiler's version."""
    import mypy.version

    hashed = hashlib.blake2b(f"{sys.version}\0{mypy.version.__version__}\0{level}\0".encode(), digest_size=16)
    native = sorted((SOURCE.parent / "native").iterdir())
    for path in (
        Path(__file__),
        Path(__file__).with_name("native.py"),
        *native,
        *sorted((SOURCE / "bearings").rglob("*")),
    ):
        if path.is_file() and path.suffix not in (".pyc", ".so", ".pyd"):
            hashed.update(f"{path.name}\0".encode() + path.read_bytes())
    return hashed.hexdigest()


if __name__ == "__main__":
    if sys.argv[1] == "--build":
        _build(Path(sys.argv[2]), sys.argv[3])
    else:
        try:
            main(Path(sys.argv[1]).resolve(), "0" if "--quick" in sys.argv[2:] else "2")
        except subprocess.CalledProcessError:
            sys.exit("compiling failed, as said above: gcc or clang, and Python's headers, are needed for it alone")
