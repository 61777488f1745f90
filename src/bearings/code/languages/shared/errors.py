"""Names the error handling pattern that a mark belongs to, for languages with exceptions."""

from collections.abc import Collection

from bearings.code.file_facts import Mark, MarkKind


def exceptions(mark: Mark, anything: str, broad: Collection[str] = ()) -> tuple[str, str] | None:
    """Return the pattern's name and a description of this occurrence, or None if the mark handles no error.

    `anything` describes what a handler without types catches. Handlers of a `broad` type have a pattern of their own.
    """
    caught = mark.text or anything
    if mark.kind is MarkKind.SWALLOW:
        return "errors dropped", f"catches {caught} and does nothing"
    if mark.kind is MarkKind.CATCH:
        return "errors caught broadly" if mark.text in broad else "errors caught", f"catches {caught}"
    return _raised(mark.text) if mark.kind is MarkKind.RAISE else None


def _raised(text: str) -> tuple[str, str]:
    if text.endswith(("()", "?")):
        value = f"the result of {text}" if text != "?" else "a value"
        return f"raises {value}", f"raises {value}"
    if not text.rpartition(".")[2][:1].isupper():
        return "errors raised again", f"raises {text}".strip()
    return f"raises {text}", f"raises {text}"
