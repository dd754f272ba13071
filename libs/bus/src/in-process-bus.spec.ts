import { jest } from '@jest/globals';
import { TOPICS, type TopicName } from '#libs/contracts';
import { BusUnavailableError, TransientError, type PublishFailure, type Subscription } from './bus.js';
import { deadLetter } from './dead-letter.js';
import type { EncodedMessage, ReceivedMessage } from './message.js';
import { EncodedDelivery } from './delivery.js';
import { HandlerQueue } from './handler-queue.js';
import { OK, refused, type Outcome } from './outcome.js';
import type { Topic } from './topic.js';
import { DEAD_LETTERS } from './topics/dead-letters.js';
import { rawTopic } from '../../../test/kit/raw-topic.js';
import { until } from '../../../test/kit/instance.js';
import { InProcessBus, type InProcessBusOptions } from './in-process-bus.js';

type BatchHandler = Subscription<ReceivedMessage>['handler'];

const message = (value: string, topic: string = TOPICS.visitsReceived): EncodedMessage => ({
  topic,
  key: null,
  value: Buffer.from(value),
  headers: {},
});
const texts = (messages: readonly ReceivedMessage[]): string[] => messages.map(({ value }) => value.toString());
const accept: BatchHandler = async (messages) => messages.map(() => OK);

const topicOf = (name: TopicName) =>
  (name === TOPICS.visitsDeadLetter ? DEAD_LETTERS : rawTopic(name)) as Topic<ReceivedMessage>;

async function startBus(handlers: Partial<Record<string, BatchHandler>>, options: InProcessBusOptions = {}) {
  const bus = new InProcessBus(options);
  for (const topic of Object.values(TOPICS))
    bus.subscribe({ topic: topicOf(topic), group: 'test', handler: handlers[topic] ?? accept });
  await bus.start();
  return bus;
}

describe('InProcessBus', () => {
  it('resolves once every group has handled the message', async () => {
    const seen: string[] = [];
    const bus = await startBus({});
    const slow = Promise.withResolvers<void>();
    bus.subscribe({
      topic: rawTopic(TOPICS.visitsReceived),
      group: 'other',
      handler: async (messages) => {
        await slow.promise;
        seen.push(...texts(messages));
        return messages.map(() => OK);
      },
    });
    const published = bus.publishEncoded([message('a')]);
    slow.resolve();
    await published;
    expect(seen).toEqual(['a']);
  });

  it('reports whether messages are being handled', async () => {
    const slow = Promise.withResolvers<readonly Outcome[]>();
    const bus = await startBus({ [TOPICS.visitsReceived]: () => slow.promise });
    expect(bus.isHandling).toBe(false);
    const published = bus.publishEncoded([message('a')]);
    expect(bus.isHandling).toBe(true);
    slow.resolve([OK]);
    await published;
    expect(bus.isHandling).toBe(false);
  });

  it('gathers messages while the handler is busy', async () => {
    const batches: string[][] = [];
    const first = Promise.withResolvers<void>();
    const bus = await startBus(
      {
        [TOPICS.visitsReceived]: async (messages) => {
          batches.push(texts(messages));
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

  /** Starts a bus whose first batch, `1`, runs until `end` is called. */
  async function withBatchUnderWay(options: InProcessBusOptions) {
    const batches: string[][] = [];
    const gate = Promise.withResolvers<void>();
    const bus = await startBus(
      {
        [TOPICS.visitsReceived]: async (messages) => {
          batches.push(texts(messages).map((text) => text.slice(0, 1)));
          if (batches.length === 1) await gate.promise;
          return messages.map(() => OK);
        },
      },
      { timeoutMs: 60_000, ...options },
    );
    const first = bus.publishEncoded([message('1')]);
    await until(() => batches.length === 1, { what: 'the first batch is under way' });
    const end = async (): Promise<void> => {
      gate.resolve();
      await first;
    };
    return { bus, batches, end };
  }

  it('gathers small messages while a batch runs, until a large one starts another batch', async () => {
    const { bus, batches, end } = await withBatchUnderWay({ maxGatheringMs: 20_000 });
    const small = ['2', '3'].map((text) => bus.publishEncoded([message(text)]));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(batches).toEqual([['1']]);
    const large = bus.publishEncoded([message('4'.repeat(64 * 1024))]);
    await Promise.all([...small, large]);
    expect(batches).toEqual([['1'], ['2', '3', '4']]);
    await end();
  });

  describe('after a batch', () => {
    // Time stands still unless a test advances it.
    const ONLY_TIMERS: Parameters<typeof jest.useFakeTimers>[0] = {
      doNotFake: ['setImmediate', 'performance', 'nextTick', 'queueMicrotask'],
    };
    beforeEach(() => jest.useFakeTimers(ONLY_TIMERS));
    afterEach(() => jest.useRealTimers());
    const someTurns = async (): Promise<void> => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };

    async function withBatches() {
      const batches: string[][] = [];
      const handler: BatchHandler = async (messages) => {
        batches.push(texts(messages));
        return messages.map(() => OK);
      };
      return { bus: await startBus({ [TOPICS.visitsReceived]: handler }), batches };
    }

    it('waits for the next messages of the same clients', async () => {
      const { bus, batches } = await withBatches();
      await Promise.all(['1', '2'].map((text) => bus.publishEncoded([message(text)])));
      const third = bus.publishEncoded([message('3')]);
      await someTurns();
      expect(batches).toEqual([['1', '2']]);
      await Promise.all([third, bus.publishEncoded([message('4')])]);
      expect(batches).toEqual([
        ['1', '2'],
        ['3', '4'],
      ]);
    });

    it('starts the next batch if a client does not send again soon', async () => {
      const { bus, batches } = await withBatches();
      await Promise.all(['1', '2'].map((text) => bus.publishEncoded([message(text)])));
      const third = bus.publishEncoded([message('3')]);
      await someTurns();
      jest.advanceTimersByTime(10);
      await third;
      expect(batches).toEqual([['1', '2'], ['3']]);
    });

    it('delays small messages while another batch runs', async () => {
      jest.useRealTimers();
      const { bus, batches, end } = await withBatchUnderWay({ maxGatheringMs: 20_000, maxBatchBytes: 64 * 1024 });
      jest.useFakeTimers(ONLY_TIMERS);
      const large = bus.publishEncoded([message('2'.repeat(64 * 1024))]);
      const small = bus.publishEncoded([message('3')]);
      await large;
      jest.advanceTimersByTime(10_000);
      await someTurns();
      expect(batches).toEqual([['1'], ['2']]);
      await end();
      jest.advanceTimersByTime(20_000);
      await small;
      expect(batches).toEqual([['1'], ['2'], ['3']]);
    });

    it('does not wait if there is only one client or the message is large', async () => {
      const { bus, batches } = await withBatches();
      for (const text of ['1', '2']) await bus.publishEncoded([message(text)]);
      await Promise.all(['3', '4'].map((text) => bus.publishEncoded([message(text)])));
      await bus.publishEncoded([message('5'.repeat(64 * 1024))]);
      expect(batches.map(({ length }) => length)).toEqual([1, 1, 2, 1]);
    });
  });

  it('starts another batch after the maximum gathering time', async () => {
    const { bus, batches, end } = await withBatchUnderWay({ maxGatheringMs: 1 });
    await bus.publishEncoded([message('2')]);
    expect(batches).toEqual([['1'], ['2']]);
    await end();
  });

  it('rejects messages at the deadline', async () => {
    const bus = await startBus({ [TOPICS.visitsReceived]: () => new Promise(() => undefined) }, { timeoutMs: 20 });
    await expect(bus.publishEncoded([message('a')])).rejects.toThrow(BusUnavailableError);
  });

  function gated(): { handler: BatchHandler; seen: string[]; open: () => void } {
    const gate = Promise.withResolvers<void>();
    const seen: string[] = [];
    const handler: BatchHandler = async (messages) => {
      seen.push(...texts(messages));
      await gate.promise;
      return messages.map(() => OK);
    };
    return { handler, seen, open: gate.resolve };
  }
  const reasonOf = (published: Promise<void>): Promise<PublishFailure | null> =>
    published.then(
      () => null,
      (error: BusUnavailableError) => error.reason,
    );

  it('never handles messages it rejected as late', async () => {
    const { handler, seen, open } = gated();
    const bus = await startBus({ [TOPICS.visitsReceived]: handler }, { timeoutMs: 1_000, concurrency: 1 });
    const first = bus.publishEncoded([message('under way')]);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const late = Array.from({ length: 5 }, (_, index) => bus.publishEncoded([message(`late ${index}`)]));
    expect(await Promise.all(late.map(reasonOf))).toEqual(late.map(() => 'late'));
    // A running handler may still store its messages after the deadline, so they are reported differently.
    expect(await reasonOf(first)).toBe('cut_off');
    open();
    await bus.publishEncoded([message('after')]);
    expect(seen).toEqual(['under way', 'after']);
  });

  it('rejects the entire publication if a nested publication is late', async () => {
    const stored = gated();
    const bus = await startBus(
      {
        [TOPICS.visitsReceived]: async (messages, context) => {
          const enriched = texts(messages).map((text) => message(text, TOPICS.visitsEnriched));
          await bus.publish(rawTopic(TOPICS.visitsEnriched), enriched, context);
          return messages.map(() => OK);
        },
        [TOPICS.visitsEnriched]: stored.handler,
      },
      { timeoutMs: 1_000, concurrency: 1 },
    );
    const first = reasonOf(bus.publishEncoded([message('cut off')]));
    await until(() => stored.seen.length > 0, { what: 'the first one is being stored' });
    // The outer handler is free again, but the inner one is still busy.
    expect(await first).toBe('cut_off');
    expect(await reasonOf(bus.publishEncoded([message('late')]))).toBe('late');
    stored.open();
    await bus.publishEncoded([message('after')]);
    expect(stored.seen).toEqual(['cut off', 'after']);
  });

  it('rejects handled messages as cut off if their dead letters are late or the queue is full', async () => {
    const letters = gated();
    let handled = 0;
    const bus = await startBus(
      {
        [TOPICS.visitsReceived]: async (messages) => {
          handled += messages.length;
          return messages.map(() => ({ kind: 'dead-letter', reason: 'malformed_message', detail: '', step: 'test' }));
        },
        [TOPICS.visitsDeadLetter]: letters.handler,
      },
      { timeoutMs: 1_000, concurrency: 1, maxQueuedBytes: 10 },
    );
    const holding = reasonOf(bus.publishEncoded([message('1', TOPICS.visitsDeadLetter)]));
    await until(() => letters.seen.length > 0, { what: 'the handler of dead letters is busy' });
    expect(await reasonOf(bus.publishEncoded([message('{')]))).toBe('cut_off');
    expect(await reasonOf(bus.publishEncoded([message('{'.repeat(20))]))).toBe('cut_off');
    expect(handled).toBe(2);
    expect([await holding, letters.seen]).toEqual(['cut_off', ['1']]);
    letters.open();
  });

  it('handles no other part of a publication once one part is rejected', async () => {
    const { handler, seen, open } = gated();
    const letters = gated();
    const bus = await startBus(
      { [TOPICS.visitsReceived]: handler, [TOPICS.visitsDeadLetter]: letters.handler },
      { concurrency: 1, maxQueuedBytes: 10 },
    );
    const holding = [
      reasonOf(bus.publishEncoded([message('1234567')])),
      reasonOf(bus.publishEncoded([message('12345678', TOPICS.visitsDeadLetter)])),
    ];
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const both = bus.publishEncoded([message('mine'), message('mine', TOPICS.visitsDeadLetter)]);
    expect(await reasonOf(both)).toBe('queue_full');
    open();
    letters.open();
    expect(await Promise.all(holding)).toEqual([null, null]);
    expect([seen, letters.seen]).toEqual([['1234567'], ['12345678']]);
  });

  it('resumes after a slow batch', async () => {
    const slow = Promise.withResolvers<void>();
    const bus = await startBus(
      {
        [TOPICS.visitsReceived]: async (messages) => {
          await slow.promise;
          return messages.map(() => OK);
        },
      },
      { timeoutMs: 1_000, concurrency: 1 },
    );
    expect(await reasonOf(bus.publishEncoded([message('slow')]))).toBe('cut_off');
    slow.resolve();
    await until(async () => (await reasonOf(bus.publishEncoded([message('fast')]))) === null, { what: 'it goes on' });
  });

  it('rejects messages immediately if the queue is full', async () => {
    const bus = await startBus(
      { [TOPICS.visitsReceived]: () => new Promise(() => undefined) },
      { timeoutMs: 50, maxQueuedBytes: 10 },
    );
    const first = bus.publishEncoded([message('12345678')]);
    await expect(bus.publishEncoded([message('123')])).rejects.toThrow('too much is waiting');
    await expect(first).rejects.toThrow('deadline');
  });

  it('rejects all messages during an outage, without a retry', async () => {
    let calls = 0;
    const bus = await startBus({
      [TOPICS.visitsReceived]: async () => {
        calls += 1;
        throw new TransientError('away');
      },
    });
    const settled = await Promise.allSettled([bus.publishEncoded([message('a')]), bus.publishEncoded([message('b')])]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toBeLessThanOrEqual(2);
  });

  it('rejects only the publication that triggers a bug in the handler', async () => {
    const bus = await startBus({
      [TOPICS.visitsReceived]: async (messages) => {
        if (texts(messages).includes('poison')) throw new Error('a bug');
        return messages.map(() => OK);
      },
    });
    const settled = await Promise.allSettled(['a', 'poison', 'b'].map((value) => bus.publishEncoded([message(value)])));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('publishes rejected messages as dead letters with bytes, key, headers and reason', async () => {
    const letters: ReceivedMessage[] = [];
    const bus = await startBus({
      [TOPICS.visitsReceived]: async (messages) =>
        messages.map(() => ({ kind: 'dead-letter', reason: 'malformed_message', detail: 'broken', step: 'test' })),
      [TOPICS.visitsDeadLetter]: async (messages) => {
        letters.push(...messages);
        return messages.map(() => OK);
      },
    });
    await bus.publishEncoded([{ ...message('{'), key: 'k', headers: { project_id: 'p', batch_id: 'b' } }]);
    expect(letters).toHaveLength(1);
    expect(letters[0]).toMatchObject({
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

  /** Starts a bus that rejects `{` and a part of `mixed`. Records handled values and dead letters. */
  async function withRejections() {
    const [values, letters]: [string[], unknown[]] = [[], []];
    const bus = new InProcessBus();
    const part = deadLetter(message('part'), { reason: 'invalid_visit', detail: '', step: '', projectId: null });
    bus.subscribe({
      topic: {
        ...rawTopic(TOPICS.visitsReceived),
        decode: (received) => {
          if (received.value.toString() === '{') return refused('malformed_message', 'broken', 'test');
          return { ok: true, value: received, deadLetters: received.value.toString() === 'mixed' ? [part] : [] };
        },
      },
      group: 'test',
      handler: async (messages) => {
        values.push(...texts(messages));
        return messages.map(() => OK);
      },
    });
    bus.subscribe({ topic: rawTopic(TOPICS.visitsEnriched), group: 'test', handler: accept });
    bus.subscribe({
      topic: DEAD_LETTERS,
      group: 'test',
      handler: async (received) => {
        letters.push(...received);
        return received.map(() => OK);
      },
    });
    await bus.start();
    return { bus, part, values, letters };
  }

  it('sends undecodable messages and parts to the dead letters instead of the handler', async () => {
    const { bus, part, values, letters } = await withRejections();
    await bus.publishEncoded(['mixed', '{', 'b'].map((text) => message(text)));
    expect(values).toEqual(['mixed', 'b']);
    expect(letters).toEqual([part, expect.objectContaining({ value: Buffer.from('{'), reason: 'malformed_message' })]);
  });

  it('does not call the handler again if only dead letters failed', async () => {
    const delivery = new EncodedDelivery(rawTopic(TOPICS.visitsReceived), message('{'));
    const letters: unknown[] = [];
    const handled: string[] = [];
    let failures = 1;
    const queue = new HandlerQueue(
      {
        topic: rawTopic(TOPICS.visitsReceived),
        group: 'test',
        handler: async (messages: readonly ReceivedMessage[]) => {
          handled.push(...texts(messages));
          return messages.map(() => ({ kind: 'dead-letter', reason: 'malformed_message', detail: '', step: 'test' }));
        },
      },
      {
        maxBatchMessages: 100,
        maxBatchBytes: 1e6,
        concurrency: 1,
        maxGatheringMs: 1,
        waitsForNext: false,
        publish: async (found) => {
          failures -= 1;
          if (failures >= 0) throw new BusUnavailableError('away');
          letters.push(...found);
        },
      },
    );
    await expect(queue.add([delivery]).done).rejects.toThrow('not to the end');
    await queue.add([delivery]).done;
    expect(handled).toEqual(['{']);
    expect(letters).toHaveLength(1);
  });

  it('rejects the publication if its dead letter cannot be stored', async () => {
    const bus = await startBus({
      [TOPICS.visitsReceived]: async (messages) =>
        messages.map(() => ({ kind: 'dead-letter', reason: 'malformed_message', detail: '', step: 'test' })),
      [TOPICS.visitsDeadLetter]: async () => {
        throw new TransientError('away');
      },
    });
    await expect(bus.publishEncoded([message('{')])).rejects.toThrow(BusUnavailableError);
  });

  it('rejects a second handler of a group, and a start without a handler for a topic', async () => {
    const bus = new InProcessBus();
    const subscription = { topic: rawTopic(TOPICS.visitsReceived), group: 'g', handler: accept };
    bus.subscribe(subscription);
    expect(() => bus.subscribe(subscription)).toThrow('two handlers');
    await expect(bus.start()).rejects.toThrow('nobody handles');
  });

  it('finishes running handlers on close and rejects new messages', async () => {
    const gate = Promise.withResolvers<void>();
    const bus = await startBus({
      [TOPICS.visitsReceived]: async (messages) => {
        await gate.promise;
        // Handlers can still publish while the bus closes.
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
    expect(bus.fault()).toBe('closing');
  });
});
