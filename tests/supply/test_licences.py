"""Every distribution whose modules are imported at run time is in the table, and none is under a strong copyleft."""

import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, TextIO

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from packaging.utils import canonicalize_name

from bearings.code.languages import language_of
from bearings.code.models import Language
from tests.code.cases import cases
from tests.code.trees import write
from tests.serving.conformance.test_packaging import ROOT
from tests.supply.licences import ATLAS, LANGUAGES, LICENCES, OSM, PATH, POSTCODES, REDIS, TABLES, is_permissive, text
from tests.supply.test_image import names
from tests.test_servers import GOOD

BIN = Path(sys.executable).parent
OF_TESTS = {"bearings-mcp", "coverage", "setuptools"}
"""Imported in these processes too: we, what measures them, and what setuptools puts into every process by a .pth."""


def test_the_page_is_what_the_table_says() -> None:
    assert PATH.read_text("utf-8") == text(), "run `make docs`"


def test_the_table_is_the_runtime_lock() -> None:
    assert {*LICENCES} == names("packaging/runtime.lock")
    assert {*LANGUAGES, *OSM, *REDIS} <= names("requirements.lock")
    assert {*TABLES} <= names("packaging/tables.lock")
    assert {*ATLAS} - {"unidecode"} == names("packaging/atlas.lock") - names("packaging/runtime.lock")
    assert {*POSTCODES} == names("packaging/postcodes.lock")


@pytest.mark.parametrize("name", LICENCES | LANGUAGES | OSM | REDIS | TABLES)
def test_what_may_be_imported_is_permissive_or_an_exception_with_a_reason(name: str) -> None:
    one = (LICENCES | LANGUAGES | OSM | REDIS | TABLES)[name]
    assert is_permissive(one.spdx) != bool(one.exception)
    assert "GPL" not in one.spdx


@pytest.mark.parametrize(
    ("spdx", "permissive"),
    [
        ("MIT", True),
        ("GPL-2.0-or-later", False),
        ("MIT AND MPL-2.0", False),
        ("GPL-3.0-only OR MIT", True),
        ("", False),
    ],
)
def test_what_is_permissive(spdx: str, permissive: bool) -> None:
    assert is_permissive(spdx) == permissive


@pytest.mark.parametrize("name", LICENCES)
def test_the_table_says_what_the_distribution_says(name: str) -> None:
    try:
        said = metadata.metadata(name).json
    except metadata.PackageNotFoundError:
        assert re.search("only|before", LICENCES[name].note), "not for this system"
        return
    agree(LICENCES[name].spdx, said)


@pytest.mark.slow
def test_the_table_says_what_the_packages_of_an_atlas_say(atlas_packages: Path) -> None:
    found = {canonicalize_name(one.name): one for one in metadata.distributions(path=[str(atlas_packages)])}
    assert "unidecode" not in found
    for name in {*ATLAS} - {"unidecode"}:
        agree(ATLAS[name].spdx, found[canonicalize_name(name)].metadata.json)
    for name, one in POSTCODES.items():
        agree(one.spdx, found[canonicalize_name(name)].metadata.json)


def agree(spdx: str, said: Mapping[str, Any]) -> None:
    """Fails unless a distribution's metadata name this licence."""
    expression = said.get("license_expression") or said.get("license")
    words = {
        "Apache 2.0": "Apache-2.0",
        "The MIT License (MIT)": "MIT",
        "ISC License (ISCL)": "ISC",
        "MIT License": "MIT",
        "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
        "Open Database License (ODbL) v1.0": "ODbL-1.0",
        "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    }
    first = expression.strip().partition("\n")[0] if isinstance(expression, str) else ""
    if first in words or first == expression:
        assert words.get(first, first) == spdx
        return
    classifiers = [line.rpartition(" :: ")[2] for line in said.get("classifier", []) if line.startswith("License")]
    assert [words[line] for line in classifiers] == [spdx]


@pytest.mark.parametrize("name", LICENCES)
def test_the_shared_libraries_that_a_wheel_brings_are_named(name: str) -> None:
    try:
        files = metadata.files(name) or []
    except metadata.PackageNotFoundError:
        files = []
    brought = {re.split(r"[-.]", file.name)[0] for file in files if re.search(r"\.(libs|dylibs)$", file.parts[0])}
    assert brought <= set(LICENCES[name].carries)


@pytest.mark.slow
def test_all_that_both_servers_and_the_commands_import_is_in_the_table(tmp_path: Path, places_cache: Path) -> None:
    """Real processes, workers too, which write each import to stderr."""
    environment = {**os.environ, "PYTHONPROFILEIMPORTTIME": "1", "GEOCODER_CACHE_DIR": str(places_cache)}
    environment["CODEREF_CACHE_DIR"] = str(tmp_path / "cache")
    log = tmp_path / "imports"
    with log.open("w") as stderr:
        anyio.run(call_all_tools, environment, stderr)
        serve_http(environment, stderr)
        sources = write(tmp_path / "sources", dict(one_of_each_language().values()))
        for words in ("doctor", f"code scan {sources}", "places geocode Paris", "completion bash"):
            subprocess.run([BIN / "bearings", *words.split()], env=environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=stderr, check=True)  # fmt: skip
    found = set(distributions(log.read_text("utf-8", "replace")))
    assert found >= {"mcp", "shapely", "tree-sitter-go", "uvicorn"}
    assert found - OF_TESTS <= {*LICENCES, *LANGUAGES}, "not in tests/supply/licences.py"
    assert found.isdisjoint({*ATLAS, *POSTCODES})


def one_of_each_language() -> dict[Language, tuple[str, str]]:
    """A path and a source of each, so that every grammar is imported."""
    return {
        language: one for case in cases() for one in case.files.items() if (language := language_of(one[0])) is not None
    }


async def call_all_tools(environment: dict[str, str], stderr: TextIO) -> None:
    """Each tool of both wings, over stdio."""
    server = StdioServerParameters(command=str(BIN / "bearings"), args=["serve", "stdio"], env=environment, cwd=ROOT)
    async with Client(stdio_client(server, errlog=stderr), read_timeout_seconds=300) as client:
        called = dict(GOOD)
        for tool, arguments in called.items():
            assert not (await client.call_tool(tool, arguments)).is_error, tool
        missing = {tool.name for tool in (await client.list_tools()).tools} - {*called}
        assert missing <= {"lookup_places", "coderef_untag", "coderef_rename", "coderef_remove", "coderef_unused"}, (
            missing
        )


def serve_http(environment: dict[str, str], stderr: TextIO) -> None:
    """A server over HTTP that is asked for its health and its metrics."""
    with subprocess.Popen(
        [BIN / "bearings", "serve", "http", "--port", "0", "--root", ROOT],
        env={**environment, "BEARINGS_LOG_LEVEL": "INFO"}, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        for line in running.stderr:
            stderr.write(line)
            if address := re.search(r"running on (http://\S+)", line):
                break
        assert address
        for path in ("health/live", "metrics"):
            with urllib.request.urlopen(f"{address[1]}/{path}", timeout=10) as reply:
                assert reply.status == 200
        running.terminate()
        stderr.write(running.communicate(timeout=60)[1])


def distributions(log: str) -> Iterator[str]:
    """The distributions of the modules in a log of `-X importtime`, without the standard library."""
    of_module = metadata.packages_distributions()
    for module in set(re.findall(r"^import time:.*\| +(\w+)", log, re.MULTILINE)):
        for name in of_module.get(module, ()):
            yield canonicalize_name(name)
