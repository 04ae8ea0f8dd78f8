"""The MCP server: a table of tools over the same answers that the command line gives."""
