"""What the code tools answer. Every path is relative to the project; text from it is cleaned and capped."""
