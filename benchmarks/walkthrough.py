"""Two coding tasks, step by step: with the code tools and edits of files alone, and with grep, sed and cat.

`python -m benchmarks.walkthrough hono=FOLDER scrapy=FOLDER`: clones of honojs/hono and scrapy/scrapy, with history.
Each is set to the commit before a real mend; the steps are those that somebody takes who knows what is wrong, but not
where. Edits are the same in both arms and count for nothing. Counted: calls, characters that come back, seconds. In the
end each arm names tests: right, if the file of tests that the real mend changed is among them.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from benchmarks.measure import revision, table


@dataclass(frozen=True, slots=True)
class Task:
    """A mend: `commit` made it, `tests` is the file of tests that it changed. A step is a tool's call, or a command."""

    name: str
    commit: str
    what: str
    tests: str
    edits: Sequence[tuple[str, str, str]]
    before: Sequence[dict[str, Any]]
    after: Sequence[dict[str, Any]]
    shell_before: Sequence[str]
    shell_after: Sequence[str]


TASKS = (
    Task(
        "hono",
        "c91ec9b6",
        "An IPv6 address that ends in an IPv4 one is expanded wrongly where the IPv4 part begins with zeros.",
        "src/utils/ipaddr.test.ts",
        (
            (
                "src/utils/ipaddr.ts",
                "  if (IPV4_REGEX.test(sections.at(-1) as string)) {\n",
                "  const last = sections.at(-1) as string\n  if (IPV4_REGEX.test(last)) {\n"
                "    const octets = last.split('.').map(Number)\n",
            ),
            (
                "src/utils/ipaddr.ts",
                "      ...convertIPv6BinaryToString(convertIPv4ToBinary(sections.at(-1) as string)) // => ::7f00:0001\n"
                "        .substring(2) // => 7f00:0001\n"
                "        .split(':') // => ['7f00', '0001']\n",
                "      ((octets[0] << 8) | octets[1]).toString(16),\n"
                "      ((octets[2] << 8) | octets[3]).toString(16)\n",
            ),
        ),
        (
            {"tool": "coderef_symbol", "element": "ipv6"},
            {"tool": "coderef_symbol", "element": "expandIPv6"},
            {"tool": "coderef_symbol", "element": "convertIPv6BinaryToString"},
            {"tool": "coderef_impact", "element": "expandIPv6"},
        ),
        ({"tool": "coderef_changes"},),
        (
            "grep -rniE 'ipv6' src --include=*.ts | grep -v '\\.test\\.ts'",
            "sed -n 1,60p src/utils/ipaddr.ts",
            "sed -n 120,175p src/utils/ipaddr.ts",
            "sed -n 295,380p src/utils/ipaddr.ts",
            "grep -rnE 'expandIPv6|convertIPv6BinaryToString|convertIPv4ToBinary' src",
            "sed -n 1,130p src/middleware/ip-restriction/index.ts",
        ),
        ("git diff", "grep -rlE 'utils/ipaddr|from .\\./ipaddr|ip-restriction|from .\\.$' src --include=*.test.ts"),
    ),
    Task(
        "scrapy",
        "23abf7e18",
        "open_in_browser adds no base tag to a page that has no head element.",
        "tests/test_utils_response.py",
        (
            (
                "scrapy/utils/response.py",
                '        if b"<base" not in _remove_html_comments(body):\n'
                "            repl = rf'\\g<0><base href=\"{response.url}\">'\n"
                '            body = re.sub(rb"<head(?:[^<>]*?>)", to_bytes(repl), body, count=1)\n',
                '        doctype = re.match(rb"\\s*<!doctype[^<>]*>", body, re.IGNORECASE)\n'
                "        index = doctype.end() if doctype else 0\n"
                "        base = to_bytes(f'<base href=\"{get_base_url(response)}\">')\n"
                "        body = body[:index] + base + body[index:]\n",
            ),
        ),
        (
            {"tool": "coderef_symbol", "element": "open browser"},
            {"tool": "coderef_symbol", "element": "open_in_browser"},
            {"tool": "coderef_symbol", "element": "get_base_url"},
            {"tool": "coderef_query", "query_type": "depends-on-me", "target": "_remove_html_comments", "max_depth": 1},
            {"tool": "coderef_impact", "element": "open_in_browser"},
        ),
        ({"tool": "coderef_changes"},),
        (
            "grep -rniE 'open.*browser' --include=*.py .",
            "sed -n 1,120p scrapy/utils/response.py",
            "grep -rn '_remove_html_comments' --include=*.py .",
            "grep -rn 'get_base_url' --include=*.py scrapy",
            "cat scrapy/commands/view.py",
            "sed -n 200,310p scrapy/shell.py",
        ),
        (
            "git diff",
            "grep -rlE 'open_in_browser|utils.response|populate_vars|inspect_response|Shell\\(' tests --include=*.py",
        ),
    ),
)


@dataclass
class Count:
    """The cost of an arm, and whether the tests that it names are right."""

    calls: int = 0
    characters: int = 0
    seconds: float = 0.0
    last: str = ""

    def add(self, text: str, seconds: float) -> None:
        self.calls += 1
        self.characters += len(text)
        self.seconds += seconds
        self.last = text

    def row(self, task: Task, arm: str) -> list[str]:
        right = "yes" if task.tests in self.last else "no"
        return [task.name, arm, str(self.calls), str(self.characters), f"{self.seconds:.1f} s", right]


def main(folders: dict[str, Path]) -> str:
    rows = []
    for task in TASKS:
        root = folders[task.name].resolve()
        for arm in ("tools, JSON", "tools, text", "grep, sed, cat"):
            _git(root, "checkout", "-q", "-f", f"{task.commit}~1")
            count = _shell(task, root) if arm.startswith("grep") else asyncio.run(_tools(task, root, arm[7:].lower()))
            rows.append(count.row(task, arm))
    what = "\n".join(f"- {task.name}, before {task.commit}: {task.what}" for task in TASKS)
    columns = ["repository", "with", "calls", "characters", "seconds", "names the tests that the mend changed"]
    return (
        f"# Two coding tasks\n\nMade by `python -m benchmarks.walkthrough` at {revision()}; its source has every step. "
        f"The tools' seconds hold the first reading of the whole repository.\n\n{what}\n\n{table(columns, rows)}"
    )


async def _tools(task: Task, root: Path, mode: str) -> Count:
    count = Count()
    with tempfile.TemporaryDirectory() as cache:
        command = StdioServerParameters(
            command=sys.executable,
            args=["-m", "bearings", "code", "serve", "stdio"],
            env={"CODEREF_CACHE_DIR": cache, "PATH": os.environ["PATH"]},
        )
        async with Client(command, read_timeout_seconds=300) as client:
            for step in (*task.before, None, *task.after):
                if step is None:
                    _edit(task, root)
                    continue
                arguments = {name: value for name, value in step.items() if name != "tool"}
                started = time.perf_counter()
                reply = await client.call_tool(
                    step["tool"], {"project_path": str(root), "output_mode": mode, **arguments}
                )
                count.add("".join(getattr(part, "text", "") for part in reply.content), time.perf_counter() - started)
    return count


def _shell(task: Task, root: Path) -> Count:
    count = Count()
    for step in (*task.shell_before, None, *task.shell_after):
        if step is None:
            _edit(task, root)
            continue
        started = time.perf_counter()
        done = subprocess.run(
            ("bash", "-c", step), cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        count.add(done.stdout, time.perf_counter() - started)
    return count


def _edit(task: Task, root: Path) -> None:
    for path, old, new in task.edits:
        file = root / path
        text = file.read_text("utf-8")
        assert old in text, f"{path} is not as it was before the mend"
        file.write_text(text.replace(old, new, 1), "utf-8")


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(("git", *arguments), cwd=root, check=True, stdin=subprocess.DEVNULL, capture_output=True)


if __name__ == "__main__":
    page = main({name: Path(folder) for name, _, folder in (given.partition("=") for given in sys.argv[1:])})
    print(page)
    (Path(__file__).parent / "results" / "walkthrough.md").write_text(page, encoding="utf-8")
