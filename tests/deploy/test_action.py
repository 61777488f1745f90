"""action.yml: its steps run with bash in a real clone, as GitHub's runner runs them, before a server of comments."""

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs

import pytest
import yaml

from tests.cli.ci.conftest import TOLD, edit, name_of
from tests.code.trees import SHOP, git, repository, write
from tests.soak import soak

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = ACTION["runs"]["steps"]
BRANCH = "odd-$(touch${IFS}pwned)-`touch${IFS}pwned`-'\";touch${IFS}pwned;#"
NAMES = (
    "$(touch pwned)",
    "`touch pwned`",
    'it\'s "odd"',
    "::error::x",
    "-n",
    "new\nline",
    "a&touch pwned&",
    "%0A::set",
)
TOKEN = "a-token"


@dataclass
class Hub:
    """A server of one pull request's comments; `status` is what it answers to writing."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)
    status: int = 200
    url: str = ""

    def answer(self, method: str, path: str, body: Mapping[str, Any]) -> tuple[int, Any]:
        """The status and the reply to a request."""
        place, _, query = path.partition("?")
        if method == "GET" and place == "/repos/our/shop/issues/7/comments":
            page = int(parse_qs(query)["page"][0])
            return 200, self.comments[(page - 1) * 100 : page * 100]
        if self.status != 200:
            return self.status, {"message": "Resource not accessible by integration"}
        if method == "POST" and place == "/repos/our/shop/issues/7/comments":
            self.comments.append(comment(len(self.comments) + 1, body["body"]))
            return 201, self.comments[-1]
        number = re.fullmatch(r"/repos/our/shop/issues/comments/(\d+)", place)
        if method == "PATCH" and number:
            found = next(one for one in self.comments if one["id"] == int(number[1]))
            found["body"] = body["body"]
            return 200, found
        return 404, {"message": "Not Found"}

    def written(self) -> list[str]:
        """The methods of the requests that write."""
        return [method for method, _, _ in self.asked if method != "GET"]


def comment(number: int, body: str, kind: str = "Bot", role: str = "NONE") -> dict[str, Any]:
    """A comment as GitHub gives it."""
    return {"id": number, "body": body, "user": {"type": kind, "login": "somebody"}, "author_association": role}


@pytest.fixture
def hub() -> Iterator[Hub]:
    made = Hub()

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else {}
            made.asked.append((self.command, self.path, self.headers.get("Authorization")))
            status, reply = made.answer(self.command, self.path, body)
            data = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _answer  # noqa: N815 - http.server's names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - overrides
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield made
        server.shutdown()
        thread.join()


@dataclass
class Runner:
    """A job: its clone, its temporary folder, and what its steps did."""

    clone: Path
    temporary: Path
    event: Mapping[str, Any]
    url: str = "http://127.0.0.1:9"
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    log: str = ""
    summary: str = ""

    def use(self, **given: str) -> int:
        """Run the action's steps with these inputs; returns the status of the last one."""
        inputs = {name: self._value(one["default"], {}) for name, one in ACTION["inputs"].items()}
        inputs |= {name.replace("_", "-"): value for name, value in given.items()}
        for number, step in enumerate(STEPS):
            if "if" in step and not self._value(step["if"], inputs):
                continue
            status = self._step(step, inputs, self.temporary / f"step{number}.sh")
            if status:
                return status
        return 0

    def result(self, name: str) -> str:
        """An output of the action."""
        return self._value(ACTION["outputs"][name]["value"], {})

    def _step(self, step: Mapping[str, Any], inputs: Mapping[str, str], script: Path) -> int:
        script.write_text(step["run"])
        files = {name: self.temporary / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_EVENT_PATH")}
        for path in files.values():
            path.write_text("")
        files["GITHUB_EVENT_PATH"].write_text(json.dumps(self.event))
        environment = {name: value for name, value in os.environ.items() if name not in TOLD and name[:3] != "GIT"}
        environment |= {name: str(path) for name, path in files.items()}
        environment |= {name: self._value(str(text), inputs) for name, text in step.get("env", {}).items()}
        environment |= {
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_API_URL": self.url,
            "GITHUB_REPOSITORY": "our/shop",
            "RUNNER_TEMP": str(self.temporary),
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.clone, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=500, check=False,
        )  # fmt: skip
        self.log += done.stdout
        self.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        self.outputs[step.get("id", "")] = _outputs(files["GITHUB_OUTPUT"].read_text())
        return done.returncode

    def _value(self, text: str, inputs: Mapping[str, str]) -> str:
        """A text with the expressions that action.yml uses; a condition is empty if it does not hold."""
        if condition := re.fullmatch(r"\$\{\{ inputs\.([\w-]+) == '(\w+)' \}\}", text):
            return "true" if inputs[condition[1]] == condition[2] else ""

        def of(found: re.Match[str]) -> str:
            words = found[1].split(".")
            if words == ["github", "token"]:
                return TOKEN
            return inputs[words[1]] if words[0] == "inputs" else self.outputs[words[1]].get(words[3], "")

        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", of, text)


def _outputs(text: str) -> dict[str, str]:
    """A step's outputs, in both of GitHub's forms."""
    found: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        if many := re.fullmatch(r"([\w-]+)<<(.+)", line):
            value = []
            while (row := next(lines)) != many[2]:
                value.append(row)
            found[many[1]] = "\n".join(value)
        else:
            name, _, found[name] = line.partition("=")
    return found


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    """A runner's temporary folder, in which an earlier step has installed the sources of this tree."""
    folder = tmp_path / "temporary"
    environment = folder / "bearings-environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True, timeout=60)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "tree.pth").write_text(f"{ROOT / 'src'}\n{sysconfig.get_path('purelib')}\n")
    (environment / "installed").write_text(f"{environment}/bin/python\n")
    return folder


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """Main, and a branch with a hostile name that breaks a caller and has tests with hostile names."""
    root = repository(tmp_path / "origin", SHOP)
    git(root, "branch", "-M", "main")
    git(root, "checkout", "-q", "-b", BRANCH)
    edit(root, "shop/prices.py", "with_tax(amount)", "with_tax(amount, country)")
    test = "from shop.prices import with_tax\n\n\ndef test_it():\n    with_tax(1, 2)\n"
    write(root, {f"tests/test_{name}.py": test for name in NAMES})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "next")
    git(root, "config", "uploadpack.allowAnySHA1InWant", "true")
    return root


@pytest.fixture
def job(tmp_path: Path, origin: Path, temporary: Path, hub: Hub) -> Runner:
    """The job of a pull request, in a shallow clone, which lacks the base."""
    git(tmp_path, "clone", "-q", "--depth=1", f"--branch={BRANCH}", f"file://{origin}", "clone")
    head = {"sha": name_of(origin, "HEAD"), "ref": BRANCH}
    event = {"pull_request": {"number": 7, "base": {"sha": name_of(origin, "main")}, "head": head}}
    return Runner(tmp_path / "clone", temporary, event, hub.url)


def test_no_expression_reaches_a_shell_as_text():
    for step in STEPS:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
    assert [step for step in STEPS if "uses" in step] == []  # no third party


@pytest.mark.slow
def test_a_pull_request_gets_summary_annotations_sarif_and_tests(job: Runner, tmp_path: Path):
    status = job.use(tests="pytest", sarif="bearings.sarif", fail_on="high", validate="true")
    assert status == 1, job.log
    assert "::error title=bearings::The change does not pass. Its risk is high" in job.log
    assert "::warning file=shop/basket.py,line=11," in job.log
    assert job.summary.startswith("**Risk: high**")
    assert json.loads((job.clone / job.result("sarif")).read_text())["version"] == "2.1.0"
    assert (job.result("risk"), job.result("changed") != "0") == ("high", True)
    words = Path(job.result("tests-file")).read_text().split("\0")[:-1]
    assert job.result("tests").split("\n") == words
    assert set(words) == {"tests/test_basket.py", *(f"tests/test_{name}.py" for name in NAMES if "\n" not in name)}
    assert [line for line in job.log.splitlines() if line.lstrip().startswith(("::error::", "::set"))] == []
    assert not list(tmp_path.rglob("pwned*"))


@pytest.mark.slow
def test_xargs_hands_over_the_tests_unharmed(job: Runner, tmp_path: Path):
    assert job.use(tests="pytest") == 0, job.log
    line = 'xargs -0 -r printf "<%s>\\n" < "$TESTS"'
    told = {**os.environ, "TESTS": job.result("tests-file")}
    done = subprocess.run(["bash", "-c", line], env=told, cwd=job.clone, capture_output=True, text=True, check=True)
    assert "<tests/test_$(touch pwned).py>\n" in done.stdout
    assert not list(tmp_path.rglob("pwned*"))


@pytest.mark.slow
def test_a_comment_is_made_once_and_then_edited(job: Runner, hub: Hub):
    assert job.use(comment="true") == 0, job.log
    assert hub.written() == ["POST"]
    assert hub.comments[0]["body"].startswith("<!-- bearings: ")
    assert "### Breaks callers" in hub.comments[0]["body"]
    edit(job.clone, "shop/basket.py", "with_tax(price)", "with_tax(price, 1)")
    assert job.use(comment="true") == 0, job.log
    assert (hub.written(), len(hub.comments)) == (["POST", "PATCH"], 1)
    assert "### Breaks callers" not in hub.comments[0]["body"]
    assert job.use(comment="true") == 0
    assert hub.written() == ["POST", "PATCH"]  # nothing new to say
    assert {token for _, _, token in hub.asked} == {f"Bearer {TOKEN}"}


@pytest.mark.slow
def test_a_gate_that_closes_leaves_the_comment(job: Runner, hub: Hub):
    assert job.use(comment="true", fail_on="medium") == 1
    assert hub.written() == ["POST"]


@pytest.mark.slow
def test_a_strangers_comment_with_the_marker_is_left_alone_on_any_page(job: Runner, hub: Hub):
    assert job.use(comment="true") == 0
    mark = hub.comments.pop()["body"].partition("\n")[0]
    hub.comments += [comment(number, f"{mark}\nmine", kind="User") for number in range(1, 131)]
    hub.comments[120]["body"] = None
    hub.comments.append(comment(131, f"{mark}\nold", kind="User", role="MEMBER"))
    hub.asked.clear()
    assert job.use(comment="true") == 0, job.log
    assert hub.written() == ["PATCH"]
    assert [one["id"] for one in hub.comments if "### Breaks callers" in (one["body"] or "")] == [131]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "status", "said"), [(403, 0, "::warning "), (500, 2, "::error "), (302, 2, "::error ")]
)
def test_a_refused_comment_is_said(job: Runner, hub: Hub, answer: int, status: int, said: str):
    hub.status = answer
    assert job.use(comment="true", annotations="false") == status
    assert f"{said}title=bearings::The comment can't be written" in job.log
    assert f"HTTP {answer}" in job.log


@pytest.mark.slow
def test_a_push_is_compared_with_the_commit_before_it(job: Runner, origin: Path, hub: Hub):
    job.event = {"before": name_of(origin, "main"), "ref": f"refs/heads/{BRANCH}"}
    assert job.use(comment="true", annotations="false", summary="false") == 0, job.log
    assert (job.result("risk"), job.summary, hub.asked) == ("high", "", [])
    assert "::notice title=bearings::This event is of no pull request" in job.log


@pytest.mark.slow
@pytest.mark.parametrize(
    "given",
    [
        {"base": "$(touch pwned)"},
        {"base": "--upload-pack=touch pwned"},
        {"project": "'; touch pwned; '"},
        {"tests": "nose; touch pwned"},
        {"fail_on": "--help"},
    ],
)
def test_a_hostile_or_wrong_input_is_an_error(job: Runner, tmp_path: Path, given: dict[str, str]):
    assert job.use(**given) == 2, job.log
    assert not list(tmp_path.rglob("pwned*"))


@pytest.mark.slow
def test_code_of_the_checkout_is_not_imported(job: Runner, tmp_path: Path):
    harm = f"open({str(tmp_path / 'pwned')!r}, 'w')\n"
    write(
        job.clone,
        {"venv.py": harm, "json.py": harm, "bearings/__init__.py": harm, "click.py": harm, "hashlib.py": harm},
    )
    assert job.use(comment="true") == 0, job.log
    assert not (tmp_path / "pwned").exists()


@pytest.mark.slow
def test_a_missing_python_is_said_with_its_remedy(job: Runner, tmp_path: Path):
    old = write(tmp_path / "old", {"python3": "#!/bin/sh\nexit 1\n"})
    (old / "python3").chmod(0o755)
    script = tmp_path / "install.sh"
    script.write_text(STEPS[0]["run"])
    line = ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    done = subprocess.run(line, env={"PATH": str(old)}, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "actions/setup-python" in done.stdout


@pytest.mark.slow
@soak
def test_the_action_installs_itself(job: Runner):
    (job.temporary / "bearings-environment" / "installed").unlink()
    assert job.use(annotations="false") == 0, job.log
    python = job.outputs["install"]["python"]
    place = [python, "-I", "-c", "import bearings; print(bearings.__file__)"]
    found = subprocess.run(place, cwd=job.clone, capture_output=True, text=True, check=True).stdout
    assert str(job.temporary) in found
