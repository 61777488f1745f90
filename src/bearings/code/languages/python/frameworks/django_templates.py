"""Says how templates of Django name elements.

`{% url 'shop:cart' %}` names a route, `{% total %}` and `{{ name|short }}` name functions of a library that is loaded.
"""

import re
from posixpath import basename

from bearings.code.languages.line_conventions import InPages

_ROUTE = re.compile(r"""(?:path|re_path|url)\(.*\bname\s*=\s*["']([\w.-]+)["']""")
_APPLICATION = re.compile(r"""^app_name\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)
_LIBRARY = re.compile(
    r"""^[ \t]*@\w+\.(simple_tag|simple_block_tag|inclusion_tag|tag|filter)\b"""
    r"""(?:\((?:\s*["'](?P<first>\w+)["']|[^\n]*?\bname\s*=\s*["'](?P<named>\w+)["'])?[^\n]*)?"""
    r"""\s*(?:@[^\n]*(?:\n\s*|\Z))*\Z""",
    re.MULTILINE,
)
_TAG, _FILTER = r"\{%-?\s*", r"\{[{%][^{}]*\|\s*"


def in_pages(path: str, text: str, signature: str) -> InPages | None:
    """See LanguageSpec. A name of a URL is sought with the namespace of its file's application."""
    if route := _ROUTE.match(signature):
        application = _APPLICATION.search(text)
        space = rf"(?:[\w.-]+:)*{re.escape(application[1])}:" if application else ""
        return InPages(route[1], rf"""(?:\{{%-?\s*url\s+|\burl\(\s*)["']{space}{re.escape(route[1])}["']""", "")
    registered = _LIBRARY.search(text)
    if registered is None:
        return None
    kind, own = registered[1], re.match(r"(?:async )?def (\w+)", signature)
    first = registered["first"] if kind in ("tag", "filter") else None
    name = first or registered["named"] or (own[1] if own is not None else "")
    module = re.escape(basename(path).removesuffix(".py"))
    start = _FILTER if kind == "filter" else _TAG
    return InPages(name, rf"{start}{name}\b", rf"\{{%-?\s*load\s[^%]*\b{module}\b") if name else None
