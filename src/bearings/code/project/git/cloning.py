"""Fetches a repository by its URL, into a directory of ours, without running anything of it.

The configuration that git reads is empty, with settings that no server can change: no hooks, templates, submodules,
filters (Git LFS neither) or credential helpers. For a file URL git does not even see the directory that it names, as
its configuration could name programs: it clones an empty repository of ours that borrows the objects
(docs/decisions/0014-git-as-data.md). ssh is ours, too, and asks nothing.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit

from bearings.child import kill_all
from bearings.code.project.git.config import variables
from bearings.code.project.git.object_store import check_objects
from bearings.code.project.git.plumbing import EMPTY, environment, limit_memory
from bearings.code.project.git.refs import expression
from bearings.code.project.git.repository import Refused, Repository, read
from bearings.programs import find_program
from bearings.untrusted import clean_line

_CAUTION = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "credential.helper": "",
    "filter.lfs.smudge": "",
    "filter.lfs.process": "",
    "filter.lfs.required": "false",
    "submodule.recurse": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "advice.detachedHead": "false",
    "protocol.allow": "never",
    "protocol.ext.allow": "never",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
}

_PASSED_ON = (
    "SSH_AUTH_SOCK", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "SSL_CERT_FILE",
    "SSL_CERT_DIR", "GIT_SSL_CAINFO", "CURL_CA_BUNDLE",
)  # fmt: skip
"""Environment variables that ssh and curl need to reach a server."""

_LOOK_S = 0.2
_ERRORS = 4_000
_OBJECT = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64})\tHEAD\n")
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]*@")


class CloneFails(Exception):
    """A repository that can't be fetched; the message says why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one repository: seconds for each command of git, and bytes on the disk."""

    seconds: float
    bytes: int


def commit_of(url: str, limits: Limits) -> str:
    """The commit that a URL's HEAD names, without fetching it. Raises CloneFails."""
    with _served(url) as (scheme, place):
        output = _run(["ls-remote", "--quiet", "--", place, "HEAD"], scheme, limits, None)
    head = _OBJECT.match(output)
    if head is None:
        raise CloneFails("it has no commit")
    return head[1].decode()


def clone(url: str, folder: Path, limits: Limits) -> None:
    """Puts the newest commit of a URL into `folder`, which is replaced as a whole. Raises CloneFails, OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(f"{folder.name}.part")
    try:
        remove(part)
        words = ["clone", "--quiet", "--depth=1", "--no-tags", "--single-branch", "--no-recurse-submodules"]
        with _served(url) as (scheme, place):
            _run([*words, "--template=", "--", place, str(part)], scheme, limits, part)
        remove(folder)
        part.rename(folder)
    except BaseException:
        with suppress(CloneFails):
            remove(part)
        raise


def remove(folder: Path) -> None:
    """Removes a clone, if it is there. Raises CloneFails."""
    try:
        if folder.is_symlink() or folder.is_file():
            folder.unlink()
        elif folder.exists():
            shutil.rmtree(folder)
    except (OSError, RecursionError) as error:
        raise CloneFails(f"{folder} can't be removed ({type(error).__name__})") from error


@contextmanager
def _served(url: str) -> Iterator[tuple[str, str]]:
    """The scheme and the place that git may clone."""
    scheme = url.partition("://")[0].lower() if "://" in url else "ssh"
    if scheme != "file":
        yield scheme, url
        return
    with tempfile.TemporaryDirectory(prefix="bearings-fleet-") as made:
        yield scheme, _lent(Path(unquote(urlsplit(url).path)), Path(made) / "lent.git").as_uri()


def _lent(source: Path, made: Path) -> Path:
    """An empty repository of ours with the objects of another one, and its HEAD as the only branch."""
    try:
        source = Path(os.path.realpath(source))
        repository = _repository(source)
        check_objects(repository, (source,))
        commit = expression(repository, "HEAD")
    except Refused as refused:
        raise CloneFails(refused.why) from None
    except (OSError, ValueError) as error:
        raise CloneFails(f"it can't be read ({type(error).__name__})") from error
    if commit is None:
        raise CloneFails("it has no commit")
    shutil.copytree(EMPTY / repository.format, made)
    for name in ("objects/info", "refs/heads"):
        (made / name).mkdir(parents=True, exist_ok=True)
    (made / "objects/info/alternates").write_bytes(os.fsencode(repository.common / "objects") + b"\n")
    (made / "refs/heads/main").write_text(f"{commit}\n", encoding="ascii")
    (made / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
    return made


def _repository(place: Path) -> Repository:
    """The repository at a place: a work tree, or a bare one. Raises CloneFails."""
    directory = place / ".git" if (place / ".git").is_dir() else place
    if directory.is_symlink() or read(directory, "HEAD") is None or not (directory / "objects").is_dir():
        raise CloneFails("there is no git repository")
    config = read(directory, "config") or b""
    settings = variables(config)
    if "extensions.partialclone" in settings or b"promisor" in config:
        raise CloneFails("it is a partial clone, which lacks objects")
    form = settings.get("extensions.objectformat", "sha1").lower()
    if form not in ("sha1", "sha256"):
        raise CloneFails(f"it has objects of the unknown format {clean_line(form, 20)}")
    is_table = settings.get("extensions.refstorage", "files") == "reftable"
    return Repository(place, directory, directory, form, is_table, partial=False)


def _run(arguments: Sequence[str], scheme: str, limits: Limits, made: Path | None) -> bytes:
    """The output of git. It is stopped when it exceeds its time, or `made` its size. Raises CloneFails."""
    git = find_program("git", None)
    if git is None:
        raise CloneFails("git is not installed")
    caution = [word for key, value in _CAUTION.items() for word in ("-c", f"{key}={value}")]
    words = [git, *caution, "-c", f"protocol.{scheme}.allow=always", *arguments]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(  # noqa: S603 - a list; the URL stands behind --
            words, cwd=EMPTY, env=_environment(scheme), stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            start_new_session=True,
        )  # fmt: skip
        try:
            limit_memory(process.pid)
            _watch(process, limits, made)
        finally:
            kill_all(process)
            process.wait()
        if process.returncode != 0:
            raise CloneFails(_said(err) or f"git ends with status {process.returncode}")
        out.seek(0)
        return out.read(_ERRORS)


def _watch(process: "subprocess.Popen[bytes]", limits: Limits, made: Path | None) -> None:
    """Waits for the end of a process. Raises CloneFails if it takes too much."""
    deadline = time.monotonic() + limits.seconds
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK_S)
        if made is not None and _is_larger(made, limits.bytes):
            raise CloneFails(f"it takes more than {limits.bytes / 1e6:,.0f} MB")
        if process.returncode is not None:
            return
        if time.monotonic() > deadline:
            raise CloneFails(f"git took longer than {limits.seconds:g} s")


def _is_larger(folder: Path, most: int) -> bool:
    """Whether the files of a folder take more than `most` bytes."""
    size = 0
    for above, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += os.lstat(os.path.join(above, name)).st_size  # noqa: PTH118 - ten times as fast as Path
        if size > most:
            return True
    return False


def _said(err: IO[bytes]) -> str:
    """The last error that git printed, without credentials."""
    err.seek(max(0, err.seek(0, os.SEEK_END) - _ERRORS))
    lines = err.read().decode("utf-8", "replace").splitlines()
    errors = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines[-1:]
    return _CREDENTIALS.sub("…@", clean_line(errors[-1], 300)) if errors else ""


def _environment(scheme: str) -> Mapping[str, str]:
    """Git's environment: no configuration of anybody's, and one protocol."""
    ssh = find_program("ssh", None) or "ssh"
    return {
        **environment(_PASSED_ON, None),
        "GIT_CEILING_DIRECTORIES": os.path.realpath(EMPTY.parent),
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_ALLOW_PROTOCOL": scheme,
        "GIT_SSH_COMMAND": f"{shlex.quote(ssh)} -oBatchMode=yes -oPermitLocalCommand=no",
        "GIT_SSH_VARIANT": "ssh",
    }
