"""Detects the role of ECMAScript's declarations: Zod schemas, types that describe data, decorators, components."""

import re

from bearings.code.expressions import Expression, Result, split
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.models import Detail

_ZOD = re.compile(r"^zod(?:/.+)?$|^@hono/zod-openapi$|^astro[:/](?:zod|content|schema)$")
_FACTORIES = frozenset(
    "object strictObject looseObject union discriminatedUnion intersection enum nativeEnum array tuple record map set "
    "string number bigint boolean date literal email url uuid int lazy preprocess coerce".split()
)
"""Functions of Zod that return a schema."""
_DERIVED = frozenset("extend safeExtend merge pick omit partial deepPartial required passthrough strict strip".split())
_NO_SCHEMA = frozenset(
    "parse safeParse parseAsync safeParseAsync spa decode encode safeDecode safeEncode shape isOptional isNullable "
    "_output _input".split()
)
_DATA_NAME = re.compile(r"[a-z0-9](?:Schema|Dto|DTO|Entity|Model|Payload|Request|Response|RequestBody|ResponseBody)$")
_DATA_FILE = re.compile(
    r"(?:^|/)(?:models?|schemas?|entity|entities|dtos?)/[^/]*$|(?:^|[./])(?:models?|schemas?|entity|entities|dtos?)\.[cm]?tsx?$"
)
_DATA_USE = re.compile(r"\b(?:\w*Request|\w*Response|JSONSchemaType|ZodType|ZodSchema|Model)<(.*)>")
_WORD = re.compile(r"[\w$]+")
_DECORATOR = re.compile(
    r"\)\s*:\s*(?:Class|Method|Property|Parameter)Decorator\b|:\s*(?:Typed)?PropertyDescriptor\b|:\s*Class\w*DecoratorContext\b"
)
_COMPONENTS = ("Component", "PureComponent")
_REACT = re.compile(r"^(?:react|preact)(?:/|$)")
_CHAIN = 60


def roles(builder: Builder, decorating: set[str]) -> None:
    """Set the role of each declaration; `decorating` are the names that are used as decorators in this file."""
    for draft in builder.drafts:
        if draft.bases and draft.kind is Symbols.CLASS:
            if _is_react(builder, draft.bases[0].value):
                draft.detail = Detail(Symbols.COMPONENT, "class")
        elif draft.kind is Symbols.FUNCTION and draft.parent == 0:
            is_typed = "ecorator" in draft.signature or "Descriptor" in draft.signature
            if draft.name in decorating:
                draft.detail = Detail(Symbols.DECORATOR, "use")
            elif is_typed and _DECORATOR.search(draft.signature):
                draft.detail = Detail(Symbols.DECORATOR, "type")
    zod = {entry.local for entry in builder.imports if _ZOD.match(entry.module)}
    if zod:
        _zod(builder, zod)
    if any(draft.kind in (Symbols.INTERFACE, Symbols.TYPE) for draft in builder.drafts):
        _types(builder)


def _is_react(builder: Builder, base: Expression) -> bool:
    """Whether a base class is React's `Component` or `PureComponent`."""
    root, _, rest = base.partition(".") if type(base) is str else ("", "", "")
    for entry in builder.imports:
        if entry.local == root and _REACT.match(entry.module):
            return (rest or entry.name) in _COMPONENTS
    return False


def _zod(builder: Builder, zod: set[str]) -> None:
    """Mark variables at the top level that hold a schema, or one derived from a schema of this file."""
    for draft in builder.drafts:
        if draft.parent == 0 and draft.kind in (Symbols.CONSTANT, Symbols.VARIABLE):
            steps = _steps(builder, draft)
            if not steps or not _NO_SCHEMA.isdisjoint(steps):
                continue
            root, *rest = steps
            above = builder.drafts[builder.members.get((0, root), 0)].detail
            taken = next((entry.name for entry in builder.imports if entry.local == root), "")
            first = rest[0] if rest else ""
            is_made = root in zod and (first in _FACTORIES or (taken in _FACTORIES and not first))
            if is_made or (above is not None and above.by == "zod" and first in _DERIVED):
                draft.detail = Detail(Symbols.SCHEMA, "zod")


def _steps(builder: Builder, draft: Draft) -> list[str]:
    """Return the names in a chain of calls: `z.object(…).strict()` → `z`, `object`, `strict`."""
    value = draft.value
    names: list[str] = []
    for _ in range(_CHAIN):
        if value is None:
            break
        root, steps = split(value)
        names[:0] = [step for step in steps if type(step) is str]
        if type(root) is str:
            return [root, *names] if names or root != draft.value else []
        site = builder.calls[root.site] if type(root) is Result and not root.awaited else None
        if site is None:
            break
        value = site.callee
    return []


def _types(builder: Builder) -> None:
    """Mark interfaces and aliases that hold only data, if their name, file or a use shows that they are a schema."""
    has_only_data: dict[int, bool] = {}
    for draft in builder.drafts:
        if draft.parent > 0:
            is_data = draft.kind is Symbols.PROPERTY and "=>" not in draft.type
            has_only_data[draft.parent] = has_only_data.get(draft.parent, True) and is_data
    is_data_file = _DATA_FILE.search(builder.path) is not None
    used: set[str] | None = None
    for index, draft in enumerate(builder.drafts):
        if draft.kind not in (Symbols.INTERFACE, Symbols.TYPE) or not has_only_data.get(index, False):
            continue
        if used is None:
            used = _used_as_data(builder)
        by = (
            "name" if _DATA_NAME.search(draft.name) else "file" if is_data_file else "use" if draft.name in used else ""
        )
        if by:
            draft.detail = Detail(Symbols.SCHEMA, f"{draft.kind} by its {by}")


def _used_as_data(builder: Builder) -> set[str]:
    """Return every name in the type arguments of a request, response or model type."""
    texts = [row.type for row in builder.bindings if "<" in row.type]
    texts += [text for draft in builder.drafts for text in (draft.type, draft.returns) if "<" in text]
    found: set[str] = set()
    for text in texts:
        for arguments in _DATA_USE.findall(text):
            found.update(_WORD.findall(arguments))
    return found
