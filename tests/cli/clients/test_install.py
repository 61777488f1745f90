"""`bearings install` and `uninstall` for every client: files before and after; uninstalling restores the same bytes."""

import json
import os
import shlex
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client as McpClient
from mcp import StdioServerParameters

from bearings.cli.clients.catalog import Machine, clients
from bearings.cli.clients.receipts import Receipts
from tests.cli.clients.conftest import client
from tests.cli.conftest import Invoke

BIN = str(Path(sys.executable).parent)
PROGRAM = shlex.quote(f"{BIN}/bearings")
EXAMPLE = Path(__file__).parents[3] / "examples" / "tides"
NAMES = [known.name for known in clients()]
WITH_PROJECTS = [known.name for known in clients() if known.project]


def file_of(name: str) -> Path:
    return Machine.here().path(client(name).user)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


GOLDEN = {
    "claude-code": (
        """{
  "numStartups": 3,
  "mcpServers": {},
  "projects": {"/p": {"mcpServers": {}}}
}
""",
        """{
  "numStartups": 3,
  "mcpServers": {
    "bearings-places": {
      "type": "stdio",
      "command": "BIN/bearings-places",
      "args": [
        "stdio"
      ]
    },
    "bearings-code": {
      "type": "stdio",
      "command": "BIN/bearings-code",
      "args": [
        "stdio"
      ]
    }
  },
  "projects": {"/p": {"mcpServers": {}}}
}
""",
    ),
    "claude-desktop": (
        '{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files"]}}}',
        '{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files"]}, '
        '"bearings-places": {"command": "BIN/bearings-places", "args": ["stdio"]}, '
        '"bearings-code": {"command": "BIN/bearings-code", "args": ["stdio"]}}}',
    ),
    "cursor": (
        """{
    "mcpServers": {
        "files": {
            "url": "http://localhost:1"
        }
    }
}""",
        """{
    "mcpServers": {
        "files": {
            "url": "http://localhost:1"
        },
        "bearings-places": {
            "type": "stdio",
            "command": "BIN/bearings-places",
            "args": [
                "stdio"
            ]
        },
        "bearings-code": {
            "type": "stdio",
            "command": "BIN/bearings-code",
            "args": [
                "stdio"
            ]
        }
    }
}""",
    ),
    "vscode": (
        """{
\t// what all my projects need
\t"servers": {
\t\t"files": { "command": "npx" }, // keep
\t},
\t"inputs": [],
}
""",
        """{
\t// what all my projects need
\t"servers": {
\t\t"files": { "command": "npx" }, // keep
\t\t"bearings-places": {
\t\t\t"type": "stdio",
\t\t\t"command": "BIN/bearings-places",
\t\t\t"args": [
\t\t\t\t"stdio"
\t\t\t]
\t\t},
\t\t"bearings-code": {
\t\t\t"type": "stdio",
\t\t\t"command": "BIN/bearings-code",
\t\t\t"args": [
\t\t\t\t"stdio"
\t\t\t]
\t\t},
\t},
\t"inputs": [],
}
""",
    ),
    "codex": (
        """model = "o9" # the best
[mcp_servers.files]
command = "npx"

# of last year
[profiles.old]
model = "o3"
""",
        """model = "o9" # the best
[mcp_servers.files]
command = "npx"

# of last year
[profiles.old]
model = "o3"

[mcp_servers.bearings-places]
command = "BIN/bearings-places"
args = ["stdio"]

[mcp_servers.bearings-code]
command = "BIN/bearings-code"
args = ["stdio"]
""",
    ),
    "gemini": (
        """{
  "theme": "Dracula", // dark
  "mcpServers": {
    // "files": {}
  }
}
""",
        """{
  "theme": "Dracula", // dark
  "mcpServers": {
    // "files": {}
    "bearings-places": {
      "command": "BIN/bearings-places",
      "args": [
        "stdio"
      ]
    },
    "bearings-code": {
      "command": "BIN/bearings-code",
      "args": [
        "stdio"
      ]
    }
  }
}
""",
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_client_s_file_gets_both_servers_and_is_brought_back(name: str, invoke: Invoke):
    before, after = GOLDEN[name]
    file = write(file_of(name), before)
    file.chmod(0o640)
    words = ("install", name, "--yes", "--toolsets", "all")
    result = invoke(*words)
    assert result.exit_code == 0, result.output
    assert file.read_bytes().decode() == after.replace("BIN", BIN)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    added = [line for line in result.output.splitlines() if line.lstrip().startswith("+")]
    assert any(f"{BIN}/bearings-code" in line for line in added)
    assert invoke(*words).output == f"{client(name).title} has all of it already.\n"
    assert invoke("uninstall", name, "--yes").exit_code == 0
    assert file.read_bytes().decode() == before


@pytest.mark.parametrize(
    ("words", "places", "code"),
    [
        ((), ["stdio", "--toolsets", "core"], ["stdio", "--toolsets", "core"]),
        (("--toolsets", "edit"), ["stdio", "--toolsets", "core"], ["stdio", "--toolsets", "core,edit"]),
        (("--toolsets", "all"), ["stdio"], ["stdio"]),
    ],
)
def test_the_servers_offer_their_core_tools_unless_more_are_asked_for(
    words: tuple[str, ...], places: list[str], code: list[str], invoke: Invoke
):
    result = invoke("install", "cursor", "--yes", *words)
    entries = json.loads(file_of("cursor").read_text())["mcpServers"]
    assert (entries["bearings-places"]["args"], entries["bearings-code"]["args"]) == (places, code)
    assert ("--toolsets all offers every tool" in result.output) is (words[1:] != ("all",))
    assert invoke("install", "cursor", "--yes", "--toolsets", "all").exit_code == 0  # another choice replaces it
    assert "--toolsets" not in file_of("cursor").read_text()
    assert invoke("uninstall", "cursor", "--yes").exit_code == 0
    assert not file_of("cursor").exists()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("email", [(), ("--nominatim-email", "somebody@town.example")])
def test_uninstalling_leaves_no_new_files(name: str, email: tuple[str, ...], invoke: Invoke, home: Path):
    assert invoke("install", name, "--yes", *email).exit_code == 0
    assert stat.S_IMODE(file_of(name).stat().st_mode) == 0o600
    assert invoke("uninstall", name, "--yes").exit_code == 0
    assert tree(home) == {}


ODD = [
    "",
    "\n",
    "{}",
    "{ }",
    "{\n}",
    '{"a": 1}',
    '{"mcpServers": {}}',
    '\ufeff{\r\n  "a": 1\r\n}\r\n',
    '{"mcpServers": {\n}}',
]


@pytest.mark.parametrize("before", ODD)
def test_uninstalling_restores_the_bytes_of_any_file(before: str, invoke: Invoke):
    file = write(file_of("cursor"), before)
    assert invoke("install", "cursor", "--yes").exit_code == 0
    assert set(json.loads(file.read_text("utf-8-sig"))["mcpServers"]) == {"bearings-places", "bearings-code"}
    assert invoke("uninstall", "cursor", "--yes").exit_code == 0
    assert file.read_bytes().decode() == before


@pytest.mark.parametrize("before", ["", "a = 1", "a = 1\n\n\n", "\ufeffa = 1\r\n", "[mcp_servers]\n# none\n"])
def test_the_same_bytes_come_back_in_toml(before: str, invoke: Invoke):
    file = write(file_of("codex"), before)
    assert invoke("install", "codex", "--yes").exit_code == 0
    servers = tomllib.loads(file.read_bytes().decode().removeprefix("\ufeff"))["mcp_servers"]
    assert set(servers) == {"bearings-places", "bearings-code"}
    assert invoke("uninstall", "codex", "--yes").exit_code == 0
    assert file.read_bytes().decode() == before


def test_without_its_receipt_all_but_an_empty_table_is_taken_back(invoke: Invoke, home: Path):
    file = write(file_of("cursor"), '{\n  "a": 1\n}\n')
    invoke("install", "cursor", "--yes")
    write(home / ".data" / "bearings" / "installed.json", "not ours any more")
    assert invoke("uninstall", "cursor", "--yes").exit_code == 0
    assert file.read_text() == '{\n  "a": 1,\n  "mcpServers": {}\n}\n'


def test_later_changes_of_a_user_or_client_stay(invoke: Invoke):
    file = write(file_of("claude-code"), GOLDEN["claude-code"][0])
    invoke("install", "claude-code", "--yes")
    text = file.read_text().replace('"numStartups": 3', '"numStartups": 4')
    text = text.replace('    "bearings-code": {', '    "mine": {"command": "x"},\n    "bearings-code": {')
    file.write_text(text)
    assert invoke("uninstall", "claude-code", "--yes").exit_code == 0
    assert json.loads(file.read_text()) == {
        "numStartups": 4, "mcpServers": {"mine": {"command": "x"}}, "projects": {"/p": {"mcpServers": {}}},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("before", "last", "after"),
    [
        (
            '{\n  "mcpServers": {}\n}\n',
            '    },\n    "mine": {"command": "x"}\n  }\n}\n',
            '{\n  "mcpServers": {\n    "mine": {"command": "x"}\n  }\n}\n',
        ),
        ('{"a": 1, "mcpServers": {}}', '}, "mine": {}}}', '{"a": 1, "mcpServers": {"mine": {}}}'),
    ],
)
def test_a_server_added_later_stays_in_a_table_that_was_empty(before: str, last: str, after: str, invoke: Invoke):
    file = write(file_of("cursor"), before)
    invoke("install", "cursor", "--yes")
    text = file.read_text()
    closing = text.rindex("    }") if "\n" in text else text.rindex("}}}")
    file.write_text(text[:closing] + last)
    assert invoke("uninstall", "cursor", "--yes").exit_code == 0
    assert file.read_text() == after


def test_a_skill_says_where_the_program_is_if_a_shell_would_not_find_it(
    invoke: Invoke, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    skills = [folder / ".gemini" / "skills" / "bearings" / "SKILL.md" for folder in (home, tmp_path)]
    monkeypatch.setenv("PATH", "/usr/bin")
    assert invoke("install", "gemini", "--yes", "--with-skill").exit_code == 0
    assert skills[0].read_text().endswith(f"\nOn this machine `bearings` is `{PROGRAM}`.\n")
    result = invoke("install", "gemini", "--yes", "--with-skill", "--project", str(tmp_path))
    assert f"not on PATH; here it is {PROGRAM}." in result.output
    assert BIN not in skills[1].read_text()
    monkeypatch.setenv("PATH", BIN)
    assert invoke("install", "gemini", "--yes", "--with-skill").exit_code == 0
    assert BIN not in skills[0].read_text()
    assert invoke("uninstall", "gemini", "--yes").exit_code == 0
    assert not skills[0].exists()


def test_a_user_s_additions_to_an_entry_survive_a_new_command(invoke: Invoke):
    entry = {"command": "/old/bin/bearings-places", "disabled": True, "env": {"GEOCODER_LANGUAGE": "de"}}
    file = write(file_of("cursor"), json.dumps({"mcpServers": {"bearings-places": entry}}, indent=2))
    assert invoke("install", "cursor", "--yes", "--nominatim-email", "somebody@town.example").exit_code == 0
    assert json.loads(file.read_text())["mcpServers"]["bearings-places"] == {
        "type": "stdio",
        "command": f"{BIN}/bearings-places",
        "args": ["stdio", "--toolsets", "core"],
        "env": {"GEOCODER_LANGUAGE": "de", "NOMINATIM_EMAIL": "somebody@town.example"},
        "disabled": True,
    }
    assert invoke("install", "cursor", "--yes").exit_code == 0  # keeps the address
    assert "somebody" in file.read_text()
    assert invoke("install", "cursor", "--yes", "--no-nominatim").exit_code == 0
    assert "somebody" not in file.read_text()
    assert "GEOCODER_LANGUAGE" in file.read_text()


def test_an_entry_of_our_name_that_starts_something_else_is_left_alone(invoke: Invoke):
    before = '{"mcpServers": {"bearings-code": {"command": "mine"}}}'
    file = write(file_of("cursor"), before)
    result = invoke("install", "cursor", "--yes")
    assert (result.exit_code, file.read_text()) == (1, before)
    assert "starts something else" in result.output
    assert invoke("uninstall", "cursor", "--yes").output == "Cursor has nothing that install wrote.\n"
    assert file.read_text() == before


def test_a_second_entry_for_the_same_server_is_named(invoke: Invoke):
    write(file_of("cursor"), '{"mcpServers": {"code": {"command": "/v/bin/bearings-code"}}}')
    assert "code starts bearings-code too" in invoke("install", "cursor", "--yes").output


def test_nothing_else_of_the_file_is_shown(invoke: Invoke):
    write(file_of("gemini"), '{"mcpServers": {"a": {"env": {"KEY": "hush"}}}, "token": "hush"}')
    write(file_of("codex"), '[mcp_servers.a.env]\nKEY = "hush"\n')
    for name in ("gemini", "codex"):
        shown = invoke("install", name, "--yes").output + invoke("uninstall", name, "--yes").output
        assert "bearings-places" in shown
        assert "hush" not in shown


@pytest.mark.parametrize("name", WITH_PROJECTS)
def test_a_project_gets_its_own_files_and_loses_them_again(name: str, invoke: Invoke, tmp_path: Path, home: Path):
    project = tmp_path / "project"
    write(project / "AGENTS.md", "# Rules\r\n")
    before = tree(project)
    words = ("--yes", "--project", str(project))
    result = invoke("install", name, *words, "--with-skill", "--with-agents-md")
    assert result.exit_code == 0, result.output
    assert {Path(path).name for path in tree(project)} == {
        "AGENTS.md", "SKILL.md", Path(client(name).project or "").name
    }  # fmt: skip
    assert "bearings code callers" in (project / "AGENTS.md").read_text()
    assert (project / "AGENTS.md").read_bytes().count(b"\n") == (project / "AGENTS.md").read_bytes().count(b"\r\n")
    assert not file_of(name).exists()
    assert invoke("uninstall", name, *words).exit_code == 0
    assert tree(project) == before
    assert [path.name for path in project.iterdir()] == ["AGENTS.md"]
    assert tree(home) == {}


@pytest.mark.parametrize(
    ("own", "asked_for"),
    [(None, True), ("# Rules\n", True), ("# Rules\n@AGENTS.md\n", False), ("-> AGENTS.md", False)],
)
def test_a_project_whose_claude_md_includes_agents_md_is_asked_for_nothing(
    own: str | None, asked_for: bool, invoke: Invoke, tmp_path: Path
):
    write(tmp_path / "AGENTS.md", "# Rules\n")
    if own == "-> AGENTS.md":
        (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    elif own is not None:
        write(tmp_path / "CLAUDE.md", own)
    result = invoke("install", "claude-code", "--yes", "--project", str(tmp_path), "--with-agents-md")
    assert result.exit_code == 0, result.output
    assert ("put the line @AGENTS.md into it" in result.output) is asked_for


def test_a_paragraph_that_two_clients_asked_for_stays_for_the_second(invoke: Invoke, tmp_path: Path):
    words = ("--yes", "--project", str(tmp_path))
    for name in ("codex", "cursor"):
        assert invoke("install", name, *words, "--with-agents-md").exit_code == 0
    assert "stays for cursor" in invoke("uninstall", "codex", *words).output
    assert (tmp_path / "AGENTS.md").exists()
    assert invoke("uninstall", "cursor", *words).exit_code == 0
    assert not (tmp_path / "AGENTS.md").exists()


def test_a_skill_that_a_user_changed_stays(invoke: Invoke, home: Path):
    invoke("install", "claude-code", "--yes", "--with-skill")
    skill = home / ".claude" / "skills" / "bearings" / "SKILL.md"
    changed = skill.read_text().replace("# Finding", "# My way of finding")
    skill.write_text(changed)
    result = invoke("install", "claude-code", "--yes", "--with-skill")
    assert (result.exit_code, skill.read_text()) == (1, changed)
    assert "was changed since, and stays" in invoke("uninstall", "claude-code", "--yes").output
    assert skill.read_text() == changed


def test_line_ends_that_git_changed_are_no_change(invoke: Invoke, tmp_path: Path):
    words = ("codex", "--yes", "--project", str(tmp_path))
    invoke("install", *words, "--with-skill", "--with-agents-md")
    for path in tree(tmp_path / ".agents") | tree(tmp_path):
        Path(path).write_bytes(Path(path).read_bytes().replace(b"\n", b"\r\n"))
    assert invoke("install", *words, "--with-skill", "--with-agents-md").output == "Codex has all of it already.\n"
    assert invoke("uninstall", *words).exit_code == 0
    assert not (tmp_path / ".agents").exists()
    assert not (tmp_path / "AGENTS.md").exists()


def test_a_skill_of_an_earlier_version_is_replaced(invoke: Invoke, home: Path):
    invoke("install", "gemini", "--yes", "--with-skill")
    skill = home / ".gemini" / "skills" / "bearings" / "SKILL.md"
    now = skill.read_text()
    receipts = Receipts(home / ".data" / "bearings" / "installed.json")
    known = receipts.get(skill.resolve())
    assert known is not None
    receipts.put(skill.resolve(), type(known)(known.clients, "as it was\n", known.created, known.folders))
    skill.write_text("as it was\n")
    assert invoke("install", "gemini", "--yes", "--with-skill").exit_code == 0
    assert skill.read_text() == now


@pytest.mark.parametrize(
    ("words", "said", "status"),
    [
        (("claude-desktop", "--yes", "--project", "."), "has no settings for projects", 2),
        (("claude-desktop", "--yes", "--with-skill"), "reads no skills", 2),
        (("cursor", "--yes", "--with-agents-md"), "--project", 2),
        (("cursor", "--yes", "--nominatim-email", "nobody"), "name@example.org", 2),
        (("cursor", "--yes", "--nominatim-email", " "), "is empty", 2),
        (("cursor", "--yes", "--nominatim-email", "a@b.org", "--no-nominatim"), "Give one of them", 2),
        (("cursor", "--yes", "--project", "./missing"), "does not exist", 2),
        (("emacs", "--yes"), "is not one of", 2),
        (("cursor",), "add --yes", 2),
    ],
)
def test_an_impossible_combination_is_refused_with_a_remedy(
    words: tuple[str, ...], said: str, status: int, invoke: Invoke, home: Path
):
    result = invoke("install", *words)
    assert result.exit_code == status
    assert said in " ".join(result.output.split())
    assert tree(home) == {}


def test_uninstall_asks_too(invoke: Invoke):
    result = invoke("uninstall", "cursor")
    assert result.exit_code == 2
    assert "add --yes" in result.output


@pytest.mark.slow
@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_the_written_commands_start_servers_as_a_client_does(name: str, invoke: Invoke, tmp_path: Path):
    """Run without a PATH, in an empty directory, with the variables of the entry alone."""
    words = ("install", name, "--yes", "--toolsets", "all", "--nominatim-email", "somebody@town.example")
    assert invoke(*words).exit_code == 0
    text = file_of(name).read_text()
    entries = (tomllib.loads(text) if name == "codex" else json.loads(text))[client(name).key]

    async def asked(server: str, tool: str, arguments: Any) -> Any:
        entry = entries[server]
        variables = {"HOME": str(tmp_path), **entry.get("env", {})}
        start = StdioServerParameters(command=entry["command"], args=entry["args"], env=variables, cwd=tmp_path)
        async with McpClient(start) as session:
            assert tool in {known.name for known in (await session.list_tools()).tools}
            return (await session.call_tool(tool, arguments)).structured_content

    status = anyio.run(asked, "bearings-places", "geocoder_status", {})
    assert status["backend"] == "nominatim"  # the public one, because of the address; status uses no network
    scan = anyio.run(asked, "bearings-code", "coderef_scan", {"project_path": str(EXAMPLE)})
    assert scan["elements_found"] > 10


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_link_of_the_user_is_followed_and_stays(invoke: Invoke, home: Path, tmp_path: Path):
    kept = write(tmp_path / "dotfiles" / "mcp.json", "{}\n")
    link = file_of("cursor")
    link.parent.mkdir(parents=True)
    link.symlink_to(kept)
    result = invoke("install", "cursor", "--yes")
    assert f"{link} -> {kept}" in result.output
    assert link.is_symlink()
    assert "bearings-code" in kept.read_text()
    invoke("uninstall", "cursor", "--yes")
    assert (link.is_symlink(), kept.read_text()) == (True, "{}\n")


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
@pytest.mark.parametrize("linked", [".cursor", ".cursor/mcp.json", "AGENTS.md"])
def test_a_link_out_of_a_project_is_refused(linked: str, invoke: Invoke, tmp_path: Path):
    outside, project = tmp_path / "outside", tmp_path / "project"
    outside.mkdir()
    write(outside / "mcp.json", "{}")
    (project / linked).parent.mkdir(parents=True)
    (project / linked).symlink_to(outside / "mcp.json" if "." in Path(linked).name[1:] else outside)
    before = tree(tmp_path)
    result = invoke("install", "cursor", "--yes", "--project", str(project), "--with-agents-md")
    assert result.exit_code == 1
    assert "leads out of the project" in result.output
    assert tree(tmp_path) == before
