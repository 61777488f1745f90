"""What a tool answers: a model that is both structured content and text."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """Any model inside a reply. Unknown fields are a mistake of ours, so they raise; absent ones are left out."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null", defer_build=True)


class Reply(Part):
    """A tool's whole answer."""

    success: Literal[True] = True

    def to_text(self) -> str:
        """The same answer for reading: terse, complete, no JSON."""
        raise TypeError(f"{type(self).__name__} has no text form")

    def structured(self) -> dict[str, Any]:
        """The answer as JSON values; what is absent is left out."""
        return self.model_dump(mode="json", exclude_none=True)
