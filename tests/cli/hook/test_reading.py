"""Searches read from patterns, commands and payloads; other input gives none."""

import json
import string
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bearings.cli.hook.edit import edits_of
from bearings.cli.hook.pattern import Identifier, identifiers_in
from bearings.cli.hook.payload import Search, payload_of, search_of
from bearings.cli.hook.shell import Grep, grep_in
from tests.cli.hook import payloads


def searched(data: bytes, client: str) -> Search | None:
    return search_of(payload_of(data, client))


PATTERNS = [
    ("save", Identifier("save")),
    ("save(", Identifier("save")),
    (r"save\(", Identifier("save")),
    (r"\bsave\b", Identifier("save")),
    (r"\<save\>", Identifier("save")),
    ("^save$", Identifier("save")),
    ("class Save", Identifier("Save", types=True)),
    (r"class\s+Save\b", Identifier("Save", types=True)),
    (r"^\s*class Save[(:]", Identifier("Save", types=True)),
    (r"^class Save\(", Identifier("Save", types=True)),
    ("interface Save {", Identifier("Save", types=True)),
    ("def save", Identifier("save", types=False)),
    (r"^\s*async def save\(", Identifier("save", types=False)),
    (r"async\s+def\s+save", Identifier("save", types=False)),
    ("export default function save", Identifier("save", types=False)),
    ("func save(", Identifier("save", types=False)),
    ("export const save =", Identifier("save")),
    (r"\.save\(", Identifier("save")),
    (r"self\.save\(", Identifier("save", owner="self")),
    ("Model.save", Identifier("save", owner="Model")),
    ("app.Model::save", Identifier("save", owner="Model")),
    (r"new Save\(", Identifier("Save")),
    (r"def save|save\(", Identifier("save")),
    (r"def save\|\.save(", Identifier("save")),
    (r"(?:save|save\()", Identifier("save")),
    (r"\b(save)\b", None),
    ("save(request, *", Identifier("save")),
    ("sav.*", None),
    ("a", None),
    ("__init__", None),
    ("two words", None),
    ('"save"', None),
    ("save-all", None),
    ("TODO: fix", Identifier("TODO")),
    ("s" * 300, None),
    ("", None),
    ("|".join(["save"] * 9), None),
]


@pytest.mark.parametrize(("pattern", "found"), PATTERNS)
def test_a_pattern_looks_for_one_identifier_or_for_none(pattern: str, found: Identifier | None):
    assert identifiers_in(pattern) == ([] if found is None else [found])


def test_each_alternative_is_looked_for_and_others_are_passed_over():
    assert identifiers_in(r"save|class Load\b|\.save\(") == [Identifier("save"), Identifier("Load", types=True)]
    assert identifiers_in(r"(save|sav.*|x|load\()") == [Identifier("save"), Identifier("load")]
    assert identifiers_in("|".join(f"name{n}" for n in range(7))) == []


def test_a_literal_pattern_has_no_alternatives():
    assert identifiers_in("save|save", literal=True) == []
    assert identifiers_in("save(", literal=True) == [Identifier("save")]


@given(st.text(st.sampled_from("sa v\\.(|)*+?[]^$b:{}<>=\n\té"), max_size=220) | st.text(max_size=220))
@example(" " * 200 + "!")
@example(r"\s" * 100 + "!")
@example("a." * 100 + "!")
@example("class " * 33 + "!")
def test_any_pattern_is_understood_or_not(pattern: str):
    assert all(found.name in pattern and len(found.name) >= 3 for found in identifiers_in(pattern))


COMMANDS = [
    ("grep save", Grep("save")),
    ("grep -rn save src", Grep("save", ("src",))),
    ("grep -rn 'def save' src tests", Grep("def save", ("src", "tests"))),
    ('rg "save\\(" -g "*.py" src', Grep("save\\(", ("src",))),
    ("rg -n --glob '*.py' -A 3 save", Grep("save")),
    ("rg -nA3 save", Grep("save")),
    ("rg --type=py save .", Grep("save", (".",))),
    ("grep -rne save src", Grep("save", ("src",))),
    ("grep --include=*.py -r save .", Grep("save", (".",))),
    ("grep --include '*.py' -rn -- save .", Grep("save", (".",))),
    ("grep --regexp=save -r .", Grep("save", (".",))),
    ("git grep -n save", Grep("save")),
    ("git grep -w save -- src", Grep("save", ("src",))),
    ("git --no-pager grep save", Grep("save")),
    ("git -C app grep save", Grep("save", folder="app")),
    ("cd app && git -C sub grep save", Grep("save", folder="app/sub")),
    ("ag save src", Grep("save", ("src",))),
    ("ag -Q save", Grep("save", literal=True)),
    ("fgrep save a.py", Grep("save", ("a.py",), literal=True)),
    ("grep -F save a.py", Grep("save", ("a.py",), literal=True)),
    ("/usr/bin/grep -r save .", Grep("save", (".",))),
    ("cd /app && grep -rn save src | head -20", Grep("save", ("src",), "/app")),
    ("grep -rn save src 2>/dev/null | sort | uniq -c", Grep("save", ("src",))),
    ("grep -rn save src > out.txt", Grep("save", ("src",))),
    ("grep -rn save src 2>&1 | grep -v test", Grep("save", ("src",))),
    ("grep -rn save src; ls", None),
    ("grep -rn save src && ls", None),
    ("grep -rn save src | head && ls", None),
    ("cd a && cd b && grep save", None),
    ("ls | grep save", None),
    ("find . -name '*.py' | xargs grep save", None),
    ("for f in *; do grep save $f; done", None),
    ("grep $(cat pattern) src", None),
    ("grep `cat pattern` src", None),
    ("grep -v save src", None),
    ("grep -rL save src", None),
    ("grep -f patterns src", None),
    ("grep -e save -e load src", None),
    ("rg --files src", None),
    ("git log --grep save", None),
    ("git", None),
    ("grep", None),
    ("grep -r", None),
    ("grep -A", None),
    ("grep 'unclosed", None),
    ("grep save\nrm -r x", None),
    ("grep 'a\nb' x", None),
    ("(grep save)", None),
    ("grep save &", None),
    ("", None),
    ("x" * 5_000, None),
]


@pytest.mark.parametrize(("command", "found"), COMMANDS)
def test_a_plain_grep_is_understood_and_nothing_else(command: str, found: Grep | None):
    assert grep_in(command) == found


@given(
    st.text(st.sampled_from("grep save-rn'\"|&;<>2$()\n\\ \t" + string.ascii_lowercase[:4]), max_size=60) | st.text()
)
def test_any_command_is_understood_or_not(command: str):
    grep_in(f"grep {command}")
    grep_in(command)


HERE = Path("/app")


@pytest.mark.parametrize(("client", "payload"), payloads.SHELLS)
def test_each_client_s_shell_is_understood(client: str, payload):
    shown = "src/a.py:3:    save()\n./src/b.py:10:save()\n"
    search = searched(json.dumps(payload(HERE, "grep -rn save .", shown)).encode(), client)
    assert search is not None
    assert (search.pattern, search.folder, search.paths) == ("save", "/app", (".",))
    assert search.shown().sites == {("src/a.py", 3), ("./src/b.py", 10)}


@pytest.mark.parametrize(
    ("command", "folder"),
    [("cd src && grep -rn save", "/app/src"), ("cd /other && rg save", "/other"), ("git -C lib grep save", "/app/lib")],
)
def test_a_search_runs_where_its_command_says(command: str, folder: str):
    search = searched(json.dumps(payloads.claude_bash(HERE, command)).encode(), "claude-code")
    assert search is not None
    assert search.folder == folder


def test_each_client_s_own_grep_is_understood():
    shown = "src/a.py:3:    save()"
    for client, payload in (
        ("claude-code", payloads.claude_grep(HERE, "save", shown, path="/app/src")),
        ("gemini", payloads.gemini_grep(HERE, "save", shown)),
        ("vscode", {**payloads.copilot(HERE, ""), "tool_name": "Grep", "tool_input": {"pattern": "save"}}),
        ("vscode", {"toolName": "grep", "toolArgs": {"pattern": "save"}, "cwd": "/app", "toolResult": {}}),
    ):
        search = searched(json.dumps(payload).encode(), client)
        assert search is not None
        assert (search.pattern, search.folder) == ("save", "/app")


def test_lines_without_a_name_are_those_of_the_one_file_that_was_searched():
    payload = payloads.claude_bash(HERE, "grep -n save src/a.py", "3:    save()\n17:save()")
    search = searched(json.dumps(payload).encode(), "claude-code")
    assert search is not None
    assert search.shown().sites == {("src/a.py", 3), ("src/a.py", 17)}


def test_files_whose_lines_have_no_numbers_are_shown_whole():
    payload = payloads.claude_bash(HERE, "grep -r save src", "src/a.py:    save()\nsrc/b.py:save(1, x=2)")
    search = searched(json.dumps(payload).encode(), "claude-code")
    assert search is not None
    assert search.shown().whole == {"src/a.py", "src/b.py"}


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        "grep",
        {},
        {"tool_name": 7},
        {"tool_name": "Read", "tool_input": {"file_path": "a"}},
        {"tool_name": "Bash", "tool_input": "grep save"},
        {"tool_name": "Bash", "tool_input": {"command": ["grep", 7]}},
        {"tool_name": "Bash", "tool_input": {"command": "ls"}},
        {"tool_name": "Grep", "tool_input": {"pattern": ["save"]}},
        {"tool_name": "Grep", "tool_input": None},
    ],
)
def test_anything_else_is_no_search(payload):
    assert searched(json.dumps(payload).encode(), "claude-code") is None


def test_a_hook_of_claude_code_s_is_silent_in_cursor_which_has_its_own():
    payload = json.dumps(payloads.cursor(HERE, "grep -rn save .")).encode()
    assert searched(payload, "cursor") is not None
    assert searched(payload, "claude-code") is None


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = ["tool_name", "tool_input", "tool_response", "tool_output", "tool_result", "cwd", "workspace_roots", "toolArgs"]


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(NAMES), ANY | st.just("Bash") | st.just({"command": "grep x", "pattern": "y"})))
def test_any_shape_is_a_search_or_none(payload):
    search = searched(json.dumps(payload).encode(), "claude-code")
    if search is not None:
        search.shown()


@given(st.binary(max_size=200))
@example(b"[" * 100_000)
@example(b'{"tool_name":"Grep","tool_input":{"pattern":"\\ud800"}}')
@example(b'{"tool_name":"Bash","tool_input":{"command":"grep x"},"tool_response":"' + b"{" * 50_000 + b'"}')
def test_any_bytes_are_no_error(data: bytes):
    searched(data, "claude-code")


EDITS = [*NAMES, "hook_event_name", "file_path", "path", "command", "edits", "replacements", "old_string", "new_string"]
TEXTS = st.sampled_from(["a", "b", "aab", "b\n", "a.py", "\0", ""])
REPLACED = st.fixed_dictionaries(
    {"old_string": TEXTS, "new_string": TEXTS}, optional={"replace_all": st.booleans(), "path": TEXTS}
)
PATCH = st.lists(st.sampled_from(["*** Update File: a.py", "*** Delete File: b.py", "@@", "-a", "+b", " a", ""]))
GIVEN = (
    st.fixed_dictionaries({"path": st.just("a.py"), "edits": st.lists(REPLACED | ANY, max_size=4)})
    | st.builds(lambda one: {"path": "a.py", **one}, REPLACED)
    | st.builds(lambda lines: {"command": "\n".join(["*** Begin Patch", *lines])}, PATCH)
)
GIVEN_TO = st.fixed_dictionaries({"tool_name": st.just("Edit"), "tool_input": GIVEN})


@pytest.mark.slow
@given(
    st.one_of(GIVEN_TO, GIVEN_TO, st.dictionaries(st.sampled_from(EDITS), ANY | st.just("Edit"))),
    st.text("ab\r\n", max_size=30),
    st.booleans(),
)
def test_any_shape_is_an_edit_or_none(payload, now: str, is_indexed: bool):
    most = 40
    for edit in edits_of(payload_of(json.dumps(payload).encode(), "claude-code")):
        before = edit.before(now, lambda _: is_indexed, most)
        assert before is None or edit.former is not None or len(before) <= most
        assert edit.path
        edit.touches("a")
