"""Questions in words that another tool answers, and texts that are none."""

import pytest

from bearings.code.questions.explore.sentences import call_of


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("unused functions", "coderef_unused", {}),
        ("which functions are unused?", "coderef_unused", {}),
        ("Dead code", "coderef_unused", {}),
        ("untested functions", "coderef_patterns", {}),
        ("what functions have no tests", "coderef_patterns", {}),
        ("what are the entry points?", "coderef_context", {}),
        ("what changed", "coderef_changes", {}),
        ("the most complex functions", "coderef_complexity", {}),
        ("complexity of Cart.add()", "coderef_complexity", {"element": "Cart.add"}),
        ("routes", "coderef_scan", {"types": "endpoint"}),
        ("list all API endpoints", "coderef_scan", {"types": "endpoint"}),
        ("what breaks if I change `total`?", "coderef_impact", {"element": "total"}),
        ("impact of removing total", "coderef_impact", {"element": "total"}),
        ("call path from main() to total", "coderef_query",
         {"query_type": "path", "source": "main", "element": "total"}),
        ("rename total to sum_of", "coderef_rename", {"element": "total", "new_name": "sum_of"}),
    ],
)  # fmt: skip
def test_a_sentence_that_names_a_tool_is_its_call(question: str, tool: str, arguments: dict[str, str]):
    call = call_of(question)
    assert call is not None
    assert (call.tool, call.arguments) == (tool, arguments)


@pytest.mark.parametrize(
    "question",
    ["structure", "changes", "complex numbers", "where are orders cancelled", "unused", "who calls total", "a " * 200],
)
def test_other_words_are_searched(question: str):
    assert call_of(question) is None
