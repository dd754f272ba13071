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

/** Collects events until `isEnough` returns true. Consecutive pauses count as one. */
async function gather(
  events: AsyncIterable<LogEvent>,
  isEnough: (told: string[]) => boolean | Promise<unknown> | void,
): Promise<string[]> {
  const told: string[] = [];
  for await (const event of events) {
    if (event.kind === 'lines') told.push(...event.lines);
    else if (event.kind === 'unfinished') told.push(`unfinished ${event.line}`);
    else if (told.at(-1) !== `<${event.kind}>`) told.push(`<${event.kind}>`);
    if ((await isEnough(told)) === true) break;
  }
  return told;
}

const signal = new AbortController().signal;

it('reads plain and compressed logs to the end and counts the bytes of the file', async () => {
  const counted: number[] = [];
  const options = { signal, onBytes: (bytes: number) => void counted.push(bytes) };
  expect(await gather(readLog(once('one\ntwo'), options), () => {})).toEqual(['one', 'unfinished two']);
  const packed = gzipSync('one\ntwo\n');
  expect(await gather(readLog(once(packed), options), () => {})).toEqual(['one', 'two']);
  expect(counted).toEqual([7, packed.length]);
});

it('reports a pause while a live stream is idle', async () => {
  const stream = new PassThrough();
  stream.write('one\nha');
  const told = await gather(readLive(stream, { signal, poll: 5 }), (told) => {
    if (told.at(-1) === '<pause>' && told.length === 2) stream.end('lf\nthree');
  });
  expect(told).toEqual(['one', '<pause>', 'half', 'unfinished three']);
});

it('reads the lines already in a live stream before it stops at the signal', async () => {
  const stream = new PassThrough();
  stream.write('one\n');
  const controller = new AbortController();
  const told = await gather(readLive(stream, { signal: controller.signal, poll: 20 }), (told) => {
    if (told.length !== 2) return;
    stream.write('two\nhalf');
    controller.abort();
  });
  expect(told).toEqual(['one', '<pause>', 'two']);
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
  const told = await gather(followFile(path, { signal, poll: 5, rotationGrace: 50 }), async (told) => {
    const step = steps[told.join()];
    delete steps[told.join()];
    await step?.();
    return told.at(-1) === 'x';
  });
  expect(told).toEqual(['one', '<pause>', 'two', '<pause>', '<restart>', 'new one', '<pause>', '<restart>', 'x']);
});

it('rereads a log from its start if it was emptied and grew past the last position', async () => {
  const path = join(folder, 'access.log');
  await writeFile(path, 'one\ntwo\n');
  const steps: Record<string, () => Promise<unknown>> = {
    'one,two,<pause>': () => writeFile(path, 'new one\nnew two\nnew three\n'),
  };
  const told = await gather(followFile(path, { signal, poll: 5 }), async (told) => {
    const step = steps[told.join()];
    delete steps[told.join()];
    await step?.();
    return told.at(-1) === 'new three';
  });
  expect(told).toEqual(['one', 'two', '<pause>', '<restart>', 'new one', 'new two', 'new three']);
});

it('reads late lines that a server writes to a renamed log', async () => {
  const path = join(folder, 'access.log');
  await writeFile(path, 'one\n');
  const steps: Record<string, () => Promise<unknown>> = {
    'one,<pause>': async () => {
      await rename(path, `${path}.1`);
      await writeFile(path, 'new\n');
      setTimeout(() => void appendFile(`${path}.1`, 'late\n'), 40);
    },
  };
  const told = await gather(followFile(path, { signal, poll: 5, rotationGrace: 1_000 }), async (told) => {
    const step = steps[told.join()];
    delete steps[told.join()];
    await step?.();
    return told.at(-1) === 'new';
  });
  expect(told).toEqual(['one', '<pause>', 'late', '<pause>', '<restart>', 'new']);
});

it('refuses to follow a compressed file', async () => {
  const path = join(folder, 'access.log.gz');
  await writeFile(path, gzipSync('one\n'));
  await expect(gather(followFile(path, { signal }), () => {})).rejects.toThrow("can't be followed");
});

it('stops at the signal', async () => {
  const path = join(folder, 'access.log');
  await writeFile(path, 'one\n');
  const controller = new AbortController();
  const told = await gather(followFile(path, { signal: controller.signal, poll: 60_000 }), () => {
    setTimeout(() => controller.abort(), 5);
  });
  expect(told).toEqual(['one', '<pause>']);
});
