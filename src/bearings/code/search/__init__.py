"""The room of three or more questions: elements by name, members, reach, mentions of a word, limits of languages."""
