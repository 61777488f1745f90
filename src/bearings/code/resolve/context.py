"""What evaluators share: the tables of all files, and a cache of answers, each with the files that it depends on.

An answer is cached only if it does not depend on the order of questions. An answer that was cut short, by a cycle or by
the depth limit, is used for the current question alone. So the order in which files are resolved makes no difference.

A question is answered in one way everywhere, and may ask others meanwhile, itself included:

    cached = answers.ask(key)                       # opens the question, unless its answer is cached
    return cached.value if cached is not None else answers.close(self._computed(…))

Nothing is closed where an exception ends a file's resolution: `abandon` leaves all open questions at once.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from bearings.code.file_facts import FileFacts
from bearings.code.models import EVERYTHING
from bearings.code.resolve.giving_up import TooManySteps
from bearings.code.resolve.names.file_view import Views
from bearings.code.resolve.referents import UNRESOLVED

_Answer = TypeVar("_Answer")

DEEPEST: Final = 60
"""Steps from expression to expression before evaluation stops: deeper code is generated or circular."""
_STEPS: Final = 1_000_000
"""Steps for one file. Of 10,000 files of public projects the most took 11,020 (schemas.ts of zod), 32 for each use."""
_MOST: Final = 20_000
"""Answers to cache while thousands of files are resolved: about six megabytes. Most are not needed again later."""
_MOST_CONSULTED: Final = 2_000
"""Of 10,000 files of public projects the most consulted 381."""

_NOT_CUT: Final = 1 << 30
_ALL: Final = frozenset({EVERYTHING})
_NOTHING: Final[frozenset[str]] = frozenset()
_NOBODY: Final[frozenset[Hashable]] = frozenset()


class CachedAnswer(msgspec.Struct, eq=False, gc=False):
    """An answer, the files and cells it depends on, the depth below it, and what cut it short.

    `value` is a referent, a tuple of referents, or None; it is None for a question that is open. `low` is the place of
    the outermost open question that cut the answer short. `circle` are the questions that were cut short on the way;
    this answer answers none of them.
    """

    value: Any
    consulted: frozenset[str]
    height: int
    low: int = _NOT_CUT
    circle: frozenset[Hashable] = _NOBODY


TOO_DEEP: Final = CachedAnswer(None, _NOTHING, 0)
"""The depth limit is reached."""


class _Open(msgspec.Struct, eq=False, gc=False):
    """The state of an outer question while an inner one is answered."""

    key: Hashable
    consulted: set[str]
    peak: int
    low: int
    loose: int


class AnswerCache:
    """Open questions, cached answers, and the files and cells consulted for the innermost open question.

    `cuts` counts the answers that were cut short.
    """

    def __init__(self) -> None:
        self.consulted: set[str] = set()
        self.depth = 0
        self.cuts = 0
        self._cached: dict[Hashable, CachedAnswer] = {}
        self._loose: dict[Hashable, CachedAnswer] = {}
        self._order: list[Hashable] = []
        self._open: list[_Open] = []
        self._position: dict[Hashable, int] = {}
        self._interned: dict[frozenset[str], frozenset[str]] = {}
        self._peak = 0
        self._low = _NOT_CUT
        self._left = _STEPS

    def begin(self) -> None:
        """Begins with the uses of another file: clears the consulted files, and counts its steps anew."""
        self.consulted = set()
        self._left = _STEPS

    def abandon(self) -> frozenset[str]:
        """Leaves all open questions, and drops all answers. Returns the files that the file has consulted so far."""
        self.consulted.update(*(one.consulted for one in self._open))
        consulted = self.gathered()
        self._open.clear()
        self._position.clear()
        self.depth, self._peak, self._low = 0, 0, _NOT_CUT
        self.clear()
        return consulted

    @property
    def is_outermost(self) -> bool:
        """Whether the next question is asked directly for a use: the files that it consults count for that use."""
        return self.depth == 1 and not self._open

    def enter(self) -> bool:
        """Goes one step down, to be followed by `leave`; False, without a step, if the depth limit is reached."""
        if self.depth > DEEPEST:
            self.cut()
            return False
        self.depth += 1
        self._left -= 1
        if self._left < 0:
            raise TooManySteps(f"more than {_STEPS} steps")
        if self.depth > self._peak:
            self._peak = self.depth
        return True

    def cut(self) -> None:
        """Cuts the answer short: the depth limit is reached."""
        self.cuts += 1
        self._low = -1

    def leave(self) -> None:
        """Goes one step up."""
        self.depth -= 1

    def ask(self, key: Hashable, *, deeper: bool = False) -> CachedAnswer | None:
        """The cached answer, empty for an open question, which is a cycle. None: the question is open now; `close` it.

        `deeper` goes one step down before the question is opened, to be followed by `leave` after `close`; the answer
        is TOO_DEEP if the depth limit is reached.
        """
        answer = self._cached.get(key)
        if (
            answer is None
            or self.depth + answer.height > DEEPEST
            or (answer.circle and not answer.circle.isdisjoint(self._position))
        ):
            answer = self._loose.get(key)
            if answer is None:
                position = self._position.get(key)
                if position is None:
                    if deeper and not self.enter():
                        return TOO_DEEP
                    self._begin(key)
                    return None
                answer = CachedAnswer(None, _NOTHING, 0, position)
        if answer.consulted:
            self.consulted |= answer.consulted
        if answer.low < self._low:
            self._low = answer.low
        if self.depth + answer.height > self._peak:
            self._peak = self.depth + answer.height
        return answer

    def answer(
        self, asked: str, compute: Callable[..., _Answer], *about: Hashable, deeper: bool = False
    ) -> _Answer | None:
        """The answer to a question, by its name and what it is about; None for an open question, which is a cycle."""
        cached = self.ask((asked, *about), deeper=deeper)
        if cached is not None:
            known: _Answer | None = cached.value
            return known
        found = self.close(compute(*about))
        if deeper:
            self.leave()
        return found

    def _begin(self, key: Hashable) -> None:
        """Opens a question."""
        if self._order and not self._open:
            self._drop_loose(0)
        self._left -= 1
        if self._left < 0:
            raise TooManySteps(f"more than {_STEPS} steps")
        self._position[key] = len(self._open)
        self._open.append(_Open(key, self.consulted, self._peak, self._low, len(self._order)))
        self.consulted, self._peak, self._low = set(), self.depth, _NOT_CUT

    def close(self, value: _Answer) -> _Answer:
        """Closes the innermost open question: caches its answer if possible, and returns it."""
        asker = self._open.pop()
        del self._position[asker.key]
        files = _NOTHING
        if self.consulted:
            files = self.gathered()
        height = self._peak - self.depth
        if self._low >= len(self._open):
            cut = self._order[asker.loose :]
            circle: frozenset[Hashable] = frozenset(cut) if cut else _NOBODY
            if cut:
                self._keep_lost(cut, value, files, height)
                self._drop_loose(asker.loose)
            self._cached[asker.key] = CachedAnswer(value, files, height, circle=circle)
            self._low = _NOT_CUT
        else:
            self._loose[asker.key] = CachedAnswer(value, files, height, self._low)
            self._order.append(asker.key)
        self.consulted = asker.consulted
        if files:
            self.consulted |= files
        if asker.low < self._low:
            self._low = asker.low
        if asker.peak > self._peak:
            self._peak = asker.peak
        return value

    def _keep_lost(self, cut: list[Hashable], value: object, files: frozenset[str], height: int) -> None:
        """Caches the answers of a whole circle if nothing is found on it: then no order of questions finds more."""
        if (value is None or value == UNRESOLVED) and all(self._loose[key].value == value for key in cut):
            for key in cut:
                self._cached[key] = CachedAnswer(value, files, height)

    def apart(self, ask: Callable[[], _Answer]) -> tuple[_Answer, frozenset[str]]:
        """The result of `ask`, which the caller caches, and the files and cells that this result depends on."""
        around, self.consulted = self.consulted, set()
        answer, files = ask(), self.gathered()
        self.consulted = around
        return answer, files

    def gathered(self) -> frozenset[str]:
        """The files and cells consulted so far; EVERYTHING alone for very many, which would cost their square."""
        found = self.consulted
        files = _ALL if len(found) > _MOST_CONSULTED or EVERYTHING in found else frozenset(found)
        return self._interned.setdefault(files, files)

    def shed(self) -> None:
        """Drops all answers if there are many and no question is open; they are computed again when needed."""
        if len(self._cached) > _MOST:
            self.clear()

    def clear(self) -> None:
        """Drops all answers; no question may be open."""
        self._cached.clear()
        self._interned.clear()
        self._drop_loose(0)

    def _drop_loose(self, start: int) -> None:
        for key in self._order[start:]:
            self._loose.pop(key, None)
        del self._order[start:]


class Context:
    """What the parts of an evaluator share: the tables of all files, and the answers so far."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        self.views: Final = Views(facts)
        self.answers: Final = AnswerCache()
