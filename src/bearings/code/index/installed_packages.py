"""Reads installed packages below a project's root, within a budget: see code/installed.py.

Links, of which pnpm's `node_modules` is made, are followed where their target lies below the root. A folder is read
once; `Installation.look` makes a new object where package managers have changed something since.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, Final

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Packed, pack, unpack_facts
from bearings.code.facts.store import FactStore, NoFacts, key_of
from bearings.code.file_facts import FileFacts
from bearings.code.installed import NODE, PYTHON, is_installed
from bearings.code.languages import EXTRACTOR_VERSION, language_of
from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.tree import Tree
from bearings.code.resolve.modules.jsonc import read_jsonc

_MOST_BYTES_OF_FILE: Final = 1_000_000
_MOST_BYTES: Final = 20_000_000
"""The most bytes of declarations that one process reads: some ten times what an application of 200,000 lines needs."""
_MOST_MANIFEST: Final = 200_000
_MOST_ENTRIES: Final = 20_000
"""Of a folder with more entries, the rest is not looked at."""
_MOST_LINKS: Final = 10
_MOST_EDITED: Final = 100
"""The most `.pth` files of an environment that are read, and the most folders that they name."""
_FINDER: Final = "_finder.py"
_MAPPED: Final = re.compile(r"'(\w{1,200})': '([^'\n]{1,1000})'")
"""A module and its path in `__editable___till_1_0_finder.py`, which setuptools writes for an editable installation."""
_MANIFESTS: Final = frozenset({"package.json", "pyproject.toml", "setup.py", "setup.cfg"})
"""Files beside which packages may be installed."""
_ENVIRONMENTS: Final = (".venv", "venv", "env")
_RECORDS: Final = (".package-lock.json", ".modules.yaml", ".yarn-state.yml", ".yarn-integrity")
"""Files that package managers write into `node_modules` when they change it."""
STAMP: Final = f"{NODE}/.stamp"
"""The state of installed packages has this name among the manifests: if it changes, the manifests have changed."""


class InstalledPackages:
    """See Installed. For one thread at a time."""

    def __init__(
        self, root: Path, folders: Sequence[str], store: FactStore | None = None, most_bytes: int = _MOST_BYTES
    ) -> None:
        self.root: Final = str(root)
        self.folders: Final = folders
        self._root = root
        self._store = store or NoFacts()
        self._names: dict[str, Mapping[str, str | None]] = {}
        self._places: dict[str, tuple[str, bool]] = {"": ("", True)}
        self._manifests: dict[str, Mapping[str, Any] | None] = {}
        self._facts: PackedMap[FileFacts] = PackedMap()
        self._left = most_bytes

    def first(self, paths: Iterable[str]) -> str:
        """See Installed."""
        for path in paths:
            real, is_folder = self._place(path)
            if real and not is_folder and is_installed(real):
                return real
        return ""

    def has_folder(self, path: str) -> bool:
        """See Installed."""
        return self._place(path)[1]

    def manifest(self, folder: str) -> Mapping[str, Any] | None:
        """See Installed."""
        if folder not in self._manifests:
            content: dict[str, Any] | None = {} if self.has_folder(folder) else None
            real = self._place(f"{folder}/package.json")[0]
            if content is not None and real:
                content = read_jsonc(self._read(real, _MOST_MANIFEST))
            self._manifests[folder] = content
        return self._manifests[folder]

    def facts(self, path: str) -> FileFacts:
        """See Installed."""
        if path not in self._facts:
            language = language_of(path)
            assert language is not None, "`first` names files of known endings alone"
            data = self._read(path, min(_MOST_BYTES_OF_FILE, self._left))
            self._left -= len(data)
            key = key_of(path, language, blake2b(data, digest_size=16).digest(), EXTRACTOR_VERSION)
            facts = self._store.get([key]).get(key)
            if facts is None:
                from bearings.code.parse import parse_file

                facts = parse_file(path, language, data)
                self._store.put({key: facts})
            self._facts.update({path: Packed(pack(facts), unpack_facts, facts)})
        return self._facts[path]

    def forget(self) -> None:
        """Drops unpacked facts; the next access unpacks them again."""
        self._facts.forget()

    def _read(self, path: str, most: int) -> bytes:
        """A file's bytes; none if it is larger or can't be read."""
        try:
            with SafeDirectory(self._root) as directory, directory.file(path) as file:
                data = file.read(most + 1) or b""
        except OSError:
            return b""
        return data if len(data) <= most else b""

    def _place(self, path: str, links: int = 0) -> tuple[str, bool]:
        """The real path behind a path, and whether it is a folder; empty if nothing is there, or outside the root."""
        known, names = path, []
        while (found := self._places.get(known)) is None:
            known, _, name = known.rpartition("/")
            names.append(name)
        for name in reversed(names):
            if not found[1]:
                return "", False
            found = self._entry(found[0], name, links)
            known = f"{known}/{name}" if known else name
            self._places[known] = found
        return found

    def _entry(self, folder: str, name: str, links: int) -> tuple[str, bool]:
        target = self._entries(folder).get(name, "")
        path = f"{folder}/{name}" if folder else name
        if target is None:
            return path, False
        if target == "/":
            return path, True
        real = normpath(join(folder, target)) if target else ""
        if real[:1] == "/":
            root = f"{self._root.as_posix()}/"
            real = real.removeprefix(root) if real.startswith(root) else ""
        return self._place(real, links + 1) if real and real[:2] != ".." and links < _MOST_LINKS else ("", False)

    def _entries(self, folder: str) -> Mapping[str, str | None]:
        """The entries of a folder by name: "/" for a folder, the target of a link, None for a file."""
        names = self._names.get(folder)
        if names is None:
            names = self._names[folder] = {}
            with suppress(OSError), SafeDirectory(self._root) as directory, directory.scan(folder) as entries:
                for entry in islice(entries, _MOST_ENTRIES):
                    if entry.is_symlink():
                        names[entry.name] = directory.link(f"{folder}/{entry.name}" if folder else entry.name)
                    else:
                        names[entry.name] = "/" if entry.is_dir() else None
        return names


class Installation:
    """The packages that are installed beside a tree's manifests; none beside those of a commit."""

    def __init__(self, store: FactStore) -> None:
        self.state = b""
        self.packages: InstalledPackages | None = None
        self._store = store

    def look(self, tree: Tree, manifests: Mapping[str, bytes]) -> bool:
        """Looks whether something was installed or removed, and returns it."""
        state, folders = (b"", ()) if tree.commit else installed_in(tree.root, manifests)
        if state == self.state:
            return False
        self.state = state
        self.packages = InstalledPackages(tree.root, folders, self._store) if state else None
        return True

    def forget(self) -> None:
        """Drops the unpacked facts of installed files."""
        if self.packages is not None:
            self.packages.forget()


def installed_in(root: Path, manifests: Mapping[str, bytes]) -> tuple[bytes, Sequence[str]]:
    """The state of the packages beside the manifests, empty if there are none; and the folders of Python's packages.

    Folders inside the root that a `.pth` file names are among these: packages that are installed as they are edited.
    """
    state: list[str] = []
    python_folders: list[str] = []
    folders = {dirname(path) for path in manifests if path.rpartition("/")[2] in _MANIFESTS}
    with SafeDirectory(root) as directory:
        for folder in sorted({"", *folders}):
            for name in (NODE, *_ENVIRONMENTS):
                place = join(folder, name)
                stamp = _stamp(directory, place)
                if stamp and name == NODE:
                    state += [stamp, *(_stamp(directory, f"{place}/{record}") for record in _RECORDS)]
                elif stamp:
                    packages = _site_packages(directory, place)
                    state += [_stamp(directory, path) for path in packages]
                    python_folders += packages
        edited = [folder for packages in python_folders for folder in _editable_folders(directory, root, packages)]
    return "\n".join(filter(None, state)).encode(), (*edited, *python_folders)


def _site_packages(directory: SafeDirectory, environment: str) -> list[str]:
    """The folders of packages of a virtual environment; none where it is a link."""
    if _names_in(directory, f"{environment}/Lib/{PYTHON}"):  # on Windows
        return [f"{environment}/Lib/{PYTHON}"]
    versions = sorted(name for name in _names_in(directory, f"{environment}/lib") if name.startswith("python3"))
    return [f"{environment}/lib/{version}/{PYTHON}" for version in versions]


def _editable_folders(directory: SafeDirectory, root: Path, packages: str) -> list[str]:
    """The folders below the root that `.pth` files and the finders of setuptools name, relative to it."""
    lines: list[Path] = []
    names = sorted(name for name in _names_in(directory, packages) if name.endswith((".pth", _FINDER)))
    for name in names[:_MOST_EDITED]:
        with suppress(OSError), directory.file(f"{packages}/{name}") as file:
            text = (file.read(_MOST_MANIFEST) or b"").decode("utf-8", "replace")
            modules = [Path(found[2]) for found in _MAPPED.finditer(text) if Path(found[2]).stem == found[1]]
            folders = [Path(line.strip()) for line in text.splitlines()]
            lines += [module.parent for module in modules] if name.endswith(_FINDER) else folders
    inside = (line.relative_to(root).as_posix() for line in lines if line.is_relative_to(root))
    return list(islice(dict.fromkeys("" if folder == "." else folder for folder in inside), _MOST_EDITED))


def _names_in(directory: SafeDirectory, folder: str) -> list[str]:
    with suppress(OSError), directory.scan(folder) as entries:
        return [entry.name for entry in islice(entries, _MOST_ENTRIES)]
    return []


def _stamp(directory: SafeDirectory, path: str) -> str:
    """The state of a file or folder, or of a link itself; empty for nothing."""
    try:
        status = directory.stat(path)
    except OSError:
        return ""
    return f"{path} {status.st_mtime_ns} {status.st_ino}"
