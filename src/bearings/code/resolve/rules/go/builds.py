"""Selects the files of a package that are built together, by their names and `//go:build` lines."""

import re
from functools import lru_cache

_SYSTEMS = frozenset(
    """aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows
    zos""".split()
)
_MACHINES = frozenset(
    """386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 mips64p32le mipsle ppc ppc64
    ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm""".split()
)
"""Systems and machines, from go/build's syslist.go."""
_TRUE = frozenset({"linux", "amd64", "unix", "gc", "cgo"})
"""The build used if several files declare a name and nothing else decides: Go on Linux, amd64."""
_TOKENS = re.compile(r"&&|\|\||[!()]|[\w.]+")


@lru_cache(maxsize=1 << 14)
def system_of(path: str) -> str:
    """The system and machine in a file's name, as `linux_amd64`; empty for all."""
    parts = path.rpartition("/")[2].removesuffix(".go").removesuffix("_test").split("_")[1:]
    if parts[-2:] and parts[-1] in _MACHINES and len(parts) > 1 and parts[-2] in _SYSTEMS:
        return f"{parts[-2]}_{parts[-1]}"
    return parts[-1] if parts and parts[-1] in _SYSTEMS | _MACHINES else ""


@lru_cache(maxsize=1 << 12)
def is_built(path: str, constraint: str) -> bool:
    """Whether a file is built on Linux, amd64."""
    system = system_of(path)
    return all(part in _TRUE for part in system.split("_") if part) and _holds(constraint)


def _holds(constraint: str) -> bool:
    """Whether a constraint such as `linux && !(arm || cgo)` is true; an empty one is."""
    tokens = _TOKENS.findall(constraint)[::-1]  # the next token is the last
    return _any_of(tokens) if tokens else True


def _any_of(tokens: list[str]) -> bool:
    """Takes `a || b …` from the tokens, and evaluates it."""
    is_true = _all_of(tokens)
    while tokens and tokens[-1] == "||":
        tokens.pop()
        is_true = _all_of(tokens) or is_true
    return is_true


def _all_of(tokens: list[str]) -> bool:
    """Takes `a && b …` from the tokens, and evaluates it."""
    is_true = _term(tokens)
    while tokens and tokens[-1] == "&&":
        tokens.pop()
        is_true = _term(tokens) and is_true
    return is_true


def _term(tokens: list[str]) -> bool:
    """Takes a word, `!word` or an expression in parentheses from the tokens, and evaluates it."""
    word = tokens.pop() if tokens else ""
    if word == "!":
        return not _term(tokens)
    if word == "(":
        is_true = _any_of(tokens)
        if tokens:
            tokens.pop()
        return is_true
    return word in _TRUE or word.startswith("go1.")
