"""docs/migrating.md has a line for everything in the former servers, and the names in its lines exist."""

import re
from collections.abc import Mapping

import pytest

from bearings.code.tools.argument_names import OTHER_NAMES, RENAMING
from bearings.places import arguments
from tests.docs import reference
from tests.docs.test_documented import ROOT

PAGE = (ROOT / "docs" / "migrating.md").read_text(encoding="utf-8")
TOOLS = {tool.name: tool for tool in reference.tools()}

THEIRS = {
    "geocode": "query limit country_codes language output_mode",
    "reverse_geocode": "lat lon zoom",
    "bbox_from_place": "query padding",
    "nearby_places": "lat lon radius_km limit categories",
    "admin_boundaries": "lat lon",
    "geocoder_status": "",
    "geocoder_capabilities": "",
    "coderef_scan": "project_path languages use_ast",
    "coderef_query": "project_path query_type target max_depth",
    "coderef_impact": "project_path element operation max_depth",
    "coderef_complexity": "project_path element",
    "coderef_patterns": "project_path pattern_type limit",
    "coderef_coverage": "project_path format",
    "coderef_context": "project_path output_format",
    "coderef_validate": "project_path pattern",
    "coderef_drift": "project_path index_path",
    "coderef_tag": "path dry_run",
    "coderef_diagram": "project_path diagram_type format depth",
}


def section(title: str) -> list[list[str]]:
    """The cells of a section's table rows."""
    text = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in text.splitlines() if line[:3] == "| `"]


def words(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


@pytest.mark.parametrize("name", THEIRS)
def test_every_tool_and_parameter_of_theirs_has_its_line_and_is_taken(name: str) -> None:
    wing = "Code" if name.startswith("coderef") else "Geocoder"
    assert name in {row[0].strip("`") for row in section(f"{wing}: tools")}
    rows = [row for row in PAGE.splitlines() if row.startswith("|") and (f"| `{name}` |" in row or "every tool" in row)]
    common = [row for row in PAGE.splitlines() if row.startswith("| all but `coderef_tag`")]
    for parameter in THEIRS[name].split():
        assert any(f"`{parameter}`" in row for row in (*rows, *common)), parameter
        assert parameter in TOOLS[name].input_schema["properties"] or parameter in TOOLS[name].habits.names


def names_in(schema: object) -> set[str]:
    """The property names of a schema, at any depth."""
    if isinstance(schema, list):
        return set().union(*map(names_in, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", ())) | set().union(*map(names_in, schema.values()))


@pytest.mark.parametrize("wing", ["Geocoder", "Code"])
def test_every_parameter_that_a_line_gives_as_ours_exists(wing: str) -> None:
    rows = section(f"{wing}: parameters")
    assert rows
    for tool, _, ours, _ in rows:
        assert set(words(ours)) <= set(TOOLS[words(tool)[0]].input_schema["properties"])


STATUS = {"size", "hits", "misses", "hit_rate", "max", "state", "interval_s", "next_slot_s", "cooldown_s"}
"""Keys of `cache` and `limiter`, which are open objects in the schema."""


@pytest.mark.parametrize("wing", ["Geocoder", "Code"])
def test_every_reply_field_that_a_line_gives_as_ours_exists(wing: str) -> None:
    rows = section(f"{wing}: reply fields")
    assert rows
    for tool, theirs, ours, _ in rows:
        named = set(words(theirs if "the same" in ours else ours))
        assert named - STATUS <= names_in(TOOLS[words(tool)[0]].output_schema), tool


def test_every_old_name_is_told() -> None:
    rows = section("Geocoder: old names of arguments")
    told = {old: words(ours)[0] for theirs, ours in rows for old in re.findall(r"`([\w-]+)`", theirs)}
    assert told == arguments.OLD_NAMES


@pytest.mark.parametrize(
    ("title", "names"),
    [("Code: other names of arguments", OTHER_NAMES), ("Code: other names in a rename", RENAMING)],
)
def test_every_other_name_of_the_code_tools_is_told(title: str, names: Mapping[str, tuple[str, ...]]) -> None:
    told: dict[str, tuple[str, ...]] = {}
    for ours, theirs in section(title):  # a long list takes several rows
        told[words(ours)[0]] = (*told.get(words(ours)[0], ()), *words(theirs))
    assert told == names


@pytest.mark.parametrize(
    "variable",
    [
        "NOMINATIM_EMAIL",
        "NOMINATIM_BASE_URL",
        "GEOCODER_CACHE_TTL",
        "GEOCODER_CACHE_SIZE",
        "MCP_STDIO",
        "CODEREF_CLI_PATH",
    ],
)
def test_every_variable_of_theirs_has_its_line(variable: str) -> None:
    assert f"| `{variable}`" in PAGE
