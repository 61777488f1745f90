"""Call edges of a PHP project by intelephense, another static tool.

`python -m benchmarks.truth.intelephense PROJECT OUT`.
Each name that is called is found in the syntax tree, and the server is asked for its definition. It has the project
alone, without its dependencies. Written are OUT.jsonl.gz, with a line for each definition and each call, and
OUT.unresolved.json.gz: the callers and names of calls that the server does not lead into the project.
"""

import argparse
import gzip
import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlparse

import tree_sitter_php
from tree_sitter import Language, Node, Parser

from benchmarks.measure import progress
from benchmarks.truth.checkout import tool

INTELEPHENSE = "intelephense@1.18.5"
_LEFT_OUT = frozenset({"vendor", "node_modules", ".git"})
_DEFINITIONS = frozenset({"method_declaration", "function_definition"})
_TYPES = frozenset({"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"})
_CALLS = {
    "function_call_expression": "function",
    "member_call_expression": "name",
    "nullsafe_member_call_expression": "name",
    "scoped_call_expression": "name",
}
_SETTINGS = {"files": {"maxSize": 5_000_000, "associations": ["*.php"]}, "telemetry": {"enabled": False}}


@dataclass(slots=True)
class Definition:
    """A function or a method: lines from 1, the line of its name, the class around it."""

    file: str
    name: str
    cls: str
    start: int
    line: int
    end: int

    @property
    def id(self) -> str:
        """File, line and name."""
        return f"{self.file}:{self.line}:{self.name}"


class Call(NamedTuple):
    """A called name in a definition: row and column from 0, as the protocol counts them."""

    caller: Definition
    name: str
    form: str
    row: int
    column: int


def read(file: str, source: bytes, parser: Parser) -> tuple[list[Definition], list[Call]]:
    """The definitions of a source, and the calls in them."""
    definitions, calls = list[Definition](), list[Call]()
    waiting: list[tuple[Node, Definition | None, str]] = [(parser.parse(source).root_node, None, "")]
    lines = source.split(b"\n")
    while waiting:
        node, around, cls = waiting.pop()
        name = node.child_by_field_name("name")
        if node.type in _DEFINITIONS and name is not None:
            row = name.start_point[0] + 1
            around = Definition(file, _text(name), cls, node.start_point[0] + 1, row, node.end_point[0] + 1)
            definitions.append(around)
        elif node.type in _TYPES and name is not None:
            cls = _text(name)
        called = node.child_by_field_name(_CALLS[node.type]) if node.type in _CALLS else None
        if called is not None and called.type == "qualified_name":
            called = called.named_children[-1]
        if called is not None and called.type == "name" and around is not None:
            row, column = called.start_point
            before = lines[row][:column].decode("utf-8", "replace")
            calls.append(Call(around, _text(called), node.type, row, len(before.encode("utf-16-le")) // 2))
        waiting += [(child, around, cls) for child in reversed(node.named_children)]
    return definitions, calls


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


class Server:
    """The server, by the Language Server Protocol over its input and output."""

    def __init__(self, folder: Path, root: Path, storage: str) -> None:
        script = folder / "lib" / "intelephense.js"
        command = ["node", "--max-old-space-size=4096", str(script), "--stdio"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._asked = 0
        options = {"storagePath": storage, "clearCache": True}
        capabilities = {"workspace": {"configuration": True, "workspaceFolders": True}}
        uri = root.as_uri()
        given = {"rootUri": uri, "capabilities": capabilities, "initializationOptions": options, "processId": None}
        self.ask([("initialize", {**given, "workspaceFolders": [{"uri": uri, "name": "project"}]})])
        self.tell("initialized", {})
        while self._message().get("method") != "indexingEnded":
            pass

    def close(self) -> None:
        """Ends the server."""
        self._process.kill()
        self._process.wait()

    def tell(self, method: str, given: Mapping[str, Any]) -> None:
        """Sends a notification."""
        self._send({"method": method, "params": given})

    def ask(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Any]:
        """The results of some requests, in their order."""
        numbers = range(self._asked, self._asked + len(requests))
        self._asked = numbers.stop
        for number, (method, given) in zip(numbers, requests, strict=True):
            self._send({"id": number, "method": method, "params": given})
        results: dict[int, Any] = {}
        while len(results) < len(requests):
            message = self._message()
            if "method" not in message and message.get("id") in numbers:
                results[message["id"]] = message.get("result")
        return [results[number] for number in numbers]

    def _message(self) -> dict[str, Any]:
        """The next message; a request of the server is answered."""
        output = self._process.stdout
        assert output is not None
        length = 0
        while (line := output.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            raise RuntimeError("intelephense ended")
        message: dict[str, Any] = json.loads(output.read(length))
        if "id" in message and "method" in message:
            items = (
                message.get("params", {}).get("items", []) if message["method"] == "workspace/configuration" else None
            )
            self._send({"id": message["id"], "result": items and [_SETTINGS for _ in items]})
        return message

    def _send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()


def definitions_of(server: Server, root: Path, file: str, calls: Sequence[Call]) -> list[list[tuple[str, int]]]:
    """For each call of a file the places, file and line from 1, to which the server leads."""
    uri, text = (root / file).as_uri(), (root / file).read_bytes().decode("utf-8", "replace")
    document = {"uri": uri, "languageId": "php", "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": document})
    found = list[list[tuple[str, int]]]()
    for start in range(0, len(calls), 50):  # so that neither side waits for the other to read
        asked = [{"line": each.row, "character": each.column} for each in calls[start : start + 50]]
        requests = [("textDocument/definition", {"textDocument": {"uri": uri}, "position": place}) for place in asked]
        for result in server.ask(requests):
            locations = result if isinstance(result, list) else [result] if result else []
            found.append([place for one in locations if (place := _place(root, one)) is not None])
    server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    return found


def _place(root: Path, location: Mapping[str, Any]) -> tuple[str, int] | None:
    uri, range_ = location.get("uri") or location["targetUri"], location.get("range") or location["targetRange"]
    path = Path(unquote(urlparse(uri).path))
    return (str(path.relative_to(root)), range_["start"]["line"] + 1) if path.is_relative_to(root) else None


def rows(root: Path, server: Server) -> Iterator[tuple[dict[str, Any] | None, tuple[str, str] | None]]:
    """The lines of the truth; or the caller and the name of a call that the server can't follow."""
    parser = Parser(Language(tree_sitter_php.language_php()))
    paths = sorted(each for each in root.rglob("*.php") if _LEFT_OUT.isdisjoint(each.relative_to(root).parts))
    files = {
        str(path.relative_to(root)): read(str(path.relative_to(root)), path.read_bytes(), parser) for path in paths
    }
    by_name: dict[tuple[str, str], list[Definition]] = {}
    for definitions, _ in files.values():
        for each in definitions:
            by_name.setdefault((each.file, each.name.lower()), []).append(each)
            about = {"file": each.file, "start": each.start, "end": each.end, "line": each.line}
            yield {"k": "def", "id": each.id, **about, "name": each.name, "cls": each.cls}, None
    for number, (file, (_, calls)) in enumerate(files.items()):
        progress(f"{number} of {len(files)} files")
        for call, places in zip(calls, definitions_of(server, root, file, calls), strict=True):
            targets = {
                each.id: each
                for path, line in places
                for each in by_name.get((path, call.name.lower()), ())
                if each.start <= line <= each.line
            }
            if not targets:
                yield None, (call.caller.id, call.name)
            for target in targets:
                about = {"line": call.row + 1, "kind": "call", "form": call.form}
                yield {"k": "call", "src": call.caller.id, "dst": target, **about}, None


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project", type=Path)
    parser.add_argument("out")
    given = parser.parse_args()
    root = given.project.resolve()
    unresolved = set[tuple[str, str]]()
    with tempfile.TemporaryDirectory() as storage, gzip.open(f"{given.out}.jsonl.gz", "wt", encoding="utf-8") as out:
        server = Server(tool(INTELEPHENSE), root, storage)
        for row, left in rows(root, server):
            if row is not None:
                out.write(json.dumps(row) + "\n")
            if left is not None:
                unresolved.add(left)
        server.close()
    with gzip.open(f"{given.out}.unresolved.json.gz", "wt", encoding="utf-8") as file:
        json.dump(sorted(unresolved), file)


if __name__ == "__main__":
    main()
