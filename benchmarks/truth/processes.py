"""Commands that may fail or take too long: what one started ends with it, and a few words say why it did not."""

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

LIMIT_S = 2400.0
"""How long a command may take, on a machine that has other work too: compilers take minutes for a package."""


class Failed(RuntimeError):
    """A command that ended badly or was ended; `briefly` says so without what it printed, for the page."""

    def __init__(self, briefly: str, details: str) -> None:
        super().__init__(details)
        self.briefly = briefly


def run(
    folder: Path, *command: str, limit_s: float = LIMIT_S, env: Mapping[str, str] | None = None, given: str = ""
) -> str:
    """The output of a command that runs in a folder and reads `given`.

    Raises Failed, with what it printed last. Whatever it leaves running is killed: peers start helpers of their own.
    """
    name = Path(command[0]).name
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as errors:
        asked.write(given.encode())
        asked.seek(0)
        process = subprocess.Popen(
            command, cwd=folder, stdin=asked, stdout=said, stderr=errors, env=env, start_new_session=True
        )
        try:
            code = process.wait(limit_s)
            briefly = f"{name} exited with {code}" if code else ""
        except subprocess.TimeoutExpired:
            briefly = f"{name} took longer than {limit_s:g} s"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said.seek(0)
        errors.seek(0)
        printed, complaint = (file.read().decode(errors="replace") for file in (said, errors))
    if briefly:
        details = f"{' '.join(command)} in {folder}: {briefly}:\n{printed[-2000:]}{complaint[-3000:]}"
        raise Failed(briefly, details)
    return printed
