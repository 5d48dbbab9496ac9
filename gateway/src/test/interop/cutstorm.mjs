// Stock clients, of SDK v1 and v2 in turn, whose connections somebody cuts: `cutstorm.mjs URL TOOL CLIENTS CONCURRENCY`.
// The tool is the ledger's `append`. Prints `seen ID` for each event id that a client has seen (whoever cuts may cut from
// then on), goes on until its standard input says something, and ends with one JSON line: how many calls it made, and how
// many of them brought their own answer, with each progress once and in order.
import * as v2 from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, tool, clients, concurrency] = process.argv.slice(2);
const TICKS = 8;
const onresumptiontoken = id => process.stdout.write(`seen ${id}\n`);
const failures = [];
let calls = 0;
let delivered = 0;
let enough = false;
process.stdin.once('data', () => (enough = true));

async function open(_, i) {
  const sdk = i % 2 === 0 ? { Client, StreamableHTTPClientTransport } : v2;
  const client = new sdk.Client({ name: 'cutstorm', version: '1' });
  await client.connect(new sdk.StreamableHTTPClientTransport(new URL(url)));
  const callTool = i % 2 === 0 ? (params, options) => client.callTool(params, undefined, options) : client.callTool.bind(client);
  return { callTool, close: () => client.transport.terminateSession() };
}

async function call(client, key) {
  const progress = [];
  const options = { timeout: 100_000, onresumptiontoken, onprogress: event => progress.push(event.progress) };
  // long enough that a client which a busy machine slows down comes back before the end
  const ms = 500 + ((Number(key) * 37) % 1000);
  const result = await client.callTool({ name: tool, arguments: { key, ms, ticks: TICKS } }, options);
  if (result.content[0].text !== key || progress.join() !== '1,2,3,4,5,6,7,8') {
    throw new Error(`key=${key} progress=${progress} result=${JSON.stringify(result)}`);
  }
}

async function work(client) {
  while (!enough) {
    const key = String(calls++);
    await call(client, key).then(
      () => delivered++,
      error => failures.push(`key=${key}: ${error.message} ${error.cause?.code ?? error.cause ?? ''}`)
    );
  }
}

const opened = await Promise.all(Array.from({ length: Number(clients) }, open));
await Promise.all(opened.flatMap(client => Array.from({ length: Number(concurrency) }, () => work(client))));
await Promise.all(opened.map(client => client.close()));
console.log(JSON.stringify({ calls, delivered, failed: failures.length, failures: failures.slice(0, 5) }));
process.exit(failures.length === 0 ? 0 : 1);
