"""Whether an installed wheel has a C module that works: `python packaging/trial.py`, with the Python that has it."""

import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = "def greet(name):\n    return print(name)\n\n\ngreet('world')\n"


def main() -> int:
    """The exit status; says what is wrong."""
    from bearings.code.languages import WITHOUT_GRAMMAR
    from bearings.code.languages.shared.trees import FlatReader, reader
    from bearings.code.models import Language

    installed = [language for language in Language if language not in WITHOUT_GRAMMAR]
    slow = [language.value for language in installed if not isinstance(reader(language), FlatReader)]
    if slow:
        sys.stderr.write(f"The C module does not read {', '.join(slow)}.\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "greeting.py").write_text(SOURCE, "utf-8")
        command = (sys.executable, "-m", "bearings", "code", "callers", "greet")
        outcome = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if "greeting.py" not in outcome.stdout:
        sys.stderr.write(f"No caller was found: {outcome.stdout}{outcome.stderr}\n")
        return 1
    sys.stdout.write(f"The wheel works, with its C module, for {len(installed)} of {len(Language)} languages.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
