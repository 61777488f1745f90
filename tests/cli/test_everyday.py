"""What one types first, from a table: each line is answered, or led to the command that answers it.

Offline: over the core atlas, and a small shop in Python.
"""

import csv
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner

from bearings.cli.commands import bearings
from bearings.cli.wiring import WIRING, Wiring

TABLE = Path(__file__).with_name("everyday.tsv")
ENOUGH = 0.95

NEARBY = "bearings places import"
"""In an answer without a map: how to have one."""

SHOP = {
    "pyproject.toml": """\
[project]
name = "shop"
version = "1"
dependencies = ["flask"]
[project.scripts]
shop = "shop.__main__:main"
""",
    "shop/__init__.py": "",
    "shop/__main__.py": """\
from shop.app import app


def main():
    app.run()


main()
""",
    "shop/records.py": """\
class Record:
    number = 0


def _forgotten(x):
    return x
""",
    "shop/orders.py": '''\
from shop.records import Record


class Order(Record):
    def __init__(self, items, total):
        self.items = items
        self.total = total


def create_order(items):
    """A new order, with the sum of its items."""
    return Order(items, total(items))


class OrderService:
    def __init__(self):
        self.open = {}

    def cancel(self, number):
        """Orders are cancelled here."""
        return self.open.pop(number)


def total(items):
    """How the total is computed: the sum of all prices."""
    if not items:
        raise ValueError("no items")
    return sum(item["price"] for item in items)
''',
    "shop/app.py": """\
from flask import Flask, request

from shop.orders import OrderService, create_order

app = Flask(__name__)
service = OrderService()


@app.post("/orders")
def post_order():
    return create_order(request.json)


@app.get("/orders/<int:number>")
def read_order(number):
    return service.open[number]


@app.delete("/orders/<int:number>")
def delete_order(number):
    return service.cancel(number)
""",
    "tests/test_orders.py": """\
from shop.orders import create_order


def test_create():
    assert create_order([{"price": 2}]).total == 2
""",
}


@pytest.fixture
def shop(empty_place: Path) -> Path:
    for name, text in SHOP.items():
        (empty_place / name).parent.mkdir(parents=True, exist_ok=True)
        (empty_place / name).write_text(text)
    return empty_place


@pytest.fixture
def wiring() -> Iterator[Wiring]:
    """Both wings, open from the first line to the last: one worker answers all questions about code."""

    async def nothing() -> None: ...

    code, places = WIRING.code(None), WIRING.places()
    yield Wiring(places=lambda: replace(places, aclose=nothing), code=lambda *_, **__: replace(code, aclose=nothing))
    anyio.run(code.aclose)
    anyio.run(places.aclose)


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
def test_what_one_types_first_is_answered_or_led_to_the_command_that_answers(wiring: Wiring) -> None:
    with TABLE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    missed = []
    for row in rows:
        words, stdin = shlex.split(row["command"]), (row["stdin"] or "").replace("\\n", "\n")
        result = CliRunner().invoke(bearings(), words, input=stdin, prog_name="bearings", obj=wiring)
        said = " ".join(result.output.split())
        if not re.search(row["must contain"].replace("{NEARBY}", NEARBY), said):
            missed.append(f"{row['command']}: {said[:200]}")
    assert [sum(row["wing"] == wing for row in rows) for wing in ("places", "code")] == [60, 60]
    assert len(missed) <= len(rows) * (1 - ENOUGH), "\n".join(missed)
