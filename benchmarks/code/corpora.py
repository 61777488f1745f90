"""Large trees of published sources, by name and version, each a git repository in the user's cache."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.truth.checkout import CACHE, unpack
from benchmarks.truth.processes import run

SUFFIXES = {".ts": "typescript", ".tsx": "tsx", ".js": "javascript", ".jsx": "javascript", ".py": "python"}


@dataclass(frozen=True, slots=True)
class Corpus:
    """Folders of packages in one tree. `parts`: folder in the tree → (package and version, the folder of it)."""

    name: str
    parts: Mapping[str, tuple[str, str]]
    without: tuple[str, ...] = ("third_party", "_cjs", "_esm", "_types")
    """Folders that are left out: what is compiled, and what is others' work."""


_DEVTOOLS = {"front_end": ("chrome-devtools-frontend@1.0.1705227", "front_end")}
_EFFECT = {"effect": ("effect@4.1.0", "src")}
_VIEM = {"viem": ("viem@2.57.20", ".")}

TYPESCRIPT = Corpus("TypeScript", _DEVTOOLS)
PYTHON = Corpus("Python", {".": ("django==5.2.8", ".")})
SYMPY = Corpus("SymPy", {".": ("sympy==1.1.1", ".")})
HOME_ASSISTANT = Corpus("Home Assistant", {".": ("homeassistant==2024.3.3", ".")})
GROWTH = (
    Corpus("11 kLOC", {"src": ("@tanstack/query-core@5.108.0", "src")}),
    Corpus("170 kLOC", _VIEM),
    TYPESCRIPT,
    Corpus("1.2 MLOC", {**_DEVTOOLS, **_EFFECT, **_VIEM}),
)


def tree(corpus: Corpus) -> Path:
    """The corpus' folder, made when it is first asked for."""
    folder = CACHE / "corpora" / corpus.name.replace(" ", "_")
    stamp, wanted = folder.with_suffix(".done"), repr(corpus)
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for place, (spec, inner) in corpus.parts.items():
            _place(package(spec) / inner, folder / place, corpus.without)
        commit(folder)
        stamp.write_text(wanted, encoding="utf-8")
    return folder


def sources(root: Path) -> list[tuple[str, str]]:
    """(path, grammar) of every source in the tree."""
    found = [
        (path, SUFFIXES.get(path.suffix)) for path in root.rglob("*") if path.is_file() and ".git" not in path.parts
    ]
    return sorted((str(path), grammar) for path, grammar in found if grammar)


def lines(root: Path) -> int:
    return sum(Path(path).read_bytes().count(b"\n") for path, _ in sources(root))


def commit(root: Path) -> None:
    """Makes a repository of a tree: tools list files by git, and compare with its last commit."""
    identity = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost", "-c", "gc.auto=0")
    for command in (("init", "-q"), ("add", "-f", "."), (*identity, "commit", "-qm", "corpus")):
        subprocess.run(("git", *command), cwd=root, check=True, capture_output=True)


def _place(source: Path, target: Path, without: tuple[str, ...]) -> None:
    """Copies the sources of a language, without declarations of compiled ones, tests' data and what is left out."""
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source)
        if (
            path.is_dir()
            or path.suffix not in SUFFIXES
            or path.name.endswith(".d.ts")
            or set(inside.parts) & set(without)
        ):
            continue
        (target / inside).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target / inside)


def package(spec: str) -> Path:
    """The one folder in a package's archive."""
    folder = CACHE / "packages" / "".join(letter if letter.isalnum() or letter in "-.=@" else "_" for letter in spec)
    if not (folder / "unpacked").exists():
        folder.mkdir(parents=True, exist_ok=True)
        if "==" in spec:
            run(folder, "python3", "-m", "pip", "--quiet", "download", "--no-deps", "--no-binary", ":all:", spec)
        else:
            run(folder, "npm", "pack", "--silent", spec)
        (archive,) = (path for path in folder.iterdir() if path.name.endswith((".tgz", ".tar.gz")))
        unpack(archive, folder / "partial")
        (folder / "partial").rename(folder / "unpacked")
    (top,) = (folder / "unpacked").iterdir()
    return top
