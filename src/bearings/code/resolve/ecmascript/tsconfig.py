"""Path aliases: the rules of tsconfig.json and jsconfig.json for non-relative specifiers."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from posixpath import dirname, join, normpath
from typing import Any

_COMMENTS = re.compile(r'"(?:\\.|[^"\\])*(?:"|\\?\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_COMMAS = re.compile(r'"(?:\\.|[^"\\])*(?:"|\\?\Z)|,(?=\s*[}\]])')
"""Unclosed text ends at the end of the file: searching for its end from every place would take quadratic time."""

_DEEPEST = 100
"""The longest chain of `extends` to follow; real projects have three or four."""

_NEAR = ("tsconfig.json", "jsconfig.json")


@dataclass(frozen=True, slots=True)
class Aliases:
    """`paths` and `baseUrl` of one configuration and of those that it extends; folders are relative to the project."""

    base: str | None
    paths: Mapping[str, tuple[str, ...]]

    def candidates(self, specifier: str) -> list[str]:
        """The possible paths of a specifier, best first, without added extensions."""
        best: tuple[int, str, tuple[str, ...]] | None = None
        for pattern, targets in self.paths.items():
            head, star, tail = pattern.partition("*")
            fits = specifier.startswith(head) and specifier.endswith(tail) if star else specifier == pattern
            if fits and len(specifier) >= len(head) + len(tail) and (best is None or len(head) > best[0]):
                best = len(head), specifier[len(head) : len(specifier) - len(tail)] if star else "", targets
        found = [normpath(target.replace("*", best[1])) for target in best[2]] if best else []
        return found if best or self.base is None else [normpath(join(self.base, specifier))]


class Configurations:
    """The nearest configuration of each folder."""

    def __init__(self, manifests: Mapping[str, bytes]) -> None:
        self._manifests = manifests
        self._known: dict[str, Aliases] = {}
        self._files: dict[str, Aliases] = {}

    def near(self, path: str) -> Aliases:
        """The aliases for the file at `path`."""
        folder = dirname(path)
        around: list[str] = []
        while folder not in self._known:
            around.append(folder)
            own = next((name for name in (join(folder, near) for near in _NEAR) if name in self._manifests), None)
            if own is not None:
                self._known[folder] = self._read(own)
            elif not folder:
                self._known[folder] = Aliases(None, {})
            else:
                folder = dirname(folder)
        found = self._known[folder]
        self._known.update(dict.fromkeys(around, found))
        return found

    def _read(self, path: str, seen: tuple[str, ...] = ()) -> Aliases:
        """A configuration's aliases, read once."""
        known = self._files.get(path)
        if known is None:
            known = self._files[path] = self._aliases(path, seen)
        return known

    def _aliases(self, path: str, seen: tuple[str, ...]) -> Aliases:
        content = read_jsonc(self._manifests[path])
        base: str | None = None
        paths: Mapping[str, tuple[str, ...]] = {}
        extended = content.get("extends", ())
        for name in [extended] if isinstance(extended, str) else extended if isinstance(extended, list) else ():
            other = self._extended(path, str(name))
            if other is not None and other != path and other not in seen and len(seen) < _DEEPEST:
                inherited = self._read(other, (*seen, path))
                base, paths = inherited.base or base, inherited.paths or paths
        options = content.get("compilerOptions")
        options = options if isinstance(options, dict) else {}
        if isinstance(options.get("baseUrl"), str):
            base = normpath(join(dirname(path), options["baseUrl"])).removeprefix("./")
            base = "" if base == "." else base
        if isinstance(options.get("paths"), dict):
            folder = base if base is not None else dirname(path)
            paths = {
                pattern: tuple(join(folder, target) for target in targets if isinstance(target, str))
                for pattern, targets in options["paths"].items()
                if isinstance(targets, list)
            }
        return Aliases(base, paths)

    def _extended(self, path: str, name: str) -> str | None:
        if not name.startswith("."):
            return None
        target = normpath(join(dirname(path), name))
        return next(
            (found for found in (target, f"{target}.json", f"{target}/tsconfig.json") if found in self._manifests), None
        )


def read_jsonc(source: bytes) -> dict[str, Any]:
    """A JSON object with comments and trailing commas; empty if the text is none."""
    text = source.decode("utf-8-sig", "replace")
    for dropped in (_COMMENTS, _COMMAS):
        text = dropped.sub(lambda found: found[0] if found[0].startswith('"') else "", text)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
