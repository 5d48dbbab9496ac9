"""A row of the compatibility matrix: a stock Python client, `client.py mcp1|mcp2|fastmcp URL KEY HEADERS CELL...`.

Cells, output and questions are those of matrix-client.mjs.
"""

import asyncio
import contextlib
import json
import sys
from datetime import timedelta

kind, url, key, headers, *cells = sys.argv[1:]
TIMEOUT = 60  # of a busy machine


def say(**message):
    print(json.dumps(message), flush=True)


async def ask(what):
    say(ask=what)
    return (await asyncio.to_thread(sys.stdin.readline)).strip()


class Plain:
    """The SDK's own session; with 2.x its unified client."""

    def __init__(self, stack):
        self.stack = stack

    async def open(self):
        if kind == "mcp1":
            import httpx
            from mcp import ClientSession
            from mcp.client.streamable_http import streamable_http_client
            from mcp.types import ElicitResult

            async def answer(_, __):
                return ElicitResult(action="accept", content={"name": "Ada"})

            http = httpx.AsyncClient(headers=json.loads(headers), timeout=httpx.Timeout(30, read=300))
            streams = await self.stack.enter_async_context(streamable_http_client(url, http_client=http))
            session = ClientSession(streams[0], streams[1], elicitation_callback=answer)
            self.client = await self.stack.enter_async_context(session)
            return (await self.client.initialize()).protocolVersion
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client
        from mcp_types import ElicitResult

        async def answer(_, __):
            return ElicitResult(action="accept", content={"name": "Ada"})

        http = httpx2.AsyncClient(headers=json.loads(headers), timeout=httpx2.Timeout(30, read=300))
        client = Client(streamable_http_client(url, http_client=http), elicitation_callback=answer)
        self.client = await self.stack.enter_async_context(client)
        return self.client.protocol_version

    async def names(self):
        return [tool.name for tool in (await self.client.list_tools()).tools]

    async def call(self, name, arguments, progress=None):
        timeout = timedelta(seconds=TIMEOUT) if kind == "mcp1" else TIMEOUT
        result = await self.client.call_tool(
            name, arguments, read_timeout_seconds=timeout, progress_callback=progress
        )
        text = result.content[0].text
        if getattr(result, "isError", False) or getattr(result, "is_error", False):
            raise RuntimeError(text)
        return text


class Fast:
    """FastMCP's client."""

    def __init__(self, stack):
        self.stack = stack

    async def open(self):
        from fastmcp import Client
        from fastmcp.client.transports import StreamableHttpTransport

        async def answer(message, form, params, context):
            return {"name": "Ada"}

        transport = StreamableHttpTransport(url, headers=json.loads(headers))
        client = Client(transport, elicitation_handler=answer, timeout=TIMEOUT)
        self.client = await self.stack.enter_async_context(client)
        result = self.client.initialize_result
        return result.model_dump(by_alias=True)["protocolVersion"]

    async def names(self):
        return [tool.name for tool in await self.client.list_tools()]

    async def call(self, name, arguments, progress=None):
        result = await self.client.call_tool(name, arguments, progress_handler=progress, timeout=TIMEOUT)
        return result.content[0].text


def flat(error):
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__


class Row:
    def __init__(self):
        self.session = None
        self.stack = contextlib.AsyncExitStack()

    async def append(self, name, ms):
        progress = []

        async def heard(value, total, message):
            progress.append(int(value))

        text = await self.session.call("append", {"key": f"{key}-{name}", "ms": ms, "ticks": 4}, heard)
        return {"ok": text == f"{key}-{name}" and progress == [1, 2, 3, 4], "note": f"progress {progress}"}

    async def plain(self, name):
        text = await self.session.call("append", {"key": f"{key}-{name}", "ms": 10, "ticks": 0})
        return text == f"{key}-{name}"

    async def initialise(self):
        self.session = (Fast if kind == "fastmcp" else Plain)(self.stack)
        return {"ok": True, "note": await self.session.open()}

    async def list(self):
        names = await self.session.names()
        return {"ok": {"append", "ask"} <= set(names), "note": ",".join(names)}

    async def progress(self):
        return await self.append("progress", 200)

    async def cut(self):
        return await self.append("cut", 1200)

    async def elicitation(self):
        text = await self.session.call("ask", {"key": f"{key}-ask"})
        return {"ok": text == "Ada", "note": text}

    async def cancel(self):
        begun = asyncio.Event()

        async def heard(value, total, message):
            begun.set()

        arguments = {"key": f"{key}-cancel", "ms": 20_000, "ticks": 200}
        call = asyncio.create_task(self.session.call("append", arguments, heard))
        await begun.wait()
        call.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await call
        return {"ok": await ask("cancelled") == "yes"}

    async def expired(self):
        return await self.gone("expire")

    async def offline(self):
        return await self.gone("offline")

    async def gone(self, how):
        await ask(how)
        first = await attempt(lambda: self.plain("expired"))
        second = first if first["ok"] else await attempt(lambda: self.plain("expired-again"))
        third = second if second["ok"] else await attempt(self.anew)
        then = "next" if second["ok"] else "anew" if third["ok"] else "stuck"
        return {"ok": first["ok"], "then": then, "note": first.get("note")}

    async def anew(self):
        with contextlib.suppress(Exception):
            await self.stack.aclose()
        self.stack = contextlib.AsyncExitStack()
        await self.initialise()
        return await self.plain("expired-anew")

    async def idle(self):
        await ask("idle")
        return await attempt(lambda: self.plain("idle"))

    async def close(self):
        await self.stack.aclose()
        return {"ok": True}


async def attempt(run):
    try:
        return {"ok": await run()}
    except Exception as error:
        return {"ok": False, "note": flat(error)}


async def main():
    row = Row()
    for cell in cells:
        try:
            async with asyncio.timeout(2 * TIMEOUT):
                told = await getattr(row, cell)()
        except TimeoutError:
            told = {"ok": False, "note": "hangs"}
        except Exception as error:
            told = {"ok": False, "note": flat(error)}
        say(cell=cell, **told)


asyncio.run(main())
