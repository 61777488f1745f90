"""The questions that an engine can be asked, each with the type of its answer."""
