"""docs/ci.md names all inputs, outputs and hooks, and its workflows use what there is."""

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
BLOCKS = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]


def table(head: str) -> dict[str, str]:
    """The first column of a table, with the second."""
    rows = re.search(rf"^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert rows is not None
    return dict(re.findall(r"^\| `([\w-]+)` \| ([^|]*) \|", rows[1], re.MULTILINE))


def steps(value: Any) -> list[dict[str, Any]]:
    """All steps that use this action."""
    if isinstance(value, dict):
        own = [value] if str(value.get("uses", "")).startswith("OWNER/bearings@") else []
        return own + [step for part in value.values() for step in steps(part)]
    return [step for part in value for step in steps(part)] if isinstance(value, list) else []


def test_inputs_and_outputs_are_documented_with_their_defaults():
    assert list(table("input")) == list(ACTION["inputs"])
    assert list(table("output")) == list(ACTION["outputs"])
    for name, told in table("input").items():
        default = ACTION["inputs"][name]["default"]
        assert told == f"`{default}`" or (told, default) in {
            ("as above", ""), ("none", ""), ("the job's", "${{ github.token }}"),
        }  # fmt: skip
    assert all(one["description"] for kind in ("inputs", "outputs") for one in ACTION[kind].values())


def test_hooks_are_documented():
    assert list(table("hook")) == [hook["id"] for hook in HOOKS]
    used = [hook["id"] for block in BLOCKS if "repos" in block for hook in block["repos"][0]["hooks"]]
    assert used == [hook["id"] for hook in HOOKS]


def test_workflows_use_inputs_that_there_are():
    used = steps(BLOCKS)
    assert len(used) == 2
    for step in used:
        assert set(step["with"]) <= set(ACTION["inputs"])
    for name in re.findall(r"steps\.bearings\.outputs\.([\w-]+)", PAGE):
        assert name in ACTION["outputs"]


def test_no_workflow_gives_an_expression_to_a_shell():
    assert re.findall(r"run: .*\$\{\{", PAGE) == []
