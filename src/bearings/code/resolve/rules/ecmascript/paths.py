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


_BARE = (".ts", ".tsx", ".js", ".jsx")
"""Extensions that imports leave out."""


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


def written(path: str, like: str, meant: str) -> str:
    """A file's path as an import writes it in the style of `like`, which means the file `meant`.

    like "./a", or no style    cart/index.ts is cart, cart.mjs is cart.mjs unless ./a is one
    like "./a.js"              cart/index.ts is cart/index.js
    """
    stem, extension = splitext(path)
    ending = splitext(like)[1]
    if extension not in EXTENSIONS or (ending == splitext(meant)[1] == extension):
        return path
    if ending in EXTENSIONS or (extension not in _BARE and extension != splitext(meant)[1]):
        is_typed = ending != "" and ending not in _SOURCES and ending == splitext(meant)[1]
        return path if is_typed else stem.removesuffix(".d") + _compiled(extension, ending)
    return stem.removesuffix(".d") if like.endswith("/index") else stem_of(path)


def _compiled(extension: str, ending: str) -> str:
    """The extension of a file that is compiled; `ending` is what another import writes."""
    if extension == ".tsx":
        return ending if ending == ".jsx" else ".js"
    return {".ts": ".js", ".mts": ".mjs", ".cts": ".cjs"}.get(extension, extension)
