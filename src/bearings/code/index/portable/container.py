"""The file of a portable index: what it is of, the version that made it, and its body, as bytes.

A file is: magic with the number of the format, checksum of all that follows, length of the header, header, body. The
header is msgpack; the body is msgpack, compressed with zstd. Nothing of a file is trusted: sizes are limited before
anything is read, and index/portable/comparing.py compares the content with the files that it claims to be of.
"""

import re
import sys
from collections.abc import Collection
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

import msgspec

import bearings
from bearings.code.index.snapshot_file import checksum, makers_in_source
from bearings.code.languages import EXTRACTOR_VERSION, SPECS
from bearings.code.models import Language
from bearings.errors import BearingsError, InvalidInput

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MOST_FILE_BYTES = 2**30
"""No larger file is read: an index of ten million lines takes about 200 MB."""

_MAGIC = b"bearings index "
_FORMAT = 1
_START = re.compile(re.escape(_MAGIC) + rb"(\d{1,9})\0")
_CHECK_BYTES = 16
_LENGTH_BYTES = 4
_LONGEST_HEADER = 100_000
_LEVEL = 9
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ANEW = "Build it again with this version: bearings code index export."
FIELD = "file"
"""The argument that names the file, for errors."""


class Header(msgspec.Struct, frozen=True):
    """The commit that an index is of, and the versions that made it.

    `folder` is the project's folder in the repository, empty for the whole. `grammars` are the versions of the parser
    and of the grammars of its files, which decide what is read from a source. `revision` is Snapshot.revision, `files`
    the number of files with facts. `body_bytes` is the size of the uncompressed body.
    """

    version: str
    extractor: int
    code: bytes
    grammars: dict[str, str]
    commit: str
    folder: str
    max_file_bytes: int
    revision: str
    files: int
    body_bytes: int


class Refused(Exception):
    """A file is refused; the text says why, and ends a sentence that begins with the file's name."""

    def __init__(self, problem: str, remedy: str = _ANEW) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy

    def of(self, name: str) -> BearingsError:
        """The error for the caller who gave the file."""
        return InvalidInput(FIELD, name, self.problem, self.remedy)


def header_of(
    commit: str,
    folder: str,
    max_file_bytes: int,
    revision: str,
    languages: Collection[Language],
    files: int,
    body: bytes,
) -> Header:
    """The header of an index that this version makes."""
    return Header(
        bearings.__version__,
        EXTRACTOR_VERSION,
        makers_in_source(),
        _grammars(languages),
        commit,
        folder,
        max_file_bytes,
        revision,
        files,
        len(body),
    )


def _grammars(languages: Collection[Language]) -> dict[str, str]:
    """The versions of the parser, and of the grammars of these languages as far as they are installed."""
    modules = {SPECS[language].grammar.partition(":")[0] for language in languages}
    versions = {}
    for name in sorted({"tree-sitter", *(module.replace("_", "-") for module in modules)}):
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions


def framed(header: Header, body: bytes) -> bytes:
    """A whole file."""
    encoded = msgspec.msgpack.encode(header)
    rest = len(encoded).to_bytes(_LENGTH_BYTES, "big") + encoded + zstd.compress(body, _LEVEL)
    return b"%s%d\0" % (_MAGIC, _FORMAT) + checksum(rest) + rest


def opened(data: bytes) -> tuple[Header, memoryview]:
    """The header of a file that this version can read, and its compressed body. Raises Refused."""
    start = _START.match(data)
    if start is None:
        raise Refused("is no index of bearings", "Pass a file that bearings code index export wrote.")
    if int(start[1]) != _FORMAT:
        raise Refused(f"has format {int(start[1])}, and this version reads format {_FORMAT}")
    checked = memoryview(data)[start.end() :]
    rest = checked[_CHECK_BYTES:]
    if checked[:_CHECK_BYTES] != checksum(rest):
        raise Refused("is damaged or incomplete", "Copy or download it again.")
    end = _LENGTH_BYTES + int.from_bytes(rest[:_LENGTH_BYTES], "big")
    if end > _LONGEST_HEADER:
        raise Refused("has no readable header")
    try:
        header = msgspec.msgpack.decode(rest[_LENGTH_BYTES:end], type=Header)
    except (msgspec.MsgspecError, RecursionError):
        raise Refused("has no readable header") from None
    _check(header)
    return header, rest[end:]


def _check(header: Header) -> None:
    """Raises Refused for the header of another version, or a senseless one."""
    if (header.extractor, header.code) != (EXTRACTOR_VERSION, makers_in_source()):
        own = _named(bearings.__version__, EXTRACTOR_VERSION, makers_in_source())
        raise Refused(
            f"was made by bearings {_named(header.version, header.extractor, header.code)}, and this is {own}"
        )
    if not _COMMIT.fullmatch(header.commit) or header.files < 0 or header.body_bytes < 0:
        raise Refused("has no readable header")


def check_grammars(header: Header, languages: Collection[Language]) -> None:
    """Raises Refused if files of these languages may be parsed differently here."""
    here = _grammars(languages)
    names = [name for name in sorted({*here, *header.grammars}) if here.get(name) != header.grammars.get(name)]
    if names:
        pairs = [f"{name} {header.grammars.get(name, 'none')} (here {here.get(name, 'none')})" for name in names]
        raise Refused(f"was made with {', '.join(pairs)[:1_000]}", "Install the same versions in both places.")


def _named(number: str, extractor: int, code: bytes) -> str:
    return f"{number[:50]} (extractor {extractor}, code {code.hex()[:8]})"


def inflated(header: Header, compressed: memoryview, most: int) -> bytes:
    """The body of an index, of at most `most` bytes. Raises Refused."""
    if header.body_bytes > most:
        raise Refused(f"holds {header.body_bytes:,} bytes, and no index of these files has more than {most:,}")
    reader = zstd.ZstdDecompressor()
    try:
        body = reader.decompress(compressed, max_length=header.body_bytes + 1)
    except zstd.ZstdError:
        raise Refused("has no readable body") from None
    if len(body) != header.body_bytes or not reader.eof or reader.unused_data:
        raise Refused("has no readable body")
    return body
