"""Reads a Dockerfile, as far as ours goes: stages, and their instructions in order."""

import json
import re
from dataclasses import dataclass, field


@dataclass
class Stage:
    """A stage: its base with arguments replaced, its name if it has one, its instructions as (word, rest)."""

    base: str
    name: str
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def all(self, word: str) -> list[str]:
        """The arguments of each instruction of that name."""
        return [rest for name, rest in self.instructions if name == word]


def stages(text: str) -> list[Stage]:
    """The stages in order. Raises ValueError for an instruction before the first that is no ARG."""
    arguments: dict[str, str] = {}
    found: list[Stage] = []
    for word, rest in instructions(text):
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            found.append(Stage(re.sub(r"\$\{(\w+)\}", lambda match: arguments[match[1]], base), name))
        elif found:
            found[-1].instructions.append((word, rest))
        elif word == "ARG":
            name, _, value = rest.partition("=")
            arguments[name] = value
        else:
            raise ValueError(f"{word} stands before the first stage")
    return found


def instructions(text: str) -> list[tuple[str, str]]:
    """Instructions in order, comments left out and continued lines joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.splitlines())]


def words(command: str) -> list[str]:
    """The words of a command in the exec form. Raises ValueError for the shell form."""
    found: list[str] = json.loads(command)
    return found
