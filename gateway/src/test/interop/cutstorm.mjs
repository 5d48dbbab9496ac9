// Stock clients whose connections somebody cuts: `cutstorm.mjs URL TOOL CALLS CLIENTS CONCURRENCY`. The tool is the
// ledger's `append`. Prints `seen ID` for each event id that a client has seen (whoever cuts may cut from then on), and at
// the end one JSON line: how many calls brought their own answer, with each progress once and in order.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, tool, calls, clients, concurrency] = process.argv.slice(2);
const TICKS = 4;
const onresumptiontoken = id => process.stdout.write(`seen ${id}\n`);
const failures = [];
let next = 0;
let delivered = 0;

async function open() {
  const client = new Client({ name: 'cutstorm', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

async function call(client, key) {
  const progress = [];
  const options = { timeout: 30_000, onresumptiontoken, onprogress: event => progress.push(event.progress) };
  const ms = 20 + ((Number(key) * 37) % 180);
  const result = await client.callTool({ name: tool, arguments: { key, ms, ticks: TICKS } }, undefined, options);
  if (result.content[0].text !== key || progress.join() !== '1,2,3,4') {
    throw new Error(`key=${key} progress=${progress} result=${JSON.stringify(result)}`);
  }
}

async function work(client) {
  while (next < Number(calls)) {
    const key = String(next++);
    await call(client, key).then(
      () => delivered++,
      error => failures.push(`key=${key}: ${error.message}`)
    );
  }
}

const opened = await Promise.all(Array.from({ length: Number(clients) }, open));
await Promise.all(opened.flatMap(client => Array.from({ length: Number(concurrency) }, () => work(client))));
await Promise.all(opened.map(client => client.transport.terminateSession()));
console.log(JSON.stringify({ delivered, failed: failures.length, failures: failures.slice(0, 5) }));
process.exit(failures.length === 0 ? 0 : 1);
