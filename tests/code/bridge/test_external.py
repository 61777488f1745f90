"""An external `coderef`: how it is found, its answers, and its failures."""

import os
import shutil
import sys
import threading
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from bearings.cli.wiring import code_wing
from bearings.code.engine.bridge.cli_engine import AutoEngine, CliEngine
from bearings.code.engine.bridge.command import Run
from bearings.code.engine.bridge.finding import Program, environment_for, find_program
from bearings.code.engine.bridge.reading import json_in
from bearings.code.facts.store import NoFacts
from bearings.code.models import Confidence, EdgeKind, Language, SymbolKind
from bearings.code.questions.complexity import AskComplexity
from bearings.code.questions.coverage import AskCoverage
from bearings.code.questions.diagram import Diagram
from bearings.code.questions.drift import CompareIndex
from bearings.code.questions.impact import AskImpact
from bearings.code.questions.patterns import AskPatterns
from bearings.code.questions.query import Query
from bearings.code.questions.scan import Scan
from bearings.code.questions.symbol import Describe
from bearings.code.questions.validate import Validate
from bearings.errors import (
    BadOutput,
    BearingsError,
    CliFailed,
    CliNotFound,
    DeadlineExceeded,
    ElementNotFound,
    InvalidInput,
    Unsupported,
)
from tests.code.in_process import InProcessEngine
from tests.code.trees import SHOP, write
from tests.soak import mostly_slow

PROJECT = Path("/nowhere")
"""An empty directory."""

STAND_IN = Path(__file__).with_name("stand_in.py")

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(os.name != "posix", reason="shebangs and process groups")]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def root(tmp_path) -> Path:
    return write(tmp_path.resolve() / "project", {"src/a.ts": ""})


def script(directory: Path, text: str | None = None) -> Path:
    """A `coderef` in `directory`: the stand-in, or a shell script."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "coderef"
    body = f'#!/bin/sh\nexec "{sys.executable}" "{STAND_IN}" "$@"\n' if text is None else f"#!/bin/sh\n{text}\n"
    path.write_text(body)
    path.chmod(0o755)
    return path


def engine_of(tmp_path: Path, fault: str, timeout_s: float = 30) -> CliEngine:
    path = script(tmp_path / "bin")
    environment = {**os.environ, "STAND_IN": fault, "CODEREF_CLI_PATH": "/nowhere"}
    return CliEngine(lambda _: Program((str(path),), "2.1.0"), timeout_s=timeout_s, environment=environment)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # a zombie that nobody has reaped is no more alive
        return b") Z" not in Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return True


async def written(path: Path) -> None:
    """Waits until the program has written its own and its child's process id."""
    while not is_written(path):
        await anyio.lowlevel.checkpoint()


async def gone(path: Path) -> None:
    """Waits until the program and its child have ended: the kernel needs a moment after the kill."""
    with anyio.fail_after(30):
        while any_alive(path):
            await anyio.lowlevel.checkpoint()


def any_alive(path: Path) -> bool:
    return any(alive(int(pid)) for pid in path.read_text().split())


def is_written(path: Path) -> bool:
    return path.exists() and len(path.read_text().split()) == 2


class TestFinding:
    def environment(self, *directories: Path, fault: str = "") -> dict[str, str]:
        return {"PATH": os.pathsep.join([*map(str, directories), "/usr/bin", "/bin"]), "STAND_IN": fault}

    def test_the_first_external_program_on_path_is_found(self, tmp_path):
        script(tmp_path / "ours", "echo 'coderef (bearings-mcp) 0.1.0'")
        other = script(tmp_path / "other")
        environment = self.environment(tmp_path / "none", tmp_path / "ours", tmp_path / "other")
        assert find_program(None, environment, PROJECT) == Program((str(other),), "2.1.0")

    @pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
    def test_the_script_of_coderef_cli_path_runs_under_node(self, tmp_path):
        cli = write(tmp_path, {"dist/cli.js": "console.log('3.0.1-beta.2')"}) / "dist/cli.js"
        found = find_program(tmp_path, dict(os.environ), PROJECT)
        assert (found.arguments[1], found.version) == (str(cli), "3.0.1-beta.2")
        assert Path(found.arguments[0]).name == "node"

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("echo 'coderef (bearings-mcp) 0.1.0'", "belongs to bearings"),
            ("echo hello", "no version in it"),
            ("echo 1.0; echo broken >&2; exit 3", "status 3: broken"),
            ("kill -9 $$", "does not print a version"),
        ],
    )
    def test_a_rejected_program_is_named_with_the_reason(self, tmp_path, text, words):
        script(tmp_path / "bin", text)
        with pytest.raises(CliNotFound, match=words) as caught:
            find_program(None, self.environment(tmp_path / "bin"), PROJECT)
        assert "CODEREF_CLI_PATH" in caught.value.hint

    def test_no_program_is_an_error(self, tmp_path):
        with pytest.raises(CliNotFound, match="none is on PATH"):
            find_program(None, {"PATH": str(tmp_path)}, PROJECT)
        with pytest.raises(CliNotFound, match=r"no dist/cli\.js"):
            find_program(tmp_path, dict(os.environ), PROJECT)
        write(tmp_path, {"dist/cli.js": ""})
        with pytest.raises(CliNotFound, match="node"):
            find_program(tmp_path, {"PATH": str(tmp_path)}, PROJECT)
        (tmp_path / "coderef").write_text("no program")
        (tmp_path / "coderef").chmod(0o755)
        with pytest.raises(CliNotFound, match="can't be started"):
            find_program(None, {"PATH": str(tmp_path)}, PROJECT)

    @pytest.mark.parametrize("way", [".", "{root}", "{root}/../project", "{tmp}/into", "{tmp}/folder", "{tmp}/file"])
    @pytest.mark.parametrize("asked", ["project", "project/packages/app", "into"])
    def test_a_program_inside_the_project_is_refused(self, tmp_path, root, monkeypatch, way, asked):
        marks = tmp_path / "marks"
        write(root, {"dist/cli.js": f"require('fs').appendFileSync({str(marks)!r}, 'ran')", "packages/app/a.ts": ""})
        (root / ".git").mkdir()
        (tmp_path / "into").symlink_to(root)
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder/dist").symlink_to(root / "dist")
        write(tmp_path / "file", {"dist/x": ""})
        (tmp_path / "file/dist/cli.js").symlink_to("../../project/dist/cli.js")
        monkeypatch.chdir(root)
        with pytest.raises(CliNotFound, match="is inside the project") as caught:
            find_program(Path(way.format(root=root, tmp=tmp_path)), dict(os.environ), tmp_path / asked)
        assert "outside the project" in caught.value.hint
        assert not marks.exists()

    @pytest.mark.parametrize("entry", ["", ".", "bin", "{root}/bin", "{tmp}/linked"])
    def test_a_program_on_path_inside_the_project_is_skipped(self, tmp_path, root, monkeypatch, entry):
        for place in (root, root / "bin"):
            script(place, f"echo ran >> {tmp_path}/marks; echo 9.9.9")
        (tmp_path / "linked").symlink_to(root / "bin")
        other = script(tmp_path / "other")
        monkeypatch.chdir(root)
        path = os.pathsep.join([entry.format(root=root, tmp=tmp_path), str(tmp_path / "other"), "/usr/bin", "/bin"])
        assert find_program(None, {"PATH": path, "STAND_IN": ""}, root) == Program((str(other),), "2.1.0")
        assert not (tmp_path / "marks").exists()

    async def test_each_project_gets_a_program_outside_of_it(self, tmp_path, root):
        inner = script(root / "tools")
        other = script(tmp_path / "other")
        environment = self.environment(root / "tools", tmp_path / "other")
        made = CliEngine(
            lambda project: find_program(None, environment, project), timeout_s=30, environment=environment
        )
        elsewhere = write(tmp_path.resolve() / "elsewhere", {"a.ts": ""})
        used = [made._program_for(project).arguments for project in (elsewhere, root, elsewhere)]
        assert used == [(str(inner),), (str(other),), (str(other),)]
        assert environment_for(environment, root)["PATH"].split(os.pathsep)[0] == str(tmp_path / "other")

    def test_a_child_runs_with_the_native_engine(self):
        environment = environment_for({"CODEREF_ENGINE": "cli", "CODEREF_CLI_PATH": "/x", "A": "b"}, PROJECT)
        assert environment == {"CODEREF_ENGINE": "native", "A": "b"}


class TestAnswers:
    async def test_a_scan_returns_its_elements(self, tmp_path, root):
        answer = await engine_of(tmp_path, "").ask(root, Scan())
        first, second = answer.value.elements
        assert (first.file, first.name, first.type, first.line, first.exported) == (
            "src/a.ts", "f", SymbolKind.FUNCTION, 3, True,
        )  # fmt: skip
        assert (second.file, second.type) == ("src/b.js", SymbolKind.VARIABLE)
        assert (answer.index.engine, answer.index.files, answer.index.elements) == ("cli 2.1.0", 2, 2)

    async def test_filters_and_pages_are_applied_here(self, tmp_path, root):
        engine = engine_of(tmp_path, "")
        assert (await engine.ask(root, Scan(types=[SymbolKind.FUNCTION]))).value.elements_found == 1
        assert (await engine.ask(root, Scan(path="*.js"))).value.by_language == {Language.JAVASCRIPT: 1}
        assert len((await engine.ask(root, Scan(most=1))).value.elements) == 1

    async def test_a_query_returns_edges_and_passes_arguments_as_a_list(self, tmp_path, root):
        target = "g; rm -rf $(x) --type"
        page = (await engine_of(tmp_path, "").ask(root, Query(query_type="calls-me", element=target))).value
        near, far = page.results
        assert (near.depth, near.from_, near.to) == (1, "src/a.ts#caller:9", target)
        assert (near.type, near.confidence) == (EdgeKind.CALL, Confidence.INFERRED)
        assert (far.depth, far.from_, far.to) == (2, "src/a.ts#x:1", "src/b.js#g:1")
        forth = (await engine_of(tmp_path, "").ask(root, Query(query_type="calls", element="g"))).value
        assert (forth.results[0].from_, forth.results[0].to) == ("g", "src/a.ts#caller:9")

    async def test_missing_fields_of_an_impact_are_empty(self, tmp_path, root):
        answer = await engine_of(tmp_path, "").ask(root, AskImpact(element="f", operation="delete"))
        found = answer.value
        assert (found.element, found.operation, found.risk_level, found.risk_score) == ("f", "delete", "HIGH", 31)
        assert [(hit.element, hit.line, hit.severity) for hit in found.affected] == [
            ("src/a.ts#f:3", 3, "major"), ("src/b.js#g:1", 0, "minor"),
        ]  # fmt: skip
        assert (found.affected_files, found.affected_tests[0].file) == (["src/a.ts", "src/b.js"], "a.test.ts")
        assert "fields that it does not print are empty" in str(found.note)
        assert answer.index.engine == "cli 2.1.0"

    @pytest.mark.slow
    async def test_fields_of_the_other_analyses_are_found_by_several_names(self, tmp_path, root):
        engine = engine_of(tmp_path, "")
        complexity = (await engine.ask(root, AskComplexity(element="f"))).value
        assert (complexity.lines_of_code, complexity.cyclomatic_complexity, complexity.cognitive_complexity) == (
            12,
            5,
            7,
        )
        assert complexity.rank is not None
        assert (complexity.rank.place, complexity.element, complexity.type) == (2, "f", SymbolKind.VARIABLE)
        [pattern] = (await engine.ask(root, AskPatterns(pattern_type="async"))).value.patterns
        assert (pattern.type, pattern.count, pattern.evidence[0].line) == ("async", 4, 2)
        coverage = (await engine.ask(root, AskCoverage())).value
        assert (coverage.overall.percent, coverage.overall.covered) == (61.5, 8)
        assert [row.file for row in coverage.by_file or ()] == ["a.ts"]
        page = (await engine.ask(root, Validate())).value
        assert (page.references_found, page.invalid_found, page.findings[0].reference) == (3, 1, "@F/x")
        drift = (await engine.ask(root, CompareIndex(most=1))).value
        assert (drift.page.total, len(drift.references), drift.moved, drift.unchanged) == (2, 1, 1, 5)

    @pytest.mark.parametrize(("format_", "begins"), [("mermaid", "graph TD"), ("dot", "digraph {")])
    async def test_a_diagram_is_the_text_after_the_banner(self, tmp_path, root, format_, begins):
        drawn = (await engine_of(tmp_path, "").ask(root, Diagram(format=format_))).value
        assert (drawn.diagram or "").startswith(begins)

    @pytest.mark.parametrize("fault", mostly_slow(2, ["other json", "no json", "fails", "half json", "banner"]))
    @pytest.mark.parametrize(
        "question",
        [AskImpact(element="fill"), AskComplexity(element="fill"), AskPatterns(), AskCoverage(), Validate(), Diagram()],
        ids=lambda question: type(question).__name__,
    )
    async def test_unparsable_output_is_an_error_or_answered_by_the_native_engine(self, tmp_path, fault, question):
        root = write(tmp_path.resolve() / "shop", SHOP)
        cli = engine_of(tmp_path, fault)
        with pytest.raises((BadOutput, CliFailed)):
            await cli.ask(root, question)
        auto = AutoEngine(cli, InProcessEngine(store=NoFacts(), max_file_bytes=10**6))
        assert (await auto.ask(root, question)).index.engine == "native"
        await auto.aclose()

    async def test_other_questions_are_unsupported_or_native(self, tmp_path):
        root = write(tmp_path.resolve() / "shop", SHOP)
        cli = engine_of(tmp_path, "")
        with pytest.raises(Unsupported, match="Describe"):
            await cli.ask(root, Describe(element="fill"))
        auto = AutoEngine(cli, InProcessEngine(store=NoFacts(), max_file_bytes=10**6))
        assert auto.name == "cli, native"
        assert (await auto.ask(root, Describe(element="fill"))).index.engine == "native"
        assert (await auto.ask(root, Scan())).index.engine == "cli 2.1.0"
        await auto.aclose()

    async def test_source_is_for_path_only(self, tmp_path, root):
        engine = engine_of(tmp_path, "")
        for question in (Query(query_type="path", element="g"), Query(query_type="calls", element="g", source="f")):
            with pytest.raises(InvalidInput, match="source"):
                await engine.ask(root, question)

    @pytest.mark.slow
    @pytest.mark.parametrize("fault", ["banner", "floods standard error", "leaves a child"])
    async def test_noise_around_json_is_ignored(self, tmp_path, root, fault):
        assert (await engine_of(tmp_path, fault).ask(root, Scan())).value.elements_found == 2

    @pytest.mark.parametrize(("fault", "name"), [("calls back", "native"), ("reads", "nothing")])
    async def test_the_program_gets_no_input_and_can_not_call_back(self, tmp_path, root, fault, name):
        assert (await engine_of(tmp_path, fault).ask(root, Scan())).value.elements[0].name == name


class TestFaults:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("fault", "error", "words"),
        [
            ("fails", CliFailed, "ended with status 7: cannot read .*tsconfig.json"),
            ("dies", CliFailed, "killed by signal 9"),
            ("no json", BadOutput, "printed no JSON"),
            ("half json", BadOutput, "no JSON|no list|without name"),
            ("other json", BadOutput, "no list of elements"),
            ("odd elements", BadOutput, "without name, file or line"),
            ("fails with our error", ElementNotFound, "no such thing"),
            ("floods", BadOutput, "wrote more than"),
        ],
    )
    async def test_each_fault_is_reported_with_the_program_s_message(self, tmp_path, root, fault, error, words):
        engine = engine_of(tmp_path, fault)
        with pytest.raises(error, match=words) as caught:
            await engine.ask(root, Scan())
        assert "\x1b" not in caught.value.error
        assert caught.value.hint

    @pytest.mark.slow
    @pytest.mark.parametrize("fault", ["hangs", "hangs with a child"])
    async def test_a_deadline_kills_the_program_and_its_children(self, tmp_path, root, fault):
        engine = engine_of(tmp_path, fault, timeout_s=2)
        with pytest.raises(DeadlineExceeded, match="within"):
            await engine.ask(root, Scan())
        if fault == "hangs with a child":
            await gone(root / "pids")

    async def test_children_that_outlive_the_program_are_killed(self, tmp_path, root):
        await engine_of(tmp_path, "leaves a child").ask(root, Scan())
        await gone(root / "pids")

    async def test_a_cancelled_call_leaves_nothing_running(self, tmp_path, root):
        engine = engine_of(tmp_path, "hangs with a child")
        async with anyio.create_task_group() as group:
            group.start_soon(engine.ask, root, Scan())
            await written(root / "pids")
            group.cancel_scope.cancel()
        await gone(root / "pids")

    async def test_closing_kills_running_programs(self, tmp_path, root):
        engine = engine_of(tmp_path, "hangs with a child")
        failures: list[BearingsError] = []

        async def asked() -> None:
            try:
                await engine.ask(root, Scan())
            except BearingsError as error:
                failures.append(error)

        async with anyio.create_task_group() as group:
            group.start_soon(asked)
            await written(root / "pids")
            await engine.aclose()
        assert isinstance(failures[0], CliFailed)

    async def test_a_missing_program_is_not_found(self, tmp_path, root):
        engine = CliEngine(lambda _: Program((str(tmp_path / "nothing"),), "1.0"), timeout_s=5)
        with pytest.raises(CliNotFound):
            await engine.ask(root, Scan())

    def test_a_run_can_be_killed_twice_and_from_another_thread(self, tmp_path):
        run = Run([sys.executable, "-c", "import time; time.sleep(60)"], None, dict(os.environ))
        threading.Thread(target=run.kill).start()
        assert run.wait(30, "x").status == -9
        run.kill()


class TestOutput:
    @pytest.mark.parametrize(
        ("stdout", "value"),
        [
            ("[1, 2]", [1, 2]),
            ("\ufeff{}\n", {}),
            ("[3] files\n[4] done\n" + '{"a": [1]}', {"a": [1]}),
            ('[INFO] {x} [1/2] {"a": 1}\n', {"a": 1}),
            ('{"a": [1, 2, 3]}\n[done]', {"a": [1, 2, 3]}),
            ("\x1b[32m[]\x1b[0m", []),
        ],
    )
    def test_json_is_found_after_noise(self, stdout: str, value: Any):
        assert json_in(stdout.encode(), "scan") == value

    @pytest.mark.slow
    @pytest.mark.parametrize("stdout", ["", "nothing", "[" * 100_000, "{" * 10_000, "[1, 2", "\0\xff"])
    def test_output_without_json_is_an_error(self, stdout: str):
        with pytest.raises(BadOutput, match="no JSON"):
            json_in(stdout.encode(), "scan")


class TestSettings:
    @pytest.mark.slow
    async def test_which_engine_answers_is_a_setting(self, monkeypatch, tmp_path):
        root = write(tmp_path / "shop", SHOP)
        monkeypatch.setenv("CODEREF_CACHE_DIR", str(tmp_path / "cache"))
        monkeypatch.delenv("CODEREF_CLI_PATH", raising=False)
        monkeypatch.setenv("PATH", f"{script(tmp_path / 'bin').parent}{os.pathsep}{os.environ['PATH']}")

        async def engine(name: str) -> str:
            monkeypatch.setenv("CODEREF_ENGINE", name)
            wing = code_wing(None)
            scan = next(tool for tool in wing.tools if tool.name == "coderef_scan")
            try:
                reply, _ = await scan.run({"project_path": str(root)})
            finally:
                await wing.aclose()
            return str(reply.structured()["index"]["engine"])

        assert await engine("cli") == "cli 2.1.0"
        assert await engine("auto") == "native"
        assert await engine("native") == "native"
        monkeypatch.setenv("CODEREF_CLI_PATH", str(tmp_path))
        with pytest.raises(CliNotFound, match="dist"):
            await engine("auto")
