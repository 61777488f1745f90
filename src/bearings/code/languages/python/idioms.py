"""Code patterns of Python that analyses detect."""

import re
from functools import partial

from bearings.code.languages.line_conventions import Idioms
from bearings.code.languages.shared.errors import exceptions

IDIOMS = Idioms(
    sends=re.compile(r"(?:^|\.)\w*(?:signal|_sent|_started|_finished|_changed|_saved|_deleted)\.send(?:_async)?$"),
    named_lookup=re.compile(r"\b(?:getattr|hasattr|globals|locals|vars|attrgetter|methodcaller)\(|\.__dict__\b"),
    context_ends=(frozenset({"__enter__", "__exit__"}), frozenset({"__aenter__", "__aexit__"})),
    context_makers=frozenset({"contextmanager", "asynccontextmanager"}),
    error=partial(exceptions, anything="any error", broad=frozenset({"", "Exception", "BaseException"})),
)
