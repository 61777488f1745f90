"""A plugin of pytest for Python 3.12: writes the calls between a project's own functions, each pair of places once.

`ORACLE_ROOT` is the project's folder; `ORACLE_FILE` gets a line of JSON for each function that ran, and for each call:

    ["src/cart.py", 12, "Cart.total"]                      file, line of the first decorator or `def`, qualified name
    ["src/app.py", 40, 40, 8, 20, "src/cart.py", 12, "Cart.total"]    the call's file, lines and columns in bytes

A function that waits or yields is called where its object is made, not where it goes on. A call that a library makes is
none of the project's; `sorted(carts, key=Cart.total)` makes it in the line with `sorted`.
"""

import atexit
import json
import os
import sys
from pathlib import Path
from types import CodeType, FunctionType, MethodType

_ROOT = f"{os.path.realpath(os.environ['ORACLE_ROOT'])}/"
_FUNCTION = 0x1  # inspect's CO_OPTIMIZED: neither a module nor the body of a class
_WAITS = 0x20 | 0x80 | 0x200  # inspect's CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR
_watch = sys.monitoring
_own: dict[str, bool] = {}
_ran: dict[int, CodeType] = {}  # by id: equal code of two files is equal
_calls: dict[tuple[int, int, int], tuple[CodeType, CodeType]] = {}


def _is_own(code: CodeType) -> bool:
    known = _own.get(code.co_filename)
    if known is None:
        path = os.path.realpath(code.co_filename)  # "<string>" and templates are code that is made at run time
        known = _own[code.co_filename] = path.startswith(_ROOT) and path.endswith(".py")
    return known


def _started(code: CodeType, _offset: int) -> object:
    if not (code.co_flags & _FUNCTION and _is_own(code)):
        return _watch.DISABLE
    _ran[id(code)] = code
    if code.co_flags & _WAITS and not code.co_name.startswith("__"):
        return _watch.DISABLE
    caller = sys._getframe(1).f_back
    if caller is not None and _is_own(caller.f_code):
        _calls[id(caller.f_code), caller.f_lasti, id(code)] = caller.f_code, code
    return None


def _called(code: CodeType, offset: int, function: object, _first: object) -> object:
    if not _is_own(code):
        return _watch.DISABLE
    function = function.__func__ if type(function) is MethodType else function
    if type(function) is FunctionType and function.__code__.co_flags & _WAITS and _is_own(function.__code__):
        _calls[id(code), offset, id(function.__code__)] = code, function.__code__
    return None


def _write() -> None:
    def of(code: CodeType) -> list[object]:
        return [os.path.realpath(code.co_filename).removeprefix(_ROOT), code.co_firstlineno, code.co_qualname]

    with Path(os.environ["ORACLE_FILE"]).open("w", encoding="utf-8") as file:
        for code in _ran.values():
            print(json.dumps(of(code)), file=file)
        for (_, offset, _), (caller, callee) in _calls.items():
            place = list(caller.co_positions())[offset // 2]
            if None not in place:
                print(json.dumps([of(caller)[0], *place, *of(callee)]), file=file)


_watch.use_tool_id(_watch.PROFILER_ID, "oracle")
_watch.register_callback(_watch.PROFILER_ID, _watch.events.PY_START, _started)
_watch.register_callback(_watch.PROFILER_ID, _watch.events.CALL, _called)
_watch.set_events(_watch.PROFILER_ID, _watch.events.PY_START | _watch.events.CALL)
atexit.register(_write)
