"""A builder of hostile trees: each entry is one oddity, and what a scan has to say of it."""

import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bearings.code.project.skipped import SkipReason
from tests.code.trees import git, repository, write

MAX = 100_000
"""Bytes that a file may have in these trees."""


@dataclass(frozen=True)
class Oddity:
    """`make` puts it into a tree. Then `skipped` are left out, `found` are elements (path#name:line), `broken` files
    are not wholly parsed. `only` says whether it is one of git's trees alone, or one without git alone."""

    name: str
    make: Callable[[Path], object]
    skipped: Mapping[str, SkipReason] = field(default_factory=dict)
    found: frozenset[str] = frozenset()
    broken: frozenset[str] = frozenset()
    only: str = ""


def odd(
    name: str,
    make: Callable[[Path], object],
    *found: str,
    skipped: Mapping[str, SkipReason] | None = None,
    broken: tuple[str, ...] = (),
    only: str = "",
) -> Oddity:
    """An oddity, its elements as words."""
    return Oddity(name, make, skipped or {}, frozenset(found), frozenset(broken), only)


def having(contents: Mapping[str, str | bytes]) -> Callable[[Path], object]:
    """A maker of plain files."""
    return lambda root: write(root, contents)


def link(path: str, target: str) -> Callable[[Path], object]:
    """A maker of a symbolic link; `{root}` in the target is the tree's root."""

    def make(root: Path) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).symlink_to(target.format(root=root))

    return make


def fifo(path: str) -> Callable[[Path], object]:
    """A maker of a FIFO that nobody writes to."""
    return lambda root: os.mkfifo(root / path)


def bound_socket(path: str) -> Callable[[Path], object]:
    """A maker of a socket; by way of its directory, since addresses are short."""

    def make(root: Path) -> None:
        before = Path.cwd()
        os.chdir(root)
        try:
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(path)
        finally:
            os.chdir(before)

    return make


def raw_name(name: bytes, data: bytes = b"def lost(): pass\n") -> Callable[[Path], object]:
    """A maker of a file whose name is any bytes at all."""
    return lambda root: (root / os.fsdecode(name)).write_bytes(data)


def submodule_absent(root: Path) -> None:
    """A submodule that was recorded and never checked out."""
    other = repository(root.parent / f"{root.name}-other", {"o.py": ""})
    git(root, "submodule", "add", "-q", str(other), "libs/absent")
    git(root, "submodule", "deinit", "-q", "-f", "libs/absent")


def submodule_broken(root: Path) -> None:
    """A submodule whose repository has gone, while its files are there."""
    other = repository(root.parent / f"{root.name}-other", {"o.py": "def orphan(): pass\n"})
    git(root, "submodule", "add", "-q", str(other), "libs/broken")
    (root / "libs/broken/.git").write_text("gitdir: /nowhere/at/all\n")


def clone_within(root: Path) -> None:
    """A repository of its own in the tree, with a rule of its own."""
    repository(root / "clone", {"c.py": "def cloned(): pass\n", ".gitignore": "made/\n"})
    write(root / "clone", {"made/m.py": "def made(): pass\n"})


def nested(opening: str, closing: str, depth: int) -> str:
    """Brackets in brackets."""
    return opening * depth + closing * depth


S = SkipReason


def too_deep(name: str, make: Callable[[Path], object], path: str) -> Oddity:
    """A file that is given up."""
    return odd(name, make, skipped={path: S.GIVEN_UP}, broken=(path,))


ODDITIES: tuple[Oddity, ...] = (
    odd("a link to itself", link("self.py", "self.py"), skipped={"self.py": S.SYMLINK}),
    odd("a link to nowhere", link("gone.ts", "/nowhere/at/all"), skipped={"gone.ts": S.SYMLINK}),
    odd("a link to a file outside", link("passwd.py", "/etc/passwd"), skipped={"passwd.py": S.SYMLINK}),
    odd("a link to the tree itself", link("deep/loop", "{root}"), skipped={"deep/loop/": S.SYMLINK}),
    odd("a link to its own directory", link("ring/here", "."), skipped={"ring/here/": S.SYMLINK}),
    odd("a link to a directory outside", link("system", "/etc"), skipped={"system/": S.SYMLINK}),
    odd("a FIFO", fifo("fifo.py"), skipped={"fifo.py": S.SPECIAL}),
    odd("a FIFO for a manifest", fifo("package.json"), skipped={"package.json": S.SPECIAL}),
    odd("a socket", bound_socket("sock.ts"), skipped={"sock.ts": S.SPECIAL}),
    odd("a directory with a source's name", having({"dir.py/in.py": "def inside(): pass\n"}), "dir.py/in.py#inside:1"),
    odd("Latin-1", having({"latin.py": "def f(): return 'caf\xe9'\n".encode("latin-1")}), "latin.py#f:1"),
    odd("no text at all", having({"noise.py": bytes(range(1, 256)) * 9}), broken=("noise.py",)),
    odd("UTF-16", having({"wide.ts": "export function w() {}\n".encode("utf-16")}), skipped={"wide.ts": S.ENCODING}),
    odd(
        "UTF-16, the other way round",
        having({"wider.ts": b"\xfe\xff" + "export {}\n".encode("utf-16-be")}),
        skipped={"wider.ts": S.ENCODING},
    ),
    odd("a NUL", having({"nul.py": b"def n(): pass\n\0"}), skipped={"nul.py": S.BINARY}),
    odd("a byte order mark", having({"bom.ts": b"\xef\xbb\xbfexport function b() {}\n"}), "bom.ts#b:1"),
    odd(
        "CRLF",
        having({"crlf.ts": b"export function a() {}\r\nexport function b() {}\r\n"}),
        "crlf.ts#a:1",
        "crlf.ts#b:2",
    ),
    odd("CR alone", having({"cr.py": b"def a():\r    pass\rdef b():\r    return a()\r"}), "cr.py#a:1", "cr.py#b:3"),
    odd("nothing", having({"nothing.py": b"", "lines.ts": b"\n\n\n"})),
    odd("too large", having({"large.py": b"x = 1\n" * MAX}), skipped={"large.py": S.TOO_LARGE}),
    too_deep("calls 10,000 deep", having({"calls.ts": nested("f(", ")", 10_000)}), "calls.ts"),
    too_deep("functions 10,000 deep", having({"inner.js": nested("function f() {\n", "}", 6_000)}), "inner.js"),
    too_deep("classes 10,000 deep", having({"outer.ts": nested("class A { m() {", "}}", 5_000)}), "outer.ts"),
    too_deep("brackets that never close", having({"open.py": "[" * 50_000}), "open.py"),
    odd("directories 300 deep", having({"d/" * 300 + "x.py": "def x(): pass\n"}), "d/" * 300 + "x.py#x:1"),
    odd(
        "names that differ in case",
        having({"Case.ts": "export function upper() {}\n", "case.ts": "export function lower() {}\n"}),
        "Case.ts#upper:1",
        "case.ts#lower:1",
    ),
    odd("a name in Latin-1", raw_name(b"caf\xe9.py"), skipped={"caf\\xe9.py": S.BAD_NAME}),
    odd("a name of two lines", raw_name(b"two\nlines.py"), skipped={"two\\nlines.py": S.BAD_NAME}),
    odd("a name that colours", raw_name(b"red\x1b[31m.py"), skipped={"red\\x1b[31m.py": S.BAD_NAME}),
    odd("a name backwards", raw_name("exe\u202eyp.py".encode()), skipped={"exe\\u202eyp.py": S.BAD_NAME}),
    odd("a name with spaces", raw_name(b" two  spaces .py"), " two  spaces .py#lost:1"),
    odd("a name in Japanese", raw_name("東京.py".encode()), "東京.py#lost:1"),
    odd("a name like an option", raw_name(b"--help.py"), "--help.py#lost:1"),
    odd("a name like a pattern", raw_name(b"*[a].py"), "*[a].py#lost:1"),
    odd("a name like a reference", raw_name(b"a#b:7.py"), "a#b:7.py#lost:1"),
    odd(
        "what was installed",
        having({"node_modules/m/i.js": "function installed() {}\n"}),
        skipped={"node_modules/": S.EXCLUDED},
    ),
    odd(
        "what is ignored",
        having({".gitignore": "made/\nsecret.py\n*.log\n", "made/m.py": "x = 1\n", "secret.py": "", "a.log": ""}),
        skipped={"made/": S.IGNORED, "secret.py": S.IGNORED},
    ),
    odd("a clone", clone_within, "clone/c.py#cloned:1", skipped={"clone/made/": S.IGNORED}),
    odd("a .git that leads nowhere", having({"sub/.git": "gitdir: /nowhere\n", "sub/s.py": "def s(): pass\n"}),
        "sub/s.py#s:1"),
    odd("a .git that is empty", having({"hull/.git/x": "", "hull/h.py": "def h(): pass\n"}), "hull/h.py#h:1"),
    odd("an absent submodule", submodule_absent, skipped={"libs/absent/": S.SUBMODULE}, only="git"),
    odd("a broken submodule", submodule_broken, "libs/broken/o.py#orphan:1", only="git"),
)  # fmt: skip
"""Every oddity, each in names of its own, so that all fit into one tree."""


def build(root: Path, kind: str, oddities: tuple[Oddity, ...] = ODDITIES) -> tuple[Oddity, ...]:
    """A tree with the oddities that fit its kind (git or walk), beside a sound file; which ones it has."""
    chosen = tuple(oddity for oddity in oddities if oddity.only in ("", kind))
    sound = {"sound.py": "def sound(): pass\n"}
    if kind == "git":
        repository(root, sound)
    else:
        write(root, sound)
    for oddity in chosen:
        oddity.make(root)
    return chosen
