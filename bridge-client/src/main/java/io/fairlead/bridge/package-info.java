/** A stdio MCP server that forwards to a Streamable HTTP server, without losing or repeating. */
package io.fairlead.bridge;
