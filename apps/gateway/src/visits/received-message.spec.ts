import { newBatchId, parseIndices, VISIT_LIMITS, type Visit } from '#libs/contracts';
import { undocumented } from '../../../../test/kit/async-api.js';
import {
  boundedItem,
  MAX_MESSAGE_BYTES,
  readMessage,
  receivedMessage,
  refusedMessage,
  remadeMessages,
} from './received-message.js';

const batch = { id: newBatchId(), projectId: '019a0000-0000-7000-8000-000000000000', traceparent: 't' };
const visit = (path: string) => ({ request_path: path, request_method: 'GET', request_headers: {} }) as Visit;

describe('messages of received visits', () => {
  it('passes the bytes on untouched', () => {
    const bytes = Buffer.from(' [ {} ] ');
    const message = receivedMessage(batch, bytes);
    expect(message.value).toBe(bytes);
    expect(message.key).toBe(batch.id);
    expect(message.headers).not.toHaveProperty('indices');
  });

  it('hands on what was read of them', () => {
    const bytes = Buffer.from(' [ {} ] ');
    const body: unknown = JSON.parse(bytes.toString());
    const message = readMessage(batch, bytes, body);
    expect(message).toHaveProperty('json', body);
    const { topic, key, headers, value } = message;
    expect({ topic, key, headers, value }).toEqual(receivedMessage(batch, bytes));
    expect(value).toBe(bytes);
  });

  it('is as the AsyncAPI document says', () => {
    const visits = [{ index: 1, visit: visit('/') }];
    expect(undocumented(receivedMessage(batch, Buffer.from(JSON.stringify(visit('/')))))).toEqual([]);
    expect(remadeMessages(batch, visits).map(undocumented)).toEqual([[]]);
    expect(undocumented(refusedMessage(batch, { index: 0, item: 1, faults: [] }))).toEqual([]);
    expect(undocumented(receivedMessage(batch, Buffer.from('[{}]')))).toHaveLength(1);
  });

  it('divides what is too large, and keeps the places in the array', () => {
    const visits = Array.from({ length: 30 }, (_, place) => ({ index: place * 2, visit: visit('x'.repeat(100_000)) }));
    const messages = remadeMessages(batch, visits);
    expect(messages.length).toBeGreaterThan(3);
    expect(messages.every(({ value }) => value.length <= MAX_MESSAGE_BYTES + 2)).toBe(true);
    const indices = messages.flatMap(({ headers }) => parseIndices(headers['indices']!)!);
    expect(indices).toEqual(visits.map(({ index }) => index));
    const counts = messages.map(({ value }) => (JSON.parse(value.toString()) as unknown[]).length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(30);
  });

  it('gives a refused item the same dead letter however often it comes', () => {
    const refused = {
      index: 3,
      item: { request_path: 1 },
      faults: [{ pointer: '/3/request_path', detail: 'must be string' }],
    };
    const letter = refusedMessage(batch, refused);
    expect(letter.headers['dead_letter_id']).toBe(refusedMessage(batch, refused).headers['dead_letter_id']);
    expect(letter.headers['dead_letter_id']).not.toBe(
      refusedMessage(batch, { ...refused, index: 4 }).headers['dead_letter_id'],
    );
    expect(letter.headers['dead_letter_detail']).toBe('/3/request_path must be string');
    expect(letter.value.toString()).toBe('{"request_path":1}');
  });

  it('bounds an item that is nested without end', () => {
    const item: unknown = JSON.parse('{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000));
    const json = JSON.stringify(boundedItem(item));
    expect(json.length).toBeLessThan(1_000);
    expect(json).toContain('nested too deep');
  });

  it('bounds an item that is larger than a visit, and no other', () => {
    const large = { request_path: 'x'.repeat(VISIT_LIMITS.itemBytes) };
    expect(boundedItem(large)).toMatch(/^\{"request_path":"x+…$/);
    expect(JSON.stringify(boundedItem(large)).length).toBeLessThan(70_000);
    const small = { request_path: 7, more: [{ a: 'x'.repeat(1_000) }] };
    expect(boundedItem(small)).toEqual(small);
  });
});
