"""Files in languages that are not parsed: they may use an element, and are searched as text only."""

from collections import Counter
from collections.abc import Iterable

from bearings.code.languages import language_of

_LANGUAGES = frozenset(
    {
        "as", "asm", "asp", "aspx", "astro", "axaml", "awk", "bash", "bat", "bzl", "c", "cc", "cjsx", "clj", "cljs",
        "cls", "cmake", "coffee", "cpp", "cr", "cs", "cshtml", "cu", "cuh", "cxx", "cython", "d", "dart", "ejs", "el",
        "elm", "erb", "erl", "ex", "exs", "f90", "fish", "fs", "fsx", "gd", "gleam", "gotmpl", "gql", "gradle",
        "graphql", "groovy", "h", "haml", "handlebars", "hbs", "hcl", "hh", "hpp", "hrl", "hs", "htm", "html", "hx",
        "hxx", "ijs", "inc", "ino", "ipynb", "j2", "java", "jinja", "jinja2", "jl", "jsp", "kt", "kts", "leex",
        "liquid", "lisp", "lua", "m", "mako", "marko", "mdx", "ml", "mli", "mm", "move", "mustache", "nim", "nix",
        "njk", "nu", "nunjucks", "pas", "php", "phtml", "pl", "pm", "proto", "ps1", "pug", "purs", "pxd", "pxi", "pyx",
        "qml", "r", "raku", "razor", "rb", "re", "res", "rkt", "rs", "s", "sbt", "scala", "scm", "sh", "slim", "sol",
        "sql", "star", "sv", "svelte", "swift", "tcl", "templ", "tf", "thrift", "tmpl", "tpl", "twig", "v",
        "vala", "vb", "vhd", "vhdl", "vue", "wgsl", "xaml", "xhtml", "xsl", "zig", "zsh",
    }
)  # fmt: skip
"""Extensions of programs, and of templates, which may use elements of programs."""


_MARKUP = frozenset(
    """gotmpl handlebars hbs htm html j2 jinja jinja2 leex liquid mustache njk nunjucks tmpl tpl twig xaml xhtml
    xsl""".split()
)
"""Extensions of templates, in which a program is only between signs or in attributes."""


def is_markup(path: str) -> bool:
    """Whether the file is a template, most of which is text and tags."""
    return _extension(path) in _MARKUP


def is_unread(path: str) -> bool:
    """Whether the file is a program or template in a language that is not parsed."""
    return _extension(path) in _LANGUAGES and language_of(path) is None


def unread(paths: Iterable[str]) -> dict[str, int]:
    """The number of such files by extension (`.vue`), the most frequent first."""
    counts = Counter(f".{_extension(path)}" for path in paths if is_unread(path))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def extension_of(path: str) -> str:
    """The extension of a file with its dot, in lower case; empty without one."""
    extension = _extension(path)
    return f".{extension}" if extension else ""


def _extension(path: str) -> str:
    stem, _, end = path.rpartition("/")[2].rpartition(".")
    return end.lower() if stem else ""
