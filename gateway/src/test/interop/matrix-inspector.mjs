// A row of the compatibility matrix: the Inspector's command line, which is a client for one request. `matrix-inspector.mjs LAUNCHER
// URL KEY HEADERS CELL...`; cells, output and questions are those of matrix-client.mjs.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const [launcher, url, key, headers, ...cells] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = message => console.log(JSON.stringify(message));
const sent = Object.entries(JSON.parse(headers)).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
const NOT_OFFERED = { ok: false, note: 'not offered' };

function start(...request) {
  const args = [launcher, '--cli', url, '--transport', 'http', ...sent, '--method', ...request];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', data => (output += data));
  child.stderr.on('data', data => (output += data));
  return { child, ended: new Promise(resolve => child.on('close', code => resolve({ code, output }))) };
}

const append = (name, ms, ticks) =>
  start('tools/call', '--tool-name', 'append', ...[`key=${key}-${name}`, `ms=${ms}`, `ticks=${ticks}`].flatMap(pair => ['--tool-arg', pair]));

async function call(name, ms) {
  const { code, output } = await append(name, ms, 4).ended;
  return { ok: code === 0 && output.includes(`"${key}-${name}"`), note: code === 0 ? '' : output };
}

async function list() {
  const { code, output } = await start('tools/list').ended;
  return { ok: code === 0 && output.includes('"append"'), note: code === 0 ? 'yes' : output };
}

const steps = {
  initialise: list,
  list,
  async progress() {
    const { ok, note } = await call('progress', 200);
    return ok ? NOT_OFFERED : { ok, note };
  },
  cut: () => call('cut', 1200),
  async elicitation() {
    const { output } = await start('tools/call', '--tool-name', 'ask', '--tool-arg', `key=${key}-ask`).ended;
    return output.includes('does not support') ? NOT_OFFERED : { ok: output.includes('Ada'), note: output };
  },
  async cancel() {
    const { child, ended } = append('cancel', 20_000, 200);
    await sleep(3000);
    child.kill('SIGINT');
    await ended;
    say({ ask: 'cancelled' });
    return { ok: (await lines.next()).value === 'yes' };
  },
  expired: async () => NOT_OFFERED,
  idle: async () => NOT_OFFERED,
  offline: async () => NOT_OFFERED,
  close: async () => ({ ok: true })
};

for (const cell of cells) {
  say({ cell, ...(await steps[cell]().catch(error => ({ ok: false, note: String(error?.message ?? error) }))) });
}
process.exit(0);
