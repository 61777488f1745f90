"""What a diagram shows, before it is written in a notation: boxes in groups, arrows between them."""

from dataclasses import dataclass
from enum import StrEnum


class Look(StrEnum):
    """How a box is drawn."""

    PLAIN = "plain"
    FOLDER = "folder"
    TEST = "test"
    FOCUS = "focus"


class Stroke(StrEnum):
    """How an arrow is drawn."""

    SOLID = "solid"
    DASHED = "dashed"
    THICK = "thick"


@dataclass(frozen=True, slots=True)
class Box:
    """A node; boxes with the same `group` stand together, in a frame of that name if it has one."""

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
    """A whole diagram, in the order in which it is written. Labels are plain text of one line."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]

    def by_group(self) -> dict[str, list[Box]]:
        """The boxes of each group, groups in the order of their first box."""
        groups: dict[str, list[Box]] = {}
        for box in self.boxes:
            groups.setdefault(box.group, []).append(box)
        return groups

    def numbers(self) -> dict[str, str]:
        """A short name for each box, that any notation can write."""
        return {box.id: f"n{number}" for number, box in enumerate(self.boxes)}
