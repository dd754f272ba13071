import { ImportSummary, type LogLine, type SendOutcome } from '#libs/access-log';
import { VisitQueue } from './visit-queue.js';

const ACCEPTED = { kind: 'accepted', rejected: 0, repeated: 0 } as const;
const line = (number: number): LogLine => ({
  client: '192.0.2.7',
  time: '2026-11-24T02:35:23Z',
  method: 'GET',
  path: `/${number}`,
});

function createQueue(respond: (size: number) => Promise<SendOutcome>, capacity = 5_000) {
  const posted: { size: number; key: string }[] = [];
  const summary = new ImportSummary();
  let freed = 0;
  const queue = new VisitQueue({
    post: async (body, headers) => {
      const { length: size } = JSON.parse(body) as unknown[];
      posted.push({ size, key: headers['idempotency-key']! });
      return respond(size);
    },
    summary,
    capacity,
    concurrency: 2,
    onCapacity: () => (freed += 1),
  });
  const add = (count: number, canBeDropped = true): void => {
    for (let number = 0; number < count; number += 1) queue.add(line(number), canBeDropped, 100);
  };
  return { queue, posted, summary, add, freed: () => freed };
}

it('sends full batches with distinct idempotency keys, and the remaining visits at the end', async () => {
  const { queue, posted, summary, add } = createQueue(async () => ACCEPTED);
  add(2_500);
  await queue.end();
  expect(posted.map(({ size }) => size)).toEqual([1_000, 1_000, 500]);
  expect(new Set(posted.map(({ key }) => key)).size).toBe(3);
  expect([summary.sent, queue.unsent, queue.dropped]).toEqual([2_500, 0, 0]);
  await createQueue(async () => ACCEPTED).queue.end();
});

it('drops visits when the queue is full unless the sender can wait, and signals when capacity is free', async () => {
  const pendingResponse = Promise.withResolvers<SendOutcome>();
  const { queue, summary, add, freed } = createQueue(() => pendingResponse.promise, 1_000);
  // Two batches with 1,000 visits each are in flight.
  add(3_500);
  expect([queue.isFull, queue.dropped, queue.unsent]).toEqual([true, 500, 3_000]);
  add(10, false);
  expect([queue.dropped, queue.unsent]).toEqual([500, 3_010]);
  const before = freed();
  pendingResponse.resolve(ACCEPTED);
  await queue.end();
  expect(freed()).toBeGreaterThan(before);
  expect(summary.sent).toBe(3_010);
});

it('limits the total length of queued messages', async () => {
  const pendingResponse = Promise.withResolvers<SendOutcome>();
  const { queue, freed } = createQueue(() => pendingResponse.promise, 100_000);
  // 2 × 1,000 visits are in flight, and 4,096 of 64 KiB are queued.
  for (let number = 0; number < 6_200; number += 1) queue.add(line(number), true, 65_536);
  expect([queue.isFull, queue.dropped, queue.unsent]).toEqual([true, 104, 6_096]);
  const before = freed();
  pendingResponse.resolve(ACCEPTED);
  await queue.end();
  expect([queue.isFull, freed() > before]).toEqual([false, true]);
});

it('splits batches that are too large and counts rejected visits', async () => {
  const { queue, posted, summary, add } = createQueue(async (size) => {
    if (size > 3) return { kind: 'too-large', reason: '413' };
    return size === 3 ? { kind: 'refused', reason: '422: no' } : ACCEPTED;
  });
  add(5);
  await queue.end();
  expect(posted.map(({ size }) => size)).toEqual([5, 3, 2]);
  expect([summary.sent, summary.rejected, summary.rejections]).toEqual([
    2,
    3,
    [{ visits: 3, reason: '422: no', lines: null }],
  ]);
});

it('counts unacknowledged visits after a fatal error', async () => {
  const { queue, add } = createQueue(() => Promise.reject(new Error('401: no')));
  add(1_200);
  await expect(queue.failure).rejects.toThrow('401');
  await expect(queue.end()).rejects.toThrow('401');
  expect(queue.unsent).toBe(1_200);
});
