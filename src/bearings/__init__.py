"""bearings: two MCP servers that give an AI agent its bearings, in the world and in a codebase."""
