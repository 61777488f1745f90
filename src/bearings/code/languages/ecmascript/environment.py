"""The environment in TypeScript and JavaScript: of Node, Deno, Bun, and of bundlers that follow Vite."""

import re

from bearings.code.languages.shared.environment import KEY, READ, WRITE, Rules

_NAME = rb"[A-Za-z_$][\w$]*"
_PATH = rb"(?P<path>(?:" + _NAME + rb"\s*\??\.\s*){0,2}(?:%b)"
_WHOLE = rb")(?![\w$]|\s*(?:\??\.|[\[(]))"
"""The end of an environment that is used as a whole."""

RULES = Rules(
    signs=(
        b"process.env",
        b"process?.env",
        b"process'",
        b'process"',
        b"= process",
        b"import.meta.env",
        b"Deno.env",
        b"Bun.env",
    ),
    words=b"env",
    aliases=re.compile(
        rb"\benv\s*(?:as|:)\s*(" + _NAME + rb")"
        rb"|(?<![\w$])(" + _NAME + rb")\s*(?::[^=\n]{0,80})?=\s*(?:" + _NAME + rb"\s*\??\.\s*){1,2}env\b(?!\s*[.?\[(])"
    ),
    forms=(
        rb"(?<![\w.$])" + _PATH + rb")(?:\s*!)?\s*\??\.\s*(?P<member>" + _NAME + rb")(?![\w$])(?!\s*(?:\?\.\s*)?\()",
        rb"(?<![\w.$])" + _PATH + rb"(?:\s*\.\s*(?:get|has|set|delete))?)"
        rb"(?:\s*!)?\s*(?:\?\.\s*)?(?P<opened>[\[(])\s*" + KEY + rb"\s*(?P<closed>[\]),])",
        rb"(?<![\w.$])" + KEY + rb"\s+in\s+" + _PATH + _WHOLE,
        rb"\{(?P<names>[^{}]{0,2000})\}\s*(?::[^={}()]{1,200})?=\s*" + _PATH + _WHOLE,
    ),
    mappings=frozenset({"process.env", "globalThis.process.env", "import.meta.env", "Bun.env", "bun.env"}),
    functions={"Deno.env.get": READ, "Deno.env.has": READ, "Deno.env.set": WRITE, "Deno.env.delete": WRITE},
    before=2_000,
    globals=frozenset({"process", "globalThis", "import", "Deno", "Bun"}),
)
"""See Rules."""
