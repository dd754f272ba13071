import { spawn } from 'node:child_process';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ALONE, temporaryFolder, until } from '../kit/instance.js';

const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'agent-traffic');

it('starts in the current folder and exits cleanly on Ctrl-C', async () => {
  const folder = await temporaryFolder();
  const env = { PATH: process.env['PATH'], PORT: '0', ...ALONE };
  const child = spawn(process.execPath, [CLI, 'start'], { cwd: folder, env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0], {
      what: 'it serves',
      explain: () => output,
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await readdir(folder)).toEqual(['data']);
    // As with Ctrl-C, every process in the group gets the signal. The service gets it again from the command.
    process.kill(-child.pid!, 'SIGINT');
    expect(await exited).toBe(0);
    expect(output).not.toMatch(/interrupted|recover/i);
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

it('stops all its processes when npm start gets SIGTERM', async () => {
  const folder = await temporaryFolder();
  const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: folder, ...ALONE };
  const child = spawn('npm', ['start'], { cwd: ROOT, env, detached: true });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  try {
    const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0], {
      what: 'it serves',
      explain: () => output,
    });
    const isRunning = join(folder, 'postgres/postmaster.pid');
    await access(isRunning);
    process.kill(child.pid!, 'SIGTERM');
    await until(
      () =>
        access(isRunning).then(
          () => false,
          () => true,
        ),
      { what: 'PostgreSQL has ended' },
    );
    await until(
      () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      { what: 'nothing answers' },
    );
    expect(await exited).toBe(0);
  } finally {
    // Kills the rest of the process group, if any.
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {}
    await rm(folder, { recursive: true, force: true });
  }
});
