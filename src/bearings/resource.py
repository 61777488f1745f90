"""A resource as plain data: a URI template that a tool answers. This module knows no protocol.

A wing offers resources beside its tools. `serving` reads one by a call of its tool, so all that holds for the call
holds for the resource: guards, budgets, errors.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bearings.reply import Reply


@dataclass(frozen=True, slots=True)
class Resource:
    """A URI template (RFC 6570), and its meaning as a call.

    `arguments` turns the values of its variables into the arguments of `tool`, and `text` the reply into the content.
    """

    template: str
    name: str
    title: str
    description: str
    content_type: str
    tool: str
    arguments: Callable[[Mapping[str, str]], Mapping[str, Any]]
    text: Callable[[Reply], str]
