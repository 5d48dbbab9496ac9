// Drives an MCP server over stdio with the stock client: node stdio.mjs COMMAND ARGS...
// Says one JSON line: the tools, what echo answered, the ticks of wait, what the user was asked.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'stdio-it', version: '1' }, { capabilities: { elicitation: {} } });
const asked = [];
client.setRequestHandler(ElicitRequestSchema, async (request) => {
  asked.push(request.params.message);
  return { action: 'accept', content: {} };
});
await client.connect(new StdioClientTransport({ command, args, stderr: 'inherit' }));
const { tools } = await client.listTools();
const echo = await client.callTool({ name: 'echo', arguments: { text: 'häß 😀' } });
let ticks = 0;
await client.callTool({ name: 'wait', arguments: { ms: 200, ticks: 4 } }, undefined, { onprogress: () => ticks++ });
await client.callTool({ name: 'ask', arguments: { message: 'may I?' } });
const aborted = new AbortController();
const long = client.callTool({ name: 'wait', arguments: { ms: 60000 } }, undefined, { signal: aborted.signal });
setTimeout(() => aborted.abort('enough'), 100);
const ended = await long.then(() => 'answered', () => 'cancelled');
await client.close();
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), echo: echo.content[0].text, ticks, asked, ended }));
