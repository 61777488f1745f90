"""Faults in the content of a Nominatim's answers. No error carries text of the answer."""

from bearings.errors import BadResponse
from bearings.places.remote.server import Server


def not_places(server: Server) -> BadResponse:
    """The answer is JSON without anything that can be a place."""
    return BadResponse(f"{server.host} sent JSON that is not what Nominatim sends", server.remedies.check_url)


def too_many(server: Server, most: int) -> BadResponse:
    """The answer has more rows than any question asks for."""
    return BadResponse(
        f"{server.host} sent more than {most} places, more than any question asks for", server.remedies.check_url
    )


def refused(server: Server) -> BadResponse:
    """The answer says "error" with HTTP 200."""
    return BadResponse(
        f"{server.host} answered with an error instead of places", "Try another query; if it stays, report it."
    )
