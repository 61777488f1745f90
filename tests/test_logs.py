"""Logs: a record a line, and nothing hidden in it."""

import logging
import subprocess
import sys

from bearings.logs import CleanFormatter


def record(message: str, error: BaseException | None = None) -> str:
    info = (type(error), error, error.__traceback__) if error else None
    form = CleanFormatter("%(levelname)s %(name)s: %(message)s")
    return form.format(logging.LogRecord("a", logging.WARNING, "a.py", 1, "%s", (message,), info))


def test_a_record_is_one_line_without_hidden_characters():
    said = record("gone: \x1b[2J\u202e\nERROR b: forged")
    assert said == r"WARNING a: gone: \x1b[2J\u202e\nERROR b: forged"


def test_a_traceback_keeps_its_lines_and_hides_nothing():
    said = record("failed", ValueError("bad \x1b]0;title\x07 \U000e0041"))
    assert said.split("\n") == ["WARNING a: failed", r"ValueError: bad \x1b]0;title\x07 \U000e0041"]


def test_records_of_every_logger_go_to_stderr_escaped():
    program = (
        "import logging; from bearings.logs import log_to_stderr; log_to_stderr('INFO', '%(message)s');"
        "logging.getLogger('x').info('a\\u200bb'); logging.getLogger('x').debug('no')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=True)
    assert (done.stdout, done.stderr.split()) == (b"", [rb"a\u200bb"])
