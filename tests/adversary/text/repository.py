"""A repository in which every place that replies quote has every string of the corpus."""

import json
import os
from pathlib import Path

from tests.adversary.text.corpus import CORPUS
from tests.code.trees import git, write

HEAD_BRANCH = "main"


def hostile_repository(root: Path) -> Path:
    """The repository, committed once and changed since."""
    write(root, _files())
    for number, text in enumerate(CORPUS):
        _named(root, f"n{number}{text}.py".replace("/", "_"))
    git(root, "init", "-q", "-b", HEAD_BRANCH)
    git(root, "add", "-A")
    git(root, "commit", "-qm", f"subject {CORPUS[0]}")
    changed = {name: text + _more(name) for name, text in _files().items() if name.startswith(("py/", "ts/"))}
    write(root, changed)
    return root


def _named(root: Path, name: str) -> None:
    """A file of that name, where the file system takes it."""
    path = os.fsencode(root) + b"/" + name.encode("utf-8", "surrogateescape")
    try:
        with open(path, "wb") as file:  # noqa: PTH123 - a name in bytes
            file.write(b"def inside(): pass\n")
    except OSError:
        return


def _more(name: str) -> str:
    return "\n\ndef added(): return 1\n" if name.endswith(".py") else "\nexport function added() { return 1 }\n"


def _files() -> dict[str, str]:
    files: dict[str, str] = {}
    for number, text in enumerate(CORPUS):
        quotable = text.replace("\n", "")
        files[f"py/m{number}.py"] = _python(number, quotable)
        files[f"ts/m{number}.ts"] = _typescript(number, quotable)
    joined = " ".join(text for text in CORPUS if "\n" not in text)
    files["package.json"] = json.dumps(
        {
            "name": f"evil {joined}",
            "description": joined,
            "scripts": {f"run{text}": f"echo {text}" for text in CORPUS},
            "dependencies": {f"dep{text}": "1" for text in CORPUS},
            "main": "ts/m0.ts",
        }
    )
    files["docs/refs.md"] = "".join(
        f"@Fn/py/m{n}.py#f{n}{text}:3 and @Fn/no{text}.py#x:1\n" for n, text in enumerate(CORPUS)
    )
    files["lcov.info"] = "".join(f"SF:py/m{n}{text}.py\nDA:1,1\nend_of_record\n" for n, text in enumerate(CORPUS))
    files[".coderef-index.json"] = json.dumps(
        {
            "version": "1.0.0",
            "timestamp": f"2024{CORPUS[0]}",
            "elements": [
                {"type": "function", "name": f"gone{text}", "file": f"py/m{n}{text}.py", "line": 1}
                for n, text in enumerate(CORPUS)
            ],
        }
    )
    return files


def _python(number: int, text: str) -> str:
    return (
        f"# comment {text}\n"
        f"import ext_{number} # {text}\n"
        f"def f{number}(x='{text}'):\n"
        f"    '''Doc {text}.'''\n"
        f"    return g{number}('{text}') # {text}\n\n"
        f"def g{number}(x): # {text}\n"
        f"    try:\n        return missing{number}(x)\n    except Exception:\n        raise ValueError('{text}')\n\n"
        f"class C{number}:\n"
        f"    '''Class {text}'''\n"
        f"    def m(self): return f{number}()\n"
        f"@app.get('/r{number}/{text}')\n"
        f"def route{number}(): return f{number}()\n"
    )


def _typescript(number: int, text: str) -> str:
    word = f"w{text}" if text in "\u200c\u200d\u3164\uffa0\u115f\u1160" else "w"
    return (
        f"/** Doc {text} */\n"
        f"export function t{number}(a: '{text}' = '{text}') {{ return u{number}(a) }}\n"
        f"function u{number}(a: string) {{ return {word}{number}(a) }}\n"
        f"function {word}{number}(a: string) {{ return unknown{number}(a) }}\n"
        f"export const o{number} = {{ 'key {text}': () => t{number}(), '{text}': 1 }}\n"
        f"app.get('/r/{text}/{number}', t{number})\n"
        f"describe('suite {text}', () => {{ it('does {text}', () => {{ t{number}() }}) }})\n"
        f"export class K{number} {{ '{text}'() {{ return t{number}() }} }}\n"
    )
