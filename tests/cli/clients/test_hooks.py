"""`bearings install CLIENT --with-hooks`: the entry in each client's list; uninstalling restores the same bytes."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.cli.clients import jsonc
from bearings.cli.clients.catalog import Client, HookPoint, Machine, clients
from bearings.cli.clients.hooks import Hooks, runs_hook
from bearings.cli.clients.launch import Installation, hook_command
from tests.cli.clients.conftest import client
from tests.cli.clients.test_install import PROGRAM, tree, write
from tests.cli.conftest import Invoke

WITH_HOOKS = [known for known in clients() if known.hooks is not None]
NAMES = [known.name for known in WITH_HOOKS]


def point(name: str) -> HookPoint:
    found = client(name).hooks
    assert found is not None
    return found


def file_of(name: str) -> Path:
    return Machine.here().path(point(name).user)


def items(name: str, path: Path | None = None) -> list[Any]:
    text = (path or file_of(name)).read_text()
    return list(jsonc.parse(text, comments=True)["hooks"][point(name).event])


GOLDEN = {
    "claude-code": (
        '{\n    "model": "best",\n    "hooks": {\n        "PostToolUse": [\n'
        '            {"matcher": "Edit", "hooks": []}\n        ]\n    }\n}\n',
        '{\n    "model": "best",\n    "hooks": {\n        "PostToolUse": [\n'
        '            {"matcher": "Edit", "hooks": []},\n'
        "            {\n"
        '                "matcher": "Grep|Bash|Edit|Write|MultiEdit",\n'
        '                "hooks": [\n'
        "                    {\n"
        '                        "type": "command",\n'
        '                        "command": "BIN/bearings hook claude-code",\n'
        '                        "timeout": 5\n'
        "                    }\n"
        "                ]\n"
        "            }\n"
        "        ]\n    }\n}\n",
    ),
    "cursor": (
        '{"version": 1, "hooks": {"stop": [{"command": "x"}]}}',
        '{"version": 1, "hooks": {"stop": [{"command": "x"}], "postToolUse": [{"type": "command", '
        '"command": "BIN/bearings hook cursor", "matcher": "Grep|Shell|Write", "timeout": 5}]}}',
    ),
    "codex": (
        '{\n\t"hooks": {}\n}',
        '{\n\t"hooks": {\n\t\t"PostToolUse": [\n\t\t\t{\n\t\t\t\t"matcher": "Bash|apply_patch",\n\t\t\t\t"hooks": [\n'
        '\t\t\t\t\t{\n\t\t\t\t\t\t"type": "command",\n\t\t\t\t\t\t"command": "BIN/bearings hook codex",\n'
        '\t\t\t\t\t\t"timeout": 5\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}',
    ),
    "vscode": (
        "{}",
        '{\n  "version": 1,\n  "hooks": {\n    "PostToolUse": [\n      {\n        "type": "command",\n'
        '        "command": "BIN/bearings hook vscode",\n'
        '        "matcher": "Grep|Bash|Edit|Write|grep|rg|bash|powershell|edit|create|apply_patch",\n'
        '        "timeout": 5\n      }\n    ]\n  }\n}',
    ),
}


@pytest.mark.parametrize("name", list(GOLDEN))
def test_an_entry_is_put_behind_the_others_in_the_file_s_own_style(name: str, invoke: Invoke, home: Path):
    before, after = GOLDEN[name]
    file = write(file_of(name), before)
    result = invoke("install", name, "--yes", "--no-nominatim", "--with-hooks")
    assert result.exit_code == 0, result.output
    assert file.read_text() == after.replace("BIN/bearings", PROGRAM)
    assert re.search(rf'^  \+ +"command": "{re.escape(PROGRAM)} hook {name}"', result.output, re.MULTILINE)
    again = invoke("install", name, "--yes", "--with-hooks")
    assert again.output == f"{client(name).title} has all of it already.\n"
    assert invoke("uninstall", name, "--yes").exit_code == 0
    assert file.read_text() == before


@pytest.mark.parametrize("known", WITH_HOOKS, ids=NAMES)
def test_files_that_did_not_exist_are_removed(known: Client, invoke: Invoke, home: Path):
    assert invoke("install", known.name, "--yes", "--no-nominatim", "--with-hooks", "--with-skill").exit_code == 0
    [item] = items(known.name)
    assert f"{PROGRAM} hook {known.name}" in json.dumps(item, ensure_ascii=False)
    assert invoke("uninstall", known.name, "--yes").exit_code == 0
    assert tree(home) == {}
    assert {path.name for path in home.iterdir()} <= {".data"}


@pytest.mark.parametrize("known", WITH_HOOKS, ids=NAMES)
def test_a_project_s_hooks_go_into_its_own_file(known: Client, invoke: Invoke, home: Path, tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    words = ("--yes", "--project", str(project))
    assert invoke("install", known.name, *words, "--with-hooks").exit_code == 0
    assert (project / point(known.name).project).is_file()
    assert not file_of(known.name).exists()
    assert invoke("uninstall", known.name, *words).exit_code == 0
    assert list(project.iterdir()) == []


WITH_PROMPTS = [name for name in NAMES if point(name).prompt]


@pytest.mark.parametrize("name", WITH_PROMPTS)
def test_a_prompt_s_entry_is_written_only_if_it_is_asked_for(name: str, invoke: Invoke):
    before = '{\n  "hooks": {\n    "Stop": []\n  }\n}\n'
    file = write(file_of(name), before)
    event = point(name).prompt
    assert invoke("install", name, "--yes", "--no-nominatim", "--with-hooks").exit_code == 0
    assert event not in json.loads(file.read_text())["hooks"]
    assert invoke("install", name, "--yes", "--no-nominatim", "--with-prompt-hook").exit_code == 0
    [item] = json.loads(file.read_text())["hooks"][event]
    assert set(item) == {"hooks"}
    assert item["hooks"][0]["command"] == f"{PROGRAM} hook {name}"
    assert len(items(name)) == 1
    assert invoke("uninstall", name, "--yes").exit_code == 0
    assert file.read_text() == before


@pytest.mark.parametrize("name", WITH_PROMPTS)
@pytest.mark.parametrize("before", [None, "{}", '{\n  "hooks": {}\n}\n', '{"a": 1}'])
@pytest.mark.parametrize("options", [("--with-hooks", "--with-prompt-hook"), ("--with-prompt-hook", "--with-hooks")])
def test_two_entries_come_in_either_order_and_go_together(
    name: str, before: str | None, options: tuple[str, str], invoke: Invoke, home: Path
):
    file = file_of(name)
    if before is not None:
        write(file, before)
    old = tree(home)
    for option in options:
        assert invoke("install", name, "--yes", "--no-nominatim", option).exit_code == 0
    assert invoke("uninstall", name, "--yes").exit_code == 0
    assert tree(home) == old
    assert file.parent.exists() == (before is not None)


@pytest.mark.parametrize("name", ["cursor", "vscode", "claude-desktop"])
def test_a_client_whose_prompts_take_nothing_is_refused(name: str, invoke: Invoke, home: Path):
    result = invoke("install", name, "--yes", "--with-prompt-hook")
    assert result.exit_code != 0
    assert "runs nothing at a prompt" in result.output
    assert tree(home) == {}


BEFORE = [
    "",
    "{}",
    "{ }\n",
    '{\r\n  "a": 1\r\n}\r\n',
    '{"hooks": {}}',
    '{"version": 1, "hooks": {}}',
    '{\n  "hooks": {\n    "EVENT": []\n  }\n}\n',
    '{"hooks": {"EVENT": [ ]}, "z": 0}',
    '\ufeff{"hooks": {"EVENT": [{"command": "mine"}]}}',
    '{\n\t"hooks": {\n\t\t"Stop": [1, 2]\n\t},\n\t"b": [\n\t]\n}',
    '{\n  "hooks": {\n    "EVENT": [\n      {"hooks": [{"command": "bearings-code hook"}]}\n    ]\n  }\n}\n',
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("before", BEFORE)
def test_the_same_bytes_come_back(name: str, before: str, invoke: Invoke):
    text = before.replace("EVENT", point(name).event)
    file = write(file_of(name), text)
    assert invoke("install", name, "--yes", "--no-nominatim", "--with-hooks").exit_code == 0
    assert f"hook {name}" in file.read_bytes().decode()
    assert invoke("uninstall", name, "--yes").exit_code == 0
    assert file.read_bytes().decode() == text


COMMENTED = '{\n  // mine\n  "hooks": {\n    "EVENT": [\n      {"command": "x"}, // the first\n    ],\n  },\n}\n'


@pytest.mark.parametrize("name", ["cursor", "gemini"])
def test_comments_stay_where_the_client_takes_them(name: str, invoke: Invoke):
    text = COMMENTED.replace("EVENT", point(name).event)
    file = write(file_of(name), text)
    assert invoke("install", name, "--yes", "--no-nominatim", "--with-hooks").exit_code == 0
    assert len(items(name)) == 2
    assert "// the first" in file.read_text()
    assert invoke("uninstall", name, "--yes").exit_code == 0
    assert file.read_text() == text


def test_servers_and_hooks_in_one_file_come_and_go_each_for_itself(invoke: Invoke):
    before = '{\n  "mcpServers": {},\n  "theme": "dark"\n}\n'
    file = write(file_of("gemini"), before)
    assert invoke("install", "gemini", "--yes", "--no-nominatim").exit_code == 0
    with_servers = file.read_text()
    assert invoke("install", "gemini", "--yes", "--with-hooks").exit_code == 0
    assert len(items("gemini")) == 1
    assert invoke("install", "gemini", "--yes", "--nominatim-email", "somebody@town.example").exit_code == 0
    assert len(items("gemini")) == 1
    assert "somebody" in file.read_text()
    assert invoke("install", "gemini", "--yes", "--no-nominatim").exit_code == 0
    assert json.loads(file.read_text())["mcpServers"] == json.loads(with_servers)["mcpServers"]
    assert invoke("uninstall", "gemini", "--yes").exit_code == 0
    assert file.read_text() == before


def test_without_its_receipt_all_but_an_empty_list_is_taken_back(invoke: Invoke, home: Path):
    file = write(file_of("claude-code"), '{\n  "a": 1\n}\n')
    invoke("install", "claude-code", "--yes", "--with-hooks")
    write(home / ".data" / "bearings" / "installed.json", "not ours any more")
    assert invoke("uninstall", "claude-code", "--yes").exit_code == 0
    assert json.loads(file.read_text()) == {"a": 1, "hooks": {"PostToolUse": []}}


@pytest.mark.parametrize("name", ["claude-code", "cursor", "vscode"])
def test_an_installed_file_that_the_client_rewrote_is_removed_too(name: str, invoke: Invoke, home: Path):
    invoke("install", name, "--yes", "--no-nominatim", "--with-hooks")
    file = file_of(name)
    file.write_text(json.dumps(json.loads(file.read_text())))
    assert invoke("uninstall", name, "--yes").exit_code == 0
    assert not file.exists()


@pytest.mark.parametrize("change", ["member", "list", "comment"])
def test_an_installed_file_with_other_content_stays(change: str, invoke: Invoke, home: Path):
    invoke("install", "cursor", "--yes", "--no-nominatim", "--with-hooks")
    file = file_of("cursor")
    written = json.loads(file.read_text())
    if change == "member":
        written["mine"] = 1
    elif change == "list":
        written["hooks"]["stop"] = [{"command": "mine"}]
    file.write_text(json.dumps(written) + ("// mine\n" if change == "comment" else ""))
    assert invoke("uninstall", "cursor", "--yes").exit_code == 0
    assert "hook cursor" not in file.read_text()
    assert "mine" in file.read_text()


def test_a_user_s_changes_of_an_entry_survive_a_new_command(invoke: Invoke):
    old = {"matcher": "Grep", "hooks": [{"type": "command", "command": "/old/bearings hook claude-code", "timeout": 9}]}
    write(file_of("claude-code"), json.dumps({"hooks": {"PostToolUse": [old]}}, indent=2))
    assert invoke("install", "claude-code", "--yes", "--with-hooks").exit_code == 0
    entry = {"type": "command", "command": f"{PROGRAM} hook claude-code", "timeout": 9}
    assert items("claude-code") == [{"matcher": "Grep", "hooks": [entry]}]
    flat = {"command": "bearings hook cursor", "matcher": "Grep"}
    write(file_of("cursor"), json.dumps({"version": 1, "hooks": {"postToolUse": [flat]}}))
    assert invoke("install", "cursor", "--yes", "--with-hooks").exit_code == 0
    assert items("cursor") == [{"command": f"{PROGRAM} hook cursor", "matcher": "Grep"}]


def test_an_entry_that_runs_something_else_too_is_the_user_s(invoke: Invoke):
    both = {"matcher": "Grep", "hooks": [{"command": "bearings hook claude-code"}, {"command": "mine"}]}
    file = write(file_of("claude-code"), json.dumps({"hooks": {"PostToolUse": [both]}}))
    before = file.read_text()
    assert invoke("uninstall", "claude-code", "--yes").output == "Claude Code has nothing that install wrote.\n"
    assert file.read_text() == before


def test_a_user_s_later_additions_stay(invoke: Invoke):
    file = write(file_of("claude-code"), "{}")
    invoke("install", "claude-code", "--yes", "--with-hooks")
    written = json.loads(file.read_text())
    written["hooks"]["PostToolUse"].insert(0, {"matcher": "Edit", "hooks": []})
    file.write_text(json.dumps(written, indent=2))
    assert invoke("uninstall", "claude-code", "--yes").exit_code == 0
    assert json.loads(file.read_text()) == {"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": []}]}}


def test_a_client_without_such_hooks_says_so(invoke: Invoke, home: Path):
    result = invoke("install", "claude-desktop", "--yes", "--with-hooks")
    assert result.exit_code == 2
    assert "Claude Desktop runs nothing after its tools" in result.output
    assert tree(home) == {}


def test_notes_for_the_user_are_printed(invoke: Invoke):
    assert "/hooks" in invoke("install", "codex", "--yes", "--with-hooks").output


HOSTILE = [
    (b'{\n"hooks": {\n', "line 3"),
    (b"[]", "no object"),
    (b'{"hooks": []}', "no list of"),
    (b'{"hooks": null}', "no list of"),
    (b'{"hooks": {"EVENT": {}}}', "no list of"),
    (b'{"hooks": {"EVENT": null}}', "no list of"),
    (b'{\n"a": "\xff"}', "line 2: not UTF-8"),
    (b'{"a": ' * 100_000, "nested too deep"),
    (b'{"hooks": {"EVENT": [NaN]}}', "NaN"),
    (b'{"hooks": {}} trailing', "line 1: Extra data"),
]


@pytest.mark.parametrize(("content", "said"), HOSTILE)
@pytest.mark.parametrize("name", ["claude-code", "cursor"])
def test_a_file_that_can_t_be_edited_is_refused(name: str, content: bytes, said: str, invoke: Invoke, home: Path):
    file = file_of(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.replace(b"EVENT", point(name).event.encode()))
    before = tree(home)
    result = invoke("install", name, "--yes", "--no-nominatim", "--with-hooks")
    assert result.exit_code == 1, result.output
    assert said in result.output
    assert file.name in result.output
    assert tree(home) == before


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_project_s_file_that_leads_out_of_it_is_not_written(invoke: Invoke, tmp_path: Path):
    outside = write(tmp_path / "outside.json", "{}")
    project = tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "settings.json").symlink_to(outside)
    result = invoke("install", "claude-code", "--yes", "--project", str(project), "--with-hooks")
    assert result.exit_code == 1
    assert "leads out of the project" in result.output
    assert outside.read_text() == "{}"


@pytest.mark.parametrize(
    ("command", "is_ours"),
    [
        ("bearings hook cursor", True),
        ("/a/bearings hook cursor", True),
        ("'/a b/bearings' hook cursor", True),
        ('"C:/a b/bearings.exe" hook cursor', True),
        (r"C:\a\bearings.exe hook cursor", True),
        ("python -P -m bearings hook cursor", True),
        ("/x/uvx --from bearings-mcp bearings hook cursor", True),
        ("bearings hook claude-code", False),
        ("bearings hook cursor; rm -r /", False),
        ("mybearings hook cursor", False),
        ("bearings-code hook cursor", False),
        ("echo hook cursor", False),
        ("", False),
    ],
)
def test_an_own_command_is_recognised(command: str, is_ours: bool):
    assert runs_hook(command, "cursor") == is_ours


def test_the_command_is_that_of_this_installation(tmp_path: Path):
    scripts = tmp_path / "with space" / "bin"
    write(scripts / "bearings", "")
    there = Installation(tmp_path, scripts / "python", scripts)
    assert hook_command("cursor", there, {}) == f"'{scripts}/bearings' hook cursor"
    bare = Installation(tmp_path, tmp_path / "python", tmp_path)
    assert hook_command("cursor", bare, {}) == f"{tmp_path}/python -P -m bearings hook cursor"
    write(tmp_path / "uvx", "").chmod(0o755)
    passing = Installation(tmp_path / "archive-v0" / "x", tmp_path / "python", tmp_path)
    assert hook_command("cursor", passing, {"UV": f"{tmp_path}/uv"}) == (
        f"{tmp_path}/uvx --from bearings-mcp bearings hook cursor"
    )
    assert runs_hook(hook_command("cursor", there, {}), "cursor")


VALUES = st.recursive(
    st.none() | st.booleans() | st.text('ab"\\é[]{},:/', max_size=6),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("kx", max_size=2), inner, max_size=2),
    max_leaves=6,
)


@given(
    st.dictionaries(st.sampled_from(["a", "version", "z"]), VALUES, max_size=2),
    st.none() | st.dictionaries(st.sampled_from(["Stop", "PostToolUse"]), st.lists(VALUES, max_size=3), max_size=2),
    st.sampled_from([None, 2, "\t"]),
    st.sampled_from(NAMES),
)
def test_other_content_means_the_same_before_and_after(top, hooks, indent, name: str):
    parsed = {**top, **({} if hooks is None else {"hooks": hooks})}
    text = json.dumps(parsed, indent=indent)
    document = Hooks(name, point(name), f"/b/bearings hook {name}")
    filled = document.with_content(text, text)
    assert document.is_current(filled)
    there = jsonc.parse(filled, comments=False)
    assert there["hooks"][document.point.event][:-1] == (hooks or {}).get(document.point.event, [])
    bare = jsonc.parse(document.without_content(filled), comments=False)
    kept = {key: value for key, value in bare.items() if key != "hooks"}
    assert {**document.point.head, **kept} == {**document.point.head, **top}
    assert {**bare["hooks"], document.point.event: []} == {**(hooks or {}), document.point.event: []}
    assert bare["hooks"][document.point.event] == (hooks or {}).get(document.point.event, [])
