"""The cost of making a reply safe to show, beside that of writing it: `python -m benchmarks.text`."""

import time
import timeit
from collections.abc import Callable

from bearings.code.models import SymbolKind
from bearings.code.questions.scan import ScanReply
from bearings.code.replies.element import Element, IndexInfo
from bearings.serving.call import sendable

_ROUNDS, _CALLS = 5, 200
_NAMES = {"ASCII": "login_handler", "Japanese": "東京ハンドラ", "Persian, with non-joiners": "خانه‌ها"}
_ROWS = 105


def main() -> None:
    """Print a table: milliseconds of processor time for a reply of about 22,000 characters."""
    print("| names | characters | JSON | safe | text | marked text |\n|---|---|---|---|---|---|")
    for label, name in _NAMES.items():
        reply = _reply(name)
        size = len(sendable(reply.structured())[1])
        steps: tuple[Callable[[], object], ...] = (
            lambda reply=reply: sendable(reply.structured()),
            reply.safe,
            reply.to_text,
            lambda reply=reply: reply.marked().to_text(),
        )
        print(f"| {label} | {size:,} | " + " | ".join(f"{_ms(step):.2f}" for step in steps) + " |")


def _ms(step: Callable[[], object]) -> float:
    timer = time.process_time
    return min(timeit.repeat(step, timer=timer, repeat=_ROUNDS, number=_CALLS)) / _CALLS * 1e3


def _reply(name: str) -> ScanReply:
    rows = [
        Element(
            type=SymbolKind.FUNCTION,
            name=f"{name}{n}",
            qualified_name=f"Auth.{name}{n}",
            file=f"src/auth/module{n % 9}.ts",
            line=n,
            end_line=n + 5,
            exported=True,
            ref=f"@Fn/src/auth/module.ts#Auth.{name}{n}:{n}",
        )
        for n in range(_ROWS)
    ]
    index = IndexInfo(files=1, elements=_ROWS, revision="r", fresh_at="2024", took_ms=1.0, engine="native")
    return ScanReply(elements_found=_ROWS, by_type={}, by_language={}, elements=rows, method="ast", index=index)


if __name__ == "__main__":
    main()
