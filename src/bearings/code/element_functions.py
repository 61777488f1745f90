"""Python's built-in functions whose results are made of the elements of their only argument."""

ELEMENT = frozenset({"next", "min", "max"})
"""They give one of the elements."""
ELEMENTS = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed", "iter"})
"""They give all of the elements."""
NUMBERED = frozenset({"enumerate"})
"""They give pairs of a number and an element."""
ITERATING = ELEMENT | ELEMENTS | NUMBERED
