"""Extracts programs from other file formats: scripts of `.vue`, `.svelte`, `.astro` and `.mdx`, code cells of `.ipynb`.

The result is a source in the program's language in which all code stands on the same line as in the file. Code in a
template becomes the body of a component that is named after the file; everything else is dropped.
"""

from collections.abc import Callable, Mapping

EMBEDDED_EXTENSIONS = frozenset({".vue", ".svelte", ".astro", ".mdx", ".ipynb"})
"""The extensions of files with an embedded program."""


def is_embedded(path: str) -> bool:
    """Whether a file contains its program in another format."""
    return extension_of(path) in EMBEDDED_EXTENSIONS


def is_escaped(path: str) -> bool:
    """Whether the format of a file writes its program in other bytes, as the JSON of a notebook does."""
    return extension_of(path) == ".ipynb"


def extension_of(path: str) -> str:
    """Return the extension of a file with its dot, in lower case; empty for none."""
    stem, dot, end = path.rpartition("/")[2].rpartition(".")
    return f"{dot}{end.lower()}" if stem else ""


def program_of(path: str, source: bytes) -> bytes:
    """Return the program in a file, in UTF-8, with unchanged line numbers; a source in a plain language as it is."""
    extension = extension_of(path)
    if extension not in EMBEDDED_EXTENSIONS:
        return source
    text = source.decode("utf-8", "replace")
    return _makers()[extension](path, text).encode("utf-8", "replace")


def _makers() -> Mapping[str, Callable[[str, str], str]]:
    from bearings.code.languages.embedded import astro, mdx, notebook, svelte, vue

    return {
        ".vue": vue.program,
        ".svelte": svelte.program,
        ".astro": astro.program,
        ".mdx": mdx.program,
        ".ipynb": notebook.program,
    }
