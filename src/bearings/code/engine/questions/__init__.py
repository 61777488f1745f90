"""What may be asked of an engine: a question each, beside the type of its answer."""
