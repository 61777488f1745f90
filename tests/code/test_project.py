"""The files of a project, by git and by walking, in harmless and hostile trees."""

import os
import shlex
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from bearings.code.languages.shared.test_paths import is_test
from bearings.code.project.listing import Lister, SpecialFiles
from bearings.code.project.names import is_aside, is_manifest
from bearings.code.project.roots import ProjectRoots
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.project.sources import Source, read_source, stamp_of
from bearings.errors import InvalidInput, PathNotAllowed
from tests.code.trees import git, repository, write

MAX = 10_000
SOURCES = {"a.py": "A = 1\n", "src/b.ts": "export const b = 1\n", "src/deep/c.js": "let c\n"}


def reasons(root: Path) -> dict[str, SkipReason]:
    return {skipped.path: skipped.reason for skipped in Lister(root).list().skipped}


@pytest.fixture(params=["git", "walk"])
def project(request, tmp_path):
    """SOURCES, in a repository or not."""
    make = repository if request.param == "git" else write
    root = make(tmp_path / "project", SOURCES)
    assert Lister(root).list().by == request.param
    return root


class TestListing:
    def test_lists_every_file_in_order(self, project):
        assert Lister(project).list().paths == ("a.py", "src/b.ts", "src/deep/c.js")

    def test_sees_new_files_and_forgets_deleted_ones(self, project):
        write(project, {"new.py": ""})
        (project / "src/b.ts").unlink()
        found = [path for path in Lister(project).list().paths if stamp_of(project, path)]
        assert found == ["a.py", "new.py", "src/deep/c.js"]

    def test_obeys_gitignore_nested_and_negated(self, project):
        write(
            project,
            {
                ".gitignore": "*.log\n/only_top.py\nhidden/\n",
                "x.log": "",
                "only_top.py": "",
                "src/only_top.py": "",
                "hidden/h.py": "",
                "src/.gitignore": "!keep.log\nlocal.py\n",
                "src/keep.log": "",
                "src/local.py": "",
                "src/deep/local.py": "",
                "local.py": "",
            },
        )
        listed = set(Lister(project).list().paths) - {".gitignore", "src/.gitignore"}
        assert listed == {*SOURCES, "src/only_top.py", "src/keep.log", "local.py"}

    @pytest.mark.parametrize("directory", ["node_modules", "dist", "build", "vendor", "__pycache__", ".venv"])
    def test_leaves_out_what_was_installed_or_made_and_says_so(self, project, directory):
        write(project, {f"{directory}/x.py": "", f"src/{directory}/y.js": "", "src/lib.min.js": ""})
        assert Lister(project).list().paths == tuple(SOURCES)
        assert reasons(project) == {
            f"{directory}/": SkipReason.EXCLUDED,
            f"src/{directory}/": SkipReason.EXCLUDED,
            "src/lib.min.js": SkipReason.EXCLUDED,
        }

    @pytest.mark.parametrize(
        "package", ["coverage/__init__.py", "src/build/__init__.py", "go/dist/dist.go", "src/build/plugin.ts"]
    )
    def test_reads_a_package_with_the_name_of_a_made_directory(self, project, package):
        folder = package.rpartition("/")[0]
        write(project, {package: "", f"{folder}/sub/x.py": "", f"{folder}/lib.min.js": "", "tools/build/x.py": ""})
        assert Lister(project).list().paths == tuple(sorted({*SOURCES, package, f"{folder}/sub/x.py"}))
        assert reasons(project) == {"tools/build/": SkipReason.EXCLUDED, f"{folder}/lib.min.js": SkipReason.EXCLUDED}

    def test_what_git_ignores_in_such_a_package_is_named_alone(self, tmp_path):
        files = {".gitignore": "made.py\n", "coverage/__init__.py": "", "coverage/made.py": "", "build/out/x.py": ""}
        lister = Lister(repository(tmp_path, files))
        assert lister.list().paths == (".gitignore", "coverage/__init__.py")
        assert lister.ignored() == (Skipped("coverage/made.py", SkipReason.IGNORED),)

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")
    def test_a_listing_is_sifted_again_only_when_something_has_changed(self, project):
        lister = Lister(project, now_ns=lambda: time.time_ns() + 10**10)
        write(project, {"lib/x.py": "", "lib/sub/y.py": ""})
        first = lister.list()
        assert (lister.list() is first) == (first.by == "git")
        for change in (
            lambda: os.mkfifo(project / "lib" / "sub" / "fifo.py"),
            lambda: (project / "lib" / "sub" / "fifo.py").unlink(),
            lambda: (project / "lib").rename(project / "moved"),
            lambda: (project / "lib").symlink_to("moved"),
            lambda: (project / "src").rename(project / "away"),
            lambda: (project / "src").symlink_to("away"),
            lambda: write(project, {"build/__init__.py": "", "lib.min.js": ""}),
            lambda: (project / "src").unlink(),
            lambda: shutil.rmtree(project / "away"),
        ):
            change()
            assert lister.list() == lister.list() == Lister(project).list() != first
            first = lister.list()

    @pytest.mark.parametrize("above", ["tmp", "node_modules/dist", "build/.venv/vendor"])
    def test_rules_are_about_what_lies_below_the_root(self, tmp_path, above):
        root = write(tmp_path / above / "project", SOURCES)
        assert Lister(root).list().paths == tuple(SOURCES)

    def test_a_directory_that_an_outer_repository_ignores_is_a_project(self, tmp_path):
        outer = repository(tmp_path, {".gitignore": "scratch/\n", "o.py": ""})
        root = write(outer / "scratch", SOURCES)
        assert Lister(root).list().paths == tuple(SOURCES)

    def test_a_directory_inside_a_repository_is_listed_alone(self, tmp_path):
        root = repository(tmp_path / "whole", {"o.py": "", **{f"part/{name}": text for name, text in SOURCES.items()}})
        listing = Lister(root / "part").list()
        assert (listing.paths, listing.by) == (tuple(SOURCES), "git")

    def test_a_submodule_and_a_clone_in_the_tree_are_part_of_it(self, tmp_path):
        other = repository(tmp_path / "other", {"o.py": "", "node_modules/n.js": ""})
        root = repository(tmp_path / "project", SOURCES)
        git(root, "submodule", "add", "-q", str(other), "libs/sub")
        shutil.copytree(other, root / "clone")
        assert set(Lister(root).list().paths) - {".gitmodules"} == {*SOURCES, "libs/sub/o.py", "clone/o.py"}

    def test_an_empty_repository_is_an_empty_project(self, tmp_path):
        listing = Lister(repository(tmp_path, {})).list()
        assert (listing.paths, listing.skipped, listing.by) == ((), (), "git")

    def test_an_empty_directory_is_an_empty_project(self, tmp_path):
        assert Lister(tmp_path).list().paths == ()

    @pytest.mark.parametrize("ruin", [".git/HEAD", ".git/index", ".git"])
    def test_a_broken_repository_is_walked(self, tmp_path, ruin):
        root = repository(tmp_path, SOURCES)
        if (root / ruin).is_dir():
            shutil.rmtree(root / ruin)
        (root / ruin).write_bytes(b"\xff nonsense")
        listing = Lister(root).list()
        assert set(listing.paths) - {".git"} == set(SOURCES)
        assert listing.by == "walk"

    def test_without_git_the_tree_is_walked(self, tmp_path, monkeypatch):
        root = repository(tmp_path / "project", SOURCES)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert Lister(root).list().by == "walk"
        assert Lister(root).list().paths == tuple(SOURCES)

    def test_environment_variables_do_not_lead_git_astray(self, tmp_path, monkeypatch):
        other = repository(tmp_path / "other", {"o.py": ""})
        root = repository(tmp_path / "project", SOURCES)
        monkeypatch.setenv("GIT_DIR", str(other / ".git"))
        monkeypatch.setenv("GIT_WORK_TREE", str(other))
        assert Lister(root).list().paths == tuple(SOURCES)

    def test_no_program_that_a_repository_names_is_run(self, tmp_path):
        root = repository(tmp_path / "project", SOURCES)
        trap = tmp_path / "trap.sh"
        trap.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(tmp_path))}/sprung\n")
        trap.chmod(0o755)
        for name in ("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "filter.x.clean"):
            git(root, "config", name, shlex.quote(str(trap)))
        git(root, "config", "core.hooksPath", str(tmp_path))
        shutil.copy(trap, tmp_path / "post-index-change")
        assert Lister(root).list().paths == tuple(SOURCES)
        assert not (tmp_path / "sprung").exists()

    def test_a_worktree_set_elsewhere_shows_nothing_of_it(self, tmp_path):
        write(tmp_path / "secret", {"s.py": ""})
        root = repository(tmp_path / "project", SOURCES)
        git(root, "config", "core.worktree", str(tmp_path / "secret"))
        assert "s.py" not in Lister(root).list().paths

    def test_symbolic_links_are_not_followed(self, project, tmp_path):
        write(tmp_path / "outside", {"o.py": "SECRET = 1\n"})
        (project / "loop").symlink_to(project, target_is_directory=True)
        (project / "away").symlink_to(tmp_path / "outside", target_is_directory=True)
        (project / "link.py").symlink_to(tmp_path / "outside/o.py")
        listing = Lister(project).list()
        assert not [path for path in listing.paths if path.startswith(("loop/", "away/"))]
        assert read_source(project, "link.py", MAX) == Skipped("link.py", SkipReason.SYMLINK)

    def test_a_tracked_directory_that_became_a_link_is_not_followed(self, tmp_path):
        write(tmp_path / "outside", {"b.ts": "", "deep/c.js": ""})
        root = repository(tmp_path / "project", SOURCES)
        shutil.rmtree(root / "src")
        (root / "src").symlink_to(tmp_path / "outside", target_is_directory=True)
        assert not [path for path in Lister(root).list().paths if path.startswith("src/")]
        assert reasons(root)["src/"] is SkipReason.SYMLINK

    @pytest.mark.skipif(os.name != "posix" or os.uname().sysname == "Darwin", reason="names are text there")
    def test_a_name_that_is_no_text_is_named_in_escapes(self, project):
        (project / os.fsdecode(b"caf\xe9.py")).write_text("")
        assert reasons(project) == {"caf\\xe9.py": SkipReason.BAD_NAME}
        assert Lister(project).list().paths == tuple(SOURCES)

    def test_a_root_that_has_gone_is_named(self, tmp_path):
        assert reasons(tmp_path / "gone") == {"./": SkipReason.UNREADABLE}

    def test_odd_rules_are_passed_over(self, tmp_path):
        root = write(tmp_path, {**SOURCES, ".gitignore": b"\xff\xfe\n/\n!\n[\n[z-a]\n**\\\n" + b"src/b.ts\n"})
        assert "src/b.ts" not in Lister(root).list().paths
        assert "a.py" in Lister(root).list().paths

    def test_very_deep_trees_are_walked(self, tmp_path):
        deep = "/".join(["d"] * 120)
        assert Lister(write(tmp_path, {f"{deep}/x.py": ""})).list().paths == (f"{deep}/x.py",)


def test_directories_that_rest_are_looked_at_once_and_those_that_went_are_no_error():
    specials = SpecialFiles(Path(__file__).parents[2] / "src/bearings")
    for _ in range(2):
        assert list(specials.besides(["", "code", "gone"])) == []


def test_what_is_to_be_done_while_git_lists_is_done_once(tmp_path):
    called = []
    for folder in (tmp_path, tmp_path / "sub"):
        write(folder, {"a.py": "1"})
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    assert Lister(tmp_path).list(lambda: called.append(1)).paths == ("a.py", "sub/a.py")
    assert called == [1]


class TestReading:
    def test_gives_bytes_and_a_stamp_that_tells_a_change(self, tmp_path):
        write(tmp_path, {"a.py": "1"})
        source = read_source(tmp_path, "a.py", MAX)
        assert isinstance(source, Source)
        assert (source.data, source.stamp) == (b"1", stamp_of(tmp_path, "a.py"))
        write(tmp_path, {"a.py": "22"})
        assert stamp_of(tmp_path, "a.py") != source.stamp

    def test_a_file_just_written_is_not_settled(self, tmp_path):
        write(tmp_path, {"a.py": "1"})
        source = read_source(tmp_path, "a.py", MAX)
        assert isinstance(source, Source)
        assert not source.settled

    @pytest.mark.parametrize(
        ("data", "reason"),
        [(b"x" * (MAX + 1), SkipReason.TOO_LARGE), (b"a\0b", SkipReason.BINARY)],
    )
    def test_refuses_what_is_no_source(self, tmp_path, data, reason):
        write(tmp_path, {"a.py": data})
        assert read_source(tmp_path, "a.py", MAX) == Skipped("a.py", reason)

    def test_a_file_that_vanished_is_nothing(self, tmp_path):
        assert read_source(tmp_path, "a.py", MAX) is None
        assert stamp_of(tmp_path, "a.py") is None
        assert stamp_of(tmp_path, "a\0.py") is None

    def test_a_directory_in_place_of_a_file_is_no_file(self, tmp_path):
        (tmp_path / "a.py").mkdir()
        assert read_source(tmp_path, "a.py", MAX) == Skipped("a.py", SkipReason.SPECIAL)

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")
    def test_nothing_waits_for_a_fifo(self, tmp_path):
        os.mkfifo(tmp_path / "a.py")
        assert read_source(tmp_path, "a.py", MAX) == Skipped("a.py", SkipReason.SPECIAL)

    @pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no sockets in the tree")
    def test_a_socket_is_no_file(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("a.py")
            assert read_source(tmp_path, "a.py", MAX) == Skipped("a.py", SkipReason.SPECIAL)

    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no devices")
    def test_a_device_is_no_file(self):
        assert read_source(Path("/dev"), "zero", MAX) == Skipped("zero", SkipReason.SPECIAL)

    def test_a_path_that_is_too_long_is_unreadable(self, tmp_path):
        name = "x" * 5000 + ".py"
        assert read_source(tmp_path, name, MAX) == Skipped(name, SkipReason.UNREADABLE)

    def test_files_that_come_and_go_are_no_error(self, tmp_path):
        """Another thread writes and deletes as fast as it can."""
        stop = threading.Event()

        def churn() -> None:
            while not stop.is_set():
                (tmp_path / "a.py").write_bytes(b"x" * 5000)
                (tmp_path / "a.py").unlink()

        thread = threading.Thread(target=churn)
        thread.start()
        try:
            for _ in range(300):
                source = read_source(tmp_path, "a.py", MAX)
                assert source is None or isinstance(source, Source)
        finally:
            stop.set()
            thread.join()


class TestRoots:
    def test_opens_a_directory_by_its_real_path(self, tmp_path):
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
        assert ProjectRoots().open(f"{tmp_path}/link/../link/.") == (tmp_path / "real").resolve()

    @pytest.mark.parametrize(
        ("path", "problem"),
        [
            ("", "not an absolute path"),
            ("relative/path", "not an absolute path"),
            ("~/app", "not an absolute path"),
            ("/no/such/directory/at/all", "does not exist"),
            ("/nul\0byte", "is no path"),
            ("/" + "x" * 20_000, "can't be opened"),
            ("/" + "x/" * 10_000, "can't be opened"),
        ],
    )
    def test_refuses_with_a_remedy(self, path, problem):
        with pytest.raises(InvalidInput, match=problem) as caught:
            ProjectRoots().open(path)
        assert caught.value.hint
        assert len(caught.value.error) < 300

    def test_a_file_is_refused_with_its_directory(self, tmp_path):
        write(tmp_path, {"a.py": ""})
        with pytest.raises(InvalidInput, match="not a directory") as caught:
            ProjectRoots().open(f"{tmp_path}/a.py")
        assert str(tmp_path.resolve()) in caught.value.hint

    def test_stays_inside_the_allowed_directories(self, tmp_path):
        (tmp_path / "in/side").mkdir(parents=True)
        (tmp_path / "in/escape").symlink_to("/", target_is_directory=True)
        roots = ProjectRoots([tmp_path / "in"])
        assert roots.open(str(tmp_path / "in")) == (tmp_path / "in").resolve()
        assert roots.open(str(tmp_path / "in/side")) == (tmp_path / "in/side").resolve()
        for outside in (tmp_path, tmp_path / "in/escape", tmp_path / "in/../x", tmp_path / "inside", tmp_path / "gone"):
            with pytest.raises(PathNotAllowed, match="outside the directories"):
                roots.open(str(outside))

    def test_no_roots_allow_nothing(self, tmp_path):
        with pytest.raises(PathNotAllowed, match="outside"):
            ProjectRoots([]).open(str(tmp_path))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/a.py", True),
        ("src/__tests__/a.ts", True),
        ("src/a.test.tsx", True),
        ("a.spec.js", True),
        ("test_a.py", True),
        ("src/a_test.py", True),
        ("conftest.py", True),
        ("src/latest.py", False),
        ("src/contest/a.py", False),
        ("src/testing.ts", False),
        ("src/cart_test.rs", True),
        ("src/cart/tests.rs", True),
        ("src/contests.rs", False),
        ("src/CartTest.java", True),
        ("src/TestCart.kt", True),
        ("src/ITCart.java", True),
        ("src/Testing.java", False),
        ("src/Item.java", False),
        ("lib/test_cart.c", True),
        ("lib/cart_unittest.cc", True),
        ("lib/latest.cpp", False),
        ("Shop.Tests/Helpers.cs", True),
        ("Shop/CartTests.cs", True),
        ("Shop/Latest.cs", False),
        ("lib/cart_spec.rb", True),
        ("lib/test_cart.rb", True),
        ("lib/contest_cart.rb", False),
        ("src/CartTest.php", True),
        ("Tests/Cart.php", True),
        ("ShopTests/Cart.swift", True),
        ("Shop/Cart.swift", False),
    ],
)
def test_tests_are_known_by_their_path(path, expected):
    assert is_test(path) is expected


def test_manifests_are_known_by_their_name():
    names = ["package.json", "a/tsconfig.json", "tsconfig.base.json", "jsconfig.json", "b/pyproject.toml"]
    assert all(is_manifest(name) for name in names)
    names = ["requirements.txt", "requirements-dev.txt", "requirements/base.txt", "Pipfile"]
    assert all(is_manifest(f"{folder}{name}") for name in names for folder in ("", "api/"))
    others = ["my-package.json", "package.json.bak", "src/config.json", "notes.txt", "old-requirements.txt"]
    assert not any(is_manifest(name) for name in others)


def test_a_link_that_leads_nowhere_that_can_be_asked_is_left_to_itself(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "toolong").symlink_to("a" * 300)
    (tmp_path / "nul").symlink_to("nowhere")
    assert "a.py" in Lister(tmp_path).list().paths


def test_rules_with_more_stars_than_people_write_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "*a" * 12 + "b\n**/made/**/*.g.*/**\n*.log.py\n"})
    write(tmp_path, {"a" * 100 + ".py": "", "x/made/y.g.z/w.py": "", "b.log.py": "", "c.py": ""})
    assert Lister(tmp_path).list().paths == (".gitignore", "a" * 100 + ".py", "c.py")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/main/java/com/example/demo/App.java", False),
        ("src/com/example/App.java", False),
        ("app/src/commonMain/kotlin/samples/App.kt", False),
        ("src/templates/mod.rs", False),
        ("Sources/Shop/templates/Page.swift", False),
        ("samples/shop/src/main/java/com/acme/App.java", True),
        ("examples/App.java", True),
        ("examples/shop/src/main.rs", True),
        ("src/templates/page.py", True),
        ("src/main/resources/templates/page.html", True),
        ("resources/scripts/index.tsx", False),
        ("src/main/resources/static/scripts/app.js", False),
        ("src/components/docs/Page.vue", False),
        ("pages/docs/index.js", False),
        ("src/docs/mocks/page.ts", True),
        ("docs/src/page.ts", True),
        ("scripts/release.ts", True),
    ],
)
def test_a_folder_of_examples_is_none_inside_a_package(path, expected):
    assert is_aside(path) is expected
