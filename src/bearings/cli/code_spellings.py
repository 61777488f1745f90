"""The spellings of the commands about code."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from bearings.cli.spelling import Spelling

_DEPTH = {"max_depth": ("--depth",)}


_MOST_ROWS = 5_000
"""The changed elements of a page for a browser, which says how many were left out."""


def _opened(given: Mapping[str, Any]) -> Mapping[str, str]:
    """A page draws boxes and arrows: around the element, else of the project's folders."""
    return {"format": "json"} if given.get("element") else {"format": "json", "inside": "."}


def _bounded(_: Mapping[str, Any]) -> Mapping[str, str]:
    """A page holds what a browser reads quickly. An impact has a bound of its own."""
    return {"limit": str(_MOST_ROWS)}


def _with_type(words: Sequence[str]) -> list[str]:
    """The words with a type of query as an option: `calls-me login`, `login callers`."""
    from bearings.code.tools.argument_names import OTHER_WORDS

    known = {"calls", "calls-me", "imports", "imports-me", "depends-on", "depends-on-me", *OTHER_WORDS["query_type"]}
    count = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    if count > 1 and not any(word.startswith(("-t", "--type", "--query-type")) for word in words[count:]):
        for at in (0, count - 1):
            if words[at] in known:
                return [*words[:at], *words[at + 1 :], "--type", words[at]]
    return [*words]


def _short(
    tool: str,
    summary: str,
    sites: Literal["all", "testing"],
    preset: Mapping[str, Any],
    options: tuple[str, ...] = ("max_depth", "at"),
) -> Spelling:
    """A question in one word, answered in grep's format: `path:line:source`."""
    inside = " `query` also names the element around each line." if tool == "coderef_query" else ""
    about = f"Prints path:line:source, as grep does; notes go to stderr. Status 1 if there is none.{inside}"
    return Spelling(
        tool=tool,
        summary=summary,
        help=f"{summary}\n\n{about}",
        examples=("AuthService.login", "src/auth.ts#login formatPrice --project ~/app"),
        positional=("element",),
        aliases=_DEPTH,
        sites=sites,
        always_sites=True,
        preset=preset,
        options=options,
    )


_SPELLINGS = {
    "callers": _short("coderef_query", "Who calls elements.", "all", {"query_type": "calls-me", "max_depth": 1}),
    "users": _short(
        "coderef_query", "Who uses elements in any way.", "all", {"query_type": "depends-on-me", "max_depth": 1}
    ),
    "impls": _short(
        "coderef_query",
        "What extends or implements types.",
        "all",
        {"query_type": "depends-on-me", "max_depth": 10, "kinds": ["extends", "implements"]},
    ),
    "tests": _short("coderef_impact", "The tests that reach elements.", "testing", {"max_depth": 10}),
    "reach": _short(
        "coderef_impact", "What a change to elements reaches.", "all", {}, ("max_depth", "operation", "at")
    ),
    "explore": Spelling(
        summary="Ask anything: words, path:line, a traceback, a URL, a commit.",
        examples=("'where are failed payments retried'", "src/auth.ts:24", "'GET /users/42'", "- < failed.log"),
        positional=("question",),
        stdin="question",
    ),
    "unused": Spelling(
        summary="Elements that nothing is known to use.",
        examples=("", "~/app --path 'src/**' --kinds function,class", "--jsonl"),
        project="word",
        rows="elements",
    ),
    "scan": Spelling(
        summary="List a project's elements.",
        examples=("", "src --lang ts,tsx --types class,function --json"),
        aliases={"languages": ("--lang", "-l"), "use_ast": ("--ast",)},
        project="word",
        rows="elements",
        sites="all",
    ),
    "query": Spelling(
        summary="Who calls, imports or uses what.",
        examples=(
            "AuthService.login --type calls-me",
            "formatPrice --type path --source src/index.ts --depth 5",
            "parseTime formatPrice --type calls-me --lines",
        ),
        mend=_with_type,
        positional=("element",),
        sites="all",
        aliases={"query_type": ("--type", "-t"), **_DEPTH},
        rows="results",
    ),
    "symbol": Spelling(
        summary="All about one element.",
        examples=("AuthService.login", "src/auth.ts#login --project ~/app"),
        positional=("element",),
        sites="all",
    ),
    "impact": Spelling(
        summary="What a change to an element reaches, and its risk.",
        examples=("AuthService.login", "formatPrice --operation delete --depth 5"),
        positional=("element",),
        aliases={"operation": ("--op",), **_DEPTH},
        rows="affected",
        sites="all",
    ),
    "complexity": Spelling(
        summary="How complex a function, class, file or folder is.",
        examples=("AuthService.login", "src/auth.ts", "src"),
        positional=("element",),
    ),
    "changes": Spelling(
        summary="What changed since a commit, and which tests to run.",
        examples=("", "main --depth 5", "v1.2..v1.3", "main...feature --format markdown"),
        positional=("base",),
        document="document",
        aliases=_DEPTH,
        rows="changed",
        sites="all",
        paged=_bounded,
    ),
    "context": Spelling(
        summary="What to read first of a project.",
        examples=("", "~/app --lang ts,tsx --output-format markdown"),
        aliases={"languages": ("--lang",)},
        project="word",
        whole={"budget": 100_000},
    ),
    "map": Spelling(
        summary="A skeleton of the most central files and elements.",
        examples=("", "AuthService.login --budget 4000"),
        positional=("element",),
    ),
    "patterns": Spelling(
        summary="Patterns in the code; functions that no test reaches.",
        examples=("", "~/app --type error-handling"),
        aliases={"pattern_type": ("--type",)},
        project="word",
        rows="patterns",
    ),
    "coverage": Spelling(
        summary="How much the tests run, by report or by graph.",
        examples=("", "~/app --format detailed"),
        aliases={"format": ("-f",)},
        project="word",
        rows="by_file",
        row_by={"format": "detailed"},
    ),
    "validate": Spelling(
        summary="Whether references point to something.",
        examples=("", "docs --pattern '*.md' --json"),
        aliases={"pattern": ("-p",)},
        project="word",
        rows="invalid",
    ),
    "drift": Spelling(
        summary="What changed since an index was made.",
        examples=("", "~/app --index .coderef/index.json"),
        aliases={"index_path": ("--index", "-i")},
        project="word",
        rows="references",
    ),
    "tag": Spelling(
        summary="A CodeRef above each declaration; shows the difference first.",
        examples=("src", "src --no-dry-run --exclude '*.d.ts'", "src --remove --no-dry-run"),
        positional=("path",),
        project="none",
        absolute=("path", "project_path"),
        aliases={"project_path": ("--project",)},
        rows="files",
    ),
    "rename": Spelling(
        summary="A new name for an element, wherever it is used; shows the difference first.",
        examples=("formatPrice showPrice", "AuthService.login signIn --no-dry-run"),
        positional=("element", "new_name"),
        rows="refused",
    ),
    "signature": Spelling(
        summary="Other parameters for a function, with what its callers pass; shows the difference first.",
        examples=('Cart.add "item, *, count=1, note" --values note=None --renamed n=count',),
        positional=("element", "parameters"),
        rows="refused",
    ),
    "move": Spelling(
        summary="Elements in another file, or files in another folder; shows the difference first.",
        examples=("formatPrice src/prices.ts", "src/auth.ts src/users/auth.ts --no-dry-run"),
        positional=("element", "target"),
        rows="refused",
    ),
    "remove": Spelling(
        summary="Take out an element that nothing uses; shows the difference first.",
        examples=("formatPrice", "src/auth.ts#login --no-dry-run"),
        positional=("element",),
        rows="refused",
    ),
    "replace": Spelling(
        summary="Another source or body of an element, or a text before or after it; shows the difference first.",
        examples=(
            "formatPrice --text 'return 1;' --where body",
            "src/auth.ts#login --text '…' --where after --no-dry-run",
        ),
        positional=("element",),
        rows="refused",
    ),
    "diagram": Spelling(
        summary="A Mermaid or Graphviz picture of the graph.",
        examples=("", "AuthService.login --type calls --depth 1", "--format dot"),
        positional=("element",),
        aliases={"diagram_type": ("--type", "-t"), "format": ("-f",)},
        paged=_opened,
    ),
    "export": Spelling(
        summary="The code graph, to a file or inline.",
        examples=("--output-path graph.json", "--format index --output .coderef-index.json"),
        aliases={"format": ("-f",), "output_path": ("--output", "-o"), "project_path": ("--source", "-s")},
        document="content",
    ),
}

SPELLINGS = {
    name: spelling if spelling.tool else replace(spelling, tool=f"coderef_{name}")
    for name, spelling in _SPELLINGS.items()
}
