"""By which words other files may import a file, so that those that hold none need not be read.

    src/cart.ts              its stem: "./cart", "@/cart", "cart.js"
    src/cart/index.ts        its folder: "./cart", and from inside "."
    packages/ui/src/index.ts the name of its package: "@shop/ui"
    src/app.ts               keys of manifests that lead to it: "$app", for {"imports": {"$app": "./src/app.ts"}}

The words say too much rather than too little: what a specifier names, the finder of modules says.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from bearings.code.resolve.modules.folders import above
from bearings.code.resolve.modules.jsonc import read_jsonc

INLINE: Final = rb"\b(?:import|require)\s*\(\s*"
"""What precedes a specifier in an expression or a type: `require("./cart")`, `import("./cart")`."""
_COMMENTS: Final = rb"(?:\s++|/\*(?:[^*]|\*(?!/)){0,400}+\*/){0,20}+"
"""Bounded and possessive: any text is read in time linear in its length."""
_TEMPLATE: Final = rb"\b(?:import|require)\s*+\(" + _COMMENTS + rb"`"
"""The start of a specifier that is a template, behind comments as bundlers read them."""
_WORD: Final = re.compile(r"[\w$-]+")
_KEY: Final = r"([@~#$\w./*-]+)[\"']?\s*:[^,\n:{]*"
_INDEXES: Final = frozenset({"index", "main", "mod", "__init__"})
_FURTHEST: Final = 3
"""Keys that lead to keys that lead to keys: further ones are not followed."""


class Specifier(NamedTuple):
    """A word, empty for specifiers of dots alone, and a pattern for the text that imports by it."""

    word: str
    pattern: bytes


def patterns_of(path: str) -> Iterator[Specifier]:
    """The words by which a file may be imported as one of several that match a pattern: `import(`./tasks/${name}`)`."""
    yield Specifier("glob", rb"\bimport\.meta\.glob")
    yield Specifier("context", rb"\brequire\.context\b")
    yield Specifier("layout", rb"\nlayout:")  # of a page in MDX
    yield Specifier("", _TEMPLATE + rb"(?:\.{1,2}/)++[^/`\n]*?\$\{")  # in a folder without a name of its own
    for folder in path.split("/")[:-1]:
        name = re.escape(folder.encode("utf-8", "replace"))
        yield Specifier(folder, _TEMPLATE + rb"(?=[^`\n]*\$\{)[^`\n]*" + name + rb"/")


def specifiers_of(path: str, manifests: Mapping[str, bytes]) -> Iterator[Specifier]:
    """The words by which other files may import a file."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    words = dict.fromkeys(filter(None, (stem, folder.rpartition("/")[2])))
    around = frozenset(above(path))
    packages = {}
    for manifest, data in manifests.items():
        named = read(data).get("name") if manifest.rpartition("/")[0] in around else None
        if isinstance(named, str) and named:
            packages[named.rpartition("/")[2]] = re.search(rf"\b{re.escape(stem)}\b".encode(), data)
    for word in words:
        yield Specifier(word, _imported_as(word))
    for word, names_file in packages.items():
        yield Specifier(word, _imported_as(word, below=names_file is not None))
    for word in _keys({*words, *packages}, manifests):
        yield Specifier(word, _imported_as(word))
    if stem in _INDEXES or any(manifest.rpartition("/")[0] == folder for manifest in manifests):
        yield Specifier("", rb"[\"'](?:\.\.?/?)+[\"']")


def _keys(words: Collection[str], manifests: Mapping[str, bytes]) -> Collection[str]:
    """The words of the keys in manifests whose values hold one of some words, or one of these keys."""
    known = set(words)
    latest = set(words)
    for _ in range(_FURTHEST):
        found = {word for data in manifests.values() for word in _keys_to(data, frozenset(latest))}
        latest = found - known
        known |= latest
    return known.difference(words)


@lru_cache(maxsize=1 << 12)
def _keys_to(data: bytes, words: frozenset[str]) -> frozenset[str]:
    text = data.decode("utf-8", "replace")
    if not any(word in text for word in words):
        return frozenset()
    content = read(data)
    found: set[str] = set()
    if content:
        _leads(content, words, found)
    else:  # a configuration in JavaScript
        pattern = _KEY + r"\b(?:" + "|".join(map(re.escape, sorted(words))) + r")\b"
        found.update(word for key in re.findall(pattern, text) for word in _words(key)[-1:])
    return frozenset(found)


def _leads(value: object, words: frozenset[str], found: set[str]) -> bool:
    """Whether a value holds one of the words; adds the keys on the way to it."""
    if isinstance(value, str):
        return not words.isdisjoint(_words(value))
    if isinstance(value, list):
        return sum(_leads(each, words, found) for each in value) > 0  # each adds its keys
    if not isinstance(value, dict):
        return False
    leading = [key for key, each in value.items() if _leads(each, words, found)]
    found.update(word for key in leading for word in _words(key)[-1:])
    return bool(leading)


@lru_cache(maxsize=1 << 12)
def read(data: bytes) -> Mapping[str, object]:
    """A manifest of JSON, with comments; empty for another."""
    return read_jsonc(data)


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _imported_as(word: str, *, below: bool = False) -> bytes:
    """A pattern for a specifier that ends with a word, perhaps with extensions; `below`: or with a path behind it."""
    name = re.escape(word.encode("utf-8", "replace"))
    rest = rb"(?:/[^\"'`\n]*)?" if below else rb"/?(?:\?[^\"'`\n]*)?"
    return rb"[\"'`](?:[^\"'`\n]*[/.@~#$:-])?" + name + rb"(?:\.\w+)*" + rest + rb"[\"'`]"
