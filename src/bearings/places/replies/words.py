"""The kinds of text in replies about places; each is cleaned as it enters a reply."""

from typing import Annotated

from pydantic import AfterValidator

from bearings.untrusted import Kind, clean_line

Sentence = Annotated[str, AfterValidator(clean_line)]
"""The program's own words, which may quote text from outside."""

Line = Annotated[Sentence, Kind.LABEL]
"""A word from a source."""

Name = Annotated[Sentence, Kind.NAME]
"""A place's name."""
