import type { EnrichedEvent } from '#libs/bus';
import type { VisitsRepository } from '#libs/visit-store';
import type { DeadLettersRepository } from './dead-letters.repository.js';
import { IngestConsumer } from './ingest.consumer.js';
import type { IngestPipeline } from './ingest.pipeline.js';

const EVENTS = [{}] as EnrichedEvent[];

function createConsumer(batchIntervalMs: number): { consumer: IngestConsumer; starts: number[] } {
  const starts: number[] = [];
  const pipeline = {
    run: async () => {
      starts.push(performance.now());
      return [];
    },
  };
  const consumer = new IngestConsumer(
    pipeline as unknown as IngestPipeline,
    { batchIntervalMs } as VisitsRepository,
    {} as DeadLettersRepository,
  );
  return { consumer, starts };
}

it('starts small batches at the interval of the visit store', async () => {
  const { consumer, starts } = createConsumer(50);
  const context = { deadline: Infinity };
  const calledAt = performance.now();
  await Promise.all([consumer.handleEnrichedVisits(EVENTS, context), consumer.handleEnrichedVisits(EVENTS, context)]);
  // Timers ignore fractions of a millisecond, and can fire up to a millisecond early.
  expect(starts[1]! - calledAt).toBeGreaterThanOrEqual(48);
});

it("doesn't delay batches for which a client waits", async () => {
  const { consumer, starts } = createConsumer(3_600_000);
  const context = { deadline: performance.now() + 2_000 };
  await consumer.handleEnrichedVisits(EVENTS, context);
  await consumer.handleEnrichedVisits(EVENTS, context);
  expect(starts).toHaveLength(2);
});
