"""Tables made by hand, in the folder beside this module: columns between tabs; the first line says what they hold."""

from pathlib import Path


def rows(name: str) -> list[list[str]]:
    """The rows of a table, each of as many columns."""
    lines = Path(__file__).with_name("tables").joinpath(f"{name}.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


def pairs(name: str) -> dict[str, str]:
    """A table of two columns: the second by the first."""
    return dict(rows(name))  # type: ignore[arg-type] # two columns
