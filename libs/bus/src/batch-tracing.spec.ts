import { RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { batchSpans, setTracer, type Span, type SpanOptions } from '#libs/platform';
import { followingTrace, inPublishSpan } from './batch-tracing.js';
import { ValueDelivery } from './delivery.js';
import { HandlerQueue } from './handler-queue.js';
import type { EncodedMessage, ReceivedMessage } from './message.js';
import { OK } from './outcome.js';
import { rawTopic } from '../../../test/kit/raw-topic.js';
import { runPipeline } from './pipeline.js';
import type { Topic } from './topic.js';

interface Recorded extends SpanOptions {
  name: string;
  traceparent: string;
  error?: unknown;
}

let spans: Recorded[];
const named = (name: string): Recorded[] => spans.filter((span) => span.name === name);

beforeEach(() => {
  spans = [];
  setTracer({
    start(name, options): Span {
      const id = String(spans.length).padStart(16, '0');
      const recorded: Recorded = { name, ...options, traceparent: `${options.parent!.slice(0, 36)}${id}-01` };
      spans.push(recorded);
      return { traceparent: recorded.traceparent, end: ({ error } = {}) => void (recorded.error = error) };
    },
  });
});
afterEach(() => setTracer(null));

const traceOf = (number: number, flags = '01'): string =>
  `00-${String(number).padStart(32, '0')}-${'a'.repeat(16)}-${flags}`;

const message = (traceparent: string): EncodedMessage => ({
  topic: TOPICS.visitsReceived,
  key: null,
  value: Buffer.from('{}'),
  headers: { [RECEIVED_HEADERS.traceparent]: traceparent },
});

/** Handles the messages as one batch with a step. Returns the trace contexts that later messages continue. */
async function handle(messages: EncodedMessage[], step = (): void => undefined): Promise<(string | null)[]> {
  const next: (string | null)[] = [];
  const handler = async (batch: readonly ReceivedMessage[]) => {
    next.push(...batch.map(({ headers }) => followingTrace(headers[RECEIVED_HEADERS.traceparent]!)));
    await runPipeline('enrichment', [{ name: 'step', run: step }], {});
    return batch.map(() => OK);
  };
  const topic = rawTopic(TOPICS.visitsReceived) as Topic<unknown>;
  const options = { maxBatchMessages: 100, maxBatchBytes: 1e6, concurrency: 1, maxGatheringMs: 1, waitsForNext: false };
  const queue = new HandlerQueue({ topic, group: 'g', handler }, { ...options, publish: () => Promise.resolve() });
  await queue.add(messages.map((each) => new ValueDelivery(topic, each))).done;
  return next;
}

it('continues each sampled trace of a batch and links it to the others', async () => {
  const next = await handle([message(traceOf(1)), message(traceOf(2)), message(traceOf(1)), message(traceOf(3, '00'))]);
  const [one, two] = named(`process ${TOPICS.visitsReceived}`);
  expect([one!.parent, one!.links, two!.parent, two!.links]).toEqual([
    traceOf(1),
    [traceOf(2)],
    traceOf(2),
    [traceOf(1)],
  ]);
  expect(next).toEqual([one!.traceparent, two!.traceparent, one!.traceparent, traceOf(3, '00')]);
  expect(named('step').map(({ parent }) => parent)).toEqual([one!.traceparent, two!.traceparent]);
  expect(spans).toHaveLength(4);
});

it('limits the number of traces it follows', async () => {
  await handle(Array.from({ length: 40 }, (_, index) => message(traceOf(index))));
  expect(named(`process ${TOPICS.visitsReceived}`)).toHaveLength(16);
});

it('records the error on the failed step and its batch', async () => {
  const error = new Error('away');
  const failing = handle([message(traceOf(1))], () => {
    throw error;
  });
  await expect(failing).rejects.toBe(error);
  expect(spans.map((span) => span.error)).toEqual([error, error]);
});

it('does not add an unsampled batch to the trace of the surrounding batch', async () => {
  await batchSpans.run([{ traceparent: traceOf(9), end: () => undefined }], () => handle([message(traceOf(1, '00'))]));
  expect(spans).toEqual([]);
});

it('publishes messages in a span that their traces continue', async () => {
  const continued: string[] = [];
  const publish = async (traceparent: string) => void continued.push(traceparent);
  const sent = { topic: TOPICS.visitsReceived, count: 2 };
  await inPublishSpan({ ...sent, traceparent: traceOf(1) }, publish);
  expect(spans).toMatchObject([{ name: `send ${TOPICS.visitsReceived}`, kind: 'producer', parent: traceOf(1) }]);
  await inPublishSpan({ ...sent, traceparent: traceOf(2, '00') }, publish);
  expect(continued).toEqual([spans[0]!.traceparent, traceOf(2, '00')]);
});
