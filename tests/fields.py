"""The fields that an output schema of `tools/list` names."""

from typing import Any


def fields_of(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of each field that `answer_schema` names: fields of one type share a pattern."""
    patterns = schema["patternProperties"].items()
    return {name: part for pattern, part in patterns for name in pattern.strip("^()$").split("|")}
