"""The files that a path in an import may mean: with another extension, or the index of a folder."""

from collections.abc import Iterator
from posixpath import splitext

_LANGUAGES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts")
EXTENSIONS = (*_LANGUAGES, ".vue", ".svelte", ".astro", ".mdx")
"""Added extensions, best first: extensions of languages, then the ones that bundlers of components add."""
ENDINGS = ("", *_LANGUAGES)
_SOURCES = {
    ".js": (".ts", ".tsx", ".js", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".jsx"),
    ".mjs": (".mts", ".mjs", ".d.mts"),
    ".cjs": (".cts", ".cjs", ".d.cts"),
}
"""Extensions of the sources of a compiled file, best first."""


def candidates(base: str) -> Iterator[str]:
    """The possible files of a path without an extension (or with another one), best first."""
    stem, extension = splitext(base)
    for source in _SOURCES.get(extension, ()):
        yield stem + source
    if extension and extension not in _SOURCES:
        yield base
    for extension in EXTENSIONS:
        yield base + extension
    for extension in EXTENSIONS:
        yield f"{base}/index{extension}" if base not in ("", ".") else f"index{extension}"


def stem_of(path: str) -> str:
    """A path without an extension of a source, and without `/index`."""
    stem, extension = splitext(path)
    if extension not in EXTENSIONS:
        return path
    stem = stem.removesuffix(".d")
    return stem.removesuffix("/index") if stem.endswith("/index") else "" if stem == "index" else stem
