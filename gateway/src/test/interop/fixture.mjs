// The backend that the official conformance suite asks for: `--stdio`, or `--http PORT`. What it offers is in fixture.json.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as mcp from '@modelcontextprotocol/sdk/types.js';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveHttp } from './streamable.mjs';

const offered = JSON.parse(readFileSync(new URL('fixture.json', import.meta.url), 'utf8'));
const text = value => ({ content: [{ type: 'text', text: value }] });

const behaviours = {
  async test_tool_with_logging(_, extra) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', logger: 'fixture', data } });
      await sleep(50);
    }
    return text('Tool with logging executed.');
  },
  async test_tool_with_progress(_, extra) {
    const progressToken = extra._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      await extra.sendNotification({ method: 'notifications/progress', params });
      await sleep(50);
    }
    return text('Tool with progress executed.');
  },
  async test_sampling({ prompt }, extra) {
    const params = { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 };
    const { content } = await extra.sendRequest({ method: 'sampling/createMessage', params }, mcp.CreateMessageResultSchema);
    return text(`LLM response: ${content.text}`);
  },
  async test_reconnection(_, extra) {
    await sleep(100);
    // without a transport that can close connections it outlives the age at which somebody between does
    extra.closeSSEStream?.();
    await sleep(extra.closeSSEStream ? 600 : 3800);
    return text('Reconnection test completed successfully.');
  }
};

async function elicit(name, { message = 'Please fill in the form' }, extra) {
  const params = { message, requestedSchema: offered.questions[name] };
  const { action, content } = await extra.sendRequest({ method: 'elicitation/create', params }, mcp.ElicitResultSchema);
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

function call({ name, arguments: args = {} }, extra) {
  return offered.results[name] ?? (name in offered.questions ? elicit(name, args, extra) : known(behaviours, name)(args, extra));
}

function read({ uri }) {
  const id = uri.match(/^test:\/\/template\/([^/]+)\/data$/)?.[1];
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text: data }] };
  }
  const content = known(offered.contents, uri);
  const { mimeType } = offered.resources.find(resource => resource.uri === uri);
  return { contents: [{ uri, mimeType, ...content }] };
}

function prompt({ name, arguments: args = {} }) {
  const fill = (template, [argument, value]) => template.replaceAll(`{${argument}}`, JSON.stringify(value).slice(1, -1));
  return { messages: JSON.parse(Object.entries(args).reduce(fill, JSON.stringify(known(offered.messages, name)))) };
}

function known(table, name) {
  if (!(name in table)) {
    throw new mcp.McpError(-32602, `Unknown: ${name}`);
  }
  return table[name];
}

function fixture() {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} };
  const server = new Server({ name: 'conformance-fixture', version: '1.0.0' }, { capabilities });
  const on = (schema, handler) => server.setRequestHandler(schema, async ({ params }, extra) => handler(params, extra));
  on(mcp.ListToolsRequestSchema, () => ({ tools: offered.tools }));
  on(mcp.CallToolRequestSchema, call);
  on(mcp.ListResourcesRequestSchema, () => ({ resources: offered.resources }));
  on(mcp.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: offered.resourceTemplates }));
  on(mcp.ReadResourceRequestSchema, read);
  on(mcp.SubscribeRequestSchema, () => ({}));
  on(mcp.UnsubscribeRequestSchema, () => ({}));
  on(mcp.ListPromptsRequestSchema, () => ({ prompts: offered.prompts }));
  on(mcp.GetPromptRequestSchema, prompt);
  on(mcp.CompleteRequestSchema, ({ argument }) => ({
    completion: { values: offered.completions.filter(value => value.startsWith(argument.value)), hasMore: false }
  }));
  on(mcp.SetLevelRequestSchema, () => ({}));
  return server;
}

if (process.argv[2] === '--http') {
  await serveHttp(Number(process.argv[3]), fixture);
} else {
  await fixture().connect(new StdioServerTransport());
}
