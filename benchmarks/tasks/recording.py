"""A reader's calls and answer, stored as JSON: recordings/ARM/TASK.json.

Further readers of an arm have folders of their own: ARM.2 and so on.
"""

import hashlib
import json
import platform
from dataclasses import asdict, dataclass, field
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.measure import revision

FOLDER = Path(__file__).with_name("recordings")
ARMS = {"tools": "the tools over MCP", "grep": "rg, grep and friends", "shell": "grep's programs and `bearings code`",
        "both": "the tools over MCP and grep's programs"}  # fmt: skip


def tools_of(arm: str) -> str:
    """The arm of a reader: `shell` of `shell` and of `shell.2`."""
    name, mark, reader = arm.partition(".")
    return name if not mark or reader.isdigit() else arm


@dataclass
class Call:
    """One call: a tool's, or a command."""

    kind: str
    asked: str
    """The tool's name, or the command."""
    characters: int
    seconds: float
    digest: str
    """Of the reply, which is not kept."""
    arguments: dict[str, Any] = field(default_factory=dict)
    failed: bool = False


@dataclass
class Recording:
    """One reader's way through one task. `answer` is None until the task is ended."""

    arm: str
    task: str
    made: str
    calls: list[Call] = field(default_factory=list)
    answer: str | None = None
    definitions: int = 0
    """Characters of the tools' definitions, where tools were called."""

    @property
    def tools(self) -> str:
        """The arm without its reader: `shell` of `shell.2`."""
        return tools_of(self.arm)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def made() -> str:
    """The build that is asked and the day."""
    versions = []
    for name in ("bearings-mcp", "mcp"):
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            versions.append(f"{name} from its sources")
    return f"{revision()}, {', '.join(versions)}, Python {platform.python_version()}, {date.today().isoformat()}"


def load(arm: str, task: str, folder: Path = FOLDER) -> Recording | None:
    """The recording of a task by an arm, if there is one."""
    file = folder / arm / f"{task}.json"
    if not file.exists():
        return None
    row = json.loads(file.read_text(encoding="utf-8"))
    return Recording(**{**row, "calls": [Call(**one) for one in row["calls"]]})


def save(recording: Recording, folder: Path = FOLDER) -> None:
    file = folder / recording.arm / f"{recording.task}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(asdict(recording), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def recordings(folder: Path = FOLDER) -> list[Recording]:
    """All of them, by arm and task."""
    found = [load(file.parent.name, file.stem, folder) for file in sorted(folder.glob("*/*.json"))]
    return [one for one in found if one is not None]
