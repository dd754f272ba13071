import { pino } from 'pino';
import { BufferedWriter } from './buffered-writer.js';

class TestWriter extends BufferedWriter<number> {
  readonly writtenBatches: (readonly [string, number])[][] = [];
  readonly lostBatchSizes: number[] = [];
  writeError: Error | null = null;

  constructor(intervalMs: number) {
    super(pino({ level: 'silent' }), 'counts were lost', intervalMs);
  }

  add(key: string): void {
    this.buffered.set(key, (this.buffered.get(key) ?? 0) + 1);
  }

  protected override async write(values: ReadonlyMap<string, number>): Promise<void> {
    await Promise.resolve();
    if (this.writeError !== null) throw this.writeError;
    this.writtenBatches.push([...values]);
  }

  protected override onLoss(values: ReadonlyMap<string, number>): void {
    this.lostBatchSizes.push(values.size);
  }
}

it('BufferedWriter writes values at startup and before shutdown', async () => {
  const writer = new TestWriter(60_000);
  writer.add('a');
  writer.add('a');
  await writer.onApplicationBootstrap();
  writer.add('b');
  await writer.beforeApplicationShutdown();
  expect(writer.writtenBatches).toEqual([[['a', 2]], [['b', 1]]]);
});

it('BufferedWriter skips the write if its buffer is empty', async () => {
  const writer = new TestWriter(60_000);
  await writer.onApplicationBootstrap();
  await writer.beforeApplicationShutdown();
  expect(writer.writtenBatches).toEqual([]);
});

it('BufferedWriter drops values after a failed write', async () => {
  const writer = new TestWriter(60_000);
  writer.writeError = new Error('database unavailable');
  writer.add('a');
  await writer.onApplicationBootstrap();
  writer.add('b');
  await writer.beforeApplicationShutdown();
  expect([writer.writtenBatches, writer.lostBatchSizes]).toEqual([[], [1, 1]]);
});
