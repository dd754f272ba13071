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

/** Creates a publisher whose sends remain in flight until the test acknowledges them. */
function createPublisher() {
  const sends: { texts: string[]; acknowledge: () => void }[] = [];
  const send = ({ messages }: ProducerRecord): Promise<[]> =>
    new Promise((resolve) => {
      const texts = messages.map(({ value }) => value!.toString().slice(0, 1));
      sends.push({ texts, acknowledge: () => resolve([]) });
    });
  return { publisher: new Publisher(() => ({ send }), TOPICS.visitsReceived, { maxConcurrentSends: 2 }), sends };
}

const waitForTicks = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Installs fake timers, so that real ones can't fire on a slow machine. */
const useFakeTimers = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
afterEach(() => jest.useRealTimers());

const getTexts = (sends: readonly { texts: string[] }[]): string[][] => sends.map(({ texts }) => texts);

it('Publisher sends a small batch once the in-flight send is acknowledged', async () => {
  useFakeTimers();
  const { publisher, sends } = createPublisher();
  const published = [publisher.publish([message('1')])];
  await waitForTicks();
  published.push(publisher.publish([message('2')]), publisher.publish([message('3')]));
  await waitForTicks();
  expect(getTexts(sends)).toEqual([['1']]);
  sends[0]!.acknowledge();
  await waitForTicks();
  expect(getTexts(sends)).toEqual([['1'], ['2', '3']]);
  sends[1]!.acknowledge();
  await Promise.all(published);
});

it.each(['acknowledged', 'rejected'])(
  'Publisher clears its timers once all messages are %s, so a command can exit',
  async (outcome) => {
    const countTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const timersBefore = countTimers();
    const send = () => (outcome === 'rejected' ? Promise.reject(new Error('connection lost')) : Promise.resolve([]));
    const publisher = new Publisher(() => ({ send: send as never }), TOPICS.visitsReceived, { timeoutMs: 30_000 });
    const published = publisher.publish([message('1'), message('2')]).catch(() => undefined);
    expect(countTimers()).toBeGreaterThan(timersBefore);
    await published;
    await waitForTicks();
    expect(countTimers()).toBe(timersBefore);
  },
);

it('Publisher starts a second send for a large batch or after a short delay', async () => {
  useFakeTimers();
  const { publisher, sends } = createPublisher();
  const published = [publisher.publish([message('1')])];
  await waitForTicks();
  published.push(publisher.publish([message('2'.repeat(64 * 1024))]));
  await waitForTicks();
  expect(getTexts(sends)).toEqual([['1'], ['2']]);
  sends[1]!.acknowledge();
  await published[1];
  // Wait until the sender is idle again.
  await waitForTicks();
  published.push(publisher.publish([message('3')]));
  await waitForTicks();
  expect(getTexts(sends)).toEqual([['1'], ['2']]);
  jest.advanceTimersByTime(5);
  await waitForTicks();
  expect(getTexts(sends)).toEqual([['1'], ['2'], ['3']]);
  sends[2]!.acknowledge();
  sends[0]!.acknowledge();
  await Promise.all(published);
});

it('Publisher rejects unacknowledged messages in time even if the system clock is set back', async () => {
  const send = () => new Promise<never>(() => undefined);
  const publisher = new Publisher(() => ({ send }), TOPICS.visitsReceived, { timeoutMs: 20 });
  const published = publisher.publish([message('1')]);
  const anHourAgo = Date.now() - 3_600_000;
  jest.spyOn(Date, 'now').mockReturnValue(anHourAgo);
  await expect(published).rejects.toThrow('not acknowledged within 20 ms');
  jest.restoreAllMocks();
});

it('Publisher waits for an unresolved send and drops messages that timed out', async () => {
  useFakeTimers();
  const sends: { texts: string[]; acknowledge: () => void }[] = [];
  const send = ({ messages }: ProducerRecord): Promise<[]> =>
    new Promise((resolve) => {
      sends.push({ texts: messages.map(({ value }) => value!.toString()), acknowledge: () => resolve([]) });
    });
  const publisher = new Publisher(() => ({ send }), TOPICS.visitsReceived, { timeoutMs: 20 });
  for (const text of ['1', '2', '3']) {
    const published = publisher.publish([message(text)]);
    await waitForTicks();
    jest.advanceTimersByTime(20);
    await expect(published).rejects.toThrow('not acknowledged within 20 ms');
  }
  expect(getTexts(sends)).toEqual([['1']]);
  sends[0]!.acknowledge();
  const published = publisher.publish([message('4')]);
  await waitForTicks();
  expect(getTexts(sends)).toEqual([['1'], ['4']]);
  expect(publisher.bytes).toBeLessThan(1_000);
  sends[1]!.acknowledge();
  await published;
});

it('Publisher rejects a message that is too large for its topic and sends the others', async () => {
  const send = async ({ messages }: ProducerRecord): Promise<[]> => {
    if (messages.some(({ value }) => value!.length > 10))
      throw Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' });
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
