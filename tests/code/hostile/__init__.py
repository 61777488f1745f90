"""Trees and surroundings that mean no good: everything is answered, and whatever is left out is named."""
