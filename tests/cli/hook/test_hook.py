"""`bearings hook`: its answers to a search, its lack of side effects, and that it never fails."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bearings.cli.hook.addition import LIMIT
from bearings.cli.hook.entry import Silent, context_of
from tests.cli.conftest import ROOT, Invoke
from tests.cli.hook import payloads
from tests.code.test_change_detection import MAX
from tests.code.test_snapshot_lookup import FILES, settled
from tests.code.trees import repository, write

CALLS = {
    **FILES,
    "app/alias.py": "from app.user import store as put\n\n\ndef twice():\n    put()\n    put()\n",
    "web/odd\u202ename.ts": "export function oddly() { return 1 }\nexport const once = oddly()\n",
    "web/a b.ts": "export function spaced() { return 1 }\n",
    "web/c.ts": "import { spaced } from './a b'\nexport const one = spaced()\n",
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A project with a stored graph, and the variables with its place."""
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("hook")))
    root = repository(folder / "project", CALLS)
    settled(root, folder / "cache")
    return root, told(folder / "cache")


def told(cache: Path) -> dict[str, str]:
    """The place of graphs, and the size limit for files."""
    return {"CODEREF_CACHE_DIR": str(cache), "CODEREF_MAX_FILE_BYTES": str(MAX)}


def addition(payload: payloads.Payload, environ: dict[str, str], client: str = "claude-code") -> str:
    """The addition; "" for none."""
    try:
        return context_of(client, json.dumps(payload).encode(), environ)
    except Silent:
        return ""


def lines(root: Path, *words: str) -> str:
    """grep's output in the project."""
    return subprocess.run(("grep", *words), cwd=root, capture_output=True, text=True, check=False).stdout


def test_callers_by_another_name_are_added(kept):
    root, environ = kept
    shown = lines(root, "-rn", "store", "--include=*.py", ".")
    text = addition(payloads.claude_grep(root, "store", shown), environ)
    assert "store: 2 calls app/alias.py:5,6; tests reach it by tests/test_deep.py:5" in text
    assert "app/deep.py" not in text  # shown
    assert len(text) <= LIMIT


def test_namesakes_are_told_apart_although_every_line_is_shown(kept):
    root, environ = kept
    shown = lines(root, "-rn", "save", ".")
    text = addition(payloads.claude_bash(root, "grep -rn save .", shown), environ)
    assert "Model.save at app/base.py:2: 1 call app/user.py:9" in text
    assert "File.save at app/base.py:7: 1 call app/disk.py:5" in text


def test_a_member_of_a_named_class_is_that_one(kept):
    root, environ = kept
    shown = lines(root, "-rn", "File.save", ".")
    text = addition(payloads.claude_bash(root, "grep -rn File.save .", shown), environ)
    assert "File.save at app/base.py:7: 1 call app/disk.py:5" in text
    assert "Model" not in text


def test_a_result_that_shows_all_is_left_as_it_is(kept):
    root, environ = kept
    shown = lines(root, "-rn", "nightly", ".")
    assert addition(payloads.claude_grep(root, "nightly", shown), environ) == ""
    unnumbered = lines(root, "-r", "nightly", ".")
    assert addition(payloads.claude_bash(root, "grep -r nightly .", unnumbered), environ) == ""


@pytest.mark.parametrize(("word", "speaks"), [("spaced", False), ("store", False), ("settledOnce", True)])
def test_one_word_of_which_the_result_shows_nothing_may_be_a_library_s(tmp_path, word: str, speaks: bool):
    root = repository(tmp_path / "project", {**CALLS, "web/d.ts": "export function settledOnce() { return 1 }\n"})
    settled(root, tmp_path / "cache")
    text = addition(
        payloads.claude_grep(root, word, f"docs/notes.md:3:see {word}() of the library"), told(tmp_path / "cache")
    )
    assert bool(text) == speaks


def test_a_search_in_one_directory_finds_calls_in_another(kept):
    root, environ = kept
    shown = lines(root, "-rn", "nightly", "app")
    text = addition(payloads.claude_bash(root, "grep -rn nightly app", shown), environ)
    assert text.endswith("nightly: 1 call in tests tests/test_deep.py:5.")
    below = addition(payloads.claude_bash(root / "app", "grep -rn nightly .", shown.replace("app/", "./")), environ)
    assert below == text


def test_files_alone_show_no_caller(kept):
    root, environ = kept
    text = addition(payloads.claude_files(root, "nightly", ["app/deep.py", "tests/test_deep.py"]), environ)
    assert "nightly at app/deep.py:4: 1 call in tests tests/test_deep.py:5" in text


def test_subclasses_are_named(kept):
    root, environ = kept
    text = addition(payloads.claude_grep(root, "class Model", "app/base.py:1:class Model:"), environ)
    assert "1 extend it, app/user.py:4" in text


@pytest.mark.parametrize(("client", "payload"), payloads.SHELLS)
def test_each_client_is_answered_alike(client: str, payload, kept):
    root, environ = kept
    assert "nightly" in addition(payload(root, "grep -rn nightly app", ""), environ, client)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [("nobody", None), ("no such", None), ("store", "/"), ("store", "/nowhere/at/all"), ("store", "..")],
)
def test_names_and_paths_outside_the_project_are_ignored(pattern: str, path: str | None, kept):
    root, environ = kept
    assert addition(payloads.claude_grep(root, pattern, "", **({"path": path} if path else {})), environ) == ""


def test_a_directory_outside_the_roots_is_not_looked_at(kept, tmp_path: Path):
    root, environ = kept
    payload = payloads.claude_files(root, "nightly", [])
    for roots, speaks in ((str(tmp_path), False), (f"{tmp_path}{os.pathsep}{root.parent}", True), ("", True)):
        assert bool(addition(payload, {**environ, "BEARINGS_ROOTS": roots})) == speaks
    file = tmp_path / "named"
    file.write_text(f"BEARINGS_ROOTS={tmp_path}\nCODEREF_CACHE_DIR={environ['CODEREF_CACHE_DIR']}\n")
    assert addition(payload, {"BEARINGS_ENV_FILE": str(file)}) == ""
    file.write_text(f"CODEREF_CACHE_DIR={environ['CODEREF_CACHE_DIR']}\nCODEREF_MAX_FILE_BYTES={MAX}\n")
    assert "nightly" in addition(payload, {"BEARINGS_ENV_FILE": str(file)})


def test_a_graph_of_other_settings_is_not_read(kept):
    root, environ = kept
    payload = payloads.claude_files(root, "nightly", [])
    for limit in ("1000", "many"):
        assert addition(payload, {**environ, "CODEREF_MAX_FILE_BYTES": limit}) == ""


def test_without_a_kept_graph_nothing_is_read_or_made(tmp_path: Path):
    root = write(tmp_path / "project", FILES)
    assert addition(payloads.claude_files(root, "nightly", []), {"CODEREF_CACHE_DIR": str(tmp_path / "cache")}) == ""
    assert not (tmp_path / "cache").exists()


def test_names_of_the_project_are_marked_as_data(kept):
    root, environ = kept
    odd = addition(payloads.claude_files(root, "oddly", []), environ)
    assert "\u202e" not in odd
    assert "«web/a b.ts»:1" in addition(payloads.claude_files(root, "spaced", []), environ)


def test_many_users_fit_into_the_limit(tmp_path: Path):
    names = [f"pkg/a_rather_long_name_for_a_module_{n}.py" for n in range(40)]
    files = {
        "pkg/base.py": "class A:\n    def act(self):\n        pass\n\n\nclass B:\n    def act(self):\n        pass\n"
    }
    files |= {name: f"from pkg.base import {'AB'[n % 2]}\n\n{'AB'[n % 2]}().act()\n" for n, name in enumerate(names)}
    root = Path(os.path.realpath(repository(tmp_path / "project", files)))
    settled(root, tmp_path / "cache")
    text = addition(payloads.claude_files(root, "act", names), told(tmp_path / "cache"))
    assert 300 < len(text) <= LIMIT
    assert "A.act at pkg/base.py:2: 20 calls pkg/a_rather" in text
    assert "B.act at pkg/base.py:7: 20 calls" in text


PROGRAM = (sys.executable, "-m", "bearings", "hook")


def run(data: bytes, environ: dict[str, str], *words: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        (*PROGRAM, *words),
        input=data,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environ},
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(("client", "payload"), payloads.SHELLS)
def test_a_process_answers_in_its_client_s_shape_or_gives_up(client: str, payload, kept):
    root, environ = kept
    done = run(json.dumps(payload(root, "grep -rn nightly app", "")).encode(), environ, client)
    assert (done.returncode, done.stderr) == (0, b"")
    if done.stdout:  # a machine that is too busy gets no answer
        assert "nightly" in payloads.context(client, json.loads(done.stdout))


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff\xfe", b"null", b"[" * 5_000, b'{"tool_name": "Grep"}', b"x" * 5_000_000]
)
@pytest.mark.parametrize("client", ["claude-code", "one-of-the-future"])
def test_a_process_never_fails(data: bytes, client: str, kept):
    done = run(data, kept[1], client, "--and", "more")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.slow
def test_a_payload_that_never_ends_is_given_up(kept):
    with subprocess.Popen(
        (*PROGRAM, "claude-code"),
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **kept[1]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b'{"tool_name"')
        process.stdin.flush()
        assert process.wait(timeout=60) == 0
        assert (process.stdout and process.stdout.read(), process.stderr and process.stderr.read()) == (b"", b"")


@pytest.mark.slow
def test_a_reader_that_went_away_is_no_error(kept):
    root, environ = kept
    with subprocess.Popen(
        (*PROGRAM, "claude-code"),
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stdin is not None
        process.stdin.write(json.dumps(payloads.claude_files(root, "nightly", [])).encode())
        process.stdin.close()
        assert process.wait(timeout=60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_why_it_is_silent_is_said_where_that_is_asked_for(kept):
    done = run(b"{}", {**kept[1], "BEARINGS_LOG_LEVEL": "debug"}, "claude-code")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"bearings hook: silent: " in done.stderr or done.stderr == b""


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda text: json.dumps(text).encode()))
@example(b'{"tool_name":"Grep","tool_input":{"pattern":"store","path":"\\u0000"},"cwd":"."}')
@example(b'{"tool_name":"Grep","tool_input":{"pattern":"store","path":"' + b"a/" * 5_000 + b'"},"cwd":"~nobody"}')
def test_any_bytes_are_answered_in_the_limit_or_not_at_all(kept, data: bytes):
    from bearings.cli.hook.entry import answer_to

    answer = answer_to("claude-code", data, kept[1])
    assert answer == b"" or len(payloads.context("claude-code", json.loads(answer))) <= LIMIT


PIECES = st.sampled_from(
    ["save", "store", "def nightly", "Model", "oddly", "spaced", "x", "\\bput\\b", "grep -rn save ."]
)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PIECES, st.text(max_size=60), st.sampled_from(["", ".", "app", "/", "a b"]))
def test_any_search_is_answered_in_the_limit_or_not_at_all(kept, pattern: str, shown: str, path: str):
    from bearings.cli.hook.entry import answer_to

    root, environ = kept
    for payload in (payloads.claude_grep(root, pattern, shown, path=path), payloads.claude_bash(root, pattern, shown)):
        answer = answer_to("claude-code", json.dumps(payload).encode(), environ)
        assert answer == b"" or 0 < len(payloads.context("claude-code", json.loads(answer))) <= LIMIT


@pytest.mark.slow
def test_it_imports_neither_click_nor_the_resolver(kept):
    root, environ = kept
    payload = json.dumps(payloads.claude_files(root, "nightly", []))
    script = (
        "import os, sys; from bearings.cli import main; from bearings.cli.hook.entry import context_of\n"
        f"print(context_of('claude-code', {payload!r}.encode(), os.environ))\n"
        "print({'click', 'pydantic', 'bearings.settings', 'bearings.code.resolve', 'bearings.code.project', 'rich',\n"
        "'tree_sitter', 'asyncio', 'subprocess', 'bearings.code.engine'} & set(sys.modules))"
    )
    done = subprocess.run(
        (sys.executable, "-c", script),
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "nightly" in done.stdout
    assert done.stdout.endswith("set()\n"), done.stdout


def test_help_describes_the_hook(invoke: Invoke):
    result = invoke("hook", "--help")
    assert result.exit_code == 0
    assert "half a second" in result.output
    assert "claude-desktop" not in result.output
