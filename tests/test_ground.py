"""The common ground of both wings: errors, budgets, cursors, clean text, settings, the clock."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bearings import errors, paging
from bearings.budget import fitting
from bearings.clock import SystemClock
from bearings.errors import Ambiguous, BearingsError, InvalidInput
from bearings.progress import NoProgress
from bearings.reply import Part, Reply
from bearings.settings import ServeSettings
from bearings.untrusted import clean_line, clean_text

CODES = {
    "invalid_input", "not_found", "unsupported", "write_failed", "internal", "timeout", "rate_limited", "blocked",
    "unavailable", "bad_response", "path_not_allowed", "element_not_found", "ambiguous", "cli_not_found", "cli_failed",
    "bad_output", "shutting_down", "busy", "unauthorized", "forbidden",
}  # fmt: skip


def error_classes(base: type[BearingsError] = BearingsError) -> set[type[BearingsError]]:
    below = base.__subclasses__()
    return {base}.union(*(error_classes(kind) for kind in below)) if below else {base}


def test_every_code_of_the_contract_has_an_error_and_no_other_exists():
    assert {kind.code for kind in error_classes()} == CODES


def test_every_error_stands_in_the_drawn_tree():
    assert errors.__doc__ is not None
    for kind in error_classes():
        assert kind.__name__ in errors.__doc__


@given(st.text())
def test_a_shown_value_is_one_short_printable_line(text: str):
    shown = errors.shown(text)
    assert shown.isprintable()
    assert len(shown) <= 80
    shown.encode()


def test_invalid_input_names_the_field_the_value_and_the_remedy():
    body = InvalidInput("lat", 91, "is more than 90", "Latitudes go from -90 to 90.").body()
    assert body == {
        "success": False,
        "error": "lat = 91: is more than 90",
        "code": "invalid_input",
        "hint": "Latitudes go from -90 to 90.",
        "retryable": False,
    }


def test_an_ambiguous_name_lists_ten_candidates_in_its_hint_and_all_in_its_body():
    candidates = [f"f{number}.py#x" for number in range(12)]
    error = Ambiguous("x", candidates, total=40, labels=[" (7 uses)"])
    assert "40 elements" in error.error
    first, *lines = error.hint.split("\n  ")
    assert first == "Ask again with one of the candidates:"
    assert lines == ["f0.py#x (7 uses)", *candidates[1:10], "…"]
    assert error.body()["candidates"] == candidates


class Row(Part):
    text: str


@pytest.mark.slow
@given(st.lists(st.text(max_size=50), max_size=20), st.integers(0, 400))
def test_fitting_is_the_longest_prefix_within_the_budget_and_never_nothing(texts: list[str], budget: int):
    rows = [Row(text=text) for text in texts]
    kept = fitting(rows, budget)

    def size(some: list[Row]) -> int:
        return sum(len(row.to_json()) + 1 for row in some)

    assert kept == rows[: len(kept)]
    assert bool(kept) == bool(rows)
    assert size(kept) <= budget or len(kept) == 1
    if len(kept) < len(rows):
        assert size(rows[: len(kept) + 1]) > budget


@given(st.integers(0, 10**9), st.text())
def test_a_cursor_comes_back_as_its_offset(offset: int, of: str):
    mark = paging.fingerprint([of])
    assert paging.decode(paging.encode(offset, mark), mark) == offset


@given(st.text())
def test_any_other_text_is_refused_as_a_cursor(text: str):
    with pytest.raises(InvalidInput, match="cursor"):
        paging.decode(text, paging.fingerprint(["a"]))


def test_a_cursor_of_another_list_or_before_the_start_is_refused():
    with pytest.raises(InvalidInput, match="belongs to another list"):
        paging.decode(paging.encode(5, paging.fingerprint(["a"])), paging.fingerprint(["b"]))
    with pytest.raises(InvalidInput, match="is not a cursor"):
        paging.decode(paging.encode(-5, "x"), "x")
    assert paging.decode(None, "x") == 0


@given(st.text(), st.integers(1, 50))
def test_clean_text_can_be_printed_and_encoded_within_its_limit(text: str, limit: int):
    clean = clean_text(text, limit)
    assert len(clean) <= limit
    clean.encode()
    assert not any(ord(c) < 32 and c not in "\t\n" for c in clean)
    assert clean_text(clean, limit) == clean
    assert "\n" not in clean_line(text, limit)


def test_direction_overrides_are_removed():
    assert clean_line("a\u202eb\u2066c\x1b[31m\nd") == "abc d"


def test_a_reply_without_a_text_form_says_so():
    with pytest.raises(TypeError, match="has no text form"):
        Reply().to_text()


@pytest.mark.parametrize(("value", "forced"), [(None, False), ("", False), ("0", False), ("False", False), ("1", True)])
def test_mcp_stdio_is_any_value_but_an_empty_or_false_one(value: str | None, forced: bool):
    assert ServeSettings.model_validate({"mcp_stdio": value}).forces_stdio is forced


def test_a_log_level_is_one_that_logging_knows():
    assert ServeSettings.model_validate({"log_level": " info "}).log_level == "INFO"
    with pytest.raises(ValidationError, match="use DEBUG, INFO"):
        ServeSettings.model_validate({"log_level": "loud"})


def test_roots_are_a_path_list():
    settings = ServeSettings.model_validate({"roots": f"/a{os.pathsep}{os.pathsep}~/b"})
    assert settings.root_paths() == (Path("/a"), Path.home() / "b")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_the_system_clock_runs_forwards():
    clock = SystemClock()
    before = clock.monotonic(), clock.now()
    await clock.sleep(0)
    assert (clock.monotonic(), clock.now()) >= before


def test_no_progress_ignores_reports():
    NoProgress().update(1, 2, "x")


@given(st.text(st.characters() | st.sampled_from(" \t\u00a0\u200b\u3000"), max_size=20), st.integers(5, 20))
def test_a_clean_line_is_clean_text_whose_white_space_was_folded(text: str, limit: int):
    assert clean_line(text, limit) == clean_text(" ".join(clean_text(text, 100).split()), limit)
