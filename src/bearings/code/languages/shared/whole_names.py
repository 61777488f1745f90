"""Whole names of classes, in languages in which a file alone says what a name means: `Cart` is `Shop.Model.Cart`."""


class WholeNames:
    """The names that a file imports so far. `classes` and `functions` are whole names by the local one.

    `variables` are type parameters, each with the byte to which it is known.
    """

    def __init__(self, separator: str, package: str = "") -> None:
        self.package = package
        self.classes: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.variables: dict[str, int] = {}
        self._separator = separator

    def dotted(self, text: str) -> str:
        """A name with dots between its parts."""
        return "".join(text.split()).strip(self._separator).replace(self._separator, ".")

    def whole(self, text: str, at: int = -1) -> str:
        """The whole name of a class as written at a byte, which may be a type parameter."""
        root, mark, rest = self.dotted(text).partition(".")
        if text.lstrip().startswith(self._separator):
            return f"{root}{mark}{rest}"
        if not mark and self.variables.get(root, -1) > at >= 0:
            return root
        if root in self.classes:
            return f"{self.classes[root]}{mark}{rest}"
        name = rest if root == "namespace" and mark else f"{root}{mark}{rest}"
        return f"{self.package}.{name}" if self.package else name
