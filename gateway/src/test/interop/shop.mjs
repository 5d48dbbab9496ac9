// A stock client of the embedding example: `shop.mjs URL`. Prints one JSON line at the end; fails with what it saw.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const client = new Client({ name: 'shopper', version: '1' }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: {} }));
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));

const { tools } = await client.listTools();
const names = tools.map(tool => tool.name).sort();
assert.deepEqual(names, ['orders__find', 'shop__pack', 'shop__refund', 'shop__stock']);

const steps = [];
const packed = await client.callTool({ name: 'shop__pack', arguments: { items: 3 } }, undefined, {
  onprogress: step => steps.push(step.progress),
});
assert.equal(packed.content[0].text, 'packed 3');
assert.deepEqual(steps, [1, 2, 3]);

const refunded = await client.callTool({ name: 'shop__refund', arguments: { number: 7 } });
assert.equal(refunded.content[0].text, 'refunded');

const stock = await client.callTool({ name: 'shop__stock', arguments: { shelf: 1 } });
assert.deepEqual(stock.structuredContent, { items: 42 });

const found = await client.callTool({ name: 'orders__find', arguments: { number: 7 } });
assert.deepEqual(found.structuredContent, { number: 7, state: 'paid' });

const failed = await client.callTool({ name: 'orders__find', arguments: {} });
assert.equal(failed.isError, true);
assert.equal(failed.content[0].text, 'Say which: number must be an integer.');

await client.close();
console.log(JSON.stringify({ ok: true, names, steps }));
