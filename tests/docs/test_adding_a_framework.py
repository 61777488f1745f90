"""Follows docs/adding-a-framework.md step by step in a copy of the sources."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-framework.md").read_text("utf-8")
_STEP = re.compile(r"^`(src/[^`\n]+)`\n\n((?:```\w+\n.*?^```\n\n?)+)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

SHOP = """from quart import Blueprint, Quart

app = Quart(__name__)
orders = Blueprint("orders", __name__, url_prefix="/orders")


@orders.post("/<int:id>")
async def pay(id): ...


@app.websocket("/feed")
async def feed(): ...


app.register_blueprint(orders)
app.add_url_rule("/health", view_func=pay)
"""


def followed(source: str, diff: str) -> str:
    """The source after a diff, whose lines are there once."""
    lines = diff.splitlines(keepends=True)
    before, after = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
    assert source.count(before) == 1, before
    return source.replace(before, after)


@pytest.mark.slow
def test_the_page_adds_a_framework(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "*.sqlite", "static", "*.so")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    steps = _STEP.findall(PAGE)
    assert len(steps) == 2
    for path, blocks in steps:
        file = tmp_path / path
        for kind, text in _BLOCK.findall(blocks):
            file.write_text(followed(file.read_text("utf-8"), text) if kind == "diff" else text, "utf-8")
    project = tmp_path / "shop"
    project.mkdir()
    (project / "app.py").write_text(SHOP, "utf-8")
    scan = ("-m", "bearings", "code", "scan", "--project", str(project), "--types", "endpoint")
    others = os.environ.get("PYTHONPATH", "")
    environment = {"PYTHONPATH": f"{tmp_path / 'src'}{os.pathsep}{others}", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, *scan], env={**os.environ, **environment, "COVERAGE_PROCESS_START": ""},
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.findall(r"([A-Z]+ /\S+) app.py:\d+-\d+ \((\w+) → (\w+)", done.stdout) == [
        ("POST /orders/<int:id>", "quart", "pay"),
        ("WEBSOCKET /feed", "quart", "feed"),
        ("GET /health", "quart", "pay"),
    ]
