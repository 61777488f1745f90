"""Repositories that try to run something, and a witness of whether they did."""

import shlex
from pathlib import Path

from tests.code.trees import git, repository, write

SOURCES = {
    "app.py": "import requests\n\n\ndef load(url):\n    return requests.get(url)\n",
    "web.ts": "import express from 'express';\nconst app = express();\napp.get('/users/:id', (q, r) => r.send(''));\n",
}


class Trap:
    """A command that leaves a file behind if it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.script = folder / "run.sh"
        self.script.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(folder))}/sprung-$$\nexit 0\n")
        self.script.chmod(0o755)
        self.command = shlex.quote(str(self.script))

    @property
    def sprung(self) -> list[str]:
        """What it left behind."""
        return sorted(path.name for path in self.folder.glob("sprung-*"))


def hostile(root: Path, trap: Trap) -> Path:
    """A repository whose configuration, hooks, attributes, links and names are all against its reader."""
    repository(root, SOURCES)
    evil = f"ext::sh -c {trap.command}"
    write(
        root,
        {
            ".gitattributes": "*.py filter=evil diff=evil\n*.bin filter=lfs\n",
            ".gitmodules": f'[submodule "x"]\n\tpath = x\n\turl = {evil}\n\tupdate = !{trap.command}\n',
            "large.py": "x = 1\n" * 400_000,
            "deep.ts": "(" * 20_000,
            "node_modules/git": f"#!/bin/sh\n{trap.command}\n",
            "big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 9\n",
            "-rf.py": "def dashed(): pass\n",
            "a b\u202e.py": "def odd(): pass\n",
            "conftest.py": f"import os\nos.system({trap.command!r})\n",
            "setup.py": f"import os\nos.system({trap.command!r})\n",
        },
    )
    (root / "passwd.py").symlink_to("/etc/passwd")
    (root / "up").symlink_to("..")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "more")
    for hook in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction", "pre-upload-pack"):
        file = root / ".git/hooks" / hook
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{trap.command}\n")
        file.chmod(0o755)
    for key, value in {
        "core.fsmonitor": trap.command,
        "core.sshCommand": trap.command,
        "core.gitProxy": trap.command,
        "core.pager": trap.command,
        "core.hooksPath": str(trap.folder),
        "filter.evil.clean": trap.command,
        "filter.evil.smudge": trap.command,
        "filter.evil.process": trap.command,
        "diff.evil.textconv": trap.command,
        "uploadpack.packObjectsHook": trap.command,
        "alias.clone": f"!{trap.command}",
        "protocol.ext.allow": "always",
        "remote.origin.url": evil,
        "remote.origin.uploadpack": trap.command,
    }.items():
        git(root, "config", key, value)
    return root
