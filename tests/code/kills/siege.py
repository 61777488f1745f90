"""A project whose server, worker and helpers are killed at random moments, while it changes and is asked about."""

import contextlib
import random
import threading
from collections import Counter
from pathlib import Path

import anyio

from bearings.code.facts.blobs import FACTS_FILE
from bearings.code.facts.store import FactStore, NoFacts, SqliteFacts
from bearings.code.index.snapshot_file import GRAPHS_FOLDER
from bearings.code.questions.export import Export
from tests.code.in_process import InProcessEngine
from tests.code.servers import Server, ServerGone
from tests.code.trees import write

FILES = 310
"""More than are read without helpers."""

MAX = 100_000
_LONGEST_S = 1.5
"""The latest moment of a kill, after a call was sent; a cold scan takes about as long."""

_OUT = "graph.json"


def source(number: int, version: int) -> dict[str, str]:
    """A file of the project, in a version of its own, that uses its neighbours."""
    before, path = number - 1, f"pkg{number % 7}/m{number}"
    if number % 2:
        text = (
            f"import {{ f{before - 1} }} from '../pkg{(before - 1) % 7}/m{before - 1}'\n"
            f"export function f{number}() {{ return f{before - 1}() + {version} }}\n"
            f"export class C{number} {{ m{version}() {{ return this.m{version}() }} }}\n"
        )
        return {f"{path}.ts": text}
    text = (
        f"from pkg{(before - 1) % 7}.m{before - 1} import f{before - 1}\n\n\n"
        f"def f{number}(): return f{before - 1}() + {version}\n\n\n"
        f"def g{number}_{version}(): return f{number}()\n"
    )
    return {f"{path}.py": text}


class Siege:
    """`round` kills once, and checks all that must hold. `kills` counts by who was killed while doing what."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.root = directory.resolve() / "project"
        self.cache = directory / "cache"
        self.cache.mkdir()
        self.kills: Counter[str] = Counter()
        self.answered = 0
        self._chance = random.Random(seed)
        self._version = self._rounds = 0
        for number in range(FILES):
            write(self.root, source(number, 0))
        self.server = Server(self.cache)

    def round(self) -> None:
        """Changes the tree, asks, kills somebody meanwhile, and asks again."""
        moment = self._chance.choice(["cold", "cold", "few", "all", "all", "same"])
        self._rounds += 1
        victim = ("worker", "helper", "server")[self._rounds % 3]
        self._prepare(moment)
        call = self.server.call("coderef_scan", project_path=str(self.root), limit=1)
        self._strike(victim, moment)
        with contextlib.suppress(ServerGone):
            reply = self.server.answer(call)
            self.answered += reply.get("success") is True
            assert reply.get("success") or "ended twice" in reply["error"], reply
        if self.server.process.poll() is not None or victim == "server":
            self._replace_server()
        self.check()

    def check(self) -> None:
        """The server's graph is that of a clean build, its store says nothing else, and nobody is left at work."""
        reply = self.server.ask("coderef_export", project_path=str(self.root), output_path=_OUT)
        assert reply["success"], reply
        found = self._taken()
        assert found == self._exported(NoFacts())
        if self._rounds % 4 == 0:
            assert found == self._exported(SqliteFacts(self.cache, busy_s=0.5))
        roles = Counter(self.server.processes().values())
        assert roles["server"] == 1
        assert roles["worker"] <= 1
        assert roles.total() <= 2, roles
        assert {path.name for path in self.cache.iterdir()} <= {FACTS_FILE, "facts.lock", GRAPHS_FOLDER}

    def end(self) -> None:
        """Ends the server; nothing may be left of it."""
        self.server.close()

    def _prepare(self, moment: str) -> None:
        self._version += 1
        if moment == "cold":
            self._replace_server()
            if self._chance.random() < 0.7:
                for path in self.cache.rglob("*.*"):
                    path.unlink()
        elif moment == "few":
            for number in self._chance.sample(range(FILES), 5):
                write(self.root, source(number, self._version))
        elif moment == "all":
            for number in range(FILES):
                write(self.root, source(number, self._version))

    def _strike(self, victim: str, moment: str) -> None:
        """Kills a process of the kind, at once or a little later; a helper as soon as there is one."""
        pause = threading.Event().wait
        pause(self._chance.uniform(0, _LONGEST_S if moment != "few" else 0.3))
        for _ in range(40 if victim == "helper" and moment in ("cold", "all") else 1):
            if self.server.kill(victim):
                self.kills[f"{victim}, {moment}"] += 1
                return
            pause(0.01)
        victim = "worker"
        self.kills[f"{victim}, {moment}"] += self.server.kill(victim)

    def _replace_server(self) -> None:
        """Another server for the same project and store; nothing is left of the one before, killed or not."""
        self.server.close()
        self.server = Server(self.cache)

    def _exported(self, store: FactStore) -> bytes:
        """The graph as an engine in this process makes it."""

        async def export() -> None:
            engine = InProcessEngine(store=store, max_file_bytes=MAX)
            await engine.ask(self.root, Export(output_path=_OUT))
            await engine.aclose()

        anyio.run(export)
        return self._taken()

    def _taken(self) -> bytes:
        path = self.root / _OUT
        data = path.read_bytes()
        path.unlink()
        return data
