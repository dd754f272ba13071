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

/** The chunks of a log that comes in blocks of lines. */
async function chunksOf(log: readonly string[], block = log.length): Promise<string[]> {
  async function* source(): AsyncGenerator<LogEvent> {
    for (let at = 0; at < log.length; at += block) yield { kind: 'lines', lines: log.slice(at, at + block) };
  }
  const chunks: string[] = [];
  for await (const run of chunkLines(source())) chunks.push(run.lines.join('\n'));
  return chunks;
}

it('cuts a log into the same chunks however it comes', async () => {
  const chunks = await chunksOf(lines(20_000));
  expect(chunks.join('\n')).toBe(lines(20_000).join('\n'));
  expect(await chunksOf(lines(20_000), 1)).toEqual(chunks);
  expect(await chunksOf(lines(20_000), 777)).toEqual(chunks);
  const sizes = chunks.slice(0, -1).map((chunk) => chunk.split('\n').length);
  expect([Math.min(...sizes) >= 512, Math.max(...sizes) <= 1_536]).toEqual([true, true]);
});

it('cuts the same chunks from a log that was cut or joined with another one', async () => {
  const chunks = new Set(await chunksOf(lines(40_000)));
  const shared = (others: string[]): number => others.filter((chunk) => chunks.has(chunk)).length;
  expect(shared(await chunksOf(lines(40_000).slice(5_001)))).toBeGreaterThan(20);
  expect(
    shared(await chunksOf([...Array.from({ length: 700 }, (_, other) => `x ${other}`), ...lines(40_000)])),
  ).toBeGreaterThan(20);
});

it('hands on what is there at a pause, and starts anew after rotation', async () => {
  const three: LogEvent = { kind: 'lines', lines: lines(3) };
  expect(await runs(three, { kind: 'pause' }, { kind: 'pause' }, three, { kind: 'restart' }, three)).toEqual([
    [0, 3, false],
    [3, 3, false],
    [0, 3, false],
  ]);
});

it('keeps an unfinished line apart', async () => {
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

it('hands on what was read before a failure', async () => {
  async function* failing(): AsyncGenerator<LogEvent> {
    yield { kind: 'lines', lines: lines(2) };
    throw new Error('cut short');
  }
  const reader = chunkLines(failing());
  expect((await reader.next()).value).toMatchObject({ start: 0, lines: ['line 0', 'line 1'] });
  await expect(reader.next()).rejects.toThrow('cut short');
});
