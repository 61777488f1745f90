"""A line about which a reply is unsure is listed once: as a site that was not followed, or as a mention elsewhere."""

from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.sites import Site, Unresolved
from bearings.reply import Part

Listed = set[tuple[str, str, int]]
"""A word, and the file and line that it stands on."""


def list_once(reply: Part, listed: Listed) -> None:
    """Remove the lines that are in `listed` from the reply's sites and mentions, and add the others to `listed`.

    Replies count what is removed. Sites of a reply without such a count all stay.
    """
    unresolved = getattr(reply, "unresolved", None)
    if isinstance(unresolved, Unresolved):
        fresh = [site for site in unresolved.sites if _is_new(_word(site), site.file, site.line, listed)]
        unresolved.above += len(unresolved.sites) - len(fresh)
        unresolved.sites = fresh
    for site in getattr(reply, "unresolved_sites", ()):
        listed.add((_word(site), site.file, site.line))
    elsewhere = getattr(reply, "elsewhere", None)
    if isinstance(elsewhere, Elsewhere):
        word = " ".join(elsewhere.words)
        mentions = [one for one in elsewhere.shown if _is_new(word, one.file, one.line, listed)]
        elsewhere.above += len(elsewhere.shown) - len(mentions)
        elsewhere.shown = mentions


def _is_new(word: str, file: str, line: int, listed: Listed) -> bool:
    place = (word, file, line)
    is_new = place not in listed
    listed.add(place)
    return is_new


def _word(site: Site) -> str:
    """The last part of a site's name, which is the word of the element that it may use."""
    return site.name.rpartition(".")[2]
