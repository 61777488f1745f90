"""Takes docs/map.png and docs/graph.png, the pictures of the README's views: `make screens`. Needs Chromium."""

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from tests.deploy.proxies import program

ROOT = Path(__file__).parents[1]
SIZE = (1280, 720)
SCENES = {
    "map.png": ("places", "route", "Tokyo", "Honolulu", "San Francisco"),
    "graph.png": ("code", "diagram", "--inside", "src/bearings/places", "--project", "."),
}
"""A picture's file, and the command whose page it shows."""


def main() -> None:
    """Writes the files."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, reduced_motion="reduce")
        for name, words in SCENES.items():
            html = Path(folder) / f"{name}.html"
            command = [sys.executable, "-m", "bearings", *words, "--html", str(html)]
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - ourselves
            page.goto(html.as_uri())
            page.wait_for_load_state("networkidle")
            page.screenshot(path=ROOT / "docs" / name)
        browser.close()


if __name__ == "__main__":
    main()
