import { RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { batchSpans, setTracer, type Span, type SpanOptions } from '#libs/platform';
import { getContinuedTraceparent, withPublishSpan } from './batch-tracing.js';
import { ValueDelivery } from './delivery.js';
import { HandlerQueue } from './handler-queue.js';
import type { EncodedMessage, ReceivedMessage } from './message.js';
import { OK } from './outcome.js';
import { createRawTopic } from '../../../test/kit/raw-topic.js';
import { runPipeline } from './pipeline.js';
import type { Topic } from './topic.js';

interface RecordedSpan extends SpanOptions {
  name: string;
  traceparent: string;
  error?: unknown;
}

let spans: RecordedSpan[];
const spansNamed = (name: string): RecordedSpan[] => spans.filter((span) => span.name === name);

beforeEach(() => {
  spans = [];
  setTracer({
    start(name, options): Span {
      const id = String(spans.length).padStart(16, '0');
      const recordedSpan: RecordedSpan = { name, ...options, traceparent: `${options.parent!.slice(0, 36)}${id}-01` };
      spans.push(recordedSpan);
      return { traceparent: recordedSpan.traceparent, end: ({ error } = {}) => void (recordedSpan.error = error) };
    },
  });
});
afterEach(() => setTracer(null));

const createTraceparent = (number: number, flags = '01'): string =>
  `00-${String(number).padStart(32, '0')}-${'a'.repeat(16)}-${flags}`;

const message = (traceparent: string): EncodedMessage => ({
  topic: TOPICS.visitsReceived,
  key: null,
  value: Buffer.from('{}'),
  headers: { [RECEIVED_HEADERS.traceparent]: traceparent },
});

/** Handles the messages as one batch with one step. Returns the traceparents for messages that it derives. */
async function handle(messages: EncodedMessage[], step = (): void => undefined): Promise<(string | null)[]> {
  const continuedTraces: (string | null)[] = [];
  const handler = async (batch: readonly ReceivedMessage[]) => {
    continuedTraces.push(
      ...batch.map(({ headers }) => getContinuedTraceparent(headers[RECEIVED_HEADERS.traceparent]!)),
    );
    await runPipeline('enrichment', [{ name: 'step', run: step }], {});
    return batch.map(() => OK);
  };
  const topic = createRawTopic(TOPICS.visitsReceived) as Topic<unknown>;
  const options = {
    maxBatchMessages: 100,
    maxBatchBytes: 1e6,
    concurrency: 1,
    maxGatheringMs: 1,
    waitsForFollowUps: false,
  };
  const queue = new HandlerQueue({ topic, group: 'g', handler }, { ...options, publish: () => Promise.resolve() });
  await queue.add(messages.map((each) => new ValueDelivery(topic, each))).done;
  return continuedTraces;
}

it('HandlerQueue continues each sampled trace in a batch and links it to the others', async () => {
  const continuedTraces = await handle([
    message(createTraceparent(1)),
    message(createTraceparent(2)),
    message(createTraceparent(1)),
    message(createTraceparent(3, '00')),
  ]);
  const [one, two] = spansNamed(`process ${TOPICS.visitsReceived}`);
  expect([one!.parent, one!.links, two!.parent, two!.links]).toEqual([
    createTraceparent(1),
    [createTraceparent(2)],
    createTraceparent(2),
    [createTraceparent(1)],
  ]);
  expect(continuedTraces).toEqual([one!.traceparent, two!.traceparent, one!.traceparent, createTraceparent(3, '00')]);
  expect(spansNamed('step').map(({ parent }) => parent)).toEqual([one!.traceparent, two!.traceparent]);
  expect(spans).toHaveLength(4);
});

it('HandlerQueue limits the number of traces per batch', async () => {
  await handle(Array.from({ length: 40 }, (_, index) => message(createTraceparent(index))));
  expect(spansNamed(`process ${TOPICS.visitsReceived}`)).toHaveLength(16);
});

it('runPipeline records the error on the failed step and its batch', async () => {
  const error = new Error('database unavailable');
  const failedHandling = handle([message(createTraceparent(1))], () => {
    throw error;
  });
  await expect(failedHandling).rejects.toBe(error);
  expect(spans.map((span) => span.error)).toEqual([error, error]);
});

it("HandlerQueue doesn't add an unsampled batch to the surrounding batch's trace", async () => {
  await batchSpans.run([{ traceparent: createTraceparent(9), end: () => undefined }], () =>
    handle([message(createTraceparent(1, '00'))]),
  );
  expect(spans).toEqual([]);
});

it("withPublishSpan passes the send span's traceparent to the messages", async () => {
  const publishedTraceparents: string[] = [];
  const publish = async (traceparent: string) => void publishedTraceparents.push(traceparent);
  const publication = { topic: TOPICS.visitsReceived, count: 2 };
  await withPublishSpan({ ...publication, traceparent: createTraceparent(1) }, publish);
  expect(spans).toMatchObject([
    { name: `send ${TOPICS.visitsReceived}`, kind: 'producer', parent: createTraceparent(1) },
  ]);
  await withPublishSpan({ ...publication, traceparent: createTraceparent(2, '00') }, publish);
  expect(publishedTraceparents).toEqual([spans[0]!.traceparent, createTraceparent(2, '00')]);
});
