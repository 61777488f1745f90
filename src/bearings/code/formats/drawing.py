"""A diagram before it is written in a notation: boxes in groups, arrows between them."""

from dataclasses import dataclass
from enum import StrEnum

from bearings.code.grouping import grouped


class Look(StrEnum):
    """The shape of a box."""

    PLAIN = "plain"
    FOLDER = "folder"
    TEST = "test"
    FOCUS = "focus"


class Stroke(StrEnum):
    """The line style of an arrow."""

    SOLID = "solid"
    DASHED = "dashed"
    THICK = "thick"


@dataclass(frozen=True, slots=True)
class Box:
    """A node. Boxes with the same `group` are drawn together, in a frame if the group has a name."""

    id: str
    label: str
    group: str = ""
    look: Look = Look.PLAIN


@dataclass(frozen=True, slots=True)
class Arrow:
    """A link between two boxes, by their ids."""

    source: str
    target: str
    label: str = ""
    stroke: Stroke = Stroke.SOLID


@dataclass(frozen=True, slots=True)
class Drawing:
    """A whole diagram, in output order. Labels are plain text on one line."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]

    def by_group(self) -> dict[str, list[Box]]:
        """The boxes of each group; groups are in the order of their first box."""
        return grouped((box.group, box) for box in self.boxes)

    def numbers(self) -> dict[str, str]:
        """A short identifier for each box that is valid in any notation."""
        return {box.id: f"n{number}" for number, box in enumerate(self.boxes)}
