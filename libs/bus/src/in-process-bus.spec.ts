import { jest } from '@jest/globals';
import { TOPICS, type TopicName } from '#libs/contracts';
import { BusUnavailableError, TransientError, type PublishFailure, type Subscription } from './bus.js';
import { createDeadLetter } from './dead-letter.js';
import type { EncodedMessage, ReceivedMessage } from './message.js';
import { EncodedDelivery } from './delivery.js';
import { HandlerQueue } from './handler-queue.js';
import { OK, toDeadLetter, type Outcome } from './outcome.js';
import type { Topic } from './topic.js';
import { DEAD_LETTERS } from './topics/dead-letters.js';
import { createRawTopic } from '../../../test/kit/raw-topic.js';
import { until } from '../../../test/kit/instance.js';
import { InProcessBus, type InProcessBusOptions } from './in-process-bus.js';

type BatchHandler = Subscription<ReceivedMessage>['handler'];

const message = (value: string, topic: string = TOPICS.visitsReceived): EncodedMessage => ({
  topic,
  key: null,
  value: Buffer.from(value),
  headers: {},
});
const toTexts = (messages: readonly ReceivedMessage[]): string[] => messages.map(({ value }) => value.toString());
const acceptAll: BatchHandler = async (messages) => messages.map(() => OK);

const getTopic = (name: TopicName) =>
  (name === TOPICS.visitsDeadLetter ? DEAD_LETTERS : createRawTopic(name)) as Topic<ReceivedMessage>;

async function startBus(handlers: Partial<Record<string, BatchHandler>>, options: InProcessBusOptions = {}) {
  const bus = new InProcessBus(options);
  for (const topic of Object.values(TOPICS))
    bus.subscribe({ topic: getTopic(topic), group: 'test', handler: handlers[topic] ?? acceptAll });
  await bus.start();
  return bus;
}

describe('InProcessBus', () => {
  it('resolves the publication once all groups have handled the message', async () => {
    const handledTexts: string[] = [];
    const bus = await startBus({});
    const releaseSlowHandler = Promise.withResolvers<void>();
    bus.subscribe({
      topic: createRawTopic(TOPICS.visitsReceived),
      group: 'other',
      handler: async (messages) => {
        await releaseSlowHandler.promise;
        handledTexts.push(...toTexts(messages));
        return messages.map(() => OK);
      },
    });
    const published = bus.publishEncoded([message('a')]);
    releaseSlowHandler.resolve();
    await published;
    expect(handledTexts).toEqual(['a']);
  });

  it('reports whether messages are being handled', async () => {
    const releaseSlowHandler = Promise.withResolvers<readonly Outcome[]>();
    const bus = await startBus({ [TOPICS.visitsReceived]: () => releaseSlowHandler.promise });
    expect(bus.isHandling).toBe(false);
    const published = bus.publishEncoded([message('a')]);
    expect(bus.isHandling).toBe(true);
    releaseSlowHandler.resolve([OK]);
    await published;
    expect(bus.isHandling).toBe(false);
  });

  it('batches messages while the handler is busy', async () => {
    const batches: string[][] = [];
    const first = Promise.withResolvers<void>();
    const bus = await startBus(
      {
        [TOPICS.visitsReceived]: async (messages) => {
          batches.push(toTexts(messages));
          await first.promise;
          return messages.map(() => OK);
        },
      },
      { concurrency: 1 },
    );
    const published = [bus.publishEncoded([message('1')])];
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    for (const value of ['2', '3', '4']) published.push(bus.publishEncoded([message(value)]));
    first.resolve();
    await Promise.all(published);
    expect(batches).toEqual([['1'], ['2', '3', '4']]);
  });

  /** Starts a bus whose first batch, `1`, runs until `finishFirstBatch` is called. */
  async function startBusWithRunningBatch(options: InProcessBusOptions) {
    const batches: string[][] = [];
    const gate = Promise.withResolvers<void>();
    const bus = await startBus(
      {
        [TOPICS.visitsReceived]: async (messages) => {
          batches.push(toTexts(messages).map((text) => text.slice(0, 1)));
          if (batches.length === 1) await gate.promise;
          return messages.map(() => OK);
        },
      },
      { timeoutMs: 60_000, ...options },
    );
    const first = bus.publishEncoded([message('1')]);
    await until(() => batches.length === 1, { condition: 'the first batch is running' });
    const finishFirstBatch = async (): Promise<void> => {
      gate.resolve();
      await first;
    };
    return { bus, batches, end: finishFirstBatch };
  }

  it('batches small messages while a batch runs, until a large one starts another batch', async () => {
    const { bus, batches, end: finishFirstBatch } = await startBusWithRunningBatch({ maxGatheringMs: 20_000 });
    const small = ['2', '3'].map((text) => bus.publishEncoded([message(text)]));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(batches).toEqual([['1']]);
    const large = bus.publishEncoded([message('4'.repeat(64 * 1024))]);
    await Promise.all([...small, large]);
    expect(batches).toEqual([['1'], ['2', '3', '4']]);
    await finishFirstBatch();
  });

  describe('after a batch finishes', () => {
    // The fake clock doesn't advance unless a test advances it.
    const TIMERS_ONLY: Parameters<typeof jest.useFakeTimers>[0] = {
      doNotFake: ['setImmediate', 'performance', 'nextTick', 'queueMicrotask'],
    };
    beforeEach(() => jest.useFakeTimers(TIMERS_ONLY));
    afterEach(() => jest.useRealTimers());
    const waitForTicks = async (): Promise<void> => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };

    async function startRecordingBus() {
      const batches: string[][] = [];
      const handler: BatchHandler = async (messages) => {
        batches.push(toTexts(messages));
        return messages.map(() => OK);
      };
      return { bus: await startBus({ [TOPICS.visitsReceived]: handler }), batches };
    }

    it('waits for more messages from the same clients before starting the next batch', async () => {
      const { bus, batches } = await startRecordingBus();
      await Promise.all(['1', '2'].map((text) => bus.publishEncoded([message(text)])));
      const third = bus.publishEncoded([message('3')]);
      await waitForTicks();
      expect(batches).toEqual([['1', '2']]);
      await Promise.all([third, bus.publishEncoded([message('4')])]);
      expect(batches).toEqual([
        ['1', '2'],
        ['3', '4'],
      ]);
    });

    it("starts the next batch if a client doesn't send another message soon", async () => {
      const { bus, batches } = await startRecordingBus();
      await Promise.all(['1', '2'].map((text) => bus.publishEncoded([message(text)])));
      const third = bus.publishEncoded([message('3')]);
      await waitForTicks();
      jest.advanceTimersByTime(10);
      await third;
      expect(batches).toEqual([['1', '2'], ['3']]);
    });

    it('delays small messages while another batch runs', async () => {
      jest.useRealTimers();
      const {
        bus,
        batches,
        end: finishFirstBatch,
      } = await startBusWithRunningBatch({ maxGatheringMs: 20_000, maxBatchBytes: 64 * 1024 });
      jest.useFakeTimers(TIMERS_ONLY);
      const large = bus.publishEncoded([message('2'.repeat(64 * 1024))]);
      const small = bus.publishEncoded([message('3')]);
      await large;
      jest.advanceTimersByTime(10_000);
      await waitForTicks();
      expect(batches).toEqual([['1'], ['2']]);
      await finishFirstBatch();
      jest.advanceTimersByTime(20_000);
      await small;
      expect(batches).toEqual([['1'], ['2'], ['3']]);
    });

    it("doesn't wait for more messages with a single client or after a large message", async () => {
      const { bus, batches } = await startRecordingBus();
      for (const text of ['1', '2']) await bus.publishEncoded([message(text)]);
      await Promise.all(['3', '4'].map((text) => bus.publishEncoded([message(text)])));
      await bus.publishEncoded([message('5'.repeat(64 * 1024))]);
      expect(batches.map(({ length }) => length)).toEqual([1, 1, 2, 1]);
    });
  });

  it('starts another batch after gathering messages for the maximum time', async () => {
    const { bus, batches, end: finishFirstBatch } = await startBusWithRunningBatch({ maxGatheringMs: 1 });
    await bus.publishEncoded([message('2')]);
    expect(batches).toEqual([['1'], ['2']]);
    await finishFirstBatch();
  });

  it('rejects unfinished messages at the deadline', async () => {
    const bus = await startBus({ [TOPICS.visitsReceived]: () => new Promise(() => undefined) }, { timeoutMs: 20 });
    await expect(bus.publishEncoded([message('a')])).rejects.toThrow(BusUnavailableError);
  });

  function createGatedHandler(): { handler: BatchHandler; seen: string[]; open: () => void } {
    const gate = Promise.withResolvers<void>();
    const handledTexts: string[] = [];
    const handler: BatchHandler = async (messages) => {
      handledTexts.push(...toTexts(messages));
      await gate.promise;
      return messages.map(() => OK);
    };
    return { handler, seen: handledTexts, open: gate.resolve };
  }
  const getFailureReason = (published: Promise<void>): Promise<PublishFailure | null> =>
    published.then(
      () => null,
      (error: BusUnavailableError) => error.reason,
    );

  it('never handles messages that it rejected as late', async () => {
    const { handler, seen: handledTexts, open } = createGatedHandler();
    const bus = await startBus({ [TOPICS.visitsReceived]: handler }, { timeoutMs: 1_000, concurrency: 1 });
    const first = bus.publishEncoded([message('running')]);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const late = Array.from({ length: 5 }, (_, index) => bus.publishEncoded([message(`late ${index}`)]));
    expect(await Promise.all(late.map(getFailureReason))).toEqual(late.map(() => 'late'));
    // A handler that is still running may store its messages after the deadline, so they fail for a different reason.
    expect(await getFailureReason(first)).toBe('cut_off');
    open();
    await bus.publishEncoded([message('after')]);
    expect(handledTexts).toEqual(['running', 'after']);
  });

  it('rejects the entire publication if a nested publication is late', async () => {
    const storageHandler = createGatedHandler();
    const bus = await startBus(
      {
        [TOPICS.visitsReceived]: async (messages, context) => {
          const enriched = toTexts(messages).map((text) => message(text, TOPICS.visitsEnriched));
          await bus.publish(createRawTopic(TOPICS.visitsEnriched), enriched, context);
          return messages.map(() => OK);
        },
        [TOPICS.visitsEnriched]: storageHandler.handler,
      },
      { timeoutMs: 1_000, concurrency: 1 },
    );
    const first = getFailureReason(bus.publishEncoded([message('cut off')]));
    await until(() => storageHandler.seen.length > 0, { condition: 'the first message is being stored' });
    // The outer handler is free again, but the inner one is still busy.
    expect(await first).toBe('cut_off');
    expect(await getFailureReason(bus.publishEncoded([message('late')]))).toBe('late');
    storageHandler.open();
    await bus.publishEncoded([message('after')]);
    expect(storageHandler.seen).toEqual(['cut off', 'after']);
  });

  it('rejects handled messages with "cut_off" if their dead letters are late or the queue is full', async () => {
    const letterHandler = createGatedHandler();
    let handled = 0;
    const bus = await startBus(
      {
        [TOPICS.visitsReceived]: async (messages) => {
          handled += messages.length;
          return messages.map(() => ({ kind: 'dead-letter', reason: 'malformed_message', detail: '', step: 'test' }));
        },
        [TOPICS.visitsDeadLetter]: letterHandler.handler,
      },
      { timeoutMs: 1_000, concurrency: 1, maxQueuedBytes: 10 },
    );
    const blockingPublications = getFailureReason(bus.publishEncoded([message('1', TOPICS.visitsDeadLetter)]));
    await until(() => letterHandler.seen.length > 0, { condition: 'the dead letter handler is busy' });
    expect(await getFailureReason(bus.publishEncoded([message('{')]))).toBe('cut_off');
    expect(await getFailureReason(bus.publishEncoded([message('{'.repeat(20))]))).toBe('cut_off');
    expect(handled).toBe(2);
    expect([await blockingPublications, letterHandler.seen]).toEqual(['cut_off', ['1']]);
    letterHandler.open();
  });

  it("doesn't handle the rest of a publication once one part is rejected", async () => {
    const { handler, seen: handledTexts, open } = createGatedHandler();
    const letterHandler = createGatedHandler();
    const bus = await startBus(
      { [TOPICS.visitsReceived]: handler, [TOPICS.visitsDeadLetter]: letterHandler.handler },
      { concurrency: 1, maxQueuedBytes: 10 },
    );
    const blockingPublications = [
      getFailureReason(bus.publishEncoded([message('1234567')])),
      getFailureReason(bus.publishEncoded([message('12345678', TOPICS.visitsDeadLetter)])),
    ];
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const mixedPublication = bus.publishEncoded([message('mine'), message('mine', TOPICS.visitsDeadLetter)]);
    expect(await getFailureReason(mixedPublication)).toBe('queue_full');
    open();
    letterHandler.open();
    expect(await Promise.all(blockingPublications)).toEqual([null, null]);
    expect([handledTexts, letterHandler.seen]).toEqual([['1234567'], ['12345678']]);
  });

  it('resumes handling messages after a slow batch', async () => {
    const releaseSlowHandler = Promise.withResolvers<void>();
    const bus = await startBus(
      {
        [TOPICS.visitsReceived]: async (messages) => {
          await releaseSlowHandler.promise;
          return messages.map(() => OK);
        },
      },
      { timeoutMs: 1_000, concurrency: 1 },
    );
    expect(await getFailureReason(bus.publishEncoded([message('slow')]))).toBe('cut_off');
    releaseSlowHandler.resolve();
    await until(async () => (await getFailureReason(bus.publishEncoded([message('fast')]))) === null, {
      condition: 'the bus handles messages again',
    });
  });

  it('rejects messages immediately while the queue is full', async () => {
    const bus = await startBus(
      { [TOPICS.visitsReceived]: () => new Promise(() => undefined) },
      { timeoutMs: 50, maxQueuedBytes: 10 },
    );
    const first = bus.publishEncoded([message('12345678')]);
    await expect(bus.publishEncoded([message('123')])).rejects.toThrow('the queue is full');
    await expect(first).rejects.toThrow('deadline');
  });

  it('rejects all messages during an outage without retrying', async () => {
    let calls = 0;
    const bus = await startBus({
      [TOPICS.visitsReceived]: async () => {
        calls += 1;
        throw new TransientError('database unavailable');
      },
    });
    const settled = await Promise.allSettled([bus.publishEncoded([message('a')]), bus.publishEncoded([message('b')])]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toBeLessThanOrEqual(2);
  });

  it('rejects only the publication that triggers a handler bug', async () => {
    const bus = await startBus({
      [TOPICS.visitsReceived]: async (messages) => {
        if (toTexts(messages).includes('poison')) throw new Error('a bug');
        return messages.map(() => OK);
      },
    });
    const settled = await Promise.allSettled(['a', 'poison', 'b'].map((value) => bus.publishEncoded([message(value)])));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('publishes rejected messages as dead letters with their bytes, key, headers and reason', async () => {
    const letterHandler: ReceivedMessage[] = [];
    const bus = await startBus({
      [TOPICS.visitsReceived]: async (messages) =>
        messages.map(() => ({ kind: 'dead-letter', reason: 'malformed_message', detail: 'broken', step: 'test' })),
      [TOPICS.visitsDeadLetter]: async (messages) => {
        letterHandler.push(...messages);
        return messages.map(() => OK);
      },
    });
    await bus.publishEncoded([{ ...message('{'), key: 'k', headers: { project_id: 'p', batch_id: 'b' } }]);
    expect(letterHandler).toHaveLength(1);
    expect(letterHandler[0]).toMatchObject({
      key: 'k',
      value: Buffer.from('{'),
      reason: 'malformed_message',
      detail: 'broken',
      step: 'test',
      topic: TOPICS.visitsReceived,
      projectId: 'p',
      headers: { project_id: 'p', batch_id: 'b' },
    });
  });

  /** Starts a bus that rejects `{` and part of `mixed`. Records handled values and dead letters. */
  async function startRejectingBus() {
    const [values, letterHandler]: [string[], unknown[]] = [[], []];
    const bus = new InProcessBus();
    const invalidPart = createDeadLetter(message('part'), {
      reason: 'invalid_visit',
      detail: '',
      step: '',
      projectId: null,
    });
    bus.subscribe({
      topic: {
        ...createRawTopic(TOPICS.visitsReceived),
        decode: (received) => {
          if (received.value.toString() === '{') return toDeadLetter('malformed_message', 'broken', 'test');
          return { ok: true, value: received, deadLetters: received.value.toString() === 'mixed' ? [invalidPart] : [] };
        },
      },
      group: 'test',
      handler: async (messages) => {
        values.push(...toTexts(messages));
        return messages.map(() => OK);
      },
    });
    bus.subscribe({ topic: createRawTopic(TOPICS.visitsEnriched), group: 'test', handler: acceptAll });
    bus.subscribe({
      topic: DEAD_LETTERS,
      group: 'test',
      handler: async (received) => {
        letterHandler.push(...received);
        return received.map(() => OK);
      },
    });
    await bus.start();
    return { bus, part: invalidPart, values, letters: letterHandler };
  }

  it('publishes undecodable messages and parts as dead letters instead of handling them', async () => {
    const { bus, part: invalidPart, values, letters: letterHandler } = await startRejectingBus();
    await bus.publishEncoded(['mixed', '{', 'b'].map((text) => message(text)));
    expect(values).toEqual(['mixed', 'b']);
    expect(letterHandler).toEqual([
      invalidPart,
      expect.objectContaining({ value: Buffer.from('{'), reason: 'malformed_message' }),
    ]);
  });

  it("doesn't call the handler again if only publishing dead letters failed", async () => {
    const delivery = new EncodedDelivery(createRawTopic(TOPICS.visitsReceived), message('{'));
    const letterHandler: unknown[] = [];
    const handled: string[] = [];
    let failures = 1;
    const queue = new HandlerQueue(
      {
        topic: createRawTopic(TOPICS.visitsReceived),
        group: 'test',
        handler: async (messages: readonly ReceivedMessage[]) => {
          handled.push(...toTexts(messages));
          return messages.map(() => ({ kind: 'dead-letter', reason: 'malformed_message', detail: '', step: 'test' }));
        },
      },
      {
        maxBatchMessages: 100,
        maxBatchBytes: 1e6,
        concurrency: 1,
        maxGatheringMs: 1,
        waitsForFollowUps: false,
        publish: async (publishedLetters) => {
          failures -= 1;
          if (failures >= 0) throw new BusUnavailableError('queue unavailable');
          letterHandler.push(...publishedLetters);
        },
      },
    );
    await expect(queue.add([delivery]).done).rejects.toThrow('only partly processed');
    await queue.add([delivery]).done;
    expect(handled).toEqual(['{']);
    expect(letterHandler).toHaveLength(1);
  });

  it("rejects the publication if its dead letter can't be stored", async () => {
    const bus = await startBus({
      [TOPICS.visitsReceived]: async (messages) =>
        messages.map(() => ({ kind: 'dead-letter', reason: 'malformed_message', detail: '', step: 'test' })),
      [TOPICS.visitsDeadLetter]: async () => {
        throw new TransientError('database unavailable');
      },
    });
    await expect(bus.publishEncoded([message('{')])).rejects.toThrow(BusUnavailableError);
  });

  it("rejects a group's second handler and topics without a handler", async () => {
    const bus = new InProcessBus();
    const subscription = { topic: createRawTopic(TOPICS.visitsReceived), group: 'g', handler: acceptAll };
    bus.subscribe(subscription);
    expect(() => bus.subscribe(subscription)).toThrow('already has a handler');
    await expect(bus.start()).rejects.toThrow('has no handler');
  });

  it('finishes running handlers on close but rejects new messages', async () => {
    const gate = Promise.withResolvers<void>();
    const bus = await startBus({
      [TOPICS.visitsReceived]: async (messages) => {
        await gate.promise;
        // Handlers can still publish while the bus is closing.
        await bus.publishEncoded([message('b', TOPICS.visitsEnriched)]);
        return messages.map(() => OK);
      },
    });
    const published = bus.publishEncoded([message('a')]);
    const closed = bus.close();
    gate.resolve();
    await published;
    await closed;
    await expect(bus.publishEncoded([message('c')])).rejects.toThrow('closed');
    expect(bus.getFault()).toBe('closing');
  });
});
