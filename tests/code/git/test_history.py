"""How the work tree differs from a commit, beside what git itself says, in each kind of repository."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bearings.code.project.git.history import Comparison, History
from bearings.errors import InvalidInput, Unsupported
from tests.code.trees import git, repository, write

MAX = 1_000_000
FILES = {
    "a.py": "def a():\n    return 1\n",
    "src/b.ts": "export const b = 1\n",
    "src/deep/c.py": "c = 1\nd = 2\ne = 3\nf = 4\n",
    "notes.md": "old\n",
    ".gitignore": "*.log\nbuilt/\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path.resolve() / "project", FILES)


def compared(root: Path, base: str = "HEAD", roots: tuple[Path, ...] | None = None) -> Comparison:
    history = History(root, roots)
    return history.changes(history.commit(base), MAX)


def paths(found: Comparison) -> set[tuple[str, str]]:
    return {(change.old, change.new) for change in found.changes}


def by_git(root: Path, base: str = "HEAD") -> set[tuple[str, str]]:
    """The same changes by `git diff` and `git ls-files`, without renames."""
    told = output(root, "diff", "--no-renames", "--name-status", "-z", base, "--").split("\0")
    found = set()
    for status, path in zip(told[::2], told[1::2], strict=False):
        found.add(("" if status == "A" else path, "" if status == "D" else path))
    new = [path for path in output(root, "ls-files", "-z", "--others", "--exclude-standard").split("\0") if path]
    return found | {("", path) for path in new}


def output(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def apart(found: Comparison) -> set[tuple[str, str]]:
    """The same without renames: what went and what came."""
    told: set[tuple[str, str]] = set()
    for old, new in paths(found):
        told |= {(old, new)} if old == new else {pair for pair in ((old, ""), ("", new)) if any(pair)}
    return told


edits = st.lists(
    st.tuples(
        st.sampled_from(
            ["a.py", "src/b.ts", "src/deep/c.py", "notes.md", "new.py", "src/new.ts", "x.log", "built/y.py"]
        ),
        st.sampled_from(["same", "changed", "gone", "staged", "untracked", "ignored again"]),
    ),
    max_size=8,
)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits)
def test_it_says_what_git_says(tmp_path_factory, steps):
    root = repository(tmp_path_factory.mktemp("edited").resolve(), FILES)
    for path, step in steps:
        file = root / path
        if step in ("changed", "staged"):
            write(root, {path: f"{file.read_text() if file.exists() else ''}more\n"})
        if step == "gone" and file.exists():
            file.unlink()
        if step == "staged":
            git(root, "add", "-f", path)
        if step == "untracked":
            git(root, "rm", "-q", "-f", "--cached", "--ignore-unmatch", path)
        if step == "same" and file.exists():
            os.utime(file)
    # A file that left the index and is on the disk is gone for git, and new; here it is compared.
    both = {old for old, new in by_git(root) if not new} & {new for old, new in by_git(root) if not old}
    git_says = {(old, new) for old, new in by_git(root) if (old or new) not in both}
    ours = {(old, new) for old, new in apart(compared(root)) if (old or new) not in both}
    assert ours == git_says


def test_a_clean_tree_has_no_changes_whatever_was_touched(root):
    assert compared(root).changes == ()
    for path in FILES:
        os.utime(root / path)
    (root / "a.py").chmod(0o755)
    assert compared(root).changes == ()


def test_hunks_are_the_lines_that_differ(root):
    write(root, {"src/deep/c.py": "c = 1\nx = 0\nd = 2\nf = 4\n"})
    (change,) = compared(root).changes
    assert [(hunk.old_count, hunk.new_start, hunk.new_count) for hunk in change.hunks] == [(0, 2, 1), (1, 4, 0)]
    assert compared(root).before == {"src/deep/c.py": FILES["src/deep/c.py"].encode()}


def test_a_renamed_file_is_one_change(root):
    (root / "src/deep/c.py").rename(root / "moved.py")
    write(root, {"moved.py": FILES["src/deep/c.py"] + "g = 5\n"})
    assert paths(compared(root)) == {("src/deep/c.py", "moved.py")}


def test_a_project_below_the_repository_has_its_own_paths(root):
    write(root, {"src/b.ts": "changed\n", "a.py": "changed\n", "src/new.ts": "", "src/x.log": ""})
    assert paths(compared(root / "src")) == {("b.ts", "b.ts"), ("", "new.ts")}
    assert compared(root / "src").before == {"b.ts": FILES["src/b.ts"].encode()}


def test_a_folder_that_the_commit_has_not_is_all_new(root):
    write(root, {"later/x.py": "x\n"})
    assert paths(compared(root / "later")) == {("", "x.py")}


@pytest.mark.parametrize(
    "base",
    [
        "HEAD",
        "@",
        "main",
        "heads/main",
        "refs/heads/main",
        "v1",
        "tags/v1",
        "annotated",
        "HEAD~0",
        "HEAD^{commit}",
        "@^0",
    ],
)
def test_names_of_commits_are_understood(root, base):
    git(root, "branch", "-M", "main")
    git(root, "tag", "v1")
    git(root, "-c", "user.name=n", "-c", "user.email=e", "tag", "-a", "-m", "m", "annotated")
    for _ in range(2):
        assert History(root).commit(base) == output(root, "rev-parse", f"{base}^{{commit}}").strip()
        git(root, "pack-refs", "--all")


def test_older_commits_are_reached_by_steps_and_abbreviations(root):
    write(root, {"a.py": "second\n"})
    git(root, "commit", "-q", "-a", "-m", "second")
    first = output(root, "rev-parse", "HEAD~1").strip()
    for base in ("HEAD~1", "HEAD^", first, first[:8], f"v1-0-g{first[:10]}", "ORIG_HEAD"):
        git(root, "update-ref", "ORIG_HEAD", first)
        assert History(root).commit(base) == first
    assert paths(compared(root, "HEAD~1")) == {("a.py", "a.py")}
    assert paths(compared(root, "HEAD")) == set()


@pytest.mark.parametrize(
    "base",
    ["", "none", "HEAD~9", "HEAD:a.py", "--help", "-n", "HEAD\n", "HEAD..HEAD", "@{1}", "HEAD@{1}", ":/x", "^HEAD",
     "../../x", "refs/../HEAD", "HEAD^{tree}", "HEAD^{blob}", "a" * 5000, "\udcff", "HEAD ", "config", "index"],
)  # fmt: skip
def test_a_name_of_no_commit_is_refused(root, base):
    with pytest.raises(InvalidInput):
        History(root).commit(base)


def test_ends_of_lines_alone_are_no_change(root):
    (root / "a.py").write_bytes(FILES["a.py"].replace("\n", "\r\n").encode())
    assert compared(root).changes == ()
    (root / "a.py").write_bytes(FILES["a.py"].replace("\n", "\r\n").encode() + b"more\r\n")
    (change,) = compared(root).changes
    assert [hunk.new_start for hunk in change.hunks] == [3]


def test_a_large_file_whose_object_is_the_same_is_no_change(root):
    data = b"\0large" * 1000
    import hashlib

    pointer = (
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(data).hexdigest()}\nsize {len(data)}\n"
    )
    write(root, {"data.bin": pointer, ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "large")
    (root / "data.bin").write_bytes(data)
    assert (compared(root).changes, compared(root).notes) == ((), ())
    (root / "data.bin").write_bytes(data + b"!")
    assert paths(compared(root)) == {("data.bin", "data.bin")}


def test_a_filter_that_was_not_run_is_told(root):
    write(root, {".gitattributes": "*.py filter=upper\n*.md ident\n", "a.py": "changed\n", "src/b.ts": "changed\n"})
    found = compared(root)
    assert found.notes == ("A filter was not run, so its files are compared as they stand: a.py.",)


def test_links_are_compared_as_links(root):
    (root / "link").symlink_to("a.py")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "link")
    assert compared(root).changes == ()
    (root / "link").unlink()
    (root / "link").symlink_to("/etc/passwd")
    assert paths(compared(root)) == {("link", "link")}
    (root / "link").unlink()
    write(root, {"link": "a.py"})
    assert paths(compared(root)) == {("link", ""), ("", "link")}


def test_old_versions_that_are_too_large_are_not_loaded(root):
    write(root, {"a.py": "changed\n"})
    history = History(root)
    found = history.changes(history.commit("HEAD"), 3)
    assert [(change.old, change.hunks) for change in found.changes] == [("a.py", ())]
    assert found.before == {}


class TestKinds:
    """Each kind of repository works, or is unsupported; never wrong."""

    def test_a_linked_worktree(self, root):
        second = root.parent / "second"
        git(root, "worktree", "add", "-q", "-b", "other", str(second))
        write(second, {"a.py": "changed\n"})
        assert paths(compared(second)) == {("a.py", "a.py")}
        assert History(second).commit("other") == History(root).commit("HEAD")
        assert paths(compared(second, roots=(root.parent,))) == {("a.py", "a.py")}
        with pytest.raises(Unsupported, match="outside the directories"):
            compared(second, roots=(second,))

    def test_a_submodule(self, root):
        other = repository(root.parent / "other", {"s.py": "s = 1\n"})
        git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
        git(root, "commit", "-q", "-m", "sub")
        assert compared(root).changes == ()
        write(root / "sub", {"s.py": "changed\n"})
        assert compared(root).changes == ()
        assert paths(compared(root / "sub")) == {("s.py", "s.py")}

    def test_a_sparse_checkout(self, root):
        git(root, "sparse-checkout", "set", "--cone", "src/deep")
        assert not (root / "src/../notes2.md").exists()
        write(root, {"src/deep/c.py": "changed\n"})
        found = compared(root)
        assert paths(found) == {("src/deep/c.py", "src/deep/c.py")}

    def test_a_sparse_index(self, root):
        git(root, "sparse-checkout", "init", "--cone", "--sparse-index")
        git(root, "sparse-checkout", "set", "docs")
        assert b"sdir" in (root / ".git/index").read_bytes()
        found = compared(root)
        assert found.changes == ()
        assert any("not checked out" in note for note in found.notes)

    def test_a_split_index_is_unsupported(self, root):
        git(root, "update-index", "--split-index")
        with pytest.raises(Unsupported) as raised:
            compared(root)
        assert "--no-split-index" in raised.value.hint

    def test_a_shallow_clone(self, root, tmp_path):
        write(root, {"a.py": "second\n"})
        git(root, "commit", "-q", "-a", "-m", "second")
        git(tmp_path, "clone", "-q", "--depth", "1", f"file://{root}", "shallow")
        shallow = tmp_path.resolve() / "shallow"
        write(shallow, {"a.py": "third\n"})
        assert paths(compared(shallow)) == {("a.py", "a.py")}
        with pytest.raises(InvalidInput) as raised:
            compared(shallow, "HEAD~1")
        assert "--unshallow" in raised.value.hint

    @pytest.mark.slow
    def test_a_partial_clone_fetches_nothing(self, root, tmp_path):
        git(root, "config", "uploadpack.allowFilter", "true")
        write(root, {"a.py": "second\n"})
        git(root, "commit", "-q", "-a", "-m", "second")
        git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{root}", "partial")
        partial = tmp_path.resolve() / "partial"
        assert compared(partial).changes == ()
        with pytest.raises(Unsupported, match="absent") as raised:
            compared(partial, "HEAD~1")
        assert "partial" in raised.value.hint

    def test_a_packed_repository(self, root):
        git(root, "gc", "-q", "--aggressive")
        assert not [entry for entry in (root / ".git/objects").iterdir() if len(entry.name) == 2]
        write(root, {"a.py": "changed\n"})
        assert compared(root).before == {"a.py": FILES["a.py"].encode()}

    def test_objects_named_by_sha_256(self, tmp_path):
        git(tmp_path, "init", "-q", "--object-format=sha256", "wide")
        root = write(tmp_path.resolve() / "wide", FILES)
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "first")
        write(root, {"a.py": "changed\n", "n.py": ""})
        assert len(History(root).commit("HEAD")) == 64
        assert paths(compared(root)) == {("a.py", "a.py"), ("", "n.py")}

    def test_refs_in_tables_are_unsupported_and_names_of_objects_are_not(self, root):
        """As git 2.45 and later lay them out; a ref in `refs` is not looked at then."""
        name = History(root).commit("HEAD")
        git(root, "config", "core.repositoryformatversion", "1")
        git(root, "config", "extensions.refStorage", "reftable")
        (root / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
        with pytest.raises(Unsupported, match="reftable"):
            compared(root)
        assert compared(root, name).changes == ()

    @pytest.mark.parametrize(("key", "value"), [("extensions.novel", "true"), ("core.repositoryformatversion", "7")])
    def test_a_format_that_is_not_known(self, root, key, value):
        git(root, "config", "core.repositoryformatversion", "1")
        git(root, "config", key, value)
        with pytest.raises(Unsupported, match="not known here"):
            compared(root)

    def test_a_git_directory_of_its_own_that_names_the_project(self, tmp_path):
        base = tmp_path.resolve()
        root = write(base / "project", FILES)
        git(base, "init", "-q", "--separate-git-dir", str(base / "store"), str(root))
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "first")
        with pytest.raises(Unsupported, match="doesn't name this folder"):
            compared(root)
        git(root, "config", "core.worktree", str(root))
        assert compared(root).changes == ()

    def test_objects_of_another_store(self, root, tmp_path):
        git(tmp_path, "clone", "-q", "--shared", str(root), "sharing")
        sharing = tmp_path.resolve() / "sharing"
        assert compared(sharing).changes == ()
        assert compared(sharing, roots=(root.parent,)).changes == ()
        with pytest.raises(Unsupported, match="outside the directories"):
            compared(sharing, roots=(sharing,))

    def test_objects_behind_a_link_are_refused(self, root):
        shutil.move(root / ".git/objects/pack", root.parent / "pack")
        (root / ".git/objects/pack").symlink_to(root.parent / "pack")
        with pytest.raises(Unsupported, match="is a link"):
            compared(root)

    def test_a_repository_above_what_may_be_read(self, root):
        with pytest.raises(Unsupported, match="outside the directories"):
            compared(root / "src", roots=(root / "src",))
        assert compared(root / "src", roots=(root,)).changes == ()

    def test_a_directory_that_looks_like_a_bare_repository_is_none(self, root):
        write(root, {f"packages/app/{name}": text for name, text in {
            "HEAD": "ref: refs/heads/main\n", "config": f"[core]\n\tworktree = {root}\n", "objects/x": "", "refs/x": "",
        }.items()})  # fmt: skip
        assert ("", "HEAD") in paths(compared(root / "packages/app"))

    def test_without_a_repository_there_is_no_history(self, tmp_path):
        with pytest.raises(Unsupported, match="no git repository"):
            compared(write(tmp_path.resolve() / "plain", FILES))

    def test_an_unborn_branch_has_no_commit(self, tmp_path):
        git(tmp_path, "init", "-q", "young")
        with pytest.raises(InvalidInput):
            compared(tmp_path.resolve() / "young")

    def test_a_tree_in_conflict(self, root):
        git(root, "checkout", "-q", "-b", "one")
        write(root, {"a.py": "one\n"})
        git(root, "commit", "-q", "-a", "-m", "one")
        git(root, "checkout", "-q", "-b", "two", "HEAD~1")
        write(root, {"a.py": "two\n"})
        git(root, "commit", "-q", "-a", "-m", "two")
        with pytest.raises(subprocess.CalledProcessError):
            git(root, "merge", "-q", "one")
        assert paths(compared(root)) == {("a.py", "a.py")}
