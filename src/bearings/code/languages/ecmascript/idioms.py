"""Code patterns of TypeScript and JavaScript that analyses detect."""

import re
from functools import partial

from bearings.code.languages.line_conventions import Idioms
from bearings.code.languages.shared.errors import exceptions

IDIOMS = Idioms(
    middleware=re.compile(r"(?:^|\.)(?:app|router|server|api|fastify)\.use$"),
    listens=re.compile(r".\.(?:addEventListener|addListener|prependListener)$"),
    sends=re.compile(r".\.(?:dispatchEvent|emit)$"),
    hook=re.compile(r"(?:React\.)?(use[A-Z]\w*|use)$"),
    error=partial(exceptions, anything="any error"),
    named_lookup=re.compile(r"[\w)\]]\[\s*[`\"']"),
    function_value=re.compile(rb"(?:[=(:,?&|!>\[]|\breturn|\bawait|\bnew|\byield)\s*(?:async\s+)?(?:function|class)\b"),
    augments=re.compile(rb"\bdeclare\s+(?:global\b|module\s*[\"'])"),
)
