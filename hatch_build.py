"""Wheels are pure Python, unless BEARINGS_COMPILED is set: then their hot modules are compiled, for one platform."""

import importlib.util
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledWheel(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the libraries that packaging/compiled.py makes into the wheel."""

    def dependencies(self) -> list[str]:
        """What only a compiled wheel needs. mypy reads the types of the libraries that compiled modules use, too."""
        if not os.environ.get("BEARINGS_COMPILED"):
            return []
        typed = [name for name in self.metadata.core.dependencies if name.startswith(("msgspec", "tree-sitter"))]
        return ["mypy>=1.18", "pip", "setuptools>=77", *typed]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles, if that is asked for; an editable install never is."""
        if not os.environ.get("BEARINGS_COMPILED") or version == "editable":
            return
        script = Path(self.root) / "packaging" / "compiled.py"
        spec = importlib.util.spec_from_file_location("bearings_compiled", script)
        assert spec is not None
        assert spec.loader is not None
        compiled = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(compiled)
        folder = Path(self.root) / "build" / "compiled"
        made = compiled.main(folder)
        build_data["pure_python"], build_data["infer_tag"] = False, True
        build_data["force_include"].update({str(path): str(path.relative_to(folder)) for path in made})
