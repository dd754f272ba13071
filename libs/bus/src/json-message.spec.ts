import type { BusMessage } from './bus.js';
import { isRead, JsonMessage, ReadMessage, valueBytes } from './json-message.js';

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

describe('ReadMessage', () => {
  const spaced = Buffer.from(JSON.stringify(json, null, 1));
  const newMessage = () => new ReadMessage(address.topic, address.key, address.headers, spaced, json);

  it('is to consumers within the process what was read, and to others its bytes', () => {
    const message = newMessage();
    expect(valueBytes(message)).toBe(spaced.length);
    expect(isRead(message) && message.json).toBe(json);
    expect(message).toMatchObject(address);
    expect(message.value).toBe(spaced);
    expect(isRead({ ...address, value: spaced })).toBe(false);
  });

  it('lets go of what was read once it is sent elsewhere, and reads it again for who still asks', () => {
    const message = newMessage();
    expect(Object.values(message)).toContain(json);
    expect(message.value).toBe(spaced);
    expect(Object.values(message)).not.toContain(json);
    expect(message.json).toEqual(json);
    expect(valueBytes(message)).toBe(spaced.length);
  });
});
