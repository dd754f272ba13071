import type { BusMessage } from './bus.js';
import { JsonMessage, readJson, valueBytes } from './json-message.js';

const json = { path: '/é', nested: { list: [1, null, '\u2028'] } };
const bytes = Buffer.from(JSON.stringify(json));
const address = { topic: 'visits.enriched.v1', key: 'k', headers: { a: 'b' } };

describe('JsonMessage', () => {
  it('is to every consumer what its bytes are', () => {
    const within = new JsonMessage({ ...address, json, bytes: bytes.length });
    const across: BusMessage = { ...address, value: bytes };
    expect(within.value).toEqual(bytes);
    expect(within).toMatchObject(address);
    expect(valueBytes(within)).toBe(valueBytes(across));
    expect(readJson(within)).toEqual(json);
    expect(readJson(across)).toEqual(json);
  });

  it('hands over what it was made of, without reading it again', () => {
    expect(readJson(new JsonMessage({ ...address, json, bytes: 0 }))).toBe(json);
  });
});

describe('readJson', () => {
  it('reads the text as it is corrected', () => {
    const correct = (found: string): string => found.replace('path', 'page');
    expect(readJson({ ...address, value: bytes }, correct)).toMatchObject({ page: '/é' });
  });

  it('throws for what is not JSON', () => {
    expect(() => readJson({ ...address, value: Buffer.from('{') })).toThrow(SyntaxError);
  });
});
