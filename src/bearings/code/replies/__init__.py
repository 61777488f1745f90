"""The replies of the code tools. Every path is relative to the project; text from it is cleaned and capped."""
