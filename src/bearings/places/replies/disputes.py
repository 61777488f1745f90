"""Disputed areas in replies: administrators, claimants, and the source of that opinion."""

from collections.abc import Sequence

from bearings.places.models import Disputed
from bearings.places.replies.words import CleanPart, Line, Name

Sides = dict[Line, Name]
"""The sides' names by their ISO 3166-1 codes; "self" is the area itself."""

SELF = "self"


class DisputedArea(CleanPart):
    """An area that several sides claim, that governs itself unrecognised, or that is a buffer or a lease (`kind`).

    `source` holds that opinion. If `administered_by` is empty, the source names no administrator.
    """

    name: Name
    kind: Line
    administered_by: Sides
    claimed_by: Sides
    source: Line

    @classmethod
    def of(cls, area: Disputed) -> "DisputedArea":
        """The area with its sides."""
        administrators, claimed = (
            {party.code or SELF: party.name for party in parties} for parties in (area.administered_by, area.claimed_by)
        )
        return cls(
            name=area.name, kind=area.kind, administered_by=administrators, claimed_by=claimed, source=area.source
        )

    def line(self) -> str:
        """`disputed: Crimea; administered by Russia (RU); claimed by Ukraine (UA) (source: Natural Earth)`."""
        parts = [f"disputed: {self.name} ({self.kind.replace('_', ' ')})"]
        for role, sides in (("administered by", self.administered_by), ("claimed by", self.claimed_by)):
            if sides:
                claims = ("itself" if code == SELF else f"{name} ({code})" for code, name in sides.items())
                parts.append(f"{role} {', '.join(claims)}")
        return f"{'; '.join(parts)} (source: {self.source})"


def disputed(areas: Sequence[Disputed]) -> list[DisputedArea] | None:
    """The field `disputed` of a reply; None if there are no areas."""
    return [DisputedArea.of(area) for area in areas] or None
