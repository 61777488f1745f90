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
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Meta

from bearings.budget import REPLY_BUDGET
from bearings.errors import Unsupported
from bearings.reply import Reply
from bearings.view import View

if TYPE_CHECKING:
    from bearings.code.asking.opening import Asking
    from bearings.code.index.project_index import Index
    from bearings.code.index.snapshot import Snapshot
    from bearings.code.project.source_lines import Lines
    from bearings.progress import Progress

A_co = TypeVar("A_co", covariant=True)
At = Annotated[str | None, Meta(description="Commit, branch or tag to read.")]
K = TypeVar("K")
R_co = TypeVar("R_co", bound=Reply, covariant=True)


class Question(msgspec.Struct, Generic[A_co], frozen=True, kw_only=True, tag=True):
    """A question about a project, as of the commit `at` if there is one. `answer` is the type of its answer."""

    answer: ClassVar[type[Any]]
    commit_argument: ClassVar[str] = "at"
    """The argument that gives `at`, for errors."""

    at: At = None

    @property
    def reads_lines_only(self) -> bool:
        """Whether files are read line by line, without grammar or graph: the snapshot has no uses."""
        return False

    @property
    def edits(self) -> bool:
        """Whether it writes files, so that it is not killed midway, and what an earlier one left is settled first."""
        return False

    def compute(self, reading: "Reading") -> A_co:  # noqa: ARG002 - its subclasses use it
        """The answer, in the worker process. Raises Unsupported if the engine has another way to answer, or none."""
        raise Unsupported(f"the native engine does not answer {type(self).__name__}", "Use another tool.")


class ToolQuestion(Question[A_co], Generic[A_co, R_co], frozen=True, kw_only=True):
    """A question that is a tool: `coderef_` and the name of its module.

    `title` is for people, `place` orders the tools. `toolsets` are the sets with the tool, beside `all`. `writes`: it
    may change files. `of_commits`: it can be asked about a commit, so `at` is an argument. `always_loaded`: a client
    that loads definitions on demand should keep this one loaded.
    `default_project`: the project is found from other arguments; says what project_path is, which may be left out.
    `view`: how people may look at its replies; None: as text.
    """

    title: ClassVar[str]
    place: ClassVar[int]
    toolsets: ClassVar[frozenset[str]] = frozenset()
    writes: ClassVar[bool] = False
    of_commits: ClassVar[bool] = True
    always_loaded: ClassVar[bool] = False
    default_project: ClassVar[str] = ""
    view: ClassVar[View | None] = None

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


class Kept:
    """Objects that live as long as a session with a project, such as caches of questions; one of each type."""

    def __init__(self) -> None:
        self._made: dict[type[Any], Any] = {}

    def __call__(self, kind: type[K]) -> K:
        """The object of a type; made without arguments on first use."""
        if kind not in self._made:
            self._made[kind] = kind()
        made: K = self._made[kind]
        return made


@dataclass(frozen=True, slots=True)
class Reading:
    """The project that a worker process has read; `lines` are its files in the same state.

    `index` reads further: ignored files, hashes of contents, the snapshot with other contents of some files.
    """

    snapshot: "Snapshot"
    index: "Index"
    lines: "Lines"
    kept: Kept
    progress: "Progress"
    max_file_bytes: int


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Part of a list of `total` items, starting at `offset`; `of` is the list's fingerprint, for cursors."""

    total: int
    offset: int
    of: str


Limit = Annotated[int, Meta(ge=1, le=5000, description="Results per page.")]
Cursor = Annotated[Annotated[str, Meta(max_length=200)] | None, Meta(description="next_cursor of the last reply.")]
Depth = Annotated[int, Meta(ge=1, le=10, description="Steps to follow.")]
Budget = Annotated[int, Meta(ge=1500, le=100_000, description="Characters that the reply may take.")]
