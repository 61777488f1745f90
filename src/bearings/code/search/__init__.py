"""What three or more questions share: elements by their names, members, reach, mentions of a word, limits of languages."""
