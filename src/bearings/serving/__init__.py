"""The MCP side, shared by both servers: the only importer of the SDK; independent of places and code."""
