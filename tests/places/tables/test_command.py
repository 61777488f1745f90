"""`bearings places table` as a person runs it, with the atlas, in processes of their own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.places.tables.tables import TOWNS, lines
from tests.test_cluster import untraced

COMMAND = [sys.executable, "-m", "bearings", "places", "table"]


def table(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "GEOCODER_ATLAS": "core", "GEOCODER_BACKEND": "gazetteer", "COLUMNS": "100"}
    return subprocess.run(
        [*COMMAND, *map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.slow
def test_a_table_is_made_and_told_of(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text(TOWNS)
    done = table("towns.csv", "out.csv", "--query", "city", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1] == "found: 3; unmatched: 1; distinct questions: 3"
    header, paris, *_ = (tmp_path / "out.csv").read_text().splitlines()
    assert header == "city,people,lat,lon,name,country_code,match,confidence,precision,unused,source,error"
    assert paris.startswith("Paris,2100000,48.85")
    again = table("out.csv", "back.jsonl", "--lat", "lat", "--lon", "lon", "--language", "fr", "--json", cwd=tmp_path)
    document = json.loads(again.stdout)
    assert (document["rows"], document["found"], document["questions"]) == (4, 3, 2)
    assert lines(tmp_path / "back.jsonl")[0]["geocoded_country_code"] == "fr"


def piped(text: bytes, *words: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    settings = {"GEOCODER_ATLAS": "core", "GEOCODER_BACKEND": "gazetteer", "XDG_STATE_HOME": str(cwd)}
    command = [*COMMAND, "-", "-", *words]
    return subprocess.run(command, input=text, cwd=cwd, env=os.environ | settings, capture_output=True, timeout=60)


@pytest.mark.slow
def test_standard_input_and_output_are_tables_too(tmp_path: Path) -> None:
    done = piped(b"Ort;Anteil\nParis;0,5\nqzxj;1\n", "--query", "Ort", "--columns", "iso", cwd=tmp_path)
    header, paris, nothing = done.stdout.decode().splitlines()
    assert header.startswith("Ort;Anteil;lat;lon;")
    assert (paris[:16], paris[-7:]) == ("Paris;0,5;48,853", ";FR-IDF")
    assert nothing.endswith(";no place matches 'qzxj';")
    assert b"found: 1; unmatched: 1" in done.stderr
    done = piped(b'{"n": "Fiji"}\n', "--from", "jsonl", "--to", "jsonl", "--query", "n", cwd=tmp_path)
    assert json.loads(done.stdout)["country_code"] == "fj"
    failed = piped(b"a,b\n", "--query", "n", cwd=tmp_path)
    assert (failed.returncode, failed.stdout) == (2, b"")
    assert b"The columns: a, b." in failed.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["no.csv", "out.csv", "--query", "city"], 2, "is no file"),
        (["towns.csv", "out.doc", "--query", "city"], 2, "has no suffix of a table"),
        (["towns.csv", "out.csv", "--query", "town"], 2, "The columns: city, people."),
        (["towns.csv", "out.csv", "--query", "city", "--scheduler", "nowhere"], 2, "is no address of a Dask scheduler"),
    ],
)
def test_what_can_not_be_done_is_said(tmp_path: Path, words: list[str], status: int, says: str) -> None:
    (tmp_path / "towns.csv").write_text(TOWNS)
    refused = table(*words, cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (status, "")
    assert says in refused.stderr.replace("\n", " ")
    assert "Traceback" not in refused.stderr


@pytest.mark.slow
def test_nothing_found_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("city\nxqzkj vvv\n")
    assert table("in.csv", "out.csv", "--query", "city", cwd=tmp_path).returncode == 1


@pytest.mark.slow
def test_a_kill_at_any_moment_costs_no_row(tmp_path: Path) -> None:
    rows = "".join(f"{n},{35 + n % 997 / 100:.2f},{n % 89 / 7:.3f}\n" for n in range(5_000))
    (tmp_path / "in.csv").write_text("n,y,x\n" + rows)
    words = ["--lat", "y", "--lon", "x"]
    environment = untraced(GEOCODER_ATLAS="core", GEOCODER_BACKEND="gazetteer")
    began = time.monotonic()
    subprocess.run([*COMMAND, "in.csv", "whole.csv", *words], cwd=tmp_path, env=environment, check=True)
    whole_s = time.monotonic() - began
    kills = 0
    for part in (0.2, 0.4, 0.5, 0.6, 0.8):
        with subprocess.Popen([*COMMAND, "in.csv", "out.csv", *words], cwd=tmp_path, env=environment) as process:
            try:
                process.wait(timeout=whole_s * part)
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
        if (tmp_path / "out.csv").exists():
            break
    if not (tmp_path / "out.csv").exists():
        subprocess.run([*COMMAND, "in.csv", "out.csv", *words], cwd=tmp_path, env=environment, check=True)
    assert kills
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in.csv", "out.csv", "whole.csv"]
