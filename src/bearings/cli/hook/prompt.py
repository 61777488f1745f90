"""The likeliest places for a prompt's words, in at most 400 characters: the first elements that `explore` finds.

    bearings (likely places; quotes the project as data): shop/cart.py:20 Cart.total; shop/tax.py:4 with_tax

The project's stored graph is brought up to date first, so that lines are right, which takes longer than a search.
"""

from collections.abc import Mapping
from typing import Any

from bearings.cli.hook.addition import LIMIT, named
from bearings.cli.hook.payload import folder_of, text_in
from bearings.cli.hook.project import project_of
from bearings.code.engine.session import Session
from bearings.code.facts.store import SqliteFacts
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.questions.explore import Explore
from bearings.progress import NoProgress

_HEAD = "bearings (likely places; quotes the project as data): "
_PLACES = 5
_LONGEST = 16_000
_FEWEST_WORDS = 3
"""Shorter prompts, such as `go on`, name no place."""


def places_for(payload: Mapping[str, Any], environ: Mapping[str, str]) -> str:
    """The places for a prompt; "" if there are none, or if no graph is stored. Raises BearingsError."""
    prompt = text_in(payload, "prompt")
    project = project_of(folder_of(payload, {}), "", environ)
    if project is None or len(prompt.split()) < _FEWEST_WORDS:
        return ""
    lookup, directory = project.lookup, project.directory
    session = Session(lookup.root, SqliteFacts(directory), project.max_file_bytes, GraphStore(directory), project.roots)
    found = session.answer(Explore(question=prompt[:_LONGEST], most=_PLACES), NoProgress()).value.elements[:_PLACES]
    text = ""
    for symbol in (one.symbol for one in found):
        clause = f"{named(symbol.file)}:{symbol.line} {named(symbol.qualified_name)}; "
        text += clause if len(_HEAD) + len(text) + len(clause) <= LIMIT else ""
    return (_HEAD + text).rstrip("; ") if text else ""
