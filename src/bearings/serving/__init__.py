"""The MCP side, shared by both servers: the only importer of the SDK; it knows no place and no code."""
