import { blockKey, blockSizes, CHUNK_LINES, chunkLines, type LogEvent, type Run } from './chunker.js';

const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

async function runs(...events: LogEvent[]): Promise<[start: number, lines: number, unfinished: boolean][]> {
  async function* source(): AsyncGenerator<LogEvent> {
    yield* events;
  }
  const all: Run[] = [];
  for await (const run of chunkLines(source())) all.push(run);
  return all.map((run) => [run.start, run.lines.length, run.unfinished ?? false]);
}

it('cuts chunks at the same lines however they come', async () => {
  const whole = [
    [0, CHUNK_LINES, false],
    [CHUNK_LINES, CHUNK_LINES, false],
    [2 * CHUNK_LINES, 5, false],
  ];
  const count = 2 * CHUNK_LINES + 5;
  expect(await runs({ kind: 'lines', lines: lines(count) })).toEqual(whole);
  expect(await runs(...lines(count).map((line) => ({ kind: 'lines' as const, lines: [line] })))).toEqual(whole);
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

it('offers blocks that are aligned and within the chunk', () => {
  expect(blockSizes(0, 5_000)[0]).toBe(CHUNK_LINES);
  expect(blockSizes(0, 7)).toEqual([4, 2, 1]);
  expect(blockSizes(4, 100)).toEqual([4, 2, 1]);
  expect(blockSizes(5, 100)).toEqual([1]);
  expect(blockSizes(CHUNK_LINES * 3, CHUNK_LINES)).toHaveLength(11);
});

it('takes keys from number and line, as printable ASCII of bounded length', () => {
  const keys = [blockKey(0, 'a'), blockKey(1, 'a'), blockKey(0, 'b')];
  expect(new Set(keys).size).toBe(3);
  expect(blockKey(0, 'a')).toBe(keys[0]);
  for (const key of keys) expect(key).toMatch(/^log-[0-9a-f]{64}$/);
});
