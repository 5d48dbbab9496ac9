// A row of the compatibility matrix: a stock TypeScript client that does one thing after the other, and says what came of it:
// `matrix-client.mjs v1 PACKAGE|v2 URL KEY HEADERS CELL...`. PACKAGE is the folder of the SDK, KEY begins the keys of its calls,
// HEADERS is JSON. One JSON line {cell, ok, note} for each cell. A line {ask} wants a line back on standard input: "expire" when the
// client's session is gone, "offline" when the client had no network for so long that it is, "cancelled" when it is known whether the call was, "restart" when the server that died serves again, "idle"
// when the client has been idle for long enough.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [generation, ...rest] = process.argv.slice(2);
const home = generation === 'v1' ? rest.shift() : undefined;
const [url, key, headers, ...cells] = rest;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = message => console.log(JSON.stringify(message));
const TIMEOUT = 60_000; // of a busy machine

const sdk = await (generation === 'v1' ? v1() : import('@modelcontextprotocol/client'));

async function v1() {
  const load = name => import(pathToFileURL(`${home}/dist/esm/${name}`));
  return { ...(await load('client/index.js')), ...(await load('client/streamableHttp.js')), ...(await load('types.js')) };
}

async function ask(what) {
  say({ ask: what });
  return (await lines.next()).value;
}

async function connect() {
  const client = new sdk.Client({ name: 'matrix', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  const answer = async () => ({ action: 'accept', content: { name: 'Ada' } });
  client.setRequestHandler(generation === 'v1' ? sdk.ElicitRequestSchema : 'elicitation/create', answer);
  const requestInit = { headers: JSON.parse(headers) };
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit });
  await client.connect(transport, { timeout: TIMEOUT });
  const call = async (name, args, options) => {
    const params = { name, arguments: args };
    const all = { timeout: TIMEOUT, ...options };
    const result = await (generation === 'v1' ? client.callTool(params, undefined, all) : client.callTool(params, all));
    const text = result.content.map(content => content.text).join();
    if (result.isError) {
      throw new Error(text);
    }
    return text;
  };
  return { client, transport, call };
}

let session;

async function append(name, ms, options) {
  const progress = [];
  const onprogress = event => progress.push(event.progress);
  const text = await session.call('append', { key: `${key}-${name}`, ms, ticks: 4 }, { onprogress, ...options });
  return { ok: text === `${key}-${name}` && progress.join() === '1,2,3,4', note: `progress ${progress.join()}` };
}

const plain = async name => (await session.call('append', { key: `${key}-${name}`, ms: 10, ticks: 0 })) === `${key}-${name}`;

/** Whether it succeeds; else why not. */
async function attempt(run) {
  try {
    return { ok: await run() };
  } catch (error) {
    return { ok: false, note: String(error?.message ?? error) };
  }
}

/** What becomes of calls whose session has ended. */
async function gone(how) {
  await ask(how);
  const first = await attempt(() => plain('expired'));
  const second = first.ok ? first : await attempt(() => plain('expired-again'));
  const anew = async () => {
    session = await connect();
    return plain('expired-anew');
  };
  const third = second.ok ? second : await attempt(anew);
  return { ok: first.ok, then: second.ok ? 'next' : third.ok ? 'anew' : 'stuck', note: first.note };
}

const steps = {
  async initialise() {
    session = await connect();
    return { ok: true, note: session.transport.protocolVersion ?? session.client.getNegotiatedProtocolVersion?.() };
  },
  async list() {
    const names = (await session.client.listTools()).tools.map(tool => tool.name);
    return { ok: ['append', 'ask'].every(name => names.includes(name)), note: names.join() };
  },
  progress: () => append('progress', 200),
  cut: () => append('cut', 1200),
  async elicitation() {
    const text = await session.call('ask', { key: `${key}-ask` });
    return { ok: text === 'Ada', note: text };
  },
  async cancel() {
    const abort = new AbortController();
    const options = { onprogress: () => abort.abort('changed my mind'), signal: abort.signal };
    const args = { key: `${key}-cancel`, ms: 20_000, ticks: 200 };
    const ended = await attempt(() => session.call('append', args, options));
    return { ok: abort.signal.aborted && (await ask('cancelled')) === 'yes', note: ended.note };
  },
  expired: () => gone('expire'),
  offline: () => gone('offline'),
  async died() {
    const told = await attempt(() => session.call('die', { key: `${key}-die` }));
    await ask('restart');
    const next = await attempt(() => plain('died'));
    return { ok: !told.ok && next.ok, note: told.note, next: next.note };
  },
  async idle() {
    await ask('idle');
    return attempt(() => plain('idle'));
  },
  async close() {
    await session.transport.terminateSession();
    await session.client.close();
    return { ok: true };
  }
};

const failed = error => ({ ok: false, note: String(error?.message ?? error) });
for (const cell of cells) {
  say({ cell, ...(await Promise.race([steps[cell]().catch(failed), sleep(2 * TIMEOUT, failed('hangs'))])) });
}
process.exit(0);
