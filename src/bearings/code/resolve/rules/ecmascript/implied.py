"""The methods that JavaScript calls without naming them."""

from typing import Final

from bearings.code.resolve.rules.semantics import Implied

IMPLIED_CALLS: Final = {
    "[Symbol.iterator]": Implied("by iteration"),
    "[Symbol.asyncIterator]": Implied("by `for await`", ("[Symbol.iterator]",)),
    "[Symbol.dispose]": Implied("by `using`"),
    "[Symbol.asyncDispose]": Implied("by `await using`", ("[Symbol.dispose]",)),
    "[Symbol.toPrimitive]": Implied("as text or a number", is_guess=True),
    "toString": Implied("as text", ("[Symbol.toPrimitive]",), is_guess=True),
    "valueOf": Implied("as a number", ("[Symbol.toPrimitive]", "toString"), is_guess=True),
    "toJSON": Implied("by `JSON.stringify`", is_guess=True),
}
"""By the name of a method; `by` is the reason of an edge."""
