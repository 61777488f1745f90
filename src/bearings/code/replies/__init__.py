"""Replies of the code tools. Paths are relative to the project. Text from the project is cleaned and shortened."""
