"""The command line: install, import, serve, run, stop, clean. Root only; Debian 12."""

import argparse
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Final

from tests.nominatim_server import cluster, nominatim
from tests.nominatim_server.machine import CannotRun, Failed, Work, install, work_directory
from tests.nominatim_server.sharing import TOWN, running_nominatim, stop_all

EXAMPLES: Final = """
  curl '{url}/search?format=jsonv2&q=Port+Aurel'
  curl '{url}/reverse?format=jsonv2&lat=-26.5&lon=179.75&zoom=18&accept-language=ja'
  NOMINATIM_BASE_URL={url} bearings places geocode 'Harbour Street, Kettle Bay'
"""


def main() -> int:
    arguments = parser().parse_args()
    try:
        if arguments.command == "run":
            return run(arguments.file, arguments.port, arguments.work)
        work = work_directory(arguments.work)
        with work.locked():
            return COMMANDS[arguments.command](work, arguments)
    except (CannotRun, Failed) as error:
        say(f"error: {error}")
        return 1


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python3 -m tests.nominatim_server", description=__doc__)
    top.add_argument("--work", metavar="DIR", help="where everything is kept (default: BEARINGS_NOMINATIM_DIR)")
    commands = top.add_subparsers(dest="command", required=True)
    commands.add_parser("install", help="the packages, and Nominatim in an environment of its own")
    for name, words in {
        "import": "an OSM file into a database of its own, once",
        "serve": "start the server of a file in the background, and print its URL",
        "run": "all of it, in the foreground, until interrupted",
    }.items():
        command = commands.add_parser(name, help=words)
        command.add_argument("file", nargs="?", type=Path, default=TOWN, help="default: the little town")
        if name != "import":
            command.add_argument("--port", type=int, default=0, help="default: any that is free")
    commands.add_parser("stop", help="end all servers, and PostgreSQL")
    commands.add_parser("clean", help="stop, and remove all data and the environment (packages stay)")
    return top


def install_command(work: Work, _: argparse.Namespace) -> int:
    install(work)
    return 0


def import_command(work: Work, arguments: argparse.Namespace) -> int:
    install(work)
    cluster.start(work)
    project = nominatim.import_file(work, arguments.file)
    say(f"imported: {project.directory}")
    return 0


def serve_command(work: Work, arguments: argparse.Namespace) -> int:
    import_command(work, arguments)
    sys.stdout.write(nominatim.serve(work, nominatim.project_of(work, arguments.file), arguments.port) + "\n")
    return 0


def stop_command(work: Work, _: argparse.Namespace) -> int:
    if Path(cluster.BIN).exists():
        stop_all(work)
    return 0


def clean_command(work: Work, arguments: argparse.Namespace) -> int:
    stop_command(work, arguments)
    for name in ("projects", "postgresql", "venv"):
        shutil.rmtree(work.root / name, ignore_errors=True)
    return 0


COMMANDS: Final = {
    "install": install_command,
    "import": import_command,
    "serve": serve_command,
    "stop": stop_command,
    "clean": clean_command,
}


def run(file: Path, port: int, work: str | None) -> int:
    """Serves until SIGINT or SIGTERM, which end an import too."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    begun = time.monotonic()
    say(f"A real Nominatim over {file.name}: the first time takes a minute …")
    try:
        with running_nominatim(file, port=port, work_dir=work) as url:
            say(f"\n{url}  (after {time.monotonic() - begun:.1f} s; Ctrl-C ends it)\n{EXAMPLES.format(url=url)}")
            threading.Event().wait()
    except KeyboardInterrupt:
        say("ended")
    return 0


def say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
