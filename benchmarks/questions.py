"""Sixty everyday questions about six repositories of Java, C# and PHP: bearings beside codegraph.

    python -m benchmarks.questions FOLDER [--only 1,2]

FOLDER holds a checkout of each repository of questions.txt at its commit, named as the repository in lower case. Both
are asked by their commands. The answers were written from the text, by grep and by reading, before either was asked.

Kinds: callers, impls (all subtypes), reach (three steps), tests (files), route (its handler), config (the files that
read a setting), needs (functions of the project that one calls), words. An answer is right if it holds all that is
expected; of callers, impls and needs, at most a tenth may be something else. It is wrong if it holds nothing expected
but other names; otherwise in part. One that lacks something and does not say that it may be short is silent.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePath
from typing import Any, Literal

from benchmarks.measure import revision, table
from benchmarks.truth.peers import CODEGRAPH, QUIET, codegraph_command

QUESTIONS = Path(__file__).with_name("questions.txt")
RESULTS = Path(__file__).parent / "results" / "questions.md"
Verdict = Literal["right", "in part", "silent", "wrong"]
WORDS = frozenset({"route", "words", "config"})
"""Kinds whose answer is read as text."""
VERDICTS: tuple[Verdict, ...] = ("right", "in part", "silent", "wrong")


@dataclass(frozen=True, slots=True)
class Question:
    """`about`: an element, or words. `file`: the element's; `env` for a variable of the environment."""

    repository: str
    kind: str
    about: str
    file: str
    answer: Sequence[str]

    @property
    def expected(self) -> set[str]:
        """The parts that an answer needs."""
        return {part for part in self.answer if not part.startswith("?")}

    @property
    def allowed(self) -> set[str]:
        """The parts that an answer may hold."""
        return {part.removeprefix("?") for part in self.answer}


@dataclass(frozen=True, slots=True)
class Answer:
    """`parts`: FILE#FUNCTION, names or files; `text`: words instead; `doubt`: it says that it may be short."""

    parts: frozenset[str] = frozenset()
    text: str = ""
    doubt: bool = False


def questions() -> Iterator[Question]:
    """Those of questions.txt."""
    repository = ""
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if " | " not in line:
            repository = line.split()[0]
            continue
        kind, about, file, answer = (cell.strip() for cell in line.split("|"))
        yield Question(repository, kind, about, file, answer.split())


def run(folder: Path, *command: str) -> str:
    """What a command prints on both streams."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False, env=QUIET)
    return done.stdout + done.stderr


def ours(folder: Path, question: Question) -> Answer:
    """By `bearings code`."""
    command = (sys.executable, "-m", "bearings", "code")
    if question.kind in WORDS:
        asked = ("users", f"env:{question.about}") if question.file == "env" else ("explore", question.about)
        return Answer(text=run(folder, *command, *asked))
    types = {"callers": ("query", "--type", "calls-me"), "needs": ("query", "--type", "calls")}
    printed = run(folder, *command, *types.get(question.kind, (question.kind,)), question.about, "--json")
    if not printed.startswith("{"):
        return Answer(text=printed)
    reply: dict[str, Any] = json.loads(printed.splitlines()[0])
    end = "to" if question.kind == "needs" else "from"
    found = set[str]()
    for row in reply.get("results") or reply.get("affected") or ():
        file, _, name = (row.get(end) or row["element"]).partition("#")
        last = name.partition(":")[0].rpartition(".")[2]
        found.add(f"{PurePath(file).name}#{last}" if question.kind in {"callers", "reach"} else last)
    if question.kind == "tests":
        found = {PurePath(row["file"]).name for row in reply["affected_tests"]}
    doubt = reply.get("note") or reply.get("unresolved_uses") or reply.get("unresolved", {}).get("sites")
    return Answer(frozenset(found), doubt=bool(doubt))


def codegraph(folder: Path, question: Question) -> Answer:
    """By its commands; none lists subtypes, so the edges of `impact` are read."""
    command, about = codegraph_command(), question.about
    if question.kind in WORDS:
        return Answer(text=run(folder, command, "explore", about) + run(folder, command, "query", about))
    if question.kind == "tests":
        file = next(path for path in folder.rglob(question.file)).relative_to(folder)
        printed = run(folder, command, "affected", str(file), "--quiet")
        return Answer(frozenset(PurePath(path).name for path in printed.split()))
    many, far = ("--limit", "500"), ("--depth", "3")
    asked = {"callers": ("callers", *many), "needs": ("callees", *many)}.get(question.kind, ("impact", *far))
    printed = run(folder, command, *asked, about, "--json")
    if "{" not in printed:
        return Answer(text=printed)
    reply: dict[str, Any] = json.loads(printed[printed.index("{") :])
    if question.kind == "impls":
        names = {row["id"]: row["name"] for part in reply["definitions"] for row in part["affected"]}
        edges = [edge for part in reply["definitions"] for edge in part["edges"]]
        found = {names.get(edge["source"], "?") for edge in edges if edge["kind"] in {"extends", "implements"}}
        return Answer(frozenset(found))
    rows = reply.get("callers") or reply.get("callees") or reply.get("affected") or ()
    if question.kind == "needs":
        return Answer(frozenset(row["name"] for row in rows))
    return Answer(frozenset(f"{PurePath(row['filePath']).name}#{row['name']}" for row in rows))


def judge(question: Question, answer: Answer) -> tuple[Verdict, set[str], set[str]]:
    """The verdict, what is missing and what is too much."""
    if answer.text:
        missing = {part for part in question.expected if not all(map(answer.text.__contains__, part.split("#")))}
        if not missing:
            return "right", missing, set()
        doubt = re.search(r"(?i)^(no |nothing)|^(?:error|hint):|could not|not found", answer.text, re.MULTILINE)
        short: Verdict = "wrong" if missing == question.expected else "silent"
        return ("in part" if doubt else short), missing, set()
    own = {part for part in answer.parts if part.endswith(f"#{question.about.rpartition('.')[2]}")}
    parts = answer.parts - (own - question.allowed if question.kind == "reach" else set())
    missing = question.expected - parts
    extra = parts - question.allowed if question.kind in {"callers", "impls", "needs"} else set()
    if not missing:
        return ("right" if len(extra) <= len(parts) / 10 else "in part"), missing, set(extra)
    if missing == question.expected and parts and question.kind != "tests":
        return "wrong", missing, set(extra)
    return ("in part" if answer.doubt else "silent"), missing, set(extra)


def indexed(checkout: Path) -> Path:
    """A copy beside it that codegraph has indexed: it writes into the project."""
    copy = checkout.with_name(f"{checkout.name}.codegraph")
    if not copy.exists():
        shutil.copytree(checkout, copy, symlinks=True)
        run(copy, codegraph_command(), "init")
    return copy


def main() -> None:
    """Ask, judge, and write results/questions.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", help="numbers of questions, with commas; prints alone")
    arguments = parser.parse_args()
    only = {int(number) for number in (arguments.only or "").split(",") if number}
    verdicts: dict[str, Counter[str]] = {"bearings": Counter(), "codegraph": Counter()}
    rows: list[list[str]] = []
    for number, question in enumerate(questions(), 1):
        if only and number not in only:
            continue
        name = question.repository.partition("/")[2]
        checkout = arguments.folder / name.lower()
        row = [str(number), name, question.kind, f"`{question.about}`"]
        for contender, answer in (
            ("bearings", ours(checkout, question)),
            ("codegraph", codegraph(indexed(checkout), question)),
        ):
            verdict, missing, extra = judge(question, answer)
            verdicts[contender][verdict] += 1
            row.append(verdict)
            print(number, contender, verdict, "missing:", *sorted(missing), "too many:", *sorted(extra), flush=True)
        rows.append(row)
    if not only:
        score = [[name, *(str(count[verdict]) for verdict in VERDICTS)] for name, count in verdicts.items()]
        text = f"# Sixty everyday questions\n\n{revision()}, {CODEGRAPH}, {date.today()}.\n\n"
        text += table(["", *VERDICTS], score) + "\n" + table(["", "repository", "kind", "about", *verdicts], rows)
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
