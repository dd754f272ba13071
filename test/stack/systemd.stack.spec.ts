import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCommands } from './packages.ts';

const run = promisify(execFile);
const UNITS = join(import.meta.dirname, '../../deploy/systemd');
const SCRIPTS = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')).scripts;
const SERVICES = ['gateway', 'console', 'enrichment', 'ingest', 'catalog', 'rules'];
/** Maximum systemd exposure score, from 0 (confined) to 10 (exposed). */
const MAX_EXPOSURE = 2.5;

let folder: string;
beforeAll(async () => {
  await ensureCommands({ 'systemd-analyze': 'systemd' });
  folder = await mkdtemp(join(tmpdir(), 'agent-traffic-units-'));
  for (const name of await readdir(UNITS)) {
    const unit = await readFile(join(UNITS, name), 'utf8');
    // Adapt the unit, because test machines have Node.js in a different place and no agent-traffic user.
    const unitText = unit.replaceAll('/usr/bin/node', process.execPath).replace('User=agent-traffic', 'User=daemon');
    await writeFile(join(folder, name.replace('@', '@gateway')), unitText);
    if (name.includes('@')) await writeFile(join(folder, name), unitText);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const UNIT_NAMES = ['agent-traffic.service', 'agent-traffic@gateway.service', 'agent-traffic-migrate.service'];

it.each(UNIT_NAMES)('%s passes systemd-analyze verify', async (name) => {
  const { stderr } = await run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', join(folder, name)]);
  expect(stderr.split('\n').filter((line) => line.includes('agent-traffic'))).toEqual([]);
});

it('detects an invalid unit', async () => {
  const unit = await readFile(join(folder, UNIT_NAMES[0]!), 'utf8');
  const file = join(folder, 'broken.service');
  await writeFile(file, unit.replace('ProtectHome=yes', 'ProtectHome=perhaps'));
  const verified = run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', file]);
  await expect(verified).rejects.toThrow('protect home');
});

it.each(UNIT_NAMES)('%s meets the exposure limit', async (name) => {
  const args = ['security', '--offline=yes', '--no-pager', `--threshold=${MAX_EXPOSURE * 10}`, join(folder, name)];
  await expect(run('systemd-analyze', args)).resolves.toBeDefined();
});

it.each(UNIT_NAMES)('%s restarts after a failure', async (name) => {
  expect(await readFile(join(folder, name), 'utf8')).toMatch(/^Restart=(?:always|on-failure)\nRestartSec=\d+$/m);
});

it('runs the same commands as the npm start scripts', async () => {
  const getExecStart = (unit: string): string => /^ExecStart=\/usr\/bin\/node (.+)$/m.exec(unit)![1]!;
  const standalone = await readFile(join(UNITS, 'agent-traffic.service'), 'utf8');
  expect(`exec node ${getExecStart(standalone)}`).toBe(SCRIPTS.start);
  const service = await readFile(join(UNITS, 'agent-traffic@.service'), 'utf8');
  for (const name of SERVICES) {
    expect(`exec node ${getExecStart(service).replace('%i', name)}`).toBe(SCRIPTS[`start:${name}`]);
  }
});
