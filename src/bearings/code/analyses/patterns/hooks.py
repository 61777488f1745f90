"""React's hooks: where they are used, by name, and the project's own."""

import re
from collections.abc import Iterator

from bearings.code.analyses.patterns.sight import Found, calls, files, owner
from bearings.code.models import Language, SymbolKind
from bearings.code.refresh import Snapshot

_HOOK = re.compile(r"(?:React\.)?(use[A-Z]\w*|use)$")


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each hook that is declared, and each use of one inside a component or another hook."""
    for path, facts in files(snapshot):
        if facts.language in (Language.PYTHON, Language.GO):
            continue
        for symbol in facts.symbols[1:]:
            if symbol.kind is SymbolKind.HOOK:
                yield Found("own hooks", path, symbol.line, symbol.id, symbol.signature[:100])
        for site in calls(facts):
            match = _HOOK.fullmatch(site.callee)
            around = facts.symbols[facts.scopes[site.scope].symbol]
            if match and match[1] != "use" and around.kind in (SymbolKind.COMPONENT, SymbolKind.HOOK):
                yield Found(match[1], path, site.line, owner(facts, site), f"calls {site.callee}")
