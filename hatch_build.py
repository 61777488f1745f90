"""A wheel has the C module (native/) where it can be built, and is for one platform then; else it is pure Python.

BEARINGS_PURE=1 asks for a pure wheel; BEARINGS_COMPILED=1 has mypyc compile the hot modules, too, and then all must be.
"""

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledWheel(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the libraries that packaging/native.py and packaging/compiled.py make into the wheel."""

    def dependencies(self) -> list[str]:
        """What compiling needs. mypy reads the types of the libraries that compiled modules use, too."""
        if not self._has_native():
            return []
        if not os.environ.get("BEARINGS_COMPILED"):
            return ["pip", "setuptools>=77"]
        typed = [name for name in self.metadata.core.dependencies if name.startswith(("msgspec", "tree-sitter"))]
        return ["mypy>=1.18", "pip", "setuptools>=77", *typed]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles; an editable install has its C module from `make install`."""
        if version == "editable" or not self._has_native():
            return
        folder = Path(self.root) / "build" / ("compiled" if os.environ.get("BEARINGS_COMPILED") else "native")
        made = self._compiled(folder) if os.environ.get("BEARINGS_COMPILED") else self._native(folder)
        if made:
            build_data["pure_python"], build_data["infer_tag"] = False, True
            build_data["force_include"].update({str(path): str(path.relative_to(folder)) for path in made})

    def _has_native(self) -> bool:
        """The sources may have been left out, as the image and the bundle do."""
        return not os.environ.get("BEARINGS_PURE") and Path(self.root, "native").is_dir()

    def _compiled(self, folder: Path) -> list[Path]:
        made: list[Path] = self._script("compiled").main(folder)
        return made

    def _native(self, folder: Path) -> list[Path]:
        native = self._script("native")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            return [native.build(folder)]
        except (OSError, subprocess.CalledProcessError) as error:
            self.app.display_warning(f"The C module can't be built: {error}. {native.WITHOUT}")
            return []

    def _script(self, name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"bearings_{name}", Path(self.root) / "packaging" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
