"""Code patterns of Python that analyses detect."""

import re
from functools import partial

from bearings.code.languages.line_conventions import Idioms
from bearings.code.languages.shared.errors import exceptions

IDIOMS = Idioms(
    sends=re.compile(r"(?:^|\.)\w*(?:signal|_sent|_started|_finished|_changed|_saved|_deleted)\.send(?:_async)?$"),
    named_lookup=re.compile(
        r"\b(?:getattr|hasattr|globals|locals|vars|dir|getmembers|attrgetter|methodcaller)\(|\.__dict__\b"
    ),
    scans=re.compile(
        rb"(?P<module>\b(?:globals|vars)\(\)|\bsys\.modules\[__name__\]|\bgetmodule\()"
        rb"|(?P<members>\b(?:dir|getmembers)\((?:self|cls|type\(self\))\b|\bvars\((?:cls|type\(self\))"
        rb"|\b(?:cls|__class__|type\(self\))\.__dict__\b)"
    ),
    context_ends=(frozenset({"__enter__", "__exit__"}), frozenset({"__aenter__", "__aexit__"})),
    context_makers=frozenset({"contextmanager", "asynccontextmanager"}),
    error=partial(exceptions, anything="any error", broad=frozenset({"", "Exception", "BaseException"})),
)
