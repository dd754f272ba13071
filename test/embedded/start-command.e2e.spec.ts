import { spawn } from 'node:child_process';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OFFLINE_ENV, temporaryFolder, until } from '../kit/instance.js';

const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'agent-traffic');

it('starts in the current folder and exits cleanly on Ctrl-C', async () => {
  const folder = await temporaryFolder();
  const env = { PATH: process.env['PATH'], PORT: '0', ...OFFLINE_ENV };
  const child = spawn(process.execPath, [CLI, 'start'], { cwd: folder, env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0], {
      condition: 'the instance accepts requests',
      explain: () => output,
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await readdir(folder)).toEqual(['data']);
    // As with Ctrl-C, all processes in the group receive the signal. The start command then forwards it to the service
    // again.
    process.kill(-child.pid!, 'SIGINT');
    expect(await exited).toBe(0);
    expect(output).not.toMatch(/interrupted|recover/i);
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

it('stops all processes when npm start receives SIGTERM', async () => {
  const folder = await temporaryFolder();
  const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: folder, ...OFFLINE_ENV };
  const child = spawn('npm', ['start'], { cwd: ROOT, env, detached: true });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  try {
    const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0], {
      condition: 'the instance accepts requests',
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
      { condition: 'PostgreSQL has stopped' },
    );
    await until(
      () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      { condition: 'the instance no longer responds' },
    );
    expect(await exited).toBe(0);
  } finally {
    // Kill any processes left in the group.
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {}
    await rm(folder, { recursive: true, force: true });
  }
});
