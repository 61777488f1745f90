"""The code tools: made of the questions, and the methods that are not questions yet. One module for each topic."""

from bearings.code.questions import tool_questions
from bearings.code.service import CodeService
from bearings.code.tools.argument_names import habits_of
from bearings.code.tools.coderefs import CoderefsTools
from bearings.code.tools.graph import GraphTools
from bearings.code.tools.question_tool import tool_of
from bearings.tool import Tool

_PLACES = {
    "coderef_scan": 30, "coderef_query": 40, "coderef_tag": 150,
}  # fmt: skip
"""The places of tools that are methods; a question declares its own."""


class CodeTools:
    """The tools of one service."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self) -> tuple[Tool, ...]:
        """All tools, in their listed order."""
        topics = (GraphTools, CoderefsTools)
        placed = [(_PLACES[tool.name], tool) for topic in topics for tool in topic(self._service).tools()]
        placed += [(question.place, tool_of(question, self._service)) for question in tool_questions()]
        tools = [tool for _, tool in sorted(placed, key=lambda row: row[0])]
        return tuple(tool.forgiving(habits_of(self._service, tool.arguments.model_fields)) for tool in tools)
