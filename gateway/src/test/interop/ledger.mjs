// A backend that writes down each execution: `ledger.mjs FILE --stdio`, or `ledger.mjs FILE --http PORT [--no-ids | --json]`.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveHttp } from './streamable.mjs';

const [file, kind, port, answers] = process.argv.slice(2);
const write = line => appendFileSync(file, `${line}\n`);

const tools = {
  append: {
    description: 'Writes the key down, then takes its time in equal steps, each with progress',
    async run({ key, ms = 100, ticks = 4 }, { signal, _meta, sendNotification }) {
      write(key);
      for (let progress = 1; progress <= ticks; progress++) {
        await sleep(ms / ticks, undefined, { signal }).catch(() => {});
        if (signal.aborted) {
          write(`cancelled ${key}`);
          break;
        }
        if (_meta?.progressToken !== undefined) {
          const params = { progressToken: _meta.progressToken, progress, total: ticks };
          await sendNotification({ method: 'notifications/progress', params });
        }
      }
      return { content: [{ type: 'text', text: key }] };
    }
  },
  die: {
    description: 'Writes the key down, and dies before it answers',
    async run({ key }) {
      write(key);
      await sleep(50);
      process.kill(process.pid, 'SIGKILL');
      await sleep(10_000);
    }
  }
};

const inputSchema = {
  type: 'object',
  properties: { key: { type: 'string' }, ms: { type: 'number' }, ticks: { type: 'integer' } },
  required: ['key']
};

function ledger() {
  const server = new Server({ name: 'ledger', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: Object.entries(tools).map(([name, { description }]) => ({ name, description, inputSchema }))
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => tools[params.name].run(params.arguments, extra));
  return server;
}

if (kind === '--http') {
  await serveHttp(Number(port), ledger, { ids: answers !== '--no-ids', json: answers === '--json' });
} else {
  await ledger().connect(new StdioServerTransport());
}
