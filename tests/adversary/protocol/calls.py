"""Calls and lines made up from the tools' own schemas by a seeded generator: extreme, wrong, nested, unknown, broken.

Every text has an id that can be read, before anything that is broken, so each must be answered exactly once.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.adversary.protocol.values import BEYOND, NO_JSON, NUMBERS, TEXTS

Schema = Mapping[str, Any]


class Fuzzer:
    """Texts to send, all from one seed."""

    def __init__(self, seed: int, tools: Sequence[Schema], known: Mapping[str, Sequence[Any]]) -> None:
        """`tools` as `tools/list` shows them; `known`: values that this server takes, by parameter."""
        self._random = random.Random(seed)
        self._tools = tools
        self._known = known

    def line(self, number: int) -> bytes:
        """A request with this id, newline included."""
        make: Callable[[int], bytes] = self._random.choices((self._call, self._broken, self._odd), weights=(80, 15, 5))[
            0
        ]
        return make(number) + b"\n"

    def _call(self, number: int) -> bytes:
        tool = self._random.choice(self._tools)
        return self._request(number, "tools/call", {"name": tool["name"], "arguments": self._arguments(tool)})

    def _odd(self, number: int) -> bytes:
        """A request that is JSON and no good call."""
        junk = self._junk()
        method = self._random.choice(["tools/call", "tools/list", "initialize", "ping", "resources/read", *TEXTS[:20]])
        params = self._random.choice(
            [
                junk,
                {"name": junk, "arguments": {}},
                {"name": self._random.choice(self._tools)["name"], "arguments": junk},
            ]
        )
        meta = {"_meta": self._random.choice([junk, {"progressToken": junk}, {"traceparent": junk, "baggage": junk}])}
        return self._request(number, method, self._random.choice([params, meta]))

    def _broken(self, number: int) -> bytes:
        """A call with bytes changed, cut or put in, after its id."""
        text = bytearray(self._call(number))
        first = text.index(b',"method"') + 1
        for _ in range(self._random.randint(1, 4)):
            at = self._random.randrange(first, len(text))
            match self._random.randrange(4):
                case 0:
                    del text[max(at, first + 1) :]
                case 1:
                    text[at] = self._random.choice([0, 1, 0x22, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xC3, 0xED, 0xFF])
                case 2:
                    text[at:at] = self._random.choice(
                        [b"[" * 1_000, b"NaN", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"}"]
                    )
                case _:
                    del text[at : at + self._random.randint(1, 20)]
            if len(text) <= first + 1:
                break
        return bytes(text.replace(b"\n", b"\r"))

    def _request(self, number: int, method: str, params: Any) -> bytes:
        text = json.dumps(
            {"jsonrpc": "2.0", "id": number, "method": method, "params": params},
            ensure_ascii=self._random.random() < 0.5,
            separators=(",", ":"),
        )
        return (
            text.replace(json.dumps(BEYOND), "1e999").replace(f'"{BEYOND}"', "1e999").encode("utf-8", "surrogatepass")
        )

    def _arguments(self, tool: Schema) -> dict[str, Any]:
        schema = tool["inputSchema"]
        required = schema.get("required", ())
        arguments = {}
        for name, field in schema["properties"].items():
            if self._random.random() < (0.97 if name in required else 0.35):
                arguments[name] = self._argument(name, field, schema.get("$defs", {}))
        if self._random.random() < 0.05:
            arguments[self._random.choice([*TEXTS, "limit "])] = self._junk()
        return arguments

    def _argument(self, name: str, field: Schema, definitions: Schema) -> Any:
        dice = self._random.random()
        if name in self._known and dice < 0.85:
            return self._random.choice(self._known[name])
        return self._junk() if dice > 0.9 else self._value(field, definitions)

    def _value(self, field: Schema, definitions: Schema) -> Any:
        """A value of the field's type, often at or beyond its bounds."""
        if "$ref" in field:
            field = definitions[field["$ref"].rpartition("/")[2]]
        if "anyOf" in field:
            return self._value(self._random.choice(field["anyOf"]), definitions)
        if "enum" in field:
            return self._random.choice([*field["enum"], *field["enum"], self._random.choice(TEXTS)])
        match field.get("type"):
            case "integer" | "number":
                return self._number(field)
            case "boolean":
                return self._random.choice([True, False])
            case "array":
                return [self._value(field.get("items", {}), definitions) for _ in range(self._count(field))]
            case "object":
                return {name: self._value(part, definitions) for name, part in field.get("properties", {}).items()}
        return self._random.choice(TEXTS)

    def _number(self, field: Schema) -> Any:
        bounds = [field[word] + more for word in ("minimum", "maximum") if word in field for more in (-1, 0, 1)]
        near = [self._random.uniform(-90, 90), self._random.randint(1, 40)]
        return self._random.choice([*NUMBERS, *bounds * 4, *near * 8])

    def _count(self, field: Schema) -> int:
        least: int = field.get("minItems", 0)
        most: int = field.get("maxItems", 200)
        return self._random.choice([least, least, least + 1, least + 2, most + 1, 0])

    def _junk(self, depth: int = 0) -> Any:
        """Any JSON at all."""
        match self._random.randrange(8 if depth < 4 else 5):
            case 0:
                return self._random.choice([None, True, False, *NO_JSON])
            case 1 | 2:
                return self._random.choice(NUMBERS)
            case 3 | 4:
                return self._random.choice(TEXTS)
            case 5:
                return [self._junk(depth + 1) for _ in range(self._random.randrange(4))]
            case 6:
                return {
                    self._random.choice(TEXTS[:30]): self._junk(depth + 1) for _ in range(self._random.randrange(4))
                }
        nested: Any = 1
        for _ in range(self._random.choice([5, 50, 150, 190])):
            nested = [nested] if self._random.random() < 0.5 else {"a": nested}
        return nested
