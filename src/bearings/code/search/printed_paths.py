"""The files of a project that printed paths mean, and the libraries that other paths belong to. Pure.

    files = Files(["src/shop/cart.py", "manage.py"], "shop")
    files.meant("/srv/app/src/shop/cart.py")                        # ["src/shop/cart.py"], ""
    files.meant("/venv/lib/python3.12/site-packages/six.py")        # [], "six"

The longest tail of a path that ends a file's path wins. A tail counts if it is the whole of either path, apart from
directories such as `src/`. A shorter tail of an absolute path counts if it has a directory and ends one file alone.
A tail of one component means a file at the project's root, and only if the directories before it do not contradict:
the last one has the project's name or is where containers hold an application, or none is a directory of the project.
A path inside a library means a file of the project only if all of it below the library's directory fits: the project
is installed there. Otherwise `index.js` of a library would be any `index.js`.
"""

import re
from collections.abc import Iterable
from urllib.parse import unquote

from bearings.code.grouping import grouped

_LIBRARIES = [(re.compile(pattern), name) for pattern, name in (
    (r".*\b(?:(?:site|dist)-packages|gems|cargo/registry/src/[^/]+)/(?=([^/]+))", ""),
    (r"(?:.*\bnode_modules/(?:\.vite/deps/)?|https?://(?:deno\.land|jsr\.io)/(?:x/)?)(?=(@[^/]+/[^/]+|[^/]+))", ""),
    (r"(?:.*/pkg/mod/)?(?=([\w-]+\.[^@:]+@v\d[^/]*)/)", ""),
    (r".*\bvendor/(?=([^/]+/[^/]+)/)", ""),
    (r".*/(?:lib(?:64)?/python[\d.]+|Python3\d+/Lib)/|<frozen ", "python"),
    (r".*/(?:usr/\w+/go[\w.-]*|Program Files/Go|go/[\d.]+/(?:x64|libexec)|sdk/go[\w.]+)/src/", "go"),
    (r".*(?:/rustc/|\brustlib/src/rust/)", "rust"),
    (r".*\blib/ruby/\d|<internal:", "ruby"),
    (r"node:|internal/[\w/]+\.js$", "node"),
    (r"ext:|deno:", "deno"),
    (r"/_/src/", ".NET"),
    (r".*\.next/(?:server|static)/", "Next.js output"),
)]  # fmt: skip
"""The directory of a library, and its name if the directory below it does not give one."""

_SCHEME = re.compile(r"[A-Za-z][\w.+-]+:(?://[^/]*)?")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:/|[\w-]+\.[\w.-]+/")
"""The start of an absolute path, or of an import path of Go."""

_SOURCES = re.compile(r"(?:(?:src|lib|main|java|kotlin|scala)/)*")
_DEPLOYED = re.compile(r"(?:usr/src/app|var/www/html|var/task|srv/app|workspaces?|app|code|repo)(/.*)?")
PACKAGED = (".java", ".kt", ".kts", ".scala", ".groovy")
"""Extensions of files whose directories are their packages."""
NAMED_ABOVE = (".go", ".rs")
"""Extensions of files whose frames have the function on the line above."""
_MODULE = ".py"


class Files:
    """The files of a project at `paths`; `name` is the project's directory."""

    def __init__(self, paths: Iterable[str], name: str) -> None:
        self._paths = frozenset(paths)
        self._name = name
        self._roots = {path.partition("/")[0] for path in self._paths if "/" in path}
        self._text = "\n".join(f"/{path}" for path in self._paths)
        self._by_name = grouped((path.rpartition("/")[2], path) for path in sorted(self._paths))

    def meant(self, printed: str) -> tuple[list[str], str]:
        """The files that a printed path means; if there are none, the name of its library, empty if unknown."""
        path = printed.replace("\\", "/").partition("?")[0]
        path = unquote(path) if "://" in path else path
        for pattern, name in _LIBRARIES:
            if match := pattern.match(path):
                return self._installed("" if name else path[match.end() :], name or match[1].removesuffix(_MODULE))
        path = _SCHEME.sub("", path, count=1) if _SCHEME.match(path) else path
        parts = [part for part in path.split("/") if part not in ("", ".", "..")]
        files = self._longest(parts, _ABSOLUTE.match(path) is not None)
        package = "/".join(parts[:2]) if not files and len(parts) > 2 and path.endswith(PACKAGED) else ""
        is_library = package and path[0] != "/" and f"/{package}/" not in self._text
        return files, package.replace("/", ".") if is_library else ""

    def _installed(self, rest: str, library: str) -> tuple[list[str], str]:
        """The files of the project that `rest`, below a library's directory, names in a package at the top."""
        fitting = self._ending(rest) if "/" in rest else ()
        files = [file for file in fitting if f"{file.removesuffix(rest)}__init__.py" not in self._paths]
        return files, "" if files else library

    def _longest(self, parts: list[str], absolute: bool) -> list[str]:
        whole: list[str] = []
        for start in range(len(parts)):
            tail = "/".join(parts[start:])
            fitting = self._ending(tail)
            if tail in self._paths and ("/" in tail or not start or self._is_root(parts[:start], absolute)):
                return [tail]
            if fitting and not (start or absolute):
                return fitting
            if fitting and "/" in tail:
                below = [file for file in fitting if _SOURCES.fullmatch(file.removesuffix(tail))]
                once = fitting if absolute and len(fitting) == 1 else []
                if below or (once and start):
                    return below or once
                whole = whole or once
        return whole

    def _is_root(self, before: list[str], absolute: bool) -> bool:
        """Whether directories may be where the project's root is on another machine."""
        deployed = _DEPLOYED.fullmatch("/".join(before))
        fits = not deployed[1] if deployed else self._roots.isdisjoint(before)
        return (absolute and fits) or before[-1] == self._name

    def _ending(self, tail: str) -> list[str]:
        alike = self._by_name.get(tail.rpartition("/")[2], ())
        return [path for path in alike if path == tail or path.endswith(f"/{tail}")]
