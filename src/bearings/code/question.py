"""A question about a project, its answer, its reply.

A folder of `bearings.code.questions` holds one question. Its `__init__` has the arguments, the answer and the reply:

    class AskImpact(ElementQuestion[ImpactReply, ImpactReply], frozen=True, kw_only=True):
        # its docstring is the tool's description
        title = "What a change reaches"
        place = 60
        answer = ImpactReply  # an answer that is a reply: `compute` fills it, `reply` cuts it to the budget
        operation: Annotated[Operation, Meta(description="modify: what it does; …")] = "modify"
        most: int = 20  # no description, so it is not an argument

        def prepared(self, project): ...  # before it is asked: limits that depend on the caller
        def reply(self, answer): ...  # after it is answered

and its module `compute` a function `compute(question, view)`, which runs in the worker process. The fields with a
description are the tool's arguments and the command's options, with their bounds; the whole class is the message to the
worker. Both processes import it, so it imports neither pydantic nor the graph; only the worker imports `compute`.
"""

from abc import abstractmethod
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from bearings.budget import REPLY_BUDGET, room, rows
from bearings.code.project.roots import ProjectRoots
from bearings.code.replies.element import IndexInfo
from bearings.reply import Reply
from bearings.view import View as Look

A_co = TypeVar("A_co", covariant=True)
R_co = TypeVar("R_co", bound=Reply, covariant=True)

ENGINE_NAME = "native"
"""The name of the native engine in replies."""

At = Annotated[str | None, Meta(description="Commit, branch or tag.")]
Limit = Annotated[int, Meta(ge=1, le=5000, description="Results per page.")]
Cursor = Annotated[Annotated[str, Meta(max_length=200)] | None, Meta(description="next_cursor of the last reply.")]
Depth = Annotated[int, Meta(ge=1, le=10, description="Steps to follow.")]
Budget = Annotated[int, Meta(ge=1500, le=100_000, description="Characters that the reply may take.")]


class Answer(msgspec.Struct, Generic[A_co], frozen=True):
    """An engine's answer."""

    value: A_co
    index: IndexInfo

    def after(self, seconds: float) -> "Answer[A_co]":
        """The same answer with another waiting time."""
        return Answer(self.value, replace(self.index, took_ms=round(seconds * 1000, 1)))

    def as_reply(self) -> A_co:
        """An answer that is a reply, with the index behind it: a copy, whose fields may be set."""
        return replace(self.value, index=self.index)  # type: ignore[type-var]


class Project(NamedTuple):
    """The project of a call: its path as the caller gave it, and the directories that may be opened."""

    given: str
    roots: ProjectRoots

    @property
    def root(self) -> Path:
        """The project's real path. Raises InvalidInput, PathNotAllowed."""
        return self.roots.open(self.given)


class Question(msgspec.Struct, Generic[A_co], frozen=True, kw_only=True, tag=True):
    """A question about a project, as of the commit `at` if there is one. `answer` is the type of its answer."""

    answer: ClassVar[type[Any]]
    on_demand: ClassVar[bool] = False
    """Whether it may be answered from the files that may hold the answer, before there is an index."""
    on_demand_bytes: ClassVar[int] = 0
    """The fewest bytes of sources from which it is: where an index is quick, the whole answer is better than a part."""
    on_demand_times: ClassVar[float] = 1
    """How many times longer than others it may take until an index is made for it instead."""
    commit_argument: ClassVar[str] = "at"
    """The argument that gives `at`, for errors."""

    at: At = None

    @property
    def may_be_part(self) -> bool:
        """Whether the answer may have some uses alone, and say so, where finding all would take too long."""
        return False

    @property
    def reads_lines_only(self) -> bool:
        """Whether files are read line by line, without grammar or graph: the snapshot has no uses."""
        return False

    @property
    def edits(self) -> bool:
        """Whether it writes files, so that it is not killed midway, and what an earlier one left is settled first."""
        return not getattr(self, "dry_run", True)


class ToolQuestion(Question[A_co], Generic[A_co, R_co], frozen=True, kw_only=True):
    """A question that is a tool: `coderef_` and the name of its module.

    `title` is for people, `place` orders the tools. `toolsets` are the sets with the tool, beside `all`. `writes`: it
    may change files. `of_commits`: it can be asked about a commit, so `at` is an argument. `always_loaded`: a client
    that loads definitions on demand should keep this one loaded.
    `default_project`: the project is found from the argument `path`; says what project_path is, which may be left out.
    `view`: how people may look at its replies; None: as text.
    """

    title: ClassVar[str]
    place: ClassVar[int]
    toolsets: ClassVar[frozenset[str]] = frozenset()
    writes: ClassVar[bool] = False
    of_commits: ClassVar[bool] = True
    always_loaded: ClassVar[bool] = False
    default_project: ClassVar[str] = ""
    view: ClassVar[Look | None] = None

    @classmethod
    def tool_name(cls) -> str:
        """The tool's name."""
        return f"coderef_{cls.__module__.rpartition('.')[2]}"

    def prepared(self, _: Project, /) -> Self:
        """The question as the engine gets it, with the limits that the caller has: `most` rows, `max_chars` of a diff.

        Raises InvalidInput, Unsupported, PathNotAllowed, WriteFailed.
        """
        fields, limits = self.__struct_fields__, dict[str, int]()
        if {"limit", "most"}.issubset(fields):
            limits["most"] = rows(getattr(self, "limit"))  # noqa: B009 - not every question has one
        if "max_chars" in fields:
            limits["max_chars"] = room(getattr(self, "max_chars"))  # noqa: B009
        return replace(self, **limits)

    @abstractmethod
    def reply(self, answer: Answer[A_co]) -> R_co:
        """The reply to the question as it was `prepared`, within its budget."""


class ElementQuestion(ToolQuestion[A_co, R_co], Generic[A_co, R_co], frozen=True, kw_only=True):
    """A question about one element. The tool takes up to ten, whose replies share a `budget`."""

    element: Annotated[str, Meta(description="As in coderef_symbol.")]
    budget: int = REPLY_BUDGET
