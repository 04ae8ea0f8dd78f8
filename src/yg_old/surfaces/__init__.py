"""The ways to ask: command line, MCP, language server, page in a browser, Python."""
