"""The examples of docs/python.md run, and print what they are about."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)
SAYS = (
    r"40\.\d+ -105\.\d+ exact",
    "Genève.*Londres.*Pékin",
    r"Bern,134000,46\.\d+,7\.\d+,0\.\d+,CH-BE\nBasel,178000,47\.",
    r"1,ch,0\.0,Europe/Zurich\n2,fr,0\.0,Europe/Paris",
    r"1,ch\n2,fr",
)
NAMES = ("waits", "awaits", "pandas", "polars", "geopandas")


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize(("code", "says"), list(zip(EXAMPLES, SAYS, strict=True)), ids=NAMES)
def test_an_example_runs(code: str, says: str, places_cache: Path):
    environment = {**os.environ, "GEOCODER_CACHE_DIR": str(places_cache), "GEOCODER_BACKEND": "gazetteer"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.search(says, done.stdout, flags=re.DOTALL), done.stdout
