"""bearings: two MCP servers that give an AI agent its bearings, in the world and in a codebase."""

__version__ = "0.1.0"
