"""The real command as a user who may not read everything, also where the tests are run by root."""

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

_PR_CAPBSET_DROP = 24
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1, 2
"""From linux/prctl.h and linux/capability.h: what lets root read and write whatever it likes."""

_DROP_AND_RUN = "import sys; from tests.code.hostile.unprivileged import drop_and_run; drop_and_run(sys.argv[1:])"


def scan_unprivileged(root: Path, cache: Path) -> dict[str, Any]:
    """The reply of `bearings code scan --json`."""
    done = run_unprivileged(root, cache)
    assert done.stdout, done.stderr.decode()
    reply: dict[str, Any] = json.loads(done.stdout)
    return reply


def run_unprivileged(root: Path, cache: Path) -> "subprocess.CompletedProcess[bytes]":
    """The same command, to its end."""
    command = [sys.executable, "-m", "bearings", "code", "scan", str(root), "--json"]
    if os.geteuid() == 0:
        command = [sys.executable, "-c", _DROP_AND_RUN, *command]
    return subprocess.run(
        command,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "CODEREF_CACHE_DIR": str(cache), "CODEREF_MAX_FILE_BYTES": "100000"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )


def drop_and_run(command: list[str]) -> None:
    """Becomes the command, which can no longer get the privileges back."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
        if libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "a capability can't be dropped")
    os.execv(command[0], command)
