"""Permitted names of exported files: those of the format, so that no program reads an export as its settings."""

import os
import re
from pathlib import Path, PurePosixPath, PureWindowsPath

from bearings.errors import InvalidInput, PathNotAllowed, shown

INDEX_NAME = ".coderef-index.json"
"""The only dotfile that an export may be."""

ENDINGS = {
    "json": (".json",),
    "jsonld": (".jsonld", ".json"),
    "mermaid": (".mmd", ".mermaid"),
    "dot": (".dot", ".gv"),
    "index": (".json",),
}
"""By format."""

_OTHERS = frozenset(
    {
        "package.json", "package-lock.json", "npm-shrinkwrap.json", "composer.json", "tsconfig.json", "jsconfig.json",
        "deno.json", "turbo.json", "nx.json", "lerna.json", "renovate.json", "vercel.json", "angular.json",
        "pyrightconfig.json", "devcontainer.json", "mcp.json", "settings.json", "tasks.json", "launch.json",
        "nodemon.json", "lefthook.json", "firebase.json", "app.json", "bower.json", "project.json", "workspace.json",
        "extensions.json", "now.json", "netlify.json", "biome.json", "rush.json", "ng-package.json", "manifest.json",
        "global.json", "launchsettings.json", "appsettings.json", "wrangler.json", "dvc.json", "claude.json",
    }
)  # fmt: skip
"""Names of .json files with settings of tools that run programs. The list can't be complete."""

_SETTINGS = re.compile(r"(?:[.-]conf(?:ig)?|(?:ts|js)config(?:[.-].*)?)\.json$")
"""Endings of further ones: babel.config.json, tauri.conf.json, tsconfig.build.json."""


def check_export_path(root: Path, output_path: str, format: str) -> None:  # noqa: A002 - the tool's parameter
    """Check that an export in this format may have the name. Raises PathNotAllowed or InvalidInput.

    The path is relative to `root`, or absolute. The writer checks whether it lies inside.
    """
    ending = ENDINGS[format][0]
    remedy = f"Pass a path such as coderef-graph{ending}."
    if not output_path.isprintable():
        raise InvalidInput("output_path", output_path, "has characters that are not shown", remedy)
    name = PureWindowsPath(PurePosixPath(output_path).name).name
    problem = _problem(name, format) or _hidden(root, output_path)
    if problem:
        raise PathNotAllowed(f"output_path = {shown(output_path)}: {problem}", remedy)


def _problem(name: str, format: str) -> str:  # noqa: A002 - as above
    """The problem with a file's name; empty for a permitted one."""
    if not name or (name == INDEX_NAME and format == "index"):
        return ""  # the writer refuses an empty name
    if name.startswith("."):
        return "is a hidden file"
    endings = ENDINGS[format]
    if not name.lower().endswith(endings):
        return f"is no name of an export in {format}, which ends in {' or '.join(endings)}"
    is_settings = name.lower() in _OTHERS or _SETTINGS.search(name.lower())
    return "is a name of another program's settings" if is_settings else ""


def _hidden(root: Path, output_path: str) -> str:
    """Whether the directory, links resolved, lies in a hidden one of the project, such as .github or .vscode."""
    try:
        directory = Path(os.path.realpath((root / output_path).parent))
    except (OSError, ValueError):
        return ""  # the writer reports the problem
    inside = directory.relative_to(root).parts if directory.is_relative_to(root) else ()
    return "is in a hidden directory" if any(part.startswith(".") for part in inside) else ""
