"""One line of JSON on stderr for each finished call (`BEARINGS_ACCESS_LOG=json`), without its arguments."""

import json
import logging
import sys
from datetime import UTC, datetime

from bearings.serving.calls import CallEnded
from bearings.serving.peer import NAMED

_logger = logging.getLogger("bearings.access")


def access_log(ended: CallEnded) -> None:
    """Write the line: time, peer, tool, outcome, ms, bytes (of the reply's text)."""
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "peer": ended.peer.key.removeprefix(NAMED),
        "tool": ended.tool,
        "outcome": ended.outcome,
        "ms": round(ended.seconds * 1000, 1),
        "bytes": ended.size,
    }
    _logger.info(json.dumps(line, separators=(",", ":")))


def start_access_log() -> None:
    """Enable these lines at any level of the other log, and nothing else."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    _logger.handlers = [handler]
    _logger.setLevel(logging.INFO)
    _logger.propagate = False
