"""Questions in words about one element: `who calls Huey.enqueue?`, `usages of src/auth.ts#login`."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from bearings.code.models import CALLS, HEIRS, IMPORTS, EdgeKind
from bearings.code.search.reach import ACCESSES

_KINDS: Mapping[str, frozenset[EdgeKind]] = {
    "call|invo": CALLS,
    "extend|implement|subclass|subtype|inherit|deriv|overrid": HEIRS,
    "import": IMPORTS,
    "construct|creat|instantiat": frozenset({EdgeKind.NEW}),
    "render": frozenset({EdgeKind.JSX}),
    "read|writ|set": ACCESSES,
}
"""By the beginning of a verb or noun: the kinds of uses that a question is about."""

_VERB = (
    r"(?:call|invok|us|run|referenc|import|extend|implement|overrid|subclass|depend|read|writ|set|construct|creat"
    r"|instantiat|render|request|test|inherit|deriv)(?:s|es|e|ing)?(?:\s+(?:from|on))?"
)
_NOUN = (
    r"(?:callers?|calls?|call\s+sites?|callees|invocations?|usages?|uses?|users?|references?|importers?|imports?"
    r"|implementations?|implementers?|implementors?|subclasses|subtypes|extenders|overrides|dependents?|dependencies"
    r"|instances|readers|writers|tests?|definition)"
)
_DONE = (
    r"(?:used|called|invoked|defined|declared|implemented|imported|extended|overridden|referenced|constructed"
    r"|instantiated|rendered|tested|read|written|set|run)"
)
_THING = (
    r"(?:the\s+)?(?:(?:function|method|class|interface|type|component|hook|module|file|symbol|element|struct|field"
    r"|property|(?:env(?:ironment)?\s+)?variable|constant|enum)\s+)?(?P<name>\S+?)"
)
_FORMS = tuple(
    re.compile(rf"{form}[\s?.!,;]*", re.IGNORECASE)
    for form in (
        rf"(?:who|what|which\s+\w+|where\s+do\s+we)\s+(?:else\s+)?(?:is\s+|are\s+)?(?P<how>{_VERB})\s+{_THING}",
        rf"(?:(?:find|show|list|get|give|what\s+are|who\s+are|where\s+are)\s+(?:me\s+)?)?(?:all\s+)?(?:the\s+)?"
        rf"(?P<how>{_NOUN})\s+(?:of|to|for)\s+{_THING}",
        rf"(?:where|how|by\s+whom|who)\s+(?:is|are)\s+{_THING}\s+(?:being\s+)?(?P<how>{_DONE})",
        rf"what\s+(?:does|do)\s+{_THING}\s+(?:call|use|import|do|need|depend\s+on)",
    )
)
_LONGEST = 400


class Asked(NamedTuple):
    """The element in a question, the kinds of uses that it asks about (empty: any), and the query for all of these."""

    name: str
    kinds: frozenset[EdgeKind]
    query: str


def asked_about(text: str) -> Asked | None:
    """The element and the uses in a question of one line; None for other texts."""
    line = " ".join(text.split())
    for form in _FORMS if len(line) <= _LONGEST else ():
        match = form.fullmatch(line)
        if match is not None and (name := match["name"].strip("`'\"“”‘’").removesuffix("()")):
            how = match.groupdict().get("how") or ""
            kinds = next((kinds for start, kinds in _KINDS.items() if re.match(start, how, re.IGNORECASE)), frozenset())
            forward = re.match(r"what\s+(?:does|do)\s", line, re.IGNORECASE) or re.match("callee|dependenc", how)
            word = {CALLS: "calls", IMPORTS: "imports"}.get(kinds, "depends-on")
            word = "calls" if forward and re.search(r"\bcall(?:ees)?\b", line) else word
            return Asked(name, kinds, word if forward else f"{word}-me")
    return None
