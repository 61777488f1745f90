"""The engine that asks an external `coderef`: what it can answer, in its own words."""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import anyio
import anyio.to_thread

from bearings.code.engine.bridge.analyses import ANALYSES, answer_of, asked, drawn, picture_of
from bearings.code.engine.bridge.command import Finished, Run
from bearings.code.engine.bridge.finding import Program, environment_for
from bearings.code.engine.bridge.output import json_in
from bearings.code.engine.bridge.reading import facts_of, hops_of, rows_of
from bearings.code.engine.protocol import Answer, CodeEngine, IndexState
from bearings.code.engine.questions.base import A_co, Question
from bearings.code.engine.questions.diagram import Diagram
from bearings.code.engine.questions.graph import Query, QueryPage, Scan
from bearings.code.engine.scan import Scanner
from bearings.code.engine.use_filter import chosen
from bearings.code.engine.wire import Failed, raised
from bearings.code.languages import SPECS
from bearings.code.models import SymbolKind
from bearings.errors import BadOutput, CliFailed, Internal, InvalidInput, Unsupported
from bearings.paging import decode, fingerprint
from bearings.programs import belongs_to
from bearings.progress import Progress
from bearings.untrusted import named

KNOWN = (Scan, Query)
"""What any `coderef` answers in a form that is known."""

ANSWERED = (*KNOWN, Diagram, *ANALYSES)
"""What it may answer, as far as its words can be understood. What writes files, and what is ours alone, is left out."""

_MAX_PAGES = 500


class CliEngine:
    """Runs the command that `find` gives for a project, once for each question. See CodeEngine.

    It is found when first asked, and again for a project that it lies in: a project's own programs are not run.
    """

    def __init__(
        self, find: Callable[[Path], Program], *, timeout_s: float, environment: Mapping[str, str] = os.environ
    ) -> None:
        self._find = find
        self._timeout_s = timeout_s
        self._environment = environment
        self._program: Program | None = None
        self._leashes: set[_Leash] = set()

    @property
    def name(self) -> str:
        """What replies call it: `cli`, and the version of the command once that is known."""
        return f"cli {self._program.version}" if self._program else "cli"

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:  # noqa: ARG002 - nothing is known of its progress
        """The command's answer. Raises CliNotFound, CliFailed, BadOutput, DeadlineExceeded, Unsupported."""
        if not isinstance(question, ANSWERED):
            raise Unsupported(
                f"an external coderef can't answer {type(question).__name__}",
                "CODEREF_ENGINE=native, or auto, answers it with our own engine.",
            )
        started, fresh_at = time.perf_counter(), time.time()
        leash = _Leash()
        self._leashes.add(leash)

        def answered() -> tuple[object, int, int, str]:
            leash.program = self._program_for(root)
            return self._answered(root, question, leash)

        try:
            value, files, elements, revision = await anyio.to_thread.run_sync(answered, abandon_on_cancel=True)
        finally:
            self._leashes.discard(leash)
            leash.let_go()
        took = round((time.perf_counter() - started) * 1000, 1)
        state = IndexState(
            files=files, elements=elements, revision=revision, fresh_at=fresh_at, took_ms=took, engine=self.name
        )
        return Answer(cast("A_co", value), state)

    def _program_for(self, root: Path) -> Program:
        program = self._program
        if program is None or any(belongs_to(word, root) for word in program.arguments if Path(word).is_absolute()):
            program = self._program = self._find(root)
        return program

    async def aclose(self) -> None:
        """Ends whatever runs."""
        for leash in list(self._leashes):
            leash.let_go()

    def _answered(self, root: Path, question: Question[Any], leash: "_Leash") -> tuple[object, int, int, str]:
        """The answer, how many files and elements it was drawn from, its revision."""
        if isinstance(question, Scan):
            return self._scanned(root, question, leash)
        if isinstance(question, Query):
            return self._queried(root, question, leash)
        if isinstance(question, Diagram):
            words = drawn(question)
            stdout = self._finished(words, root, self._timeout_s, leash).stdout
            return picture_of(question, stdout), 0, 0, fingerprint(["diagram", stdout.hex()])
        ask = asked(question)
        found = answer_of(question, self._documents([*ask.words, "--format", "json"], root, leash))
        return found, 0, 0, fingerprint([ask.words, repr(found)])

    def _scanned(self, root: Path, question: Scan, leash: "_Leash") -> tuple[object, int, int, str]:
        words = ["scan", str(root)]
        if question.languages:
            words += ["--lang", ",".join(SPECS[language].extensions[0][1:] for language in question.languages)]
        words += ["--json", *([] if question.lexical else ["--ast"])]
        rows = self._rows(words, root, "elements", leash)
        facts = facts_of(rows, str(root))
        revision = fingerprint([(file, found.symbols) for file, found in facts.items()])
        page = Scanner().page(facts, (), revision, question)
        return page, len(facts), sum(_is_element(symbol.kind) for f in facts.values() for symbol in f.symbols), revision

    def _queried(self, root: Path, question: Query, leash: "_Leash") -> tuple[object, int, int, str]:
        if (question.source is None) is (question.query_type == "path"):
            problem = "is required for path" if question.source is None else "is for path alone"
            raise InvalidInput("source", question.source, problem, "Pass source with query_type path only.")
        words = ["query", question.target, "--type", question.query_type, "--depth", str(question.max_depth)]
        words += ["--source", question.source] if question.source else []
        document: list[Any] = []
        rows = self._rows([*words, "--format", "json"], root, "results", leash, document)
        hops = hops_of(rows, question.query_type, question.target, str(root))
        said = document[0] if isinstance(document[0], dict) else {}
        revision = fingerprint(["query", *hops])
        which = chosen(question)
        hops = [hop for hop in hops if hop.edge.kind in which.kinds and which.is_listed(hop.edge.file)]
        of = fingerprint(
            (
                "query", question.query_type, question.target, question.source, question.max_depth,
                sorted(which.kinds), question.path, revision,
            )
        )  # fmt: skip
        offset = decode(question.cursor, of)
        unresolved = said.get("unresolved") if isinstance(said.get("unresolved"), dict) else {}
        kinds = ("external", "builtin", "ambiguous", "unresolved")
        page = QueryPage(
            total=len(hops),
            found=len(hops),
            offset=offset,
            of=of,
            target=_word(said.get("target")) or question.target,
            source=_word(said.get("source")) or question.source or "",
            hops=tuple(hops[offset : offset + question.limit]),
            outside={kind: n for kind in kinds if isinstance(n := (unresolved or {}).get(kind), int) and n},
            kinds=tuple(sorted(which.kinds)) if question.kinds else (),
            heuristic=0,
            note="; ".join(filter(None, (which.note, named(_word(said.get("note"))))))
            or ("" if hops else "The external coderef found nothing, and does not say why."),
        )
        return page, len({hop.edge.file for hop in hops}), 0, revision

    def _rows(
        self, words: Sequence[str], root: Path, key: str, leash: "_Leash", documents: list[Any] | None = None
    ) -> list[Mapping[str, Any]]:
        """All rows of a list, page after page where the command has pages."""
        found = self._documents(words, root, leash)
        if documents is not None:
            documents += found
        return [row for document in found for row in rows_of(document, key, words[0])]

    def _documents(self, words: Sequence[str], root: Path, leash: "_Leash") -> list[Any]:
        """What a command prints, page after page where it has pages."""
        deadline = time.monotonic() + self._timeout_s
        found: list[Any] = []
        cursor: list[str] = []
        for _ in range(_MAX_PAGES):
            finished = self._finished([*words, *cursor], root, max(0.0, deadline - time.monotonic()), leash)
            found.append(json_in(finished.stdout, words[0]))
            following = found[-1].get("next_cursor") if isinstance(found[-1], dict) else None
            if not isinstance(following, str):
                return found
            cursor = ["--cursor", following]
        raise BadOutput(f"coderef {words[0]} has more than {_MAX_PAGES} pages", "Pass a smaller project.")

    def _finished(self, words: Sequence[str], root: Path, timeout_s: float, leash: "_Leash") -> Finished:
        """One run. Raises the error that it printed, if it is one of ours."""
        assert leash.program is not None
        environment = environment_for(self._environment, root)
        run = leash.start([*leash.program.arguments, *words], root, environment)
        finished = run.wait(timeout_s, words[0])
        if finished.status:
            _raise_what_it_says(finished.stdout)
            finished.check(words[0])
        return finished


class _Leash:
    """The program that works for one question; when that is given up, it ends, and none is started after it."""

    program: Program | None = None

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._run: Run | None = None
        self._let_go = False

    def start(self, arguments: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> Run:
        """Starts the next one."""
        with self._lock:
            if self._let_go:
                raise Internal("the question was given up", "Ask again.")
            self._run = Run(arguments, cwd, environment)
            return self._run

    def let_go(self) -> None:
        """Ends it."""
        with self._lock:
            self._let_go = True
            run = self._run
        if run is not None:
            run.kill()


class AutoEngine:
    """An external `coderef` for what it can answer, our own engine for the rest."""

    def __init__(self, cli: CodeEngine, native: CodeEngine) -> None:
        self._cli = cli
        self._native = native

    @property
    def name(self) -> str:
        """Both names; an answer says which gave it."""
        return f"{self._cli.name}, {self._native.name}"

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:
        """See CodeEngine."""
        if isinstance(question, ANSWERED):
            try:
                return cast("Answer[A_co]", await self._cli.ask(root, cast("Question[Any]", question), progress))
            except (BadOutput, CliFailed):
                if isinstance(question, KNOWN):
                    raise
        return await self._native.ask(root, question, progress)

    async def aclose(self) -> None:
        """Ends both."""
        try:
            await self._cli.aclose()
        finally:
            await self._native.aclose()


def _raise_what_it_says(stdout: bytes) -> None:
    """Raises the error that a `coderef` with our manners printed as JSON; nothing, if it printed none."""
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


def _is_element(kind: SymbolKind) -> bool:
    return kind is not SymbolKind.MODULE


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
