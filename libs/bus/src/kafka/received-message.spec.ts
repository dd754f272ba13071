import type { KafkaMessage } from 'kafkajs';
import { toReceivedMessage } from './received-message.js';

it('toReceivedMessage uses the last value of a repeated header and skips headers without a value', () => {
  const headers = { one: Buffer.from('1'), many: [Buffer.from('2'), Buffer.from('3')], none: null };
  const message = { offset: '7', key: null, value: null, headers } as unknown as KafkaMessage;
  const { topic, partition, offset, key, value, headers: decodedHeaders } = toReceivedMessage('visits', 3, message);
  expect({ topic, partition, offset, key, value, headers: decodedHeaders }).toEqual({
    topic: 'visits',
    partition: 3,
    offset: '7',
    key: null,
    value: Buffer.alloc(0),
    headers: { one: '1', many: '3' },
  });
});
