"""A project of Go, as the analyses see it: methods apart from their types, interfaces nobody names, its own customs."""

import pytest

from bearings.code.languages.shared.test_paths import is_test
from bearings.code.project.names import is_manifest
from bearings.code.questions.context.architecture import architecture
from bearings.code.questions.context.compute import context
from bearings.code.questions.impact.compute import impact
from bearings.code.questions.patterns.detectors import error_handling, events
from bearings.code.questions.patterns.evidence import files
from bearings.code.search import reaching_tests as testing
from bearings.code.search.members import with_members
from bearings.code.search.reaching_tests import commands_for
from tests.code.questions.snapshots import element, snapshot_of

FILES = {
    "go.mod": (
        "module example.com/geo\n\nrequire (\n\tgithub.com/x/y v1.0.0\n\tgithub.com/z/w v1.0.0 // indirect\n)\n"
        "require example.com/lib v0.1.0\n"
    ),
    "shape/shape.go": "package shape\n\ntype Shape interface{ Area() int }\n\ntype Square struct{ side int }\n",
    "shape/area.go": "package shape\n\nfunc (s Square) Area() int { return s.side }\n",
    "sum/sum.go": (
        'package sum\n\nimport "example.com/geo/shape"\n\n'
        "func Total(shapes []shape.Shape) (sum int) {\n"
        "\tfor _, one := range shapes {\n\t\tsum += one.Area()\n\t}\n\treturn\n}\n"
    ),
    "sum/sum_test.go": (
        'package sum\n\nimport "testing"\n\n'
        "func TestTotal(t *testing.T) { help() }\n\nfunc BenchmarkTotal(b *testing.B) { help() }\n\n"
        "func help() { Total(nil) }\n"
    ),
    "main.go": (
        "package main\n\nfunc main() {\n\tif err := run(); err != nil {\n\t\tpanic(err)\n\t}\n"
        "\tif err := run(); err != nil {\n\t}\n}\n\n"
        "func run() error { defer func() { recover() }(); return nil }\n"
    ),
}


@pytest.fixture
def snapshot(tmp_path):
    return snapshot_of(tmp_path, FILES)


def test_a_method_is_reached_through_the_interface_that_asks_for_it(snapshot):
    found = impact(snapshot, element(snapshot, "Square.Area"), "modify", 3)
    assert "sum/sum.go#Total:5" in {row.element for row in found.affected}


def test_its_tests_are_those_that_go_runs(snapshot):
    reached = testing.tests_reaching(snapshot, [element(snapshot, "Total").id], testing.TEST_DEPTH)
    (row,) = testing.by_file(reached)
    assert row.file == "sum/sum_test.go"
    assert set(row.tests) == {"sum/sum_test.go#TestTotal:5", "sum/sum_test.go#BenchmarkTotal:7"}


def test_methods_in_the_file_of_their_type_are_its_members(tmp_path):
    one = snapshot_of(tmp_path, {"a.go": "package a\n\nfunc (t T) M() {}\n\ntype T struct{ x int }\n\nfunc f() {}\n"})
    assert set(with_members(one, element(one, "T"))) == {"a.go#T:5", "a.go#T.x:5", "a.go#T.M:3"}


def test_errors_are_checked_dropped_and_recovered_from(snapshot):
    assert [(found.name, found.line) for file in files(snapshot) for found in error_handling(file)] == [
        ("errors checked", 4),
        ("panics", 5),
        ("errors dropped", 7),
        ("panics recovered", 11),
    ]


def test_a_context_tells_the_module_its_needs_its_entrance_and_its_habits(snapshot):
    told = context(snapshot, frozenset())
    assert [(package.name, package.dependencies) for package in told.packages] == [
        ("example.com/geo", ("github.com/x/y", "example.com/lib"))
    ]
    assert [(entry.element, entry.why) for entry in told.entry_points] == [("main.go#main:3", "is called main")]
    assert "written with testing (1 files)" in told.test_patterns


def test_packages_are_tested_by_go_test(snapshot):
    files = ("sum/sum_test.go", "sum/more_test.go", "a_test.go")
    assert commands_for(snapshot, files) == ("go test ./sum .",)


def test_go_files_are_known_by_their_names():
    assert is_test("a/b_test.go")
    assert not is_test("a/test.go")
    assert is_manifest("go.mod")
    assert is_manifest("a/go.work")


def test_an_interface_that_goes_breaks_who_names_it_and_nobody_who_implements_it(snapshot):
    gone = impact(snapshot, element(snapshot, "Shape"), "delete", 3)
    assert [(row.element, row.depth, row.severity) for row in gone.affected] == [
        ("sum/sum.go#Total:5", 1, "breaking"),
        ("sum/sum_test.go#help:9", 2, "major"),
        ("sum/sum_test.go#TestTotal:5", 3, "major"),
        ("sum/sum_test.go#BenchmarkTotal:7", 3, "major"),
    ]
    asked_for_more = impact(snapshot, element(snapshot, "Shape"), "refactor", 3)
    assert "shape/area.go#Square.Area:3" in {row.element for row in asked_for_more.affected}


def test_a_struct_that_changes_is_felt_by_who_names_it(tmp_path):
    one = snapshot_of(tmp_path, {"a.go": "package a\n\ntype T struct{ x int }\n\nfunc f(t T) int { return t.x }\n"})
    assert [row.element for row in impact(one, element(one, "T"), "modify", 3).affected] == ["a.go#f:5"]


def test_the_parts_of_a_project_are_its_packages(snapshot):
    found = architecture(snapshot, snapshot.facts)
    assert [(part.path, part.files, part.uses) for part in found] == [
        ("shape/", 2, ()),
        ("./", 1, ()),
        ("sum/", 1, ("shape/ (3)",)),
    ]


def test_what_is_called_emit_sends_no_event(tmp_path):
    one = snapshot_of(tmp_path, {"a.go": "package a\n\nfunc (l *lexer) run() { l.emit(1) }\n"})
    assert [found for file in files(one) for found in events(file)] == []
