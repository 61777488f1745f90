"""TypeScript, TSX, JavaScript and JSX."""
