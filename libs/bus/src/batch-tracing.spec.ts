import { RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { batchSpans, setTracer, type Span, type SpanOptions } from '#libs/platform';
import { followingTrace, inPublishSpan } from './batch-tracing.js';
import { OK, type BusMessage, type ReceivedMessage } from './bus.js';
import { HandlerQueue } from './handler-queue.js';
import { runPipeline } from './pipeline.js';

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

const message = (traceparent: string): BusMessage => ({
  topic: TOPICS.visitsReceived,
  key: null,
  value: Buffer.from('{}'),
  headers: { [RECEIVED_HEADERS.traceparent]: traceparent },
});

/** Handles the messages as one batch with a step. @returns what their traces go on with. */
async function handle(messages: BusMessage[], step = (): void => undefined): Promise<(string | undefined)[]> {
  const next: (string | undefined)[] = [];
  const handler = async (batch: readonly ReceivedMessage[]) => {
    next.push(...batch.map(followingTrace));
    await runPipeline('enrichment', [{ name: 'step', run: step }], {});
    return batch.map(() => OK);
  };
  const options = { maxBatchMessages: 100, maxBatchBytes: 1e6, concurrency: 1, maxGatheringMs: 1, waitsForNext: false };
  const queue = new HandlerQueue(
    { topic: TOPICS.visitsReceived, group: 'g', handler },
    { ...options, publish: () => Promise.resolve() },
  );
  await queue.add(messages).done;
  return next;
}

it('goes on with each sampled trace of a batch, linked with those that it met', async () => {
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

it('follows a bounded number of traces', async () => {
  await handle(Array.from({ length: 40 }, (_, index) => message(traceOf(index))));
  expect(named(`process ${TOPICS.visitsReceived}`)).toHaveLength(16);
});

it('marks the step that failed, and its batch', async () => {
  const error = new Error('away');
  const failing = handle([message(traceOf(1))], () => {
    throw error;
  });
  await expect(failing).rejects.toBe(error);
  expect(spans.map((span) => span.error)).toEqual([error, error]);
});

it('is in no trace of a batch that it follows', async () => {
  await batchSpans.run([{ traceparent: traceOf(9), end: () => undefined }], () => handle([message(traceOf(1, '00'))]));
  expect(spans).toEqual([]);
});

it('lets messages go on with the span that they are published in', async () => {
  const messages = [message(traceOf(1)), message(traceOf(1))];
  await inPublishSpan(messages, () => Promise.resolve());
  expect(spans).toMatchObject([{ name: `send ${TOPICS.visitsReceived}`, kind: 'producer', parent: traceOf(1) }]);
  expect(messages.map(({ headers }) => headers[RECEIVED_HEADERS.traceparent])).toEqual(
    messages.map(() => spans[0]!.traceparent),
  );
});
