"""The little town: its plan, the program that draws it, and what is true of it."""
