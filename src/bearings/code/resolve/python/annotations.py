"""Parses Python's annotations to their outermost form."""

from functools import lru_cache

from bearings.code.resolve.type_texts import ABSENT, QUALIFIED, Form, FormKind, split


@lru_cache(maxsize=1 << 14)
def form_of_annotation(text: str) -> Form | None:
    """A Python annotation's form; None for annotations without one here."""
    text = text.strip().strip("'\"").strip()
    parts = [part for part in split(text, "|") if part not in ABSENT]
    if len(parts) != 1:
        return Form(FormKind.UNION, parts=tuple(parts)) if parts else None
    text = parts[0].strip("'\"").strip()
    cut = text.find("[")
    name = (text if cut < 0 else text[:cut]).strip()
    if not QUALIFIED.match(name) or (cut >= 0 and text[-1] != "]"):
        return None
    arguments = tuple(part for part in split(text[cut + 1 : -1], ",")) if cut >= 0 else ()
    last = name.rpartition(".")[2]
    if last in ("Optional", "Union"):
        return form_of_annotation(" | ".join(arguments)) if arguments else None
    if last in ("Annotated", "Final", "ClassVar", "NotRequired", "Required", "ReadOnly"):
        return form_of_annotation(arguments[0]) if arguments else None
    return Form(FormKind.NAME, name, arguments)
