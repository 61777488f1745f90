"""The tools' replies: each is structured content and a terse text, and names its source."""

from bearings.places.replies.found import (
    AdminReply,
    BboxReply,
    GeocodeReply,
    LookupReply,
    NearbyReply,
    ReverseReply,
)
from bearings.places.replies.journeys import BatchReply, Failure, MatrixReply, RouteReply, Stop
from bearings.places.replies.parts import GeocodeResult, degrees, precision, rounded
from bearings.places.replies.service import BackendCard, CapabilitiesReply, LastError, StatusReply, ToolCard

__all__ = [
    "AdminReply",
    "BackendCard",
    "BatchReply",
    "BboxReply",
    "CapabilitiesReply",
    "Failure",
    "GeocodeReply",
    "GeocodeResult",
    "LastError",
    "LookupReply",
    "MatrixReply",
    "NearbyReply",
    "ReverseReply",
    "RouteReply",
    "StatusReply",
    "Stop",
    "ToolCard",
    "degrees",
    "precision",
    "rounded",
]
