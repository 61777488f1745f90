"""The contract suite's requests to a real Nominatim: recorded, and played back without one.

`BEARINGS_RECORD_CONTRACT=1 pytest tests/contract/test_place_source.py -m slow` records anew, over the little town.
"""

import json
from pathlib import Path
from typing import Any

import httpx2

RECORD = "BEARINGS_RECORD_CONTRACT"
FILE = Path(__file__).parents[1] / "data" / "contract_replies.jsonl"
SECONDS = 60.0


def question(request: httpx2.Request) -> str:
    """A request without its server: path and parameters in one order, as text that JSON and files can hold."""
    return json.dumps([request.url.path, sorted(request.url.params.multi_items())])


class Recorder(httpx2.AsyncBaseTransport):
    """Asks the server, and keeps what it said."""

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        # A connection for each: the suite's tests have an event loop each.
        async with httpx2.AsyncClient(timeout=SECONDS) as client:
            reply = await client.request(request.method, request.url, headers={"accept-encoding": "identity"})
        asked = question(request)
        kept: dict[str, Any] = {
            "asked": json.loads(asked),
            "status": reply.status_code,
            "type": reply.headers["content-type"],
            "body": reply.text,
        }
        self._lines[asked] = json.dumps(kept, ensure_ascii=False)
        return httpx2.Response(reply.status_code, headers={"content-type": kept["type"]}, content=reply.content)

    def write(self) -> None:
        """One line an exchange, sorted by what was asked."""
        FILE.write_text("".join(f"{self._lines[asked]}\n" for asked in sorted(self._lines)), encoding="utf-8")


class Replayed(httpx2.AsyncBaseTransport):
    """Answers what was recorded, and nothing else."""

    def __init__(self) -> None:
        lines = map(json.loads, FILE.read_text(encoding="utf-8").splitlines()) if FILE.exists() else ()
        self._replies = {json.dumps(line["asked"]): line for line in lines}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        asked = question(request)
        assert asked in self._replies, f"never recorded: {asked}; see {__name__}"
        line = self._replies[asked]
        return httpx2.Response(line["status"], headers={"content-type": line["type"]}, content=line["body"].encode())
