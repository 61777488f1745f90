"""The part of a reply that accounts for every occurrence of an element's name in code: their classes, and the sum."""

from msgspec import field

from bearings.reply import Part, SymbolName


class Account(Part):
    """The identifiers of one name in all sources whose names are followed, by class; `tokens` is their sum.

    `uses` are explained by edges to the element, `others` by those to other elements, `guesses` by guessed ones.
    `library` is of libraries or the language, `locals` are local names and labels, `keys` are keys of objects and
    keywords, `declarations` also imports and exports. `unresolved` counts the rest by reason.
    """

    name: SymbolName
    tokens: int = 0
    uses: int = 0
    others: int = 0
    guesses: int = 0
    unresolved: dict[str, int] = field(default_factory=dict)
    library: int = 0
    locals: int = 0
    keys: int = 0
    declarations: int = 0

    @property
    def doubtful(self) -> int:
        """The number of occurrences that may be uses of the element without being listed."""
        return self.guesses + sum(self.unresolved.values())

    @property
    def is_plain(self) -> bool:
        """Whether there are only known uses and declarations, which need no line."""
        return self.tokens == self.uses + self.declarations

    def to_text(self) -> str:
        """One line."""
        unresolved = ", ".join(f"{count} {why}" for why, count in self.unresolved.items())
        counts = {
            "of known uses": self.uses,
            "of other elements": self.others,
            "guessed": self.guesses,
            f"unresolved ({unresolved})": sum(self.unresolved.values()),
            "of libraries": self.library,
            "local": self.locals,
            "keys": self.keys,
            "in declarations and imports": self.declarations,
        }
        classes = ", ".join(f"{count} {label}" for label, count in counts.items() if count)
        often = "once" if self.tokens == 1 else f"{self.tokens} times"
        return f"{self.name} stands in code {often}: {classes}"
