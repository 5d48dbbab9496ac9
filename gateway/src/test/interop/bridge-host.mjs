// A host of the suite's client scenarios: `bridge-host.mjs URL`. It starts the bridge, a JSON array in BRIDGE, for the
// scenario's server, and uses that with a stock client over stdio.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';

const calls = {
  tools_call: { name: 'add_numbers', arguments: { a: 5, b: 3 }, expected: /^The sum of 5 and 3 is 8$/ },
  'sse-retry': { name: 'test_reconnection', arguments: {}, expected: /completed successfully/ }
};

const [command, ...args] = [...JSON.parse(process.env.BRIDGE), process.argv[2]];
const client = new Client({ name: 'bridge-host', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args }));
const call = calls[process.env.MCP_CONFORMANCE_SCENARIO];
if (call) {
  const { tools } = await client.listTools();
  assert.ok(tools.some(tool => tool.name === call.name));
  const { content } = await client.callTool({ name: call.name, arguments: call.arguments });
  assert.match(content[0].text, call.expected);
}
const bridge = client.transport._process;
await client.close();
assert.equal(bridge.exitCode, 0);
