// A Streamable HTTP server on loopback with sessions, and with resumable streams unless `ids` is false;
// it answers calls and reads without streams if `json` is true.
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

class MemoryEventStore {
  #events = [];

  async storeEvent(stream, message) {
    this.#events.push({ stream, message });
    return `${stream}~${this.#events.length}`;
  }

  async getStreamIdForEventId(id) {
    return id.slice(0, id.lastIndexOf('~'));
  }

  async replayEventsAfter(id, { send }) {
    const stream = id.slice(0, id.lastIndexOf('~'));
    const seen = Number(id.slice(id.lastIndexOf('~') + 1));
    for (let i = seen; i < this.#events.length; i++) {
      const event = this.#events[i];
      // a priming event is stored as an empty object
      if (event.stream === stream && 'jsonrpc' in event.message) {
        await send(`${stream}~${i + 1}`, event.message);
      }
    }
    return stream;
  }
}

function refuse(response, status, code, message) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * @param port 0 takes a free one; the port is printed as a JSON line
 * @param newServer makes the MCP server of one session
 */
export async function serveHttp(port, newServer, { ids = true, json = false, retry = 100 } = {}) {
  const sessions = new Map();

  async function open() {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: ids ? new MemoryEventStore() : undefined,
      retryInterval: retry,
      enableJsonResponse: json,
      onsessioninitialized: id => void sessions.set(id, transport),
      onsessionclosed: id => void sessions.delete(id)
    });
    await newServer().connect(transport);
    return transport;
  }

  const http = createServer(async (request, response) => {
    const { host = '', origin } = request.headers;
    if (!LOOPBACK.test(host) || (origin && !LOOPBACK.test(origin.replace(/^https?:\/\//, '')))) {
      return refuse(response, 403, -32000, 'Host or Origin is not allowed');
    }
    const id = request.headers['mcp-session-id'];
    if (id !== undefined && !sessions.has(id)) {
      return refuse(response, 404, -32001, 'Session not found');
    }
    const transport = id === undefined ? await open() : sessions.get(id);
    await transport.handleRequest(request, response);
  });
  await new Promise(resolve => http.listen(port, '127.0.0.1', resolve));
  console.log(JSON.stringify({ port: http.address().port }));
}
