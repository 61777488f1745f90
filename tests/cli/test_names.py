"""Commands answer bare names of several elements, and names of libraries."""

import pytest

from tests.cli.conftest import Invoke
from tests.code.trees import repository

LIBRARIES = {
    "a.ts": (
        'import { useRouter } from "next/router";\n'
        'export function Page() {\n  const r = useRouter();\n  r.push("/");\n}\n'
    ),
    "b.ts": "export const f = (ctx: any) => ctx.prisma.trace.findMany({});\n",
    "c.test.ts": "const useRouter = () => 1;\nuseRouter();\n",
    "d.py": (
        "from django.db.models import signals\nfrom django.db.models.signals import post_save\n\n\n"
        "def connect(f):\n    signals.post_save.connect(f)\n    post_save.connect(f)\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("command", "name", "lines"),
    [
        ("users", "next/router#useRouter", ["a.ts:1", "a.ts:3"]),
        ("users", "useRouter", ["a.ts:1", "a.ts:3"]),
        ("callers", "next/router#useRouter", ["a.ts:3"]),
        ("callers", "prisma.trace.findMany", ["b.ts:1"]),
        ("callers", "findMany", ["b.ts:1"]),
        ("users", "django.db.models.signals.post_save", ["d.py:2", "d.py:6", "d.py:7"]),
    ],
)
def test_names_of_libraries_are_answered_with_the_projects_lines(
    invoke: Invoke, tmp_path, monkeypatch, command, name, lines
):
    monkeypatch.chdir(repository(tmp_path / "app", LIBRARIES))
    result = invoke("code", command, name)
    assert ([":".join(line.split(":")[:2]) for line in result.stdout.splitlines()], result.exit_code) == (lines, 0)


@pytest.mark.slow
def test_a_command_prints_all_elements_of_a_name_in_groups(invoke: Invoke, tmp_path, monkeypatch):
    one = "class {0}:\n    def go(self):\n        pass\n\n\ndef use(it: {0}):\n    it.go()\n"
    files = {"a.py": one.format("A"), "b.py": one.format("B") + "    it.go()\n", "tests/c.py": one.format("C")}
    monkeypatch.chdir(repository(tmp_path / "app", files))
    result = invoke("code", "callers", "go")
    assert result.stdout.splitlines() == ["b.py:7:    it.go()", "b.py:8:    it.go()", "a.py:7:    it.go()"]
    assert result.exit_code == 0
    assert "note: 'go' names 2 elements; 2 are answered, the most used first." in result.stderr
    assert invoke("code", "symbol", "go").exit_code == 0
