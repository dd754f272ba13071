import type { BusMessage } from './bus.js';
import { JsonMessage, valueBytes } from './json-message.js';

const json = { path: '/é', nested: { list: [1, null, '\u2028'] } };
const bytes = Buffer.from(JSON.stringify(json));
const address = { topic: 'visits.enriched.v1', key: 'k', headers: { a: 'b' } };

describe('JsonMessage', () => {
  it('is to every consumer what its bytes are', () => {
    const within = new JsonMessage(address.topic, json, bytes.length, () => address);
    const across: BusMessage = { ...address, value: bytes };
    expect(within.value).toEqual(bytes);
    expect(within).toMatchObject(address);
    expect(valueBytes(within)).toBe(valueBytes(across));
    expect(within.json).toBe(json);
  });

  it('makes its key and headers once', () => {
    const message = new JsonMessage(address.topic, json, 0, () => ({ key: 'k', headers: {} }));
    message.headers['c'] = 'd';
    expect(message).toMatchObject({ key: 'k', headers: { c: 'd' } });
  });
});
