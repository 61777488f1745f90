"""Names of exports that need no file: of tags in markup, and of what TypeScript declares without a file.

`<my-el>` and `<MyEl>` are both MyEl. `declare module "api" { function ping() }` exports `<api#ping>`, and as a whole
`<api#*>`; `declare global { interface Window {} }` exports `<#Window>`.
"""

import re
from typing import Final

TAGGED: Final = "<"
"""The start of the name of an export that stands for a tag or a declaration."""
DECLARED: Final = "#"
"""What is between a module and a name in the export of a declaration."""
_TAG = re.compile(r"[A-Za-z]\w*(?:-\w+)*")
_WORD_START = re.compile(r"(?:^|-)(\w)")
_VARIANT = re.compile(r"\.(?:client|server|global|island)$")
_UNPREFIXED = frozenset({"global", "islands"})
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WORD = re.compile(r"[A-Za-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def is_tag(text: str) -> bool:
    """Whether a text is a tag that an element may be registered under."""
    return _TAG.fullmatch(text) is not None


def declared_name(module: str, name: str) -> str:
    """The export of a name that a module without a file declares; "" for what is global."""
    return f"<{module}{DECLARED}{name}>"


def declared_parts(export: str) -> tuple[str, str]:
    """The module and the name of such an export; the name of a tag's export is empty."""
    module, _, name = export[1:-1].rpartition(DECLARED) if DECLARED in export else (export[1:-1], "", "")
    return module, name


def element_name(tag: str) -> str:
    """The name of the element of a tag, in PascalCase."""
    return _WORD_START.sub(lambda found: found[1].upper(), tag)


def tag_of(name: str) -> str:
    """The tag of an element's name in kebab-case: MyEl → my-el."""
    return _HUMP.sub("-", name).lower()


def component_names(rest: str) -> tuple[str, ...]:
    """The names of a component by its path below `components/`, as Nuxt makes them, and by its file alone.

    `base/Card` is BaseCard and Card; a folder that the file's name repeats is left out: `base/BaseCard` is BaseCard.
    """
    *folders, stem = _VARIANT.sub("", rest).split("/")
    if stem == "index" and folders:
        stem = folders.pop()
    folders = folders[1:] if folders and folders[0] in _UNPREFIXED else folders
    words = [word.lower() for word in _PART.findall(stem)]
    for first in range(len(folders)):
        repeated = [word.lower() for folder in folders[first:] for word in _PART.findall(folder)]
        if words[: len(repeated)] == repeated:
            folders = folders[:first]
            break
    return tuple(dict.fromkeys(("".join(map(pascal, [*folders, stem])), pascal(stem))))


def pascal(text: str) -> str:
    """The words of a text in PascalCase."""
    return "".join(word[:1].upper() + word[1:] for word in _WORD.findall(text))
