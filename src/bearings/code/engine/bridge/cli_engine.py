"""The engine that runs an external `coderef` for the questions that it can answer."""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import anyio
import anyio.to_thread
from msgspec.structs import replace

from bearings.code.engine.bridge.analyses import ANALYSES, answer_of, command_of, diagram_command, diagram_in
from bearings.code.engine.bridge.command import Finished, Run
from bearings.code.engine.bridge.finding import Program, environment_for
from bearings.code.engine.bridge.reading import facts_of, hop_of, json_in, rows_of
from bearings.code.engine.protocol import CodeEngine
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS
from bearings.code.project.source_lines import Lines
from bearings.code.project.working_tree import WorkingTree
from bearings.code.question import A_co, Answer, Question
from bearings.code.questions.diagram import Diagram
from bearings.code.questions.impact import AskImpact, ImpactReply
from bearings.code.questions.query import MAX_NOTE, Query, QueryReply, Relation
from bearings.code.questions.query.use_filter import use_filter_of
from bearings.code.questions.scan import Scan
from bearings.code.questions.scan.compute import page_of_elements
from bearings.code.replies.element import IndexInfo, path_line
from bearings.code.replies.lines import Page
from bearings.code.replies.pages import page_of
from bearings.code.replies.tidying import all_tidied, joined, outdated_line, unresolved_of
from bearings.code.search.language_names import languages_named
from bearings.code.search.view import quote
from bearings.errors import Ambiguous, BadOutput, CliFailed, Internal, InvalidInput, Unsupported
from bearings.messages import Failed, raised
from bearings.paging import decode, fingerprint
from bearings.programs import belongs_to
from bearings.progress import Progress
from bearings.untrusted import clean_line, named

KNOWN = (Scan, Query)
"""Questions that every `coderef` answers in a known format."""

ANSWERED = (*KNOWN, Diagram, *ANALYSES)
"""Questions that some commands answer in a known format, KNOWN included; the others go to the native engine."""

_MAX_PAGES = 500
_MAX_FILE_BYTES = 4_000_000
"""The largest file whose lines are shown."""


class CliEngine:
    """Runs the command that `find` returns for a project, once for each question. See CodeEngine.

    The command is searched on first use. A project's own programs are never run: if the command found is inside the
    project, another one is searched.
    """

    def __init__(
        self, find: Callable[[Path], Program], *, timeout_s: float, environment: Mapping[str, str] = os.environ
    ) -> None:
        self._find = find
        self._timeout_s = timeout_s
        self._environment = environment
        self._program: Program | None = None
        self._open: set[_Runs] = set()

    @property
    def name(self) -> str:
        """The engine's name in replies: `cli`, and the version of the command once it is known."""
        return f"cli {self._program.version}" if self._program else "cli"

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:  # noqa: ARG002 - the command reports no progress
        """The command's answer. Raises CliNotFound, CliFailed, BadOutput, DeadlineExceeded, Unsupported."""
        if not isinstance(question, ANSWERED) or question.at is not None:
            about = type(question).__name__ if question.at is None else "questions about commits (at)"
            raise Unsupported(
                f"an external coderef can't answer {about}",
                "Set CODEREF_ENGINE=native or auto: the native engine answers it.",
            )
        started, fresh_at = time.perf_counter(), time.time()
        runs = _Runs()
        self._open.add(runs)

        def run_commands() -> tuple[object, int, int, str]:
            runs.program = self._program_for(root)
            return self._answer(root, question, runs)

        try:
            value, files, elements, revision = await anyio.to_thread.run_sync(run_commands, abandon_on_cancel=True)
        finally:
            self._open.discard(runs)
            runs.cancel()
        took = round((time.perf_counter() - started) * 1000, 1)
        moment = IndexInfo.moment(fresh_at)
        state = IndexInfo(
            files=files, elements=elements, revision=revision, fresh_at=moment, took_ms=took, engine=self.name
        )
        return Answer(cast("A_co", value), state)

    def _program_for(self, root: Path) -> Program:
        program = self._program
        if program is None or any(belongs_to(word, root) for word in program.arguments if Path(word).is_absolute()):
            program = self._program = self._find(root)
        return program

    async def aclose(self) -> None:
        """Kills all running commands."""
        for runs in list(self._open):
            runs.cancel()

    def _answer(self, root: Path, question: Question[Any], runs: "_Runs") -> tuple[object, int, int, str]:
        """The answer, the number of its files and elements, and its revision."""
        if isinstance(question, Scan):
            return self._scan(root, question, runs)
        if isinstance(question, Query):
            return self._query(root, question, runs)
        if isinstance(question, Diagram):
            words = diagram_command(question)
            stdout = self._run_once(words, root, self._timeout_s, runs).stdout
            return diagram_in(question, stdout), 0, 0, fingerprint(["diagram", stdout.hex()])
        ask = command_of(question)
        answer = answer_of(question, self._documents([*ask.words, "--format", "json"], root, runs))
        revision = fingerprint([ask.words, repr(answer)])
        if isinstance(answer, ImpactReply) and isinstance(question, AskImpact):
            identity = (answer.element, question.operation, question.max_depth, revision)
            page = page_of(identity, len(answer.affected), question.cursor)
            shown = answer.affected[page.offset : page.offset + question.most]
            quote(Lines(WorkingTree(root), lambda _: b"", _MAX_FILE_BYTES), shown)
            answer = replace(answer, affected=all_tidied(shown), _page=page)
        return answer, 0, 0, revision

    def _scan(self, root: Path, question: Scan, runs: "_Runs") -> tuple[object, int, int, str]:
        words = ["scan", str(root)]
        if languages := languages_named(question.languages or ()):
            words += ["--lang", ",".join(SPECS[language].extensions[0][1:] for language in languages)]
        words += ["--json", *(["--ast"] if question.use_ast else [])]
        rows = _rows(self._documents(words, root, runs), "elements", words[0])
        facts = facts_of(rows, str(root))
        revision = fingerprint([(file, found.symbols) for file, found in facts.items()])
        snapshot = Snapshot.without_uses(WorkingTree(root), revision, facts)
        return page_of_elements(snapshot, (), question), len(facts), snapshot.elements, revision

    def _query(self, root: Path, question: Query, runs: "_Runs") -> tuple[object, int, int, str]:
        if (question.source is None) is (question.query_type == "path"):
            problem = "is required for path" if question.source is None else "is for path only"
            raise InvalidInput("source", question.source, problem, 'Pass source only with query_type "path".')
        words = ["query", question.element, "--type", question.query_type, "--depth", str(question.steps)]
        words += ["--source", question.source] if question.source else []
        documents = self._documents([*words, "--format", "json"], root, runs)
        rows = _rows(documents, "results", words[0])
        hops = [hop_of(row, question.query_type, question.element, str(root)) for row in rows]
        document_fields = documents[0] if isinstance(documents[0], dict) else {}
        revision = fingerprint(["query", *hops])
        use_filter = use_filter_of(question)
        hops = [hop for hop in hops if hop.edge.kind in use_filter.kinds and use_filter.is_listed(hop.edge.file)]
        identity = use_filter.identity(question, question.element, question.source or "", revision)
        offset = decode(question.cursor, identity)
        unresolved = document_fields.get("unresolved") if isinstance(document_fields.get("unresolved"), dict) else {}
        counts = unresolved or {}
        kinds = ("external", "builtin", "ambiguous", "unresolved")
        target, source = (_word(document_fields.get(end)) for end in ("target", "source"))
        target, source = target or question.element, source or question.source or ""
        page = Page(total=len(hops), offset=offset, identity=identity)
        results = [Relation.of(*hop) for hop in hops[offset : offset + question.most]]
        note = named(_word(document_fields.get("note")))
        note = note or ("" if hops else "The external coderef found nothing and gives no reason.")
        reply = replace(
            QueryReply.listing(question, target, page, results, use_filter.kinds),
            source=path_line(source) or None,
            unresolved=unresolved_of({kind: n for kind in kinds if isinstance(n := counts.get(kind), int) and n}),
            note=joined(
                clean_line(note, MAX_NOTE),
                outdated_line(question.element, target),
                outdated_line(question.source, source),
            ),
        )
        return reply, len({hop.edge.file for hop in hops}), 0, revision

    def _documents(self, words: Sequence[str], root: Path, runs: "_Runs") -> list[Any]:
        """The documents that a command prints, one for each page."""
        deadline = time.monotonic() + self._timeout_s
        documents: list[Any] = []
        cursor: list[str] = []
        for _ in range(_MAX_PAGES):
            finished = self._run_once([*words, *cursor], root, max(0.0, deadline - time.monotonic()), runs)
            documents.append(json_in(finished.stdout, words[0]))
            _raise_several(documents[-1], words[1])
            following = documents[-1].get("next_cursor") if isinstance(documents[-1], dict) else None
            if not isinstance(following, str):
                return documents
            cursor = ["--cursor", following]
        raise BadOutput(f"coderef {words[0]} has more than {_MAX_PAGES} pages", "Pass a smaller project.")

    def _run_once(self, words: Sequence[str], root: Path, timeout_s: float, runs: "_Runs") -> Finished:
        """One run of the command. Raises the error that it printed, if it has the format of bearings' errors."""
        assert runs.program is not None
        environment = environment_for(self._environment, root)
        run = runs.start([*runs.program.arguments, *words], root, environment)
        finished = run.wait(timeout_s, words[0])
        if finished.status:
            _raise_printed_error(finished.stdout)
            finished.check(words[0])
        return finished


class _Runs:
    """The runs for one question. `cancel` kills the current run and prevents further ones."""

    program: Program | None = None

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._run: Run | None = None
        self._cancelled = False

    def start(self, arguments: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> Run:
        """Starts the next run."""
        with self._lock:
            if self._cancelled:
                raise Internal("the question was cancelled", "Ask again.")
            self._run = Run(arguments, cwd, environment)
            return self._run

    def cancel(self) -> None:
        """Kills the current run and prevents further ones."""
        with self._lock:
            self._cancelled = True
            run = self._run
        if run is not None:
            run.kill()


class AutoEngine:
    """Uses an external `coderef` for the questions that it can answer, and the native engine for the rest."""

    def __init__(self, cli: CodeEngine, native: CodeEngine) -> None:
        self._cli = cli
        self._native = native

    @property
    def name(self) -> str:
        """Both names; an answer names its own engine."""
        return f"{self._cli.name}, {self._native.name}"

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:
        """See CodeEngine."""
        if isinstance(question, ANSWERED) and question.at is None:
            try:
                return cast("Answer[A_co]", await self._cli.ask(root, cast("Question[Any]", question), progress))
            except (BadOutput, CliFailed):
                if isinstance(question, KNOWN):
                    raise
        return await self._native.ask(root, question, progress)

    async def aclose(self) -> None:
        """Closes both engines."""
        try:
            await self._cli.aclose()
        finally:
            await self._native.aclose()


def _raise_printed_error(stdout: bytes) -> None:
    """Raises the error that the command printed as JSON in bearings' format; returns if it printed none."""
    try:
        body = json_in(stdout, "")
    except BadOutput:
        return
    if isinstance(body, dict) and body.get("success") is False and isinstance(body.get("code"), str):
        error, hint = str(body.get("error", "")), str(body.get("hint", ""))
        field = error.partition(" = ")[0] if " = " in error else ""
        listed = body.get("candidates")
        candidates = tuple(str(each) for each in listed) if isinstance(listed, list) else ()
        raise raised(Failed(body["code"], error, hint, field, candidates))


def _raise_several(document: Any, asked: str) -> None:
    """Raises Ambiguous if the command answers for each of several elements; the caller then asks for each."""
    answers = document.get("answers") if isinstance(document, dict) else None
    if isinstance(answers, list):
        targets = [_word(answer.get("target")) for answer in answers if isinstance(answer, dict)]
        raise Ambiguous(asked, [target for target in targets if target])


def _rows(documents: Sequence[Any], key: str, words: str) -> list[Mapping[str, Any]]:
    """The rows of a list, from all pages of a command."""
    return [row for document in documents for row in rows_of(document, key, words)]


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
