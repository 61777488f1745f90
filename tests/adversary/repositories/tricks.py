"""Repositories, each with one trick that makes a program of its own run when git is used in it without care."""

import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.code.trees import git, repository, write

SOURCES = {
    "app/main.py": "def main():\n    return helper()\n\n\ndef helper():\n    return 1\n",
    "app/view.ts": "export function view() { return 1 }\n",
    "tests/test_main.py": "from app.main import main\n\n\ndef test_main():\n    assert main()\n",
    ".gitattributes": "* filter=evil diff=evil merge=evil text eol=lf\n",
}


class Stage:
    """A repository to spoil, and the program that must not run: it leaves a mark."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.marks = base / "marks"
        self.marks.mkdir(parents=True)
        self.program = base / "evil.sh"
        self.program.write_text(f'#!/bin/sh\necho "$0 $@" >> "{self.marks}/ran"\ncat 2>/dev/null\nexit 0\n')
        self.program.chmod(0o755)
        self.command = shlex.quote(str(self.program))
        self.root = repository(base / "repo", SOURCES)
        self.project = self.root

    @property
    def ran(self) -> bool:
        """Whether the program ran."""
        return any(self.marks.iterdir())

    def set(self, key: str, value: str | None = None) -> None:
        """A line of the repository's configuration; by default it names the program."""
        git(self.root, "config", "--add", key, self.command if value is None else value)

    def hook(self, name: str) -> None:
        """A hook of the repository."""
        file = self.root / ".git/hooks" / name
        file.parent.mkdir(exist_ok=True)
        shutil.copy(self.program, file)

    def edit(self) -> None:
        """A change of the work tree: a tracked file of the same size, a new one, one that is gone."""
        (self.root / "app/main.py").write_text(SOURCES["app/main.py"].replace("return 1", "return 2"))
        write(self.root, {"app/new.py": "def new(): pass\n"})
        (self.root / "app/view.ts").unlink()
        os.utime(self.root / "tests/test_main.py")


Trick = Callable[[Stage], None]


def _keys(*names: str) -> dict[str, Trick]:
    """One trick for each configuration key whose value is a program."""

    def trick(name: str) -> Trick:
        def spoil(stage: Stage) -> None:
            stage.set(name)
            if name.startswith("filter."):
                stage.set("filter.evil.required", "true")

        return spoil

    return {name: trick(name) for name in names}


def _hooks(*names: str) -> dict[str, Trick]:
    def trick(name: str) -> Trick:
        return lambda stage: stage.hook(name)

    return {f"hook {name}": trick(name) for name in names}


def _alias(stage: Stage) -> None:
    for name in ("ls-files", "ls-tree", "cat-file", "diff", "status", "rev-parse"):
        stage.set(f"alias.{name}", f"!{stage.command}")


def _include(stage: Stage) -> None:
    evil = stage.base / "included"
    evil.write_text(f'[filter "evil"]\n\tclean = {stage.command}\n[core]\n\tfsmonitor = {stage.command}\n')
    stage.set("include.path", str(evil))
    stage.set("includeIf.gitdir:**.path", str(evil))


def _worktree_config(stage: Stage) -> None:
    stage.set("core.repositoryformatversion", "1")
    stage.set("extensions.worktreeConfig", "true")
    (stage.root / ".git/config.worktree").write_text(f"[core]\n\tfsmonitor = {stage.command}\n")


def _index_with_monitor(stage: Stage) -> None:
    git(stage.root, "update-index", "--fsmonitor")
    stage.set("core.fsmonitor")


def _info_attributes(stage: Stage) -> None:
    (stage.root / ".git/info").mkdir(exist_ok=True)
    (stage.root / ".git/info/attributes").write_text("* filter=late diff=late\n")
    stage.set("filter.late.clean")
    stage.set("diff.late.textconv")
    stage.set("diff.late.command")


def _attributes_file(stage: Stage) -> None:
    (stage.base / "attributes").write_text("* filter=late\n")
    stage.set("core.attributesFile", str(stage.base / "attributes"))
    stage.set("filter.late.process")


def _promisor(stage: Stage) -> None:
    """Objects are absent, and are to be fetched by a program."""
    stage.set("remote.origin.url", f"ext::{stage.command}")
    stage.set("remote.origin.promisor", "true")
    stage.set("protocol.ext.allow", "always")
    stage.set("protocol.allow", "always")
    stage.set("core.repositoryformatversion", "1")
    stage.set("extensions.partialClone", "origin")
    for folder in (stage.root / ".git/objects").iterdir():
        if len(folder.name) == 2 and folder.name < "80":
            shutil.rmtree(folder)


def _elsewhere(stage: Stage) -> None:
    other = repository(stage.base / "other", SOURCES)
    git(other, "config", "filter.evil.clean", stage.command)
    stage.set("core.worktree", str(other))
    stage.set("filter.evil.clean")


def bare_layout(folder: Path, work_tree: str, program: Path) -> None:
    """Files that git takes for a bare repository, in a form that an ordinary clone can contain."""
    write(
        folder,
        {
            "HEAD": "ref: refs/heads/main\n",
            "config": f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = {work_tree}\n"
            f'\tfsmonitor = {program}\n[filter "evil"]\n\tclean = {program}\n\tprocess = {program}\n',
            "objects/info/none": "",
            "refs/heads/none": "",
        },
    )


def _embedded_bare(stage: Stage) -> None:
    """The project is a subfolder of a clone, and looks like a bare repository."""
    app = stage.root / "packages/app"
    bare_layout(app, ".", stage.program)
    shutil.copytree(stage.root / ".git/objects", app / "objects", dirs_exist_ok=True)
    shutil.copy(stage.root / ".git/index", app / "index")
    write(app, {"src/x.py": "def x(): pass\n", ".gitattributes": "* filter=evil\n"})
    stage.project = app


def _embedded_bare_above(stage: Stage) -> None:
    _embedded_bare(stage)
    stage.project = stage.root / "packages/app/src"


def _file_to_bare(stage: Stage) -> None:
    """`.git` is a file that names a folder of the tree."""
    store = stage.root / "store"
    (stage.root / ".git").rename(store)
    (stage.root / ".git").write_text("gitdir: store\n")
    for line in ("core.fsmonitor", "filter.evil.clean"):
        git(stage.root, "config", "--file", str(store / "config"), line, stage.command)


def _link_to_bare(stage: Stage) -> None:
    _file_to_bare(stage)
    (stage.root / ".git").unlink()
    (stage.root / ".git").symlink_to("store")


def _nested(stage: Stage) -> None:
    inner = repository(stage.root / "inner", {"x.py": "def x(): pass\n", ".gitattributes": "* filter=evil\n"})
    for key in ("core.fsmonitor", "filter.evil.clean", "filter.evil.process"):
        git(inner, "config", key, stage.command)
    write(inner, {"x.py": "def y(): pass\n"})


def _submodule(stage: Stage) -> None:
    other = repository(stage.base / "library", {"l.py": "def l(): pass\n"})
    git(stage.root, "submodule", "add", "-q", str(other), "library")
    for key in ("core.fsmonitor", "filter.evil.clean", "core.sshCommand"):
        git(stage.root / "library", "config", key, stage.command)
    stage.set("submodule.library.update", f"!{stage.command}")
    write(stage.root / "library", {"l.py": "def m(): pass\n", ".gitattributes": "* filter=evil\n"})


def _linked(stage: Stage) -> None:
    second = stage.base / "second"
    git(stage.root, "worktree", "add", "-q", str(second))
    stage.set("core.fsmonitor")
    stage.set("filter.evil.clean")
    (second / "app/main.py").write_text("def main(): return 2\n")
    stage.project = second


def _alternates_command(stage: Stage) -> None:
    stage.set("core.alternateRefsCommand")
    other = repository(stage.base / "store", SOURCES)
    (stage.root / ".git/objects/info/alternates").write_text(f"{other}/.git/objects\n")


def _split_index(stage: Stage) -> None:
    git(stage.root, "update-index", "--split-index")
    stage.set("core.fsmonitor")


def _everything(stage: Stage) -> None:
    for name in (*CONFIGURATION, "diff.external"):
        stage.set(name)
    for name in HOOKS:
        stage.hook(name)
    _info_attributes(stage)
    _nested(stage)


CONFIGURATION = (
    "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "diff.evil.command",
    "diff.external", "core.fsmonitor", "core.pager", "pager.diff", "pager.ls-files", "core.editor", "sequence.editor",
    "core.sshCommand", "core.gitProxy", "core.askPass", "credential.helper", "gpg.program", "gpg.ssh.program",
    "merge.evil.driver", "mergetool.evil.cmd", "difftool.evil.cmd", "interactive.diffFilter", "sendemail.smtpServer",
    "uploadpack.packObjectsHook", "core.hooksPath", "trailer.evil.command", "browser.evil.cmd", "man.evil.cmd",
)  # fmt: skip
HOOKS = ("post-index-change", "post-checkout", "pre-auto-gc", "fsmonitor-watchman", "reference-transaction")

TRICKS: dict[str, Trick] = {
    **_keys(*CONFIGURATION),
    **_hooks(*HOOKS),
    "alias": _alias,
    "include": _include,
    "configuration of a worktree": _worktree_config,
    "index with a monitor": _index_with_monitor,
    "attributes in .git/info": _info_attributes,
    "core.attributesFile": _attributes_file,
    "promised objects": _promisor,
    "core.worktree elsewhere": _elsewhere,
    "embedded bare repository": _embedded_bare,
    "embedded bare repository above": _embedded_bare_above,
    ".git is a file": _file_to_bare,
    ".git is a link": _link_to_bare,
    "nested repository": _nested,
    "submodule": _submodule,
    "linked worktree": _linked,
    "alternates": _alternates_command,
    "split index": _split_index,
    "everything at once": _everything,
}
