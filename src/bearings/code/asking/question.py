"""A question about a project: its arguments, its answer in the worker process, its reply in the caller's process.

One file of `bearings.code.questions` holds one question:

    class AskImpact(ElementQuestion[Impact, ImpactReply], frozen=True, kw_only=True):
        # its docstring is the tool's description
        title = "What a change reaches"
        place = 60
        answer = Impact
        operation: Annotated[Operation, Meta(description="modify: what it does; …")] = "modify"
        shown: int = 20  # no description, so it is not an argument

        def compute(self, reading): ...  # runs in the worker process
        async def reply(self, asking): ...  # runs in the caller's process

The fields with a description are the tool's arguments and the command's options, with their bounds; the whole class is
the message to the worker. Both processes import it, so its file imports neither pydantic nor the graph at its top.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Meta

from bearings.budget import REPLY_BUDGET
from bearings.errors import Unsupported
from bearings.reply import Reply

if TYPE_CHECKING:
    from bearings.code.analyses.sites import Sites
    from bearings.code.asking.opening import Asking
    from bearings.code.index.snapshot import Snapshot
    from bearings.code.project.source_lines import Lines

A_co = TypeVar("A_co", covariant=True)
R_co = TypeVar("R_co", bound=Reply, covariant=True)


class Question(msgspec.Struct, Generic[A_co], frozen=True, kw_only=True, tag=True):
    """A question about a project. `answer` is the type of its answer."""

    answer: ClassVar[type[Any]]

    def compute(self, reading: "Reading") -> A_co:  # noqa: ARG002 - its subclasses use it
        """The answer, in the worker process. Raises Unsupported if the engine has another way to answer, or none."""
        raise Unsupported(f"the native engine does not answer {type(self).__name__}", "Use another tool.")


class ToolQuestion(Question[A_co], Generic[A_co, R_co], frozen=True, kw_only=True):
    """A question that is a tool: `coderef_` and the name of its module.

    `title` is for people, `place` orders the tools. `toolsets` are the sets with the tool, beside `all`. `writes`: it
    may change files. `always_loaded`: a client that loads definitions on demand should keep this one loaded.
    """

    title: ClassVar[str]
    place: ClassVar[int]
    toolsets: ClassVar[frozenset[str]] = frozenset()
    writes: ClassVar[bool] = False
    always_loaded: ClassVar[bool] = False

    @classmethod
    def tool_name(cls) -> str:
        """The tool's name."""
        return f"coderef_{cls.__module__.rpartition('.')[2]}"

    @abstractmethod
    async def reply(self, asking: "Asking") -> R_co:
        """The reply within its budget. Raises the engine's errors."""


class ElementQuestion(ToolQuestion[A_co, R_co], Generic[A_co, R_co], frozen=True, kw_only=True):
    """A question about one element. The tool takes up to ten, whose replies share a `budget`."""

    element: str
    budget: int = REPLY_BUDGET


class Reading:
    """The project that a worker process has read; `lines` are its files in the same state.

    `with_sources` gives the snapshot as it would be with other contents of some files, and the files that would be
    resolved again.
    """

    def __init__(
        self,
        snapshot: "Snapshot",
        max_file_bytes: int,
        lines: "Lines",
        sites: Callable[[], "Sites"],
        with_sources: "Callable[[Mapping[str, bytes]], tuple[Snapshot, set[str]]]",
    ) -> None:
        self.snapshot = snapshot
        self.max_file_bytes = max_file_bytes
        self.lines = lines
        self.sites = sites
        self.with_sources = with_sources


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Part of a list of `total` items, starting at `offset`; `of` is the list's fingerprint, for cursors."""

    total: int
    offset: int
    of: str


Limit = Annotated[int, Meta(ge=1, le=5000, description="Results per page.")]
Cursor = Annotated[Annotated[str, Meta(max_length=200)] | None, Meta(description="next_cursor of the last reply.")]
Depth = Annotated[int, Meta(ge=1, le=10, description="Steps to follow.")]
Budget = Annotated[int, Meta(ge=1500, le=100_000, description="Characters that the reply may take.")]
