// What a stock client does in a day, against one server: `journey.mjs v1|v2 URL|COMMAND PLAN`. Prints one JSON line for each
// step and ends at the first that fails. COMMAND is a JSON array: a server over stdio. PLAN is JSON: {everything: [prefix...], files: [prefix...], ledger: [prefix...],
// directory, ledgerFile}, each prefix that of one backend's names.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [version, target, json] = process.argv.slice(2);
const { everything = [], files = [], ledger = [], directory, ledgerFile } = JSON.parse(json);
const capabilities = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } };
const command = target.startsWith('[') ? JSON.parse(target) : undefined;
const heard = [];
const { client, transport, callTool } = version === 'v1' ? await v1() : await v2();

async function v1() {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const client = new Client({ name: 'journey', version: '1' }, { capabilities });
  client.setRequestHandler(types.ElicitRequestSchema, elicited);
  client.setRequestHandler(types.CreateMessageRequestSchema, sampled);
  client.setRequestHandler(types.ListRootsRequestSchema, roots);
  const transport = open(StdioClientTransport, StreamableHTTPClientTransport);
  return { client, transport, callTool: (params, options) => client.callTool(params, undefined, options) };
}

async function v2() {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const client = new Client({ name: 'journey', version: '2' }, { capabilities });
  client.setRequestHandler('elicitation/create', elicited);
  client.setRequestHandler('sampling/createMessage', sampled);
  client.setRequestHandler('roots/list', roots);
  const transport = open(StdioClientTransport, StreamableHTTPClientTransport);
  return { client, transport, callTool: (params, options) => client.callTool(params, options) };
}

function open(Stdio, StreamableHttp) {
  return command ? new Stdio({ command: command[0], args: command.slice(1) }) : new StreamableHttp(new URL(target));
}

async function elicited() {
  return { action: 'accept', content: { name: 'Ada' } };
}

async function sampled({ params }) {
  const asked = [params.messages[0].content].flat()[0].text;
  return { role: 'assistant', model: 'none', content: { type: 'text', text: `I heard: ${asked}` } };
}

async function roots() {
  return { roots: [{ uri: pathToFileURL(directory).href, name: 'journey' }] };
}

async function step(name, run) {
  const start = performance.now();
  const said = error => console.log(JSON.stringify({ step: name, ok: !error, ms: Math.round(performance.now() - start), error }));
  try {
    await run();
    said();
  } catch (error) {
    said(String(error?.stack ?? error));
    process.exit(1);
  }
}

async function call(name, args, options) {
  const result = await callTool({ name, arguments: args }, options);
  const text = result.content.map(content => content.text ?? '').join('\n');
  assert.ok(!result.isError, `${name} failed: ${text}`);
  return text;
}

/**
 * Notes each progress as it arrives. The SDK drops one that its transport reads together with the call's result, which over
 * stdio depends on chance.
 */
function overhear() {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if (message.method === 'notifications/progress') {
      heard.push(`${message.params.progress}/${message.params.total}`);
    }
    onmessage(message, extra);
  };
}

/** Cancels a call at its first progress. */
async function cancelled(name, args) {
  const abort = new AbortController();
  const onprogress = () => abort.abort('changed my mind');
  await assert.rejects(callTool({ name, arguments: args }, { onprogress, signal: abort.signal }));
  assert.ok(abort.signal.aborted, 'the call ended before its first progress');
}

async function until(what, condition) {
  for (const end = performance.now() + 3000; !condition(); await sleep(10)) {
    assert.ok(performance.now() < end, `not within 3 s: ${what}`);
  }
}

await step('connect', async () => {
  await client.connect(transport);
  overhear();
  if (!command) {
    assert.equal(transport.protocolVersion, '2025-11-25');
    assert.match(transport.sessionId, /^[\x21-\x7e]{22,}$/);
  }
  await client.ping();
});

await step('list tools', async () => {
  const names = (await client.listTools()).tools.map(tool => tool.name);
  assert.equal(new Set(names).size, names.length);
  const expected = [...everything.map(p => `${p}echo`), ...files.map(p => `${p}read_text_file`), ...ledger.map(p => `${p}append`)];
  expected.forEach(name => assert.ok(names.includes(name), `${name} is not in ${names}`));
});

for (const p of everything) {
  await step(`${p}echo`, async () => {
    assert.equal(await call(`${p}echo`, { message: 'grüß dich 🚢' }), 'Echo: grüß dich 🚢');
    assert.match(await call(`${p}get-sum`, { a: 2, b: 40 }), /42/);
  });
  await step(`${p}progress`, async () => {
    const seen = [];
    heard.length = 0;
    const options = { onprogress: ({ progress, total }) => seen.push(`${progress}/${total}`) };
    await call(`${p}trigger-long-running-operation`, { duration: 0.3, steps: 3 }, options);
    assert.deepEqual(command ? heard : seen, ['1/3', '2/3', '3/3']);
  });
  await step(`${p}cancel`, async () => {
    await cancelled(`${p}trigger-long-running-operation`, { duration: 2, steps: 40 });
    assert.equal(await call(`${p}echo`, { message: 'still here' }), 'Echo: still here');
  });
  await step(`${p}elicitation`, async () => {
    assert.match(await call(`${p}trigger-elicitation-request`, {}), /Ada/);
  });
  await step(`${p}sampling`, async () => {
    assert.match(await call(`${p}trigger-sampling-request`, { prompt: 'ahoy' }), /I heard: .*ahoy/);
  });
  await step(`${p}roots`, async () => {
    assert.match(await call(`${p}get-roots-list`, {}), /journey/);
  });
  await step(`${p}prompts`, async () => {
    const names = (await client.listPrompts()).prompts.map(prompt => prompt.name);
    assert.ok(names.includes(`${p}args-prompt`), `args-prompt is not in ${names}`);
    const { messages } = await client.getPrompt({ name: `${p}args-prompt`, arguments: { city: 'Hamburg' } });
    assert.match(messages[0].content.text, /Hamburg/);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: `${p}completable-prompt` },
      argument: { name: 'department', value: 'S' }
    });
    assert.deepEqual(completion.values, ['Sales', 'Support']);
  });
}

if (everything.length > 0) {
  await step('read resources', async () => {
    const { resources } = await client.listResources();
    const found = resources.filter(({ uri }) => uri.includes('startup.md'));
    assert.equal(found.length, everything.length, `found ${found.map(({ uri }) => uri)}`);
    for (const { uri } of found) {
      const { contents } = await client.readResource({ uri });
      assert.match(contents[0].text, /Startup/);
    }
  });
}

for (const p of files) {
  await step(`${p}files`, async () => {
    const path = `${directory}/${version}-${p}note.txt`;
    await call(`${p}write_file`, { path, content: 'made fast' });
    assert.equal(readFileSync(path, 'utf8'), 'made fast');
    assert.match(await call(`${p}read_text_file`, { path }), /made fast/);
    assert.match(await call(`${p}list_allowed_directories`, {}), new RegExp(directory));
  });
}

for (const p of ledger) {
  await step(`${p}cancel reaches the backend`, async () => {
    const key = `${version}-${p}cancel`;
    await cancelled(`${p}append`, { key, ms: 20_000, ticks: 1000 });
    const lines = () => readFileSync(ledgerFile, 'utf8').split('\n');
    await until('the backend ends the call', () => lines().includes(`cancelled ${key}`));
    assert.equal(lines().filter(line => line === key).length, 1);
  });
}

await step('disconnect', command ? leave : disconnect);

async function disconnect() {
  const headers = { 'mcp-session-id': transport.sessionId, 'mcp-protocol-version': '2025-11-25', accept: 'text/event-stream' };
  await transport.terminateSession();
  await client.close();
  assert.equal((await fetch(target, { headers })).status, 404);
}

/** The end of its input is enough: the SDK sends SIGTERM after 2 s, and SIGKILL after 4 s. */
async function leave() {
  const child = transport._process;
  await client.close();
  assert.deepEqual({ code: child.exitCode, signal: child.signalCode }, { code: 0, signal: null });
}
