import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { spawnProgram } from '../../../test/kit/child-program.js';
import { acquireInstanceLock, AlreadyRunningError } from './instance-lock.js';

let dataDirectory: string;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'instance-lock-'));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await rm(dataDirectory, { recursive: true, force: true });
});

const contents = async () => JSON.parse(await readFile(join(dataDirectory, 'instance.json'), 'utf8'));

/** Starts a process that tries to acquire the lock on `ask()`, reports the result and keeps running. */
async function startContender(): Promise<{ child: ChildProcess; ask: () => void; answer: Promise<string> }> {
  const program = `import { acquireInstanceLock } from ${JSON.stringify(join(import.meta.dirname, 'instance-lock.ts'))};
    process.stdin.once('data', async () => {
      try {
        const lock = await acquireInstanceLock(${JSON.stringify(dataDirectory)});
        await lock.publish('http://127.0.0.1:3000');
        console.log('won');
      } catch (error) { console.log(error.name + ' ' + error.message); }
    });
    console.log('ready');`;
  const child = spawnProgram(program);
  children.add(child);
  const lines = createInterface({ input: child.stdout! });
  await once(lines, 'line');
  const answer = once(lines, 'line').then(([line]) => String(line));
  return { child, ask: () => child.stdin!.write('go\n'), answer };
}

describe('instance lock', () => {
  it("records the lock holder's process ID and URL until the lock is released", async () => {
    const lock = await acquireInstanceLock(dataDirectory);
    expect(await contents()).toEqual({ pid: process.pid, started: expect.stringMatching(/./) });
    await lock.publish('http://127.0.0.1:3000');
    expect(await contents()).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:3000' });

    const { ask, answer } = await startContender();
    ask();
    expect(await answer).toBe(
      `AlreadyRunningError Agent Traffic is already running on this data (process ${process.pid}, http://127.0.0.1:3000). Stop it first, or set DATA_DIR to another folder.`,
    );
    await lock.release();
    expect(await readdir(dataDirectory)).toEqual([]);
  });

  it("rejects a second process until the lock's holder is killed", async () => {
    const { child, ask, answer } = await startContender();
    ask();
    expect(await answer).toBe('won');
    const lockError = await acquireInstanceLock(dataDirectory).catch((error: unknown) => error);
    expect(lockError).toBeInstanceOf(AlreadyRunningError);
    expect(lockError).toMatchObject({ pid: child.pid, url: 'http://127.0.0.1:3000' });

    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = await acquireInstanceLock(dataDirectory);
    expect(await contents()).toMatchObject({ pid: process.pid });
    await lock.release();
  });

  it.each([
    ['from a process whose ID has been reused', { pid: process.ppid, started: 'earlier' }],
    ['with our own process ID from before a restart', { pid: process.pid, started: 'earlier' }],
    ['that is damaged', 'nonsense'],
  ])('replaces a lock file %s', async (_, content) => {
    await writeFile(join(dataDirectory, 'instance.json'), JSON.stringify(content));
    await acquireInstanceLock(dataDirectory);
    expect(await contents()).toMatchObject({ pid: process.pid });
  });

  it("doesn't remove a lock that another process has taken over", async () => {
    const lock = await acquireInstanceLock(dataDirectory);
    await writeFile(join(dataDirectory, 'instance.json'), JSON.stringify({ pid: 1, started: 'x' }));
    await lock.release();
    expect(await contents()).toMatchObject({ pid: 1 });
  });

  it('grants a stale lock to only one of several competing processes', async () => {
    for (let round = 0; round < 3; round += 1) {
      await writeFile(join(dataDirectory, 'instance.json'), JSON.stringify({ pid: process.ppid, started: 'earlier' }));
      const contenders = await Promise.all(Array.from({ length: 5 }, startContender));
      for (const { ask } of contenders) ask();
      const answers = await Promise.all(contenders.map(({ answer }) => answer));
      expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
      expect(answers.filter((answer) => answer.startsWith('AlreadyRunningError'))).toHaveLength(4);
      expect(await readdir(dataDirectory)).toEqual(['instance.json']);
      await Promise.all(
        contenders.map(async ({ child }) => {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        }),
      );
    }
  });
});
