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

/** Returns a log's chunks if its lines arrive in blocks of `block` lines. */
async function getChunks(log: readonly string[], block = log.length): Promise<string[]> {
  async function* source(): AsyncGenerator<LogEvent> {
    for (let at = 0; at < log.length; at += block) yield { kind: 'lines', lines: log.slice(at, at + block) };
  }
  const chunks: string[] = [];
  for await (const run of chunkLines(source())) chunks.push(run.lines.join('\n'));
  return chunks;
}

it('splits a log into the same chunks regardless of block size', async () => {
  const chunks = await getChunks(lines(20_000));
  expect(chunks.join('\n')).toBe(lines(20_000).join('\n'));
  expect(await getChunks(lines(20_000), 1)).toEqual(chunks);
  expect(await getChunks(lines(20_000), 777)).toEqual(chunks);
  const sizes = chunks.slice(0, -1).map((chunk) => chunk.split('\n').length);
  expect([Math.min(...sizes) >= 512, Math.max(...sizes) <= 1_536]).toEqual([true, true]);
});

it('preserves most chunks if lines are added to or removed from the start of a log', async () => {
  const chunks = new Set(await getChunks(lines(40_000)));
  const shared = (others: string[]): number => others.filter((chunk) => chunks.has(chunk)).length;
  expect(shared(await getChunks(lines(40_000).slice(5_001)))).toBeGreaterThan(20);
  expect(
    shared(await getChunks([...Array.from({ length: 700 }, (_, other) => `x ${other}`), ...lines(40_000)])),
  ).toBeGreaterThan(20);
});

it('emits pending lines at a pause and restarts numbering after a rotation', async () => {
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

it('emits pending lines before it throws a read error', async () => {
  async function* failing(): AsyncGenerator<LogEvent> {
    yield { kind: 'lines', lines: lines(2) };
    throw new Error('cut short');
  }
  const reader = chunkLines(failing());
  expect((await reader.next()).value).toMatchObject({ start: 0, lines: ['line 0', 'line 1'] });
  await expect(reader.next()).rejects.toThrow('cut short');
});
