"""Processes of this program beside the one that runs. They may hang or crash without harm to it."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

POSIX = os.name == "posix"


def command_of(module: str) -> tuple[str, ...]:
    """The command that runs a module of this package.

    -P: the directory that this process was started in may be a user's project, with modules named like ours.
    """
    return (sys.executable, "-P", "-m", module)


def launch(module: str, stderr: int | None = None) -> "subprocess.Popen[bytes]":
    """Starts a module as a process with pipes to it, in a process group of its own. Raises OSError."""
    return subprocess.Popen(  # noqa: S603 - this interpreter and a module of this package
        command_of(module),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        start_new_session=POSIX,
        creationflags=0 if POSIX else getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def limit_memory(pid: int, most: int) -> None:
    """Limits what a process may allocate, where a running one can be limited (Linux). Its crash leaves no image."""
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        resource.prlimit(pid, resource.RLIMIT_DATA, (most, most))


def kill_all(process: "subprocess.Popen[bytes]") -> None:
    """Kills a process of `launch` that was not waited for, with its process group."""
    with suppress(OSError):
        if POSIX:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
