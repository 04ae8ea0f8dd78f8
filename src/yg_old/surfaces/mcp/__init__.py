"""The MCP server: the commands of `yg` as tools, resources and a prompt."""
