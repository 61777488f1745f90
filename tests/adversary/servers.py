"""Real servers over HTTP for the attacks, in processes of their own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def listening(words: Sequence[str], **environment: str) -> Iterator[str]:
    """The base URL of `bearings WORDS`, once it listens."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bearings", *words],
        env={**os.environ, "BEARINGS_LOG_LEVEL": "INFO", **environment},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        found = next((match for line in process.stderr if (match := re.search(r"running on (http://\S+)", line))), None)
        assert found, "the server ended before it listened"
        yield found[1]
    finally:
        process.terminate()
        process.communicate(timeout=30)
