import { jest } from '@jest/globals';
import { TOPICS } from '#libs/contracts';
import type { ProducerRecord } from 'kafkajs';
import type { EncodedMessage } from '../message.js';
import { Publisher } from './publisher.js';

const message = (text: string): EncodedMessage => ({
  topic: TOPICS.visitsReceived,
  key: null,
  value: Buffer.from(text),
  headers: {},
});

/** Creates a publisher whose sends stay in flight until the test acknowledges them. */
function withSends() {
  const sends: { texts: string[]; acknowledge: () => void }[] = [];
  const send = ({ messages }: ProducerRecord): Promise<[]> =>
    new Promise((resolve) => {
      const texts = messages.map(({ value }) => value!.toString().slice(0, 1));
      sends.push({ texts, acknowledge: () => resolve([]) });
    });
  return { publisher: new Publisher(() => ({ send }), TOPICS.visitsReceived, { sendsAtOnce: 2 }), sends };
}

const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Installs fake timers, so a slow machine doesn't fire any. */
const useFakeTimers = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
afterEach(() => jest.useRealTimers());

const textsOf = (sends: readonly { texts: string[] }[]): string[][] => sends.map(({ texts }) => texts);

it('sends a small batch once the in-flight send is acknowledged', async () => {
  useFakeTimers();
  const { publisher, sends } = withSends();
  const published = [publisher.publish([message('1')])];
  await someTurns();
  published.push(publisher.publish([message('2')]), publisher.publish([message('3')]));
  await someTurns();
  expect(textsOf(sends)).toEqual([['1']]);
  sends[0]!.acknowledge();
  await someTurns();
  expect(textsOf(sends)).toEqual([['1'], ['2', '3']]);
  sends[1]!.acknowledge();
  await Promise.all(published);
});

it.each(['acknowledged', 'rejected'])(
  'clears its timers once all messages are %s, so a command can exit',
  async (outcome) => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const send = () => (outcome === 'rejected' ? Promise.reject(new Error('away')) : Promise.resolve([]));
    const publisher = new Publisher(() => ({ send: send as never }), TOPICS.visitsReceived, { timeoutMs: 30_000 });
    const published = publisher.publish([message('1'), message('2')]).catch(() => undefined);
    expect(timers()).toBeGreaterThan(before);
    await published;
    await someTurns();
    expect(timers()).toBe(before);
  },
);

it('starts a second send for a large batch, or after a short delay', async () => {
  useFakeTimers();
  const { publisher, sends } = withSends();
  const published = [publisher.publish([message('1')])];
  await someTurns();
  published.push(publisher.publish([message('2'.repeat(64 * 1024))]));
  await someTurns();
  expect(textsOf(sends)).toEqual([['1'], ['2']]);
  sends[1]!.acknowledge();
  await published[1];
  // Wait until its sender is idle again.
  await someTurns();
  published.push(publisher.publish([message('3')]));
  await someTurns();
  expect(textsOf(sends)).toEqual([['1'], ['2']]);
  jest.advanceTimersByTime(5);
  await someTurns();
  expect(textsOf(sends)).toEqual([['1'], ['2'], ['3']]);
  sends[2]!.acknowledge();
  sends[0]!.acknowledge();
  await Promise.all(published);
});

it('rejects unacknowledged messages on time even if the wall clock is set back', async () => {
  const send = () => new Promise<never>(() => undefined);
  const publisher = new Publisher(() => ({ send }), TOPICS.visitsReceived, { timeoutMs: 20 });
  const published = publisher.publish([message('1')]);
  const anHourAgo = Date.now() - 3_600_000;
  jest.spyOn(Date, 'now').mockReturnValue(anHourAgo);
  await expect(published).rejects.toThrow('not acknowledged within 20 ms');
  jest.restoreAllMocks();
});

it('sends nothing while a send is unresolved, and drops messages that timed out', async () => {
  useFakeTimers();
  const sends: { texts: string[]; acknowledge: () => void }[] = [];
  const send = ({ messages }: ProducerRecord): Promise<[]> =>
    new Promise((resolve) => {
      sends.push({ texts: messages.map(({ value }) => value!.toString()), acknowledge: () => resolve([]) });
    });
  const publisher = new Publisher(() => ({ send }), TOPICS.visitsReceived, { timeoutMs: 20 });
  for (const text of ['1', '2', '3']) {
    const published = publisher.publish([message(text)]);
    await someTurns();
    jest.advanceTimersByTime(20);
    await expect(published).rejects.toThrow('not acknowledged within 20 ms');
  }
  expect(textsOf(sends)).toEqual([['1']]);
  sends[0]!.acknowledge();
  const published = publisher.publish([message('4')]);
  await someTurns();
  expect(textsOf(sends)).toEqual([['1'], ['4']]);
  expect(publisher.bytes).toBeLessThan(1_000);
  sends[1]!.acknowledge();
  await published;
});

it('rejects a message that is too large for its topic and sends the others', async () => {
  const send = async ({ messages }: ProducerRecord): Promise<[]> => {
    if (messages.some(({ value }) => value!.length > 10))
      throw Object.assign(new Error('no'), { type: 'MESSAGE_TOO_LARGE' });
    return [];
  };
  const publisher = new Publisher(() => ({ send }), TOPICS.visitsReceived);
  const published = ['1', '2'.repeat(11), '3'].map((text) => publisher.publish([message(text)]));
  expect(await Promise.allSettled(published)).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { reason: 'too_large' } },
    { status: 'fulfilled' },
  ]);
});
