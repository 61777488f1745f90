"""Keeps one comment of a pull request up to date: `comment.py REVIEW.md PROJECT`, a step of action.yml.

The comment begins with a hidden marker of the project. It is made once and edited afterwards. A comment with the marker
counts only if a bot or a collaborator wrote it, so that nobody else can have theirs edited. Where the token may not
write, as in pull requests from forks, a warning says so and the job goes on. Uses the standard library alone.
"""

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from http.client import HTTPMessage
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

MOST = 60_000
"""Characters of a review; GitHub takes comments of 65,536."""

_PAGE = 100
_MOST_PAGES = 30
_MOST_BYTES = 32 * 1024 * 1024
_TIMEOUT_S = 30.0
_TRUSTED = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
_REFUSED = frozenset({401, 403, 404})
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


class Failed(Exception):
    """The comment can't be written."""


class _NoRedirects(HTTPRedirectHandler):
    """The token goes to no other server."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        """Follow none."""


class Api:
    """The comments of a repository."""

    def __init__(self, url: str, repository: str, token: str) -> None:
        if not url.startswith(("https://", "http://")):
            raise Failed("GITHUB_API_URL is no address of a server")
        if not _REPOSITORY.fullmatch(repository):
            raise Failed("GITHUB_REPOSITORY is not OWNER/NAME")
        if not token or not token.isascii() or not token.isprintable():
            raise Failed("the input token is empty or no token")
        self._base = f"{url.rstrip('/')}/repos/{repository}/issues"
        self._headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "User-Agent": "bearings",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        self._opener = build_opener(_NoRedirects)

    def comments(self, number: int) -> Iterator[dict[str, Any]]:
        """The comments of a pull request, the oldest first."""
        for page in range(1, _MOST_PAGES + 1):
            rows = self._asked("GET", f"/{number}/comments?per_page={_PAGE}&page={page}")
            yield from rows
            if len(rows) < _PAGE:
                return

    def create(self, number: int, body: str) -> None:
        """A new comment."""
        self._asked("POST", f"/{number}/comments", {"body": body})

    def edit(self, comment: int, body: str) -> None:
        """Another text for a comment."""
        self._asked("PATCH", f"/comments/{comment}", {"body": body})

    def _asked(self, method: str, path: str, body: dict[str, str] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._base + path, data, self._headers, method=method)  # noqa: S310 - https or http, see above
        with self._opener.open(request, timeout=_TIMEOUT_S) as answer:
            return json.loads(answer.read(_MOST_BYTES))


def marker(project: str) -> str:
    """A comment of HTML that tells the project's review from others."""
    name = hashlib.sha256(os.path.normpath(project).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f"<!-- bearings: {name} -->"


def body(mark: str, review: str) -> str:
    """The text of the comment, cut at the end of a line."""
    if len(review) > MOST:
        review = review[:MOST].rpartition("\n")[0] + "\n\nThe rest is in the summary of the job.\n"
    return f"{mark}\n{review}"


def is_ours(comment: dict[str, Any], mark: str) -> bool:
    """Whether a comment is the one to edit."""
    is_trusted = comment["user"]["type"] == "Bot" or comment["author_association"] in _TRUSTED
    return is_trusted and str(comment["body"] or "").startswith(mark)


def write(api: Api, number: int, mark: str, text: str) -> str:
    """Make or edit the comment; returns what was done."""
    known = next((one for one in api.comments(number) if is_ours(one, mark)), None)
    if known is None:
        api.create(number, text)
        return "written"
    if known["body"] == text:
        return "unchanged"
    api.edit(int(known["id"]), text)
    return "edited"


def number_of(event: Path) -> int | None:
    """The number of the event's pull request; None for another event."""
    found = json.loads(event.read_bytes())
    number = found.get("pull_request", {}).get("number")
    return number if isinstance(number, int) else None


def main(review: str, project: str) -> int:
    """The step; returns its exit status."""
    try:
        number = number_of(Path(os.environ["GITHUB_EVENT_PATH"]))
        if number is None:
            return _say("notice", "This event is of no pull request, so there is no comment.", 0)
        mark = marker(project)
        done = write(_api(), number, mark, body(mark, Path(review).read_text(encoding="utf-8")))
    except HTTPError as error:
        if error.code not in _REFUSED:
            return _say("error", f"The comment can't be written: HTTP {error.code}.", 2)
        remedy = "Give the job permissions: pull-requests: write. Pull requests from forks have none."
        return _say("warning", f"The comment can't be written (HTTP {error.code}). {remedy}", 0)
    except (Failed, URLError, OSError, ValueError, LookupError, TypeError) as error:
        reason = " ".join(str(error).split())
        return _say("error", f"The comment can't be written: {type(error).__name__}: {reason}", 2)
    sys.stdout.write(f"The comment is {done}.\n")
    return 0


def _api() -> Api:
    """The comments that the environment names. Raises Failed."""
    url = os.environ.get("GITHUB_API_URL") or "https://api.github.com"
    return Api(url, os.environ.get("GITHUB_REPOSITORY", ""), os.environ.get("BEARINGS_TOKEN", ""))


def _say(kind: str, text: str, status: int) -> int:
    """Print an annotation; returns the exit status."""
    sys.stdout.write(f"::{kind} title=bearings::{text}\n")
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
