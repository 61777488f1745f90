"""A project as a resource."""

from bearings.reply import Reply
from bearings.resource import Resource


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
