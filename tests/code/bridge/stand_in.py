"""A `coderef` that misbehaves: an environment variable names the fault."""

# ruff: noqa: T201 - it is a command

import json
import os
import subprocess
import sys
import time
from pathlib import Path

FAULT = os.environ.get("STAND_IN", "")
ELEMENTS = [
    {"type": "function", "name": "f", "file": "src/a.ts", "line": 3, "exported": True},
    {"type": "gizmo", "name": "g", "file": str(Path.cwd() / "src/b.js"), "line": 1},
]
RESULTS = [
    {"name": "caller", "file": "src/a.ts", "line": 9, "type": "calls"},
    {"from": "src/a.ts#x:1", "to": "src/b.js#g:1", "type": "call", "file": "src/a.ts", "line": 2, "depth": 2},
]

ANALYSES = {
    "impact": {
        "data": {
            "affectedElements": [
                {"id": "src/a.ts#f:3", "file": "src/a.ts", "line": 3, "severity": "MAJOR", "type": "function"},
                "src/b.js#g:1",
            ],
            "riskLevel": "high",
            "riskScore": 31,
            "tests": [{"path": "a.test.ts", "tests": ["a.test.ts#t:1"], "total": 1}],
        },
    },
    "complexity": {"name": "f", "loc": 12, "cyclomatic": 5, "cognitiveComplexity": 7, "rank": {"place": 2, "of": 9}},
    "patterns": [{"type": "async", "name": "await", "count": 4, "examples": [{"file": "a.ts", "line": 2}]}],
    "coverage": {"summary": {"percentage": 61.5, "covered": 8, "total": 13}, "files": [{"path": "a.ts", "pct": 61.5}]},
    "validate": {
        "total": 3,
        "errors": [{"file": "a.md", "line": 2, "ref": "@F/x", "message": "gone", "severity": "error"}],
    },
    "drift": {
        "unchanged": 5,
        "references": [
            {"ref": "@F/x", "status": "moved", "file": "x", "confidence": 1, "now": ["y"], "auto_fixable": True},
            {"ref": "@F/z", "status": "missing"},
        ],
    },
}  # fmt: skip


def main() -> int:
    command = sys.argv[1]
    if command == "--version":
        return version()
    if command in ANALYSES and not FAULT:
        return answer("Analysing [1/2]\n" + json.dumps(ANALYSES[command]))
    if command == "diagram" and not FAULT:
        return answer("digraph {\n a -> b\n}" if "dot" in sys.argv else "> drawing\ngraph TD\n a --> b")
    document = json.dumps(ELEMENTS if command == "scan" else {"results": RESULTS, "argv": sys.argv[1:]})
    return answer(document)


def version() -> int:
    if FAULT == "version hangs":
        time.sleep(60)
    print({"ours": "coderef (bearings-mcp) 0.1.0", "no version": "hello"}.get(FAULT, "coderef-cli v2.1.0"))
    return 3 if FAULT == "version fails" else 0


def answer(document: str) -> int:
    if FAULT == "hangs":
        time.sleep(60)
    elif FAULT == "hangs with a child":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        Path("pids").write_text(f"{os.getpid()} {child.pid}")
        time.sleep(60)
    elif FAULT == "leaves a child":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        Path("pids").write_text(f"{os.getpid()} {child.pid}")
        print(document, flush=True)
    elif FAULT == "floods":
        while True:
            sys.stdout.write("[" * 1_000_000)
    elif FAULT == "floods standard error":
        sys.stderr.write("x" * 5_000_000 + "the end\n")
        print(document)
    elif FAULT == "dies":
        os.kill(os.getpid(), 9)
    elif FAULT == "banner":
        print("[INFO] Scanning {3} files [1/2] {'not': json} [3]\n\x1b[32m[done] {}\x1b[0m")
        print(document)
        print("Finished in [0.3s]")
    elif FAULT == "no json":
        print("I found [everything you} wanted")
    elif FAULT == "half json":
        print(document[: len(document) // 2])
    elif FAULT == "other json":
        print('{"answer": 42}')
    elif FAULT == "odd elements":
        print('[{"name": "f", "file": "a.ts", "line": "three"}]')
    elif FAULT == "fails":
        sys.stderr.write("cannot read \x1b[31mtsconfig.json\x1b[0m\n")
        return 7
    elif FAULT == "fails with our error":
        print(json.dumps({"success": False, "error": "no such thing", "code": "element_not_found", "hint": "try g"}))
        return 1
    elif FAULT == "reads":
        print(json.dumps([{**ELEMENTS[0], "name": sys.stdin.read() or "nothing"}]))
    elif FAULT == "calls back":
        print(
            json.dumps([{**ELEMENTS[0], "name": os.environ["CODEREF_ENGINE"] + os.environ.get("CODEREF_CLI_PATH", "")}])
        )
    else:
        print(document)
    return 0


if __name__ == "__main__":
    sys.exit(main())
