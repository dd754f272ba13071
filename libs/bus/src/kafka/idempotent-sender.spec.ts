import type { Producer, ProducerRecord } from 'kafkajs';
import { IdempotentSender } from './idempotent-sender.js';

const RECORD: ProducerRecord = { topic: 'visits.received.v1', messages: [] };

/** Creates a sender. Each connect or send of its producers takes the next outcome from the list. */
function withProducers(connects: (Error | null)[], sends: (Error | null)[]) {
  const events: string[] = [];
  const next = async (list: (Error | null)[]): Promise<[]> => {
    const error = list.shift() ?? null;
    if (error !== null) throw error;
    return [];
  };
  let count = 0;
  const newProducer = (): Producer => {
    const name = (count += 1);
    const did = (event: string) => void events.push(`${event} ${name}`);
    return {
      connect: () => (did('connect'), next(connects)),
      send: () => (did('send'), next(sends)),
      disconnect: async () => did('disconnect'),
    } as unknown as Producer;
  };
  return { sender: new IdempotentSender(newProducer), events };
}

it('connects on the first send and reuses its producer', async () => {
  const { sender, events } = withProducers([], []);
  expect(events).toEqual([]);
  await sender.send(RECORD);
  await sender.send(RECORD);
  await sender.disconnect();
  expect(events).toEqual(['connect 1', 'send 1', 'send 1', 'disconnect 1']);
});

it('replaces the producer after a failed send, because brokers may have stored its messages', async () => {
  const { sender, events } = withProducers([], [null, new Error('too slow')]);
  await sender.send(RECORD);
  await expect(sender.send(RECORD)).rejects.toThrow('too slow');
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

it('replaces the producer after a failed connection', async () => {
  const { sender, events } = withProducers([new Error('no broker')], []);
  await expect(sender.send(RECORD)).rejects.toThrow('no broker');
  await sender.send(RECORD);
  expect(events).toEqual(['connect 1', 'disconnect 1', 'connect 2', 'send 2']);
});
