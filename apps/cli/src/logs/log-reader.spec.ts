import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { LogEvent } from '#libs/access-log';
import { followFile, readLive, readLog } from './log-reader.js';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'log-reader-'))));
afterEach(() => rm(folder, { recursive: true }));

async function* once(text: string | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(text as string);
}

/** Collects events until the callback returns true. Consecutive pauses are merged. */
async function collectEvents(
  events: AsyncIterable<LogEvent>,
  shouldStop: (collected: string[]) => boolean | Promise<unknown> | void,
): Promise<string[]> {
  const collected: string[] = [];
  for await (const event of events) {
    if (event.kind === 'lines') collected.push(...event.lines);
    else if (event.kind === 'unfinished') collected.push(`unfinished ${event.line}`);
    else if (collected.at(-1) !== `<${event.kind}>`) collected.push(`<${event.kind}>`);
    if ((await shouldStop(collected)) === true) break;
  }
  return collected;
}

const signal = new AbortController().signal;

it("reads plain and compressed logs to the end and counts the files' bytes", async () => {
  const byteCounts: number[] = [];
  const options = { signal, onBytes: (bytes: number) => void byteCounts.push(bytes) };
  expect(await collectEvents(readLog(once('one\ntwo'), options), () => {})).toEqual(['one', 'unfinished two']);
  const packed = gzipSync('one\ntwo\n');
  expect(await collectEvents(readLog(once(packed), options), () => {})).toEqual(['one', 'two']);
  expect(byteCounts).toEqual([7, packed.length]);
});

it('emits a pause while a live stream is idle', async () => {
  const stream = new PassThrough();
  stream.write('one\nha');
  const collected = await collectEvents(readLive(stream, { signal, pollIntervalMs: 5 }), (collected) => {
    if (collected.at(-1) === '<pause>' && collected.length === 2) stream.end('lf\nthree');
  });
  expect(collected).toEqual(['one', '<pause>', 'half', 'unfinished three']);
});

it('reads lines that have already arrived in a live stream before it stops', async () => {
  const stream = new PassThrough();
  stream.write('one\n');
  const controller = new AbortController();
  const collected = await collectEvents(
    readLive(stream, { signal: controller.signal, pollIntervalMs: 20 }),
    (collected) => {
      if (collected.length !== 2) return;
      stream.write('two\nhalf');
      controller.abort();
    },
  );
  expect(collected).toEqual(['one', '<pause>', 'two']);
});

it('follows a file that grows, is rotated and is truncated', async () => {
  const path = join(folder, 'access.log');
  await writeFile(path, 'one\ntw');
  const steps: Record<string, () => Promise<unknown>> = {
    'one,<pause>': () => appendFile(path, 'o\n'),
    'one,<pause>,two,<pause>': async () => {
      await rename(path, `${path}.1`);
      await writeFile(path, 'new one\n');
    },
    'one,<pause>,two,<pause>,<restart>,new one,<pause>': async () => {
      await truncate(path);
      await appendFile(path, 'x\n');
    },
  };
  const collected = await collectEvents(
    followFile(path, { signal, pollIntervalMs: 5, rotationGraceMs: 50 }),
    async (collected) => {
      const step = steps[collected.join()];
      delete steps[collected.join()];
      await step?.();
      return collected.at(-1) === 'x';
    },
  );
  expect(collected).toEqual(['one', '<pause>', 'two', '<pause>', '<restart>', 'new one', '<pause>', '<restart>', 'x']);
});

it('rereads a log from its start if it was emptied and grew past the last position', async () => {
  const path = join(folder, 'access.log');
  await writeFile(path, 'one\ntwo\n');
  const steps: Record<string, () => Promise<unknown>> = {
    'one,two,<pause>': () => writeFile(path, 'new one\nnew two\nnew three\n'),
  };
  const collected = await collectEvents(followFile(path, { signal, pollIntervalMs: 5 }), async (collected) => {
    const step = steps[collected.join()];
    delete steps[collected.join()];
    await step?.();
    return collected.at(-1) === 'new three';
  });
  expect(collected).toEqual(['one', 'two', '<pause>', '<restart>', 'new one', 'new two', 'new three']);
});

it('reads lines that a server still writes to a renamed log', async () => {
  const path = join(folder, 'access.log');
  await writeFile(path, 'one\n');
  const steps: Record<string, () => Promise<unknown>> = {
    'one,<pause>': async () => {
      await rename(path, `${path}.1`);
      await writeFile(path, 'new\n');
      setTimeout(() => void appendFile(`${path}.1`, 'late\n'), 40);
    },
  };
  const collected = await collectEvents(
    followFile(path, { signal, pollIntervalMs: 5, rotationGraceMs: 1_000 }),
    async (collected) => {
      const step = steps[collected.join()];
      delete steps[collected.join()];
      await step?.();
      return collected.at(-1) === 'new';
    },
  );
  expect(collected).toEqual(['one', '<pause>', 'late', '<pause>', '<restart>', 'new']);
});

it('refuses to follow a compressed file', async () => {
  const path = join(folder, 'access.log.gz');
  await writeFile(path, gzipSync('one\n'));
  await expect(collectEvents(followFile(path, { signal }), () => {})).rejects.toThrow("can't be followed");
});

it('stops reading logs when the signal aborts', async () => {
  const path = join(folder, 'access.log');
  await writeFile(path, 'one\n');
  const controller = new AbortController();
  const collected = await collectEvents(followFile(path, { signal: controller.signal, pollIntervalMs: 60_000 }), () => {
    setTimeout(() => controller.abort(), 5);
  });
  expect(collected).toEqual(['one', '<pause>']);
});
