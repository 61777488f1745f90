"""Text from outside stays inside its line of the log."""

import logging
import subprocess
import sys

import pytest

from bearings.logs import FORMAT, LINE_LIMIT, LineFormatter

HOSTILE = "a\nERROR bearings: forged\r\x1b[31m\u202e\u200b\ud800\u2028é"
ESCAPED = r"a\nERROR bearings: forged\r\x1b[31m\u202e\u200b\ud800\u2028é"


def record(message: str, *arguments: object, error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, None) if error else None
    return logging.LogRecord("bearings.x", logging.WARNING, "x.py", 1, message, arguments, info)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (record("not read: %s", HOSTILE), f"WARNING bearings.x: not read: {ESCAPED}"),
        (record(HOSTILE), f"WARNING bearings.x: {ESCAPED}"),
        (record("plain"), "WARNING bearings.x: plain"),
    ],
)
def test_a_record_is_one_line(given: logging.LogRecord, line: str):
    assert LineFormatter(FORMAT).format(given) == line


def test_a_long_record_is_cut():
    line = LineFormatter(FORMAT).format(record("x" * 1_000_000))
    assert len(line) == LINE_LIMIT
    assert line.endswith("x…")


def test_no_line_of_a_traceback_looks_like_a_record():
    first, *rest = LineFormatter(FORMAT).format(record("failed", error=ValueError(HOSTILE))).split("\n")
    assert first == "WARNING bearings.x: failed"
    assert rest == ["    ValueError: a", "    " + ESCAPED.removeprefix(r"a\n")]


def test_records_go_to_stderr():
    code = "import logging; from bearings.logs import log_to_stderr as to; to('INFO'); logging.info('a%sb', chr(10))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("", "INFO root: a\\nb\n")
