"""TypeScript and JavaScript: which file a specifier means."""
