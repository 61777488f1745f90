"""What three or more questions share: elements by name, members, reach, mentions of a word, limits of languages."""
