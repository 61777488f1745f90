"""Uses that no edge explains, as parts of replies; a line about which a reply is unsure is listed once in it."""

from msgspec import field

from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.lines import Row, lines_of, site
from bearings.reply import Part, SymbolName


class Site(Part):
    """A use without an edge, and the reason: external, builtin, ambiguous, unresolved, guessed by its name.

    `why` is one of these words, or `through X`: a use of X, which the element overrides.
    """

    name: SymbolName
    file: SymbolName
    line: int
    why: str
    text: SymbolName | None = None

    def placed(self) -> Row:
        """The line, the reason, and its text, else the used name."""
        return self.file, site(self.line, [self.why], self.text or self.name)

    def to_text(self) -> str:
        """One line."""
        return f"  {self.name} at {self.file}:{self.line} ({self.why})" + (f" {self.text}" if self.text else "")


class Unresolved(Part):
    """Uses without an edge among the results, and guesses that were left out: by name, or through a base.

    `sites`: unresolved, ambiguous and guessed ones, paged after the results; and the first of the others.
    `above` counts sites of the page that the same reply lists before.
    """

    external: int = 0
    builtin: int = 0
    ambiguous: int = 0
    unresolved: int = 0
    heuristic: int = 0
    sites: list[Site] = field(default_factory=list)
    above: int = 0

    def lined_text(self) -> str:
        """One line, then the sites, with those of a file together."""
        return "\n".join([self._head(), *lines_of(self.sites)]) if self._head() else ""

    def to_text(self) -> str:
        """One line, then one for each site."""
        return "\n".join([self._head(), *(site.to_text() for site in self.sites)]) if self._head() else ""

    def _head(self) -> str:
        counts = ("external", "builtin", "ambiguous", "unresolved", "heuristic")
        extra = ", ".join(f"{count} {name}" for name in counts if (count := getattr(self, name)))
        above = f" ({self.above} of them above)" if self.above else ""
        return f"not followed: {extra}{above}" if extra else ""


Listed = set[tuple[str, str, int]]
"""A word, and the file and line that it stands on."""


def list_once(reply: Part, listed: Listed) -> None:
    """Remove the lines that are in `listed` from the reply's sites and mentions, and add the others to `listed`.

    What is removed is counted in `above`. `unresolved_sites` has no such field, so all of them stay.
    """
    unresolved = getattr(reply, "unresolved", None)
    if isinstance(unresolved, Unresolved):
        fresh = [one for one in unresolved.sites if _is_new(_word_of(one), one.file, one.line, listed)]
        unresolved.above += len(unresolved.sites) - len(fresh)
        unresolved.sites = fresh
    listed.update((_word_of(one), one.file, one.line) for one in getattr(reply, "unresolved_sites", ()))
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


def _word_of(site: Site) -> str:
    """The last part of a site's name, which is the word of the element that it may use."""
    return site.name.rpartition(".")[2]
