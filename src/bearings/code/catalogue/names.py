"""The parts of a module's name: the package that is installed, and the names below it."""

from collections.abc import Iterable

SEPARATORS = (".", "/", "::", "\\")
"""The separators of modules' names in all languages: what follows one is below the package."""


def package_of(module: str, separator: str) -> str:
    """The package that `module`, as an import names it, belongs to.

        requests.adapters      "."    requests
        @babel/core/lib/x      "/"    @babel/core
        github.com/a/b/c       "/"    github.com/a/b

    Behind the name of a host stand an owner and a repository.
    """
    module = module.removeprefix("node:")
    parts = module.split(separator)
    if separator != "/":
        return parts[0]
    if module.startswith("@"):
        return "/".join(parts[:2])
    return "/".join(parts[:3]) if "." in parts[0] else parts[0]


def dotted(parts: Iterable[str]) -> str:
    """The parts that are not empty, with dots between them."""
    return ".".join(filter(None, parts))


def plain(name: str) -> str:
    """A name without the marks of calls: `Session().get` → `Session.get`."""
    return name.replace("()", "")


def last_part(name: str) -> str:
    """The last part of a dotted name."""
    return plain(name).rpartition(".")[2]
