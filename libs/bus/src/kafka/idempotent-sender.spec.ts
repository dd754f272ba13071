import type { Producer, ProducerRecord } from 'kafkajs';
import { IdempotentSender } from './idempotent-sender.js';

const RECORD: ProducerRecord = { topic: 'visits.received.v1', messages: [] };

/** Creates a sender. Each connect or send call consumes the next outcome in its list. */
function createSender(connectOutcomes: (Error | null)[], sendOutcomes: (Error | null)[]) {
  const events: string[] = [];
  const takeOutcome = async (list: (Error | null)[]): Promise<[]> => {
    const error = list.shift() ?? null;
    if (error !== null) throw error;
    return [];
  };
  let count = 0;
  const newProducer = (): Producer => {
    const name = (count += 1);
    const recordEvent = (event: string) => void events.push(`${event} ${name}`);
    return {
      connect: () => (recordEvent('connect'), takeOutcome(connectOutcomes)),
      send: () => (recordEvent('send'), takeOutcome(sendOutcomes)),
      disconnect: async () => recordEvent('disconnect'),
    } as unknown as Producer;
  };
  return { sender: new IdempotentSender(newProducer), events };
}

it('IdempotentSender connects on the first send and reuses its producer', async () => {
  const { sender, events } = createSender([], []);
  expect(events).toEqual([]);
  await sender.send(RECORD);
  await sender.send(RECORD);
  await sender.disconnect();
  expect(events).toEqual(['connect 1', 'send 1', 'send 1', 'disconnect 1']);
});

it('IdempotentSender replaces the producer after a failed send, which brokers may have stored', async () => {
  const { sender, events } = createSender([], [null, new Error('timeout')]);
  await sender.send(RECORD);
  await expect(sender.send(RECORD)).rejects.toThrow('timeout');
  await sender.send(RECORD);
  expect(events.filter((event) => !event.startsWith('disconnect'))).toEqual([
    'connect 1',
    'send 1',
    'send 1',
    'connect 2',
    'send 2',
  ]);
  expect(events).toContain('disconnect 1');
});

it('IdempotentSender replaces the producer after a failed connection', async () => {
  const { sender, events } = createSender([new Error('no broker')], []);
  await expect(sender.send(RECORD)).rejects.toThrow('no broker');
  await sender.send(RECORD);
  expect(events).toEqual(['connect 1', 'disconnect 1', 'connect 2', 'send 2']);
});
