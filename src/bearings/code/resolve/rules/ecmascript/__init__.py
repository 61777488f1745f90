"""TypeScript and JavaScript: their rules, and the files of module specifiers."""
