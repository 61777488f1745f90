"""The description of one HTTP server: its address, its pace, and the names that hints to the user need."""

from dataclasses import dataclass

DEFAULT_PARALLEL = 4
"""Concurrent requests to a server without a pace: a small geocoder has about as many workers."""


@dataclass(frozen=True, slots=True)
class Remedies:
    """Words for the hints of errors: the settings that a user can change, and advice for refusals.

    `url_setting` and `timeout_setting` are names of environment variables; `endpoints` lists the server's paths
    ("/search and /reverse"). `banned` follows an HTTP 403, `refused` follows repeated HTTP 429: whole sentences.
    """

    url_setting: str
    timeout_setting: str
    endpoints: str
    banned: str
    refused: str

    @property
    def check_url(self) -> str:
        """The hint for answers that another kind of server gave."""
        return f"Check {self.url_setting}: it is the address below which {self.endpoints} are."


@dataclass(frozen=True, slots=True)
class Server:
    """One server. `base_url` has no slash at its end and may hold credentials; `host` is its name without them.

    `interval_s` is the least time between two requests of this machine; 0 means no pace. `timeout_s` limits one
    answer, without the wait for its slot. `parallel` limits the connections to a server without a pace. `is_strict`:
    it asks for one pace of all replicas together, so it is not asked while the Redis that keeps it is gone.
    """

    base_url: str
    host: str
    user_agent: str
    interval_s: float
    timeout_s: float
    remedies: Remedies
    parallel: int = DEFAULT_PARALLEL
    is_strict: bool = False

    @property
    def is_paced(self) -> bool:
        """Whether requests must keep an interval."""
        return self.interval_s > 0
