import { chunkLines, type LogEvent, type Run } from './chunker.js';

const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

async function runs(...events: LogEvent[]): Promise<[start: number, lines: number, unfinished: boolean][]> {
  async function* source(): AsyncGenerator<LogEvent> {
    yield* events;
  }
  const all: Run[] = [];
  for await (const run of chunkLines(source())) all.push(run);
  return all.map((run) => [run.start, run.lines.length, run.unfinished ?? false]);
}

/** Returns the chunks of a log that arrives `block` lines at a time. */
async function chunksOf(log: readonly string[], block = log.length): Promise<string[]> {
  async function* source(): AsyncGenerator<LogEvent> {
    for (let at = 0; at < log.length; at += block) yield { kind: 'lines', lines: log.slice(at, at + block) };
  }
  const chunks: string[] = [];
  for await (const run of chunkLines(source())) chunks.push(run.lines.join('\n'));
  return chunks;
}

it('cuts a log into the same chunks regardless of block size', async () => {
  const chunks = await chunksOf(lines(20_000));
  expect(chunks.join('\n')).toBe(lines(20_000).join('\n'));
  expect(await chunksOf(lines(20_000), 1)).toEqual(chunks);
  expect(await chunksOf(lines(20_000), 777)).toEqual(chunks);
  const sizes = chunks.slice(0, -1).map((chunk) => chunk.split('\n').length);
  expect([Math.min(...sizes) >= 512, Math.max(...sizes) <= 1_536]).toEqual([true, true]);
});

it('cuts mostly the same chunks if a log loses or gains lines at its start', async () => {
  const chunks = new Set(await chunksOf(lines(40_000)));
  const shared = (others: string[]): number => others.filter((chunk) => chunks.has(chunk)).length;
  expect(shared(await chunksOf(lines(40_000).slice(5_001)))).toBeGreaterThan(20);
  expect(
    shared(await chunksOf([...Array.from({ length: 700 }, (_, other) => `x ${other}`), ...lines(40_000)])),
  ).toBeGreaterThan(20);
});

it('emits pending lines at a pause, and restarts numbering after rotation', async () => {
  const three: LogEvent = { kind: 'lines', lines: lines(3) };
  expect(await runs(three, { kind: 'pause' }, { kind: 'pause' }, three, { kind: 'restart' }, three)).toEqual([
    [0, 3, false],
    [3, 3, false],
    [0, 3, false],
  ]);
});

it('emits an unfinished line separately', async () => {
  const events: LogEvent[] = [
    { kind: 'lines', lines: lines(3) },
    { kind: 'unfinished', line: 'half' },
  ];
  expect(await runs(...events, { kind: 'restart' }, { kind: 'lines', lines: lines(1) })).toEqual([
    [0, 3, false],
    [3, 1, true],
    [0, 1, false],
  ]);
});

it('emits lines that were read before a failure', async () => {
  async function* failing(): AsyncGenerator<LogEvent> {
    yield { kind: 'lines', lines: lines(2) };
    throw new Error('cut short');
  }
  const reader = chunkLines(failing());
  expect((await reader.next()).value).toMatchObject({ start: 0, lines: ['line 0', 'line 1'] });
  await expect(reader.next()).rejects.toThrow('cut short');
});
