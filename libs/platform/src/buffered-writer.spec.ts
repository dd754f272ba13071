import { pino } from 'pino';
import { BufferedWriter } from './buffered-writer.js';

class Counts extends BufferedWriter<number> {
  readonly written: (readonly [string, number])[][] = [];
  readonly losses: number[] = [];
  fault: Error | null = null;

  constructor(intervalMs: number) {
    super(pino({ level: 'silent' }), 'counts are lost', intervalMs);
  }

  add(key: string): void {
    this.waiting.set(key, (this.waiting.get(key) ?? 0) + 1);
  }

  protected override async write(values: ReadonlyMap<string, number>): Promise<void> {
    await Promise.resolve();
    if (this.fault !== null) throw this.fault;
    this.written.push([...values]);
  }

  protected override lost(values: ReadonlyMap<string, number>): void {
    this.losses.push(values.size);
  }
}

it('writes buffered values at startup and the rest before shutdown', async () => {
  const counts = new Counts(60_000);
  counts.add('a');
  counts.add('a');
  await counts.onApplicationBootstrap();
  counts.add('b');
  await counts.beforeApplicationShutdown();
  expect(counts.written).toEqual([[['a', 2]], [['b', 1]]]);
});

it('writes nothing if nothing was added', async () => {
  const counts = new Counts(60_000);
  await counts.onApplicationBootstrap();
  await counts.beforeApplicationShutdown();
  expect(counts.written).toEqual([]);
});

it('drops the values of a failed write', async () => {
  const counts = new Counts(60_000);
  counts.fault = new Error('away');
  counts.add('a');
  await counts.onApplicationBootstrap();
  counts.add('b');
  await counts.beforeApplicationShutdown();
  expect([counts.written, counts.losses]).toEqual([[], [1, 1]]);
});
