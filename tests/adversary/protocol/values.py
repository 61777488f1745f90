"""Numbers and texts at the edges of what programs expect."""

from collections.abc import Sequence
from typing import Any

BEYOND = "\ue000beyond all numbers\ue000"
"""Stands for 1e999, which Python's writer does not write."""

NUMBERS: Sequence[Any] = (
    0, -0.0, 1, -1, 2, 5, 1.0, 0.5, 1.5, 40, 41, 90, 90.0000001, -90, 180, -180.0000001, 1e-320, 5e-324,
    1.7976931348623157e308, -1e308, 2**31, -(2**31) - 1, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**30,
    -(10**30), 10**400, BEYOND, 1e-308, 2.3e-308, 1e-12,
)  # fmt: skip

TEXTS: Sequence[str] = (
    "", " ", "\t\n\r", "a", "\0", "a\0b", "\x1b[31m", "\x7f\x80\x9f", "\u202eevil", "\u200b", "\ufeff", "\U000e0041",
    "\u2028", "e\u0301" * 50, "\u0300" * 300, "😀" * 100, "x" * 300, "x" * 5_000, "x" * 100_000,
    "x," * 250, "de " * 166, "7" * 500, "\ufdfa" * 400, "京都, " * 125, "ﬃ" * 500,
    "é" * 4_096, "Paris", "Berlin, Germany", "Springfield", "東京", "München", "N123", "W1,W2",
    "R99999999999999999999999999999999", "N" + "9" * 5_000, "-0", "1e999", "NaN", "null", "true", "{}", "[]", "[1,2]",
    "[1,", '["a"]', '{"lat": 1, "lon": 2}', '{"lat": 1e999, "lon": NaN}', "[" * 900 + "]" * 900, "[" * 100_000,
    '{"a":' * 500, f"[{'9' * 5_000}]", "[1e999]", '["\\ud800"]', "../../etc/passwd", "/", "//", "/dev/zero",
    "/proc/self/mem", "~", "~root", ".", "..", "a/../b", "C:\\x", "\\\\host\\share", "*", "**", "**/*", "**/" * 100,
    "[", "[!", "[z-a]", "!", "!*", "#", "\\", "a\\", "{a,b}", "?" * 100, "-", "--help", "%00", "%s", "'", '"',
    "' OR 1=1 --", "NEAR(a b", "a*", '"a', "AND", "NOT", "^a", "(" * 50, "a:b:c", "@Fn/src/auth.ts#login:24", "@",
    "@Fn/", "@Fn/a#b:99999999999999999999", "#", "#:", "a#b#c:0", "a#b:-1", "HEAD", "HEAD~1", "HEAD@{1}", "HEAD^{/x}",
    ":/x", "--all", "0" * 40, "MA", "MC5hYmM", "!!!!", "=", "en", "en-US", "local", "x-" * 40, "de,en;q=0.5", "GB",
    "zz", "country,city", "poi",
)  # fmt: skip

NO_JSON: Sequence[Any] = ("\ud800", "a\udc00b", float("nan"), float("inf"), float("-inf"))
"""Values that Python writes and JSON does not have."""
