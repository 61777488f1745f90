"""Programs inside other files: the scripts of `.vue`, `.svelte` and `.astro`, the code cells of `.ipynb`.

Each is made into a source of its own language in which everything stands on the line where the file has it. What a
template uses becomes code of a component that is named after the file; what is neither is left out.
"""

from collections.abc import Callable, Mapping

INSIDE = frozenset({".vue", ".svelte", ".astro", ".ipynb"})
"""The extensions of such files."""


def is_embedded(path: str) -> bool:
    """Whether a file's program is inside another format."""
    return extension_of(path) in INSIDE


def extension_of(path: str) -> str:
    """The extension of a file with its dot, in lower case; empty for none."""
    stem, dot, end = path.rpartition("/")[2].rpartition(".")
    return f"{dot}{end.lower()}" if stem else ""


def program_of(path: str, source: bytes) -> bytes:
    """The program in a file, in UTF-8, line for line; the source itself where the file is nothing but a program."""
    extension = extension_of(path)
    if extension not in INSIDE:
        return source
    text = source.decode("utf-8", "replace")
    return _makers()[extension](path, text).encode("utf-8", "replace")


def _makers() -> Mapping[str, Callable[[str, str], str]]:
    from bearings.code.languages.embedded import astro, notebook, svelte, vue

    return {".vue": vue.program, ".svelte": svelte.program, ".astro": astro.program, ".ipynb": notebook.program}
