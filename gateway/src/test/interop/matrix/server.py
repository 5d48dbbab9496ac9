"""The matrix's tools, offered by a Python SDK: `server.py mcp1|mcp2|fastmcp FILE --stdio|--http PORT`; see matrix-server.mjs."""

import asyncio
import os
import signal
import sys

from pydantic import BaseModel

kind, file, transport, *port = sys.argv[1:]

if kind == "mcp1":
    from mcp.server.fastmcp import Context
    from mcp.server.fastmcp import FastMCP as Server
elif kind == "mcp2":
    from mcp.server.mcpserver import Context
    from mcp.server.mcpserver import MCPServer as Server
else:
    from fastmcp import Context
    from fastmcp import FastMCP as Server


class Name(BaseModel):
    name: str


def write(line):
    with open(file, "a") as ledger:
        ledger.write(f"{line}\n")


server = Server("matrix", port=int(port[0])) if kind == "mcp1" and port else Server("matrix")


@server.tool()
async def append(key: str, ctx: Context, ms: float = 100, ticks: int = 4) -> str:
    """Writes the key down, then takes its time."""
    write(key)
    try:
        for progress in range(1, ticks + 1):
            await asyncio.sleep(ms / ticks / 1000)
            await ctx.report_progress(progress, ticks)
        await asyncio.sleep(0.05)
    except asyncio.CancelledError:
        write(f"cancelled {key}")
        raise
    return key


@server.tool()
async def ask(ctx: Context, key: str = "") -> str:
    """Asks for a name."""
    answer = await ctx.elicit("Who?", Name)
    return answer.data.name


@server.tool()
async def die(key: str = "") -> str:
    """Dies before it answers."""
    os.kill(os.getpid(), signal.SIGKILL)
    await asyncio.sleep(10)
    return key


if transport == "--stdio":
    server.run("stdio")
elif kind == "mcp1":
    server.run("streamable-http")
elif kind == "mcp2":
    server.run("streamable-http", host="127.0.0.1", port=int(port[0]))
else:
    server.run("http", host="127.0.0.1", port=int(port[0]))
