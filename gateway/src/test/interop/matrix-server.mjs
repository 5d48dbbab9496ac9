// The matrix's tools, offered by a TypeScript SDK: `matrix-server.mjs v1 PACKAGE|v2 FILE --stdio|--http PORT`. `append` writes its
// key into FILE, then takes `ms` in `ticks` steps with progress; if it is cancelled it writes that down too. `ask` asks the user, `die`
// dies before it answers.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [generation, ...rest] = process.argv.slice(2);
const home = generation === 'v1' ? rest.shift() : undefined;
const [file, kind, port] = rest;
const write = line => appendFileSync(file, `${line}\n`);
const v1 = generation === 'v1';
const load = name => import(pathToFileURL(`${home}/dist/esm/${name}`));
const sdk = v1
  ? { ...(await load('server/index.js')), ...(await load('server/stdio.js')), ...(await load('types.js')) }
  : { ...(await import('@modelcontextprotocol/server')), ...(await import('@modelcontextprotocol/server/stdio')) };

const string = { type: 'string' };
const append = { type: 'object', properties: { key: string, ms: { type: 'number' }, ticks: { type: 'integer' } }, required: ['key'] };
const name = { type: 'object', properties: { name: string }, required: ['name'] };
const tools = [
  { name: 'append', description: 'Writes the key down, then takes its time', inputSchema: append },
  { name: 'ask', description: 'Asks for a name', inputSchema: { type: 'object', properties: { key: string } } },
  { name: 'die', description: 'Dies before it answers', inputSchema: { type: 'object', properties: { key: string } } }
];

async function run({ key, ms = 100, ticks = 4 }, token, signal, notify) {
  write(key);
  for (let progress = 1; progress <= ticks && !signal.aborted; progress++) {
    await sleep(ms / ticks, undefined, { signal }).catch(() => {});
    if (token !== undefined && !signal.aborted) {
      await notify({ method: 'notifications/progress', params: { progressToken: token, progress, total: ticks } });
    }
  }
  if (signal.aborted) {
    write(`cancelled ${key}`);
  }
  await sleep(50);
  return key;
}

function serve() {
  const server = new sdk.Server({ name: 'matrix', version: '1' }, { capabilities: { tools: {} } });
  const call = async ({ params }, extra) => {
    const signal = extra.signal ?? extra.mcpReq.signal;
    const notify = extra.sendNotification ?? (message => extra.mcpReq.notify(message));
    if (params.name === 'die') {
      process.kill(process.pid, 'SIGKILL');
    }
    const meta = extra._meta ?? extra.mcpReq?._meta ?? params._meta;
    const question = { mode: 'form', message: 'Who?', requestedSchema: name };
    const asked = () => (v1 ? server.elicitInput(question, { relatedRequestId: extra.requestId }) : extra.mcpReq.elicitInput(question));
    const text =
      params.name === 'append' ? await run(params.arguments, meta?.progressToken, signal, notify) : (await asked()).content.name;
    return { content: [{ type: 'text', text }] };
  };
  server.setRequestHandler(v1 ? sdk.ListToolsRequestSchema : 'tools/list', async () => ({ tools }));
  server.setRequestHandler(v1 ? sdk.CallToolRequestSchema : 'tools/call', call);
  return server;
}

if (kind === '--http') {
  const { serveHttp } = await import('./streamable.mjs');
  await serveHttp(Number(port), serve);
} else {
  await serve().connect(new sdk.StdioServerTransport());
}
