"""Elements of the languages by declaration beside an independent count, on a real package of each language.

universal-ctags reads none of our grammars. Swift, which it can't read, is counted by the few patterns below, and by
eye in parts of the same package (swift_by_hand.txt). An element is found if we have one of its name in that file on
that line. Packages are fetched by name from apt and npm.
`python -m benchmarks.declared --misses` lists what is not found.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bearings.code.file_facts import FileFacts
from bearings.code.languages import SPECS, language_of
from bearings.code.models import Language, SymbolKind
from bearings.code.parse import parse_file
from benchmarks.measure import progress, table

HERE = Path(__file__).parents[1]
FOLDER = "src/bearings/code/languages"
GOAL = 0.97
SOURCES = "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian {} main\n"
NO_CTAGS = "counted by patterns"


@dataclass(frozen=True, slots=True)
class Package:
    """A package, where it is from, and which of ctags' kinds stand for elements of ours."""

    language: Language
    by: str
    name: str
    ctags: str = ""
    kinds: str = ""
    written: Mapping[str, str] = field(default_factory=dict)
    """By ctags' kind how the line of one of them has its name: it takes other things for such, too."""
    by_hand: Path | None = None
    """A list of declarations that were read by eye."""


PACKAGES = (
    Package(Language.RUST, "deb", "librust-clap-dev", "Rust", "sifgtvMmeP"),
    Package(Language.JAVA, "source", "libcommons-lang3-java", "Java", "acefgim"),
    Package(Language.C, "source", "c-ares", "C", "defgmstuv"),
    Package(Language.C, "source", "jansson", "C", "defgmstuv"),
    Package(Language.CPP, "source", "leveldb", "C++", "cdefgmstuv"),
    Package(Language.CSHARP, "source", "dbus-sharp", "C#", "ceEfgimpst"),
    Package(
        Language.KOTLIN,
        "source",
        "kotlinx-coroutines",
        "Kotlin",
        "cioTmCv",
        {
            "method": r"\bfun\b.*`?{}\b",
            "object": r"\bobject\s+{}",
            "constant": r"^ {{0,4}}\S.*\bval\b",
            "variable": r"^ {{0,4}}\S.*\bvar\b",
        },
    ),  # it takes lambdas and their parameters for methods, and says of no variable whose it is
    Package(
        Language.RUBY,
        "deb",
        "ruby-rack",
        "Ruby",
        "cfmSCAa",
        {
            "constant": r"\b{}\s*=(?![>=~])",
            "class": r"^\s*class\s",
            "module": r"^\s*module\s",
        },
    ),  # it takes the keys of hashes for constants
    Package(Language.PHP, "source", "php-twig", "PHP", "cdfitv"),
    Package(Language.SWIFT, "npm", "@capacitor/ios@8.5.2"),
    Package(Language.SWIFT, "npm", "@capacitor/ios@8.5.2", by_hand=HERE / "benchmarks" / "swift_by_hand.txt"),
)


@dataclass(slots=True)
class Tally:
    """The result for a package. `missed` are elements of the peer: file, line, kind, name."""

    version: str = ""
    files: int = 0
    lines: int = 0
    broken: int = 0
    ours: int = 0
    theirs: int = 0
    missed: list[tuple[str, int, str, str]] = field(default_factory=list)

    @property
    def found(self) -> float:
        return 1 - len(self.missed) / self.theirs


def main() -> str:
    wanted = [(package, tallied(package)) for package in PACKAGES]
    rows = [
        [
            SPECS[package.language].label,
            f"{package.name.partition('@8')[0]} {tally.version}" + (", parts read by eye" if package.by_hand else ""),
            f"{tally.files} / {tally.lines:,}",
            f"{tally.broken}",
            f"{tally.ours:,}",
            f"{tally.theirs:,}",
            f"{len(tally.missed)}",
            f"**{tally.found:.3f}**" if tally.found >= GOAL else f"{tally.found:.3f} (goal {GOAL})",
            str(lines_of(package.language)),
        ]
        for package, tally in wanted
    ]
    heads = [
        "language", "package", "files / lines", "files with errors", "elements", "theirs", "not found", "found",
        "lines of its folder",
    ]  # fmt: skip
    return ABOUT.format(ctags=said(["ctags", "--version"]).splitlines()[0]) + table(heads, rows)


ABOUT = (
    "# Languages by declaration\n\nMade by `python -m benchmarks declared`. Theirs: {ctags}; of Swift, which it can't "
    "read, declarations counted by patterns (see the benchmark), and by eye in parts of eight files. Found: of theirs, "
    "those that we have by the same name in the same file on that line. The last column counts `spec.py` and "
    "`symbols.scm`.\n\n"
)


def lines_of(language: Language) -> int:
    """The lines of a language's folder."""
    folder = HERE / FOLDER / SPECS[language].queries[0].partition("/")[0]
    return sum(len(path.read_text("utf-8").splitlines()) for path in folder.iterdir() if path.suffix in (".py", ".scm"))


def tallied(package: Package) -> Tally:
    progress(f"{package.name} …")
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "tree"
        root.mkdir()
        tally = Tally(fetched(package, Path(scratch), root))
        paths = [
            path
            for path in sorted(root.rglob("*"))
            if path.is_file() and not path.is_symlink() and language_of(path.name) is package.language
        ]
        facts = [read(path, root, package.language) for path in paths]
        tally.files, tally.lines = len(facts), sum(file.lines for file in facts)
        tally.broken = sum(file.errors > 0 for file in facts)
        tally.ours = sum(len(file.symbols) - 1 for file in facts)
        have = {file.path: spans(file) for file in facts}
        for file, line, kind, name in sorted(set(independent(package, root, paths))):
            tally.theirs += 1
            if not any(first <= line <= last for first, last in have[file].get(name, ())):
                tally.missed.append((file, line, kind, name))
    return tally


def read(path: Path, root: Path, language: Language) -> FileFacts:
    return parse_file(path.relative_to(root).as_posix(), language, path.read_bytes())


def spans(facts: FileFacts) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for symbol in facts.symbols:
        if symbol.kind is not SymbolKind.MODULE:
            found.setdefault(our_name(symbol.name), []).append((symbol.line, symbol.end_line))
    return found


def independent(package: Package, root: Path, paths: list[Path]) -> Iterator[tuple[str, int, str, str]]:
    """The elements of files as somebody else sees them."""
    if package.by_hand:
        yield from by_hand(package.by_hand)
        return
    if not package.ctags:
        for path in paths:
            for line, kind, name in swift(path.read_text("utf-8")):
                yield path.relative_to(root).as_posix(), line, kind, name
        return
    listing = root.parent / "files"
    listing.write_text("".join(f"{path.relative_to(root)}\n" for path in paths), "utf-8")
    command = [
        "ctags", "--output-format=json", "--fields=+n",
        f"--languages={package.ctags}", f"--language-force={package.ctags}",
        f"--kinds-{package.ctags}={package.kinds}", "--extras=F", "-o", "-", "-L", str(listing),
    ]  # fmt: skip
    texts = {str(path.relative_to(root)): path.read_text("utf-8", "replace").splitlines() for path in paths}
    for row in map(json.loads, said(command, root).splitlines()):
        pattern = package.written.get(row["kind"])
        line = texts[row["path"]][row["line"] - 1]
        name = our_name(row["name"])
        if pattern is not None and re.search(pattern.format(re.escape(name)), line) is None:
            continue
        if not row["name"].startswith("__anon"):
            yield row["path"], row["line"], row["kind"], name


def by_hand(listed: Path) -> Iterator[tuple[str, int, str, str]]:
    """The declarations in a list: `path first-last` of a file, and below it `line name` of each."""
    file = ""
    for line in listed.read_text("utf-8").splitlines():
        if found := re.fullmatch(r"(\S+) \d+-\d+", line):
            file = f"package/Capacitor/Capacitor/{found[1]}"
        elif not line.startswith("#"):
            for number, name in re.findall(r"(\d+) (\w+)", line):
                yield file, int(number), "by hand", name


def our_name(name: str) -> str:
    """A name alone, however it is written: `operator ==`, `count=` of an accessor, `IShop.count`."""
    sign = re.sub(r"^operator\s*|\s+", "", name)
    if sign and not re.search(r"\w", sign):
        return sign
    return name.strip("`").rpartition(".")[2].removesuffix("=")


_SWIFT_SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:.*?)"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_SWIFT = re.compile(
    r"(?P<kind>\b(?:class|struct|enum|protocol|actor|typealias|associatedtype|func)\b|\binit(?=[?!]?\s*[<(])|\bdeinit\b"
    r"|\bsubscript(?=\s*[<(]))\s*(?P<name>`?\w+`?)?|(?P<open>\{)|(?P<close>\})"
    r"|(?P<held>\b(?:var|let))\s+(?P<variable>\w+)|(?<![\w.])(?P<case>case)\s+(?P<of>\w+)"
)
_SWIFT_TYPES = frozenset({"class", "struct", "enum", "protocol", "actor", "extension"})


def swift(text: str) -> Iterator[tuple[int, str, str]]:
    """Swift's declarations: types, functions, initializers; properties and cases right in a type."""
    text = _SWIFT_SKIPPED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    braces: list[str] = []
    last = ""
    for found in re.finditer(_SWIFT.pattern + r"|(?P<extension>\bextension\b)", text):
        line = text.count("\n", 0, found.start()) + 1
        kind = found["kind"] or found["extension"]
        before = text[max(0, found.start() - 6) : found.start()]
        if found["open"]:
            braces.append(last)
            last = ""
        elif found["close"]:
            last = ""
            if braces:
                braces.pop()
        elif kind == "extension":
            last = kind
        elif kind in ("init", "deinit", "subscript"):
            if not before.endswith(".") and braces and braces[-1] in _SWIFT_TYPES:
                yield line, kind, kind
                last = kind
        elif (
            kind and found["name"] and not before.endswith((".", ": ")) and found["name"] not in ("func", "var", "let")
        ):
            yield line, kind, found["name"].strip("`")
            last = kind
        elif found["held"] and (not braces or braces[-1] in _SWIFT_TYPES):
            yield line, found["held"], found["variable"]
            last = ""
        elif found["case"] and braces and braces[-1] == "enum":
            yield line, "case", found["of"]


def fetched(package: Package, scratch: Path, root: Path) -> str:
    """Unpacks a package below `root`: its version."""
    downloads = scratch / "downloads"
    downloads.mkdir()
    if package.by == "npm":
        said(["npm", "pack", "--silent", package.name], downloads)
        [archive] = downloads.glob("*.tgz")
        version = re.sub(r"^.*-(?=\d)|\.tgz$", "", archive.name)
    elif package.by == "deb":
        said(["apt-get", "download", "-q", package.name], downloads)
        [archive] = downloads.glob("*.deb")
        version = archive.name.split("_")[1].replace("%3a", ":")
        said(["dpkg-deb", "-x", str(archive), str(root)])
        return f"{version} (Debian)"
    else:
        said(["apt-get", "source", "-q", "--tar-only", "--download-only", package.name], downloads, sources(scratch))
        [archive] = downloads.glob("*.orig.tar.*[z2]")
        version = archive.name.split("_")[1].partition(".orig")[0]
    with tarfile.open(archive) as opened:
        opened.extractall(root, filter="data")
    return version + (" (Debian)" if package.by == "source" else " (npm)")


def sources(scratch: Path) -> dict[str, str]:
    """apt's settings with source packages, apart from the machine's own; its lists are fetched once."""
    kept = Path(tempfile.gettempdir()) / "bearings-benchmark-apt"
    (kept / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    release = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text("utf-8"), re.MULTILINE)
    (kept / "sources.list").write_text(SOURCES.format(release[1] if release else "bookworm"), "utf-8")
    conf = kept / "apt.conf"
    conf.write_text(
        f'Dir::Etc::sourcelist "{kept}/sources.list";\nDir::Etc::sourceparts "-";\nDir::State::lists "{kept}/lists";\n',
        "utf-8",
    )
    settings = {"APT_CONFIG": str(conf)}
    if not any((kept / "lists").glob("*Sources*")):
        said(["apt-get", "update", "-q"], scratch, settings)
    return settings


def said(command: list[str], where: Path | None = None, settings: dict[str, str] | None = None) -> str:
    """A command's output."""
    found = shutil.which(command[0])
    if found is None:
        raise SystemExit(f"{command[0]} is needed: apt-get install universal-ctags npm")
    done = subprocess.run(
        [found, *command[1:]],
        cwd=where,
        env={**os.environ, **(settings or {})},
        check=True,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout


if __name__ == "__main__":
    for one in PACKAGES:
        if len(sys.argv) < 3 or SPECS[one.language].language in sys.argv[2:]:
            tally = tallied(one)
            print(
                one.language, tally.version, tally.files, tally.lines, "broken", tally.broken, tally.theirs, tally.ours
            )
            print(f"  {tally.found:.4f}")
            for row in tally.missed:
                print("   ", *row)
