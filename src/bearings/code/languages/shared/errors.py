"""What marks say of the handling of errors, in languages with exceptions."""

from collections.abc import Collection

from bearings.code.models import Mark, MarkKind


def exceptions(mark: Mark, anything: str, broad: Collection[str] = ()) -> tuple[str, str] | None:
    """The pattern's name, and what is there; None for what handles no error.

    `anything` is what a handler without types takes; one of a `broad` type takes too much.
    """
    what = mark.text or anything
    if mark.kind is MarkKind.SWALLOW:
        return "errors dropped", f"{what}, and nothing is done"
    if mark.kind is MarkKind.CATCH:
        return (
            ("errors caught broadly", f"except {what}") if mark.text in broad else ("errors caught", f"catches {what}")
        )
    return _raised(mark.text) if mark.kind is MarkKind.RAISE else None


def _raised(text: str) -> tuple[str, str]:
    if text.endswith(("()", "?")):
        given = f"what {text} gives" if text != "?" else "a value"
        return f"raises {given}", f"raises {given}"
    if not text.rpartition(".")[2][:1].isupper():
        return "errors raised again", f"raises {text}".strip()
    return f"raises {text}", f"raises {text}"
