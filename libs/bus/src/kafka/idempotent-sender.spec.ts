import type { Producer, ProducerRecord } from 'kafkajs';
import { IdempotentSender } from './idempotent-sender.js';

const RECORD: ProducerRecord = { topic: 'visits.received.v1', messages: [] };

/** Senders whose producers do what is next in the lists. */
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

it('connects with the first send, and keeps its producer', async () => {
  const { sender, events } = withProducers([], []);
  expect(events).toEqual([]);
  await sender.send(RECORD);
  await sender.send(RECORD);
  await sender.disconnect();
  expect(events).toEqual(['connect 1', 'send 1', 'send 1', 'disconnect 1']);
});

it('gets another producer after a send failed, whose numbers brokers may have seen', async () => {
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

it('gets another producer after it could not connect', async () => {
  const { sender, events } = withProducers([new Error('no broker')], []);
  await expect(sender.send(RECORD)).rejects.toThrow('no broker');
  await sender.send(RECORD);
  expect(events).toEqual(['connect 1', 'disconnect 1', 'connect 2', 'send 2']);
});
