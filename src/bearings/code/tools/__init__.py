"""The code tools, made of the questions."""

from bearings.code.questions import question_of_tool, tool_questions
from bearings.code.service import CodeService
from bearings.code.tools.argument_names import habits_of
from bearings.code.tools.question_tool import tool_of
from bearings.reply import Reply
from bearings.resource import Resource
from bearings.tool import Tool


class CodeTools:
    """The tools of one service."""

    def __init__(self, service: CodeService) -> None:
        self._service = service

    def tools(self, only: str | None = None) -> tuple[Tool, ...]:
        """All tools, in their listed order, or the one named `only`."""
        questions = tool_questions() if only is None else [question_of_tool(only)]
        tools = [tool_of(question, self._service) for question in questions]
        return tuple(tool.forgiving(habits_of(self._service, tool.arguments.model_fields)) for tool in tools)


def resources() -> tuple[Resource, ...]:
    """A project's map: its most central files and elements."""
    return (
        Resource(
            template="bearings://code/map{?project_path,element}",
            name="project-map",
            title="Map of a project",
            description="The most central files, with the heads of their elements; project_path as in the tools.",
            content_type="text/plain",
            tool="coderef_map",
            arguments=dict,
            text=_text,
        ),
    )


def _text(reply: Reply) -> str:
    """The reply for a model, with sources between marks."""
    return reply.marked().to_text()
