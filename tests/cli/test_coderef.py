"""`coderef` as scripts for @coderef/core call it: their flags, their arguments, JSON on standard output."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bearings.cli import code
from bearings.cli.wiring import WIRING
from tests.cli.conftest import ROOT


@pytest.fixture
def ferry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, which is also where the command is run."""
    shutil.copytree(ROOT / "examples" / "ferry", tmp_path / "ferry")
    monkeypatch.chdir(tmp_path / "ferry")
    return tmp_path / "ferry"


def run(*words: str) -> str:
    result = CliRunner().invoke(code.group("coderef"), words, obj=WIRING, prog_name="coderef")
    assert result.exit_code == 0, result.output
    return result.stdout


def read(*words: str) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(run(*words))
    assert reply["success"]
    return reply


@pytest.mark.slow
def test_scan(ferry):
    reply = read("scan", str(ferry), "--lang", "ts,tsx", "--json", "--ast")
    assert set(reply["by_language"]) == {"typescript", "tsx"}
    assert read("scan", "-l", "tsx", "--json")["elements_found"] < reply["elements_found"]


@pytest.mark.slow
def test_query_asks_where_it_is_run(ferry):
    reply = read("query", "parseTime", "--type", "calls-me", "--depth", "1", "--format", "json")
    assert {result["depth"] for result in reply["results"]} == {1}
    assert read("query", "parseTime", "-t", "calls-me", "--format", "json")["results_found"] == reply["results_found"]
    further = read("query", "parseTime", "-t", "calls-me", "--depth", "3", "--format", "json")
    assert further["results_found"] > reply["results_found"]


@pytest.mark.slow
def test_tag_validate_drift_and_untag(ferry):
    before = {path: path.read_bytes() for path in ferry.rglob("*.ts")}
    run("export", "-f", "index", "-s", str(ferry), "-o", ".coderef-index.json")
    assert read("tag", "src", "--json", "--lang", "ts")["dry_run"]
    assert {path: path.read_bytes() for path in before} == before
    added = read("tag", "src", "--no-dry-run", "--lang", "ts", "--exclude", "lib", "--verbose", "--json")
    assert added["tags_added"] == len(added["tags"]) > 0
    checked = read("validate", str(ferry), "--pattern", "**/*.ts", "--format", "json")
    assert (checked["valid"], checked["invalid_found"]) == (added["tags_added"], 0)
    drift = read("drift", str(ferry), "--index", ".coderef-index.json", "--format", "json")
    assert (drift["missing"], drift["renamed"], drift["moved"]) == (0, 0, 0)
    assert "are on other lines" in drift["note"]
    assert read("tag", str(ferry), "--remove", "--no-dry-run", "--json")["tags_removed"] == added["tags_added"]
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.slow
def test_diagram_goes_to_a_file_as_it_is(ferry):
    assert run("diagram", "-f", "mermaid", "-t", "imports", "--depth", "3").startswith(
        "%% bearings code graph\nflowchart"
    )
    assert run("diagram", "bookSeat", "--type", "calls", "--format", "dot").startswith(
        "// bearings code graph\ndigraph"
    )
    assert {"src/fares.ts", "src/booking.ts"} <= {
        box["id"] for box in read("diagram", "--format", "json")["drawn"]["boxes"]
    }


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["json", "jsonld"])
def test_export(ferry, format_):
    run("export", "-f", format_, "-o", "graph.json")
    assert json.loads((ferry / "graph.json").read_text())


@pytest.mark.slow
def test_errors_leave_with_their_status(ferry):
    runner = CliRunner()
    for words, status in ((("query", "nobody", "--type", "calls", "--json"), 1), (("drift", "--json"), 2)):
        result = runner.invoke(code.group("coderef"), words, obj=WIRING, prog_name="coderef")
        assert result.exit_code == status
        assert json.loads(result.stdout)["success"] is False
