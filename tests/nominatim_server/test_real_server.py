"""A real Nominatim over the little town finds what is there."""

import json
import os
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.data.town.draw import HERE
from tests.nominatim_server import machine
from tests.nominatim_server.machine import CannotRun, Failed, Work, run, work_directory
from tests.nominatim_server.nominatim import Project
from tests.nominatim_server.sharing import enrol, running_nominatim, users

ROOT = Path(__file__).parents[2]
TRUTH: dict[str, list[dict[str, Any]]] = json.loads((HERE / "truth.json").read_text(encoding="utf-8"))

AS_NOBODY = """
import grp, os, pwd, sys
from tests.nominatim_server.__main__ import main
os.setgroups([])
os.setgid(grp.getgrnam("nogroup").gr_gid)
os.setuid(pwd.getpwnam("nobody").pw_uid)
os.chdir("/")
sys.exit(main())
"""


def get(base: str, path: str, **params: str) -> Any:
    query = urllib.parse.urlencode({"format": "jsonv2", "addressdetails": "1", **params})
    with urllib.request.urlopen(f"{base}{path}?{query}", timeout=60) as reply:
        return json.load(reply)


def id_of(place: dict[str, Any]) -> str:
    return f"{place['osm_type'][0].upper()}{place['osm_id']}" if "osm_id" in place else ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Port Aurel", "Porto Aŭrelo", "ポート・オーレル", "Порт-Аурель", "Aurelhaven"])
def test_the_town_is_found_by_its_name_in_every_script(real_nominatim: str, name: str):
    [town] = get(real_nominatim, "/search", q=name, limit="1")
    assert (town["category"], town["type"], town["addresstype"]) == ("boundary", "administrative", "town")
    assert town["address"]["country_code"] == "xv"


@pytest.mark.slow
def test_numbers_may_be_passed_over_and_words_of_letters_never_are(real_nominatim: str):
    """`bearings.places.nominatim.spelling` relies on this."""
    for passed_over in ("4711 Harbour Street, Port Aurel", "Harbour Street, Port Aurel, 9999", "Port Aurel 77"):
        assert get(real_nominatim, "/search", q=passed_over), passed_over
    for word in ("Qwertz", "Kettle", "France", "St"):
        for asked in (f"{word} Harbour Street, Port Aurel", f"Harbour Street, Port Aurel, {word}"):
            assert get(real_nominatim, "/search", q=asked) == [], asked


@pytest.mark.slow
def test_every_named_place_of_interest_is_found_by_its_name(real_nominatim: str):
    lost = [
        poi["name"]
        for poi in TRUTH["pois"]
        if poi["name"]
        and poi["id"] not in map(id_of, get(real_nominatim, "/search", q=poi["name"], dedupe="0", limit="10"))
    ]
    # A platform has no key but public_transport=*, which Nominatim's import does not take for a place.
    assert lost == ["Harbour Street East"]


@pytest.mark.slow
def test_every_address_with_a_street_is_found(real_nominatim: str):
    lost = []
    for house in TRUTH["addresses"]:
        if {"street", "housenumber"} <= set(house) and ";" not in house["housenumber"]:
            asked = f"{house['housenumber']} {house['street']}, {house['city']}"
            if house["id"] not in map(id_of, get(real_nominatim, "/search", q=asked)):
                lost.append(asked)
    assert lost == []


@pytest.mark.slow
def test_boundaries_have_the_boxes_of_the_truth_but_for_the_country_across_180(real_nominatim: str):
    for boundary in TRUTH["boundaries"]:
        [place] = get(real_nominatim, "/lookup", osm_ids=boundary["id"])
        south, north, west, east = map(float, place["boundingbox"])
        if len(boundary["bboxes"]) == 1:
            assert [west, south, east, north] == boundary["bboxes"][0]
        else:
            assert [west, east] == [-180, 180]


@pytest.mark.slow
def test_a_point_is_answered_with_the_boundaries_that_hold_it(real_nominatim: str):
    for point in TRUTH["points"]:
        place = get(real_nominatim, "/reverse", lat=str(point["lat"]), lon=str(point["lon"]))
        if point["within"]:
            assert place["address"]["country"] == point["within"][0]
            assert place["address"]["state"] == point["within"][1]
        else:
            assert place == {"error": "Unable to geocode"}


@pytest.mark.slow
def test_the_second_to_enter_is_given_the_same_server_and_leaves_it_running(real_nominatim: str):
    with running_nominatim() as again:
        assert again == real_nominatim
    assert get(real_nominatim, "/status", format="json")["message"] == "OK"


@pytest.mark.slow
def test_a_file_that_is_none_is_an_error_that_says_why(real_nominatim: str, tmp_path: Path):
    broken = tmp_path / "broken.osm"
    broken.write_text("<osm version='0.6'><node")
    with pytest.raises(Failed, match="status"), running_nominatim(broken):
        pass
    with pytest.raises(Failed, match="can't be read"), running_nominatim(tmp_path / "absent.osm"):
        pass


@pytest.mark.slow
@pytest.mark.parametrize(("required", "outcome"), [("0", "1 skipped"), ("1", "1 error")])
def test_where_it_cannot_run_tests_skip_unless_it_is_required(
    real_nominatim: str, tmp_path: Path, required: str, outcome: str
):
    tmp_path.chmod(0o700)  # root's alone: PostgreSQL's user can't get there
    this = Path(__file__).relative_to(ROOT)
    test = f"{this}::test_boundaries_have_the_boxes_of_the_truth_but_for_the_country_across_180"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
        env={
            **os.environ,
            "BEARINGS_NOMINATIM_DIR": str(tmp_path / "work"),
            "BEARINGS_REQUIRE_NOMINATIM": required,
            "BEARINGS_TEST_SHARE": "1",
        },
    )  # fmt: skip
    assert outcome in done.stdout
    assert "can't be reached by the user postgres" in done.stdout


def test_users_that_were_killed_are_struck_off(tmp_path: Path):
    project = Project(tmp_path)
    mine = enrol(project)
    gone = subprocess.Popen(["true"])
    gone.wait()
    (tmp_path / "users" / f"{gone.pid}-0").touch()
    assert users(project) == [mine]


def test_a_command_that_hangs_is_ended_and_named():
    with pytest.raises(Failed, match=r"took more than 0 s"):
        run(["sleep", "60"], seconds=0.2)


def test_a_command_that_fails_says_what_it_said():
    with pytest.raises(Failed, match="no such thing"):
        run([sys.executable, "-c", "import sys; sys.exit('no such thing')"], seconds=20)


def test_a_lock_that_is_held_is_waited_for_so_long_and_no_longer(tmp_path: Path):
    work = Work(tmp_path)
    with work.locked(), pytest.raises(Failed, match="another process"), work.locked(seconds=0.2):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
def test_without_root_it_says_that_it_needs_root():
    """The process gives its rights up once the modules are loaded: others may not look into this checkout."""
    done = subprocess.run(
        ["python3", "-c", AS_NOBODY, "install"], cwd=ROOT, capture_output=True, text=True, timeout=60,
        env={"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "needs root" in done.stderr


def test_a_path_of_their_own_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    if os.geteuid() != 0:
        with pytest.raises(CannotRun):
            work_directory()
        return
    monkeypatch.setenv("BEARINGS_NOMINATIM_DIR", str(tmp_path / "work"))
    assert work_directory().root == tmp_path / "work"
    assert work_directory(str(tmp_path)).root == tmp_path
    assert machine.DEFAULT_WORK.startswith("/var/")
